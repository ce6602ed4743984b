#include "solver/cli/picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "solver/cli/console.h"

/* More cells in a direction than any terminal shows; reading them takes about a millisecond. */
enum { MOST_CELLS = 512, MOST_COLUMNS = 240, MOST_ROWS = 80 };

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

bool picture_open(struct picture *picture, const struct run *run)
{
    const struct layout *layout = &run->plan->layout;
    *picture = (struct picture){
        .run = run,
        .colours = watch_colours_of(getenv("COLORTERM"), getenv("TERM")),
        .nx = at_most(layout->nx, MOST_CELLS),
        .ny = at_most(layout->ny, MOST_CELLS),
    };
    if (picture->colours == WATCH_NONE)
        return false;
    if (colormap_init(&picture->map, NULL) == STATUS_OK &&
        memory_alloc(&picture->values, (size_t)(picture->nx * picture->ny), sizeof(double),
                     "picture") == STATUS_OK)
        return true;
    error_clear(); /* the run does not depend on it */
    return false;
}

void picture_close(struct picture *picture)
{
    free(picture->values);
    free(picture->text);
}

/* Evenly spaced cells of a finished frame. A rank may be filling its place with a later one: the
 * picture then has parts of two times until the next is drawn. */
static void look_at(struct picture *picture, uint64_t frame)
{
    const struct run *run = picture->run;
    const struct layout *layout = &run->plan->layout;
    const double reference = run->output.shared->totals.reference;
    const void *field = output_frame_field(&run->output, frame);
    for (int64_t j = 0; j < picture->ny; j++) {
        const int64_t row = (2 * j + 1) * layout->ny / (2 * picture->ny);
        for (int64_t i = 0; i < picture->nx; i++) {
            const int64_t column = (2 * i + 1) * layout->nx / (2 * picture->nx);
            const int64_t cell = row * layout->nx + column;
            const double held = run->plan->is_double ? ((const double *)field)[cell]
                                                     : (double)((const float *)field)[cell];
            picture->values[j * picture->nx + i] = reference + held;
        }
    }
}

/* Whether the terminal has another size than before; it may have been resized. */
static bool look_at_terminal(struct picture *picture)
{
    int columns = 0, rows = 0;
    console_size(&columns, &rows);
    columns = columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
    rows = rows < MOST_ROWS ? rows : MOST_ROWS;
    const bool is_other = columns != picture->columns || rows != picture->rows;
    picture->columns = columns;
    picture->rows = rows;
    return is_other;
}

static enum status make_room(struct picture *picture, size_t bytes)
{
    if (bytes <= picture->bytes)
        return STATUS_OK;
    free(picture->text);
    picture->text = NULL;
    picture->bytes = 0;
    TRY(memory_alloc(&picture->text, bytes, 1, "picture"));
    picture->bytes = bytes;
    return STATUS_OK;
}

static enum status render(struct picture *picture, int *lines)
{
    const struct input *input = picture->run->plan->input;
    const struct watch_view view = {
        .nx = picture->nx,
        .ny = picture->ny,
        .size = {input->size[0], input->size[1]},
        .values = picture->values,
        .unit = "K",
        .map = &picture->map,
        .columns = picture->columns,
        .rows = picture->rows - 1, /* the last one is the bar's */
        .colours = picture->colours,
    };
    TRY(make_room(picture, watch_bytes(&view)));
    return watch_render(&view, picture->text, picture->bytes, lines);
}

void picture_show(struct picture *picture)
{
    const uint64_t frames =
        atomic_load_explicit(&picture->run->output.shared->frames_done.value, memory_order_acquire);
    const bool is_resized = look_at_terminal(picture);
    if (frames == 0 || (frames == picture->frames && !is_resized))
        return;
    int lines = 0;
    look_at(picture, frames - 1);
    if (render(picture, &lines) != STATUS_OK) {
        error_clear(); /* a small terminal or no memory: no picture */
        return;
    }
    if (picture->lines > 0)
        printf("\033[%dA", picture->lines);
    if (is_resized)
        printf("\033[J"); /* the one before may have been larger */
    fputs(picture->text, stdout);
    picture->frames = frames;
    picture->lines = lines;
}
