#include "io/plot_bar.h"

#include <math.h>
#include <string.h>

#include "io/plot_frame.h"

/* Pixels. */
enum {
    BAR_THICKNESS = 20,
    BAR_GAP = 20,
    BAR_TIP = 12 /* pointed end */
};

int bar_room(const struct colour_bar *bar)
{
    if (bar->is_below)
        return BAR_THICKNESS + FRAME_TICK + 2 * FRAME_GAP + 2 * FRAME_TEXT + FRAME_MARGIN;
    return BAR_GAP + BAR_THICKNESS + FRAME_TICK + 3 * FRAME_GAP +
           (int)ceil(frame_label_width(&bar->axis)) + FRAME_TEXT + FRAME_MARGIN;
}

int bar_note_room(const struct colour_bar *bar)
{
    const bool has_note = bar->axis.exponent != 0 || bar->axis.offset != 0;
    return !bar->is_below && has_note ? FRAME_SMALL + FRAME_GAP : 0;
}

void bar_place(struct colour_bar *bar, struct pixel_box area, int top)
{
    const int left = area.x1 + 1 + BAR_GAP;
    bar->box = bar->is_below ? (struct pixel_box){area.x0, top, area.x1, top + BAR_THICKNESS}
                             : (struct pixel_box){left, area.y0, left + BAR_THICKNESS, area.y1};
}

static void draw_colours(const struct colour_bar *bar, struct canvas *canvas)
{
    const struct pixel_box box = bar->box;
    const bool is_upright = !bar->is_below;
    const int length = is_upright ? box.y1 - box.y0 : box.x1 - box.x0;
    for (int k = 0; k < length; k++) {
        const struct colour colour = colormap_colour(bar->map, k + 0.5, 0, length);
        const struct pixel_box slice =
            is_upright ? (struct pixel_box){box.x0, box.y1 - 1 - k, box.x1, box.y1 - k}
                       : (struct pixel_box){box.x0 + k, box.y0, box.x0 + k + 1, box.y1};
        canvas_fill(canvas, slice, colour);
    }
    canvas_frame(canvas, box, 1, frame_ink);
}

/* A triangle on the end of the bar, pointing away from it. */
static void draw_tip(const struct colour_bar *bar, struct canvas *canvas, bool is_high)
{
    const struct pixel_box box = bar->box;
    const double x0 = box.x0, x1 = box.x1, y0 = box.y0, y1 = box.y1;
    double corners[3][2];
    if (bar->is_below) {
        const double base = is_high ? x1 + 1 : x0 - 1, tip = base + (is_high ? BAR_TIP : -BAR_TIP);
        memcpy(corners, (double[3][2]){{base, y0 - 1}, {base, y1 + 1}, {tip, (y0 + y1) / 2}},
               sizeof corners);
    } else {
        const double base = is_high ? y0 - 1 : y1 + 1, tip = base + (is_high ? -BAR_TIP : BAR_TIP);
        memcpy(corners, (double[3][2]){{x0 - 1, base}, {x1 + 1, base}, {(x0 + x1) / 2, tip}},
               sizeof corners);
    }
    canvas_polygon(canvas, (const double(*)[2])corners, 3);
    canvas_ink(canvas, bar->map->colours[is_high ? COLORMAP_COLOURS - 1 : 0], 1);
    canvas_stroke(canvas, corners[0], corners[2], 1);
    canvas_stroke(canvas, corners[1], corners[2], 1);
    canvas_ink(canvas, frame_ink, 1);
}

static void draw_below(const struct colour_bar *bar, struct canvas *canvas)
{
    const struct axis *axis = &bar->axis;
    const struct pixel_box box = bar->box;
    struct text_style style = {
        .size = FRAME_TEXT, .side = TEXT_CENTRE, .level = TEXT_TOP, .colour = frame_ink};
    const double row = box.y1 + 1 + FRAME_TICK + FRAME_GAP;
    char text[96];
    for (int k = 0; k < axis->count; k++) {
        const int x = (int)fmin(axis_place(axis, axis->ticks[k], box.x0, box.x1), box.x1);
        canvas_fill(canvas, (struct pixel_box){x, box.y1 + 1, x + 1, box.y1 + 1 + FRAME_TICK},
                    frame_ink);
        axis_tick_text(axis, k, text, sizeof text);
        font_draw(canvas, &style, x + 0.5, row, text);
    }
    char label[2 * AXIS_LABEL_BYTES];
    frame_fit_label(axis->label, box.x1 - box.x0, label, sizeof label);
    font_draw(canvas, &style, (box.x0 + box.x1) / 2.0, row + FRAME_TEXT + FRAME_GAP, label);
    style.side = TEXT_END;
    style.size = FRAME_SMALL;
    axis_note(axis, text, sizeof text);
    font_draw(canvas, &style, box.x1, row + FRAME_TEXT + FRAME_GAP, text);
}

static void draw_beside(const struct colour_bar *bar, struct canvas *canvas)
{
    const struct axis *axis = &bar->axis;
    const struct pixel_box box = bar->box;
    struct text_style style = {.size = FRAME_TEXT, .level = TEXT_MIDDLE, .colour = frame_ink};
    const double column = box.x1 + 1 + FRAME_TICK + FRAME_GAP;
    char text[96];
    for (int k = 0; k < axis->count; k++) {
        const int y = (int)fmin(axis_place(axis, axis->ticks[k], box.y1, box.y0), box.y1);
        canvas_fill(canvas, (struct pixel_box){box.x1 + 1, y, box.x1 + 1 + FRAME_TICK, y + 1},
                    frame_ink);
        axis_tick_text(axis, k, text, sizeof text);
        font_draw(canvas, &style, column, y + 0.5, text);
    }
    struct text_style small = style;
    small.size = FRAME_SMALL;
    small.level = TEXT_BASELINE;
    axis_note(axis, text, sizeof text);
    font_draw(canvas, &small, box.x0, box.y0 - FRAME_GAP - BAR_TIP, text);
    style.angle = 90;
    style.side = TEXT_CENTRE;
    char label[2 * AXIS_LABEL_BYTES];
    frame_fit_label(axis->label, box.y1 - box.y0 + 4 * FRAME_MARGIN, label, sizeof label);
    font_draw(canvas, &style, column + frame_label_width(axis) + 2 * FRAME_GAP + FRAME_TEXT / 2.0,
              (box.y0 + box.y1) / 2.0, label);
}

void bar_draw(const struct colour_bar *bar, struct canvas *canvas)
{
    draw_colours(bar, canvas);
    if (bar->has_lower)
        draw_tip(bar, canvas, false);
    if (bar->has_higher)
        draw_tip(bar, canvas, true);
    if (bar->is_below)
        draw_below(bar, canvas);
    else
        draw_beside(bar, canvas);
}
