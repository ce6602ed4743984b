#include "io/watch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/axis.h"
#include "io/palette.h"
#include "io/resample.h"

/* The longest sequences: two colours in 24 bits and the block; reset and newline. */
enum { CELL_BYTES = 2 * 19 + 3, LINE_BYTES = 8, SCALE_BYTES = 256 };

enum { NO_COLOUR = -1 };

/* Text that grows in the buffer of the caller, and the colours that are set in it. */
struct writer {
    char *text;
    size_t bytes, used;
    enum watch_colours colours;
    struct palette palette; /* of WATCH_256 */
    int32_t fore, back;     /* 0xRRGGBB, the number of a colour, or NO_COLOUR */
};

static void put(struct writer *writer, const char *format, ...) PRINTF_LIKE(2, 3);

static void put(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = writer->bytes - writer->used;
    const int length = vsnprintf(writer->text + writer->used, room, format, arguments);
    va_end(arguments);
    writer->used += length > 0 && (size_t)length < room ? (size_t)length : 0;
}

/* Sets the foreground (layer 38, a pixel in an odd row) or background (48, an even one) for the
 * pixel (x, y), unless it is set already. */
static void put_colour(struct writer *writer, struct colour colour, int x, int y)
{
    const int layer = y % 2 == 1 ? 38 : 48;
    int32_t *set = layer == 38 ? &writer->fore : &writer->back;
    const int32_t code = writer->colours == WATCH_24_BIT
                             ? colour.r << 16 | colour.g << 8 | colour.b
                             : palette_at(&writer->palette, colour, x, y);
    if (*set == code)
        return;
    *set = code;
    if (writer->colours == WATCH_24_BIT)
        put(writer, "\x1b[%d;2;%d;%d;%dm", layer, colour.r, colour.g, colour.b);
    else
        put(writer, "\x1b[%d;5;%dm", layer, (int)code);
}

static void end_line(struct writer *writer)
{
    put(writer, "\x1b[0m\n");
    writer->fore = NO_COLOUR;
    writer->back = NO_COLOUR;
}

static int at_least(int value, int least)
{
    return value > least ? value : least;
}

size_t watch_bytes(const struct watch_view *view)
{
    const size_t columns = (size_t)at_least(view->columns, WATCH_LEAST_COLUMNS);
    const size_t rows = (size_t)at_least(view->rows, WATCH_LEAST_ROWS);
    return rows * (columns * CELL_BYTES + LINE_BYTES) + SCALE_BYTES;
}

/* Pixels of the picture: as large as fits, square pixels, an even number of rows. */
static void choose_pixels(const struct watch_view *view, int *width, int *height)
{
    const int most_height = 2 * (view->rows - 1);
    const double scale = fmin(view->columns / view->size[0], most_height / view->size[1]);
    *width = at_least((int)lround(view->size[0] * scale), 1);
    *height = 2 * at_least((int)lround(view->size[1] * scale / 2), 1);
}

static void put_cells(struct writer *writer, const struct watch_view *view, const double range[2],
                      const double *pixels, int width, int height)
{
    for (int y = height - 1; y > 0; y -= 2) {
        for (int x = 0; x < width; x++) {
            const double upper = pixels[y * width + x], lower = pixels[(y - 1) * width + x];
            put_colour(writer, colormap_colour(view->map, upper, range[0], range[1]), x, y);
            put_colour(writer, colormap_colour(view->map, lower, range[0], range[1]), x, y - 1);
            put(writer, "▀");
        }
        end_line(writer);
    }
}

static int characters(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0U) != 0x80 ? 1 : 0;
    return count;
}

/* "293 ▀▀▀▀▀▀▀▀ 373 K", the blocks in the colours of the map; only the numbers when there is no
 * room for colours. */
static void put_scale(struct writer *writer, const struct watch_view *view, const double range[2])
{
    enum { MOST_BLOCKS = 32 };
    char low[64], high[64];
    axis_number(range[0], 5, low, sizeof low);
    axis_number(range[1], 5, high, sizeof high);
    int blocks = view->columns - characters(low) - characters(high) - characters(view->unit) - 3;
    blocks = blocks > MOST_BLOCKS ? MOST_BLOCKS : at_least(blocks, 0);
    put(writer, "%s ", low);
    for (int k = 0; k < blocks; k++) {
        const struct colour colour = colormap_colour(view->map, k + 0.5, 0, blocks);
        put_colour(writer, colour, k, 1);
        put_colour(writer, colour, k, 0);
        put(writer, "▀");
    }
    put(writer, "\x1b[0m %s %s", high, view->unit);
    end_line(writer);
}

enum status watch_render(const struct watch_view *view, char *text, size_t bytes, int *lines)
{
    if (view->columns < WATCH_LEAST_COLUMNS || view->rows < WATCH_LEAST_ROWS)
        return fail(STATUS_INPUT,
                    "a terminal of %d x %d characters is too small for a picture; make it at "
                    "least %d x %d",
                    view->columns, view->rows, WATCH_LEAST_COLUMNS, WATCH_LEAST_ROWS);
    if (bytes < watch_bytes(view))
        return fail(STATUS_BUG, "%zu bytes for a picture of text, %zu needed", bytes,
                    watch_bytes(view));
    double range[2] = {view->range[0], view->range[1]};
    if (!view->has_range)
        (void)field_range(view->values, view->nx * view->ny, range);
    int width = 0, height = 0;
    choose_pixels(view, &width, &height);
    double *pixels = NULL;
    TRY(memory_alloc(&pixels, (size_t)width * (size_t)height, sizeof *pixels, "picture of text"));
    const enum status status =
        field_resample(view->values, view->nx, view->ny, pixels, width, height);
    if (status == STATUS_OK) {
        struct writer writer = {.text = text,
                                .bytes = bytes,
                                .colours = view->colours,
                                .fore = NO_COLOUR,
                                .back = NO_COLOUR};
        palette_init(&writer.palette);
        put_cells(&writer, view, range, pixels, width, height);
        put_scale(&writer, view, range);
        *lines = height / 2 + 1;
    }
    free(pixels);
    return status;
}

enum watch_colours watch_colours_of(const char *colorterm, const char *term)
{
    const bool is_said = colorterm != NULL &&
                         (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0);
    const bool is_direct = term != NULL && strstr(term, "direct") != NULL;
    if (is_said || is_direct)
        return WATCH_24_BIT;
    const bool is_plain =
        term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0 || strncmp(term, "vt", 2) == 0;
    return is_plain ? WATCH_NONE : WATCH_256;
}
