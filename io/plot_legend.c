/* Samples of colours with names. */
#include <math.h>
#include <stdio.h>

#include "io/colormap.h"
#include "io/plot_frame.h"

/* Pixels. */
enum {
    SAMPLE = 26,     /* length of the sample of a line */
    SWATCH = 14,     /* side of that of a surface */
    MOST_WIDTH = 240 /* longer names are cut */
};

static const double line_width = 2;

static const double hues[] = {255, 50, 145, 345, 200, 95, 300, 20};

enum { HUES = sizeof hues / sizeof hues[0] };

struct colour frame_curve_colour(int index)
{
    return colour_from_oklch(index % 2 == 0 ? 0.52 : 0.68, 0.16, hues[index % HUES]);
}

struct colour frame_surface_colour(int index)
{
    const double darker = 0.15 * (index / HUES % 3);
    return colour_from_oklch((index % 2 == 0 ? 0.72 : 0.84) - darker, 0.10, hues[index % HUES]);
}

int legend_width(const struct legend_entry *entries, int count)
{
    double width = 0;
    for (int k = 0; k < count; k++)
        width = fmax(width, font_width(entries[k].name, FRAME_TEXT));
    return count > 0 ? LEGEND_GAP + SAMPLE + FRAME_GAP + (int)ceil(fmin(width, MOST_WIDTH)) : 0;
}

static void draw_sample(struct canvas *canvas, struct colour colour, bool is_of_lines, double x,
                        double y)
{
    if (is_of_lines) {
        canvas_stroke(canvas, (const double[2]){x, y}, (const double[2]){x + SAMPLE, y},
                      line_width);
        canvas_ink(canvas, colour, 1);
        return;
    }
    const int x0 = (int)x + (SAMPLE - SWATCH) / 2, y0 = (int)y - SWATCH / 2;
    const struct pixel_box box = {x0, y0, x0 + SWATCH, y0 + SWATCH};
    canvas_fill(canvas, box, colour);
    canvas_frame(canvas, box, 1, frame_ink);
}

void legend_draw(struct canvas *canvas, const struct legend_entry *entries, int count, int rows,
                 bool is_of_lines, double x, double y)
{
    const struct text_style style = {.size = FRAME_TEXT, .level = TEXT_MIDDLE, .colour = frame_ink};
    const int shown = count > rows ? rows - 1 : count;
    char text[256];
    for (int k = 0; k < shown; k++) {
        const double middle = y + LEGEND_ROW * (k + 0.5);
        draw_sample(canvas, entries[k].colour, is_of_lines, x, middle);
        frame_fit_text(entries[k].name, FRAME_TEXT, MOST_WIDTH, text, sizeof text);
        font_draw(canvas, &style, x + SAMPLE + FRAME_GAP, middle, text);
    }
    if (shown < count) {
        (void)snprintf(text, sizeof text, "and %d more", count - shown);
        font_draw(canvas, &style, x, y + LEGEND_ROW * (shown + 0.5), text);
    }
}
