#include "io/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/colormap.h"
#include "io/plot_contour.h"
#include "io/plot_frame.h"
#include "io/resample.h"

/* Pixels. */
enum {
    AREA_WIDTH = 800, /* the field fits into this, but for whole pixels a cell */
    AREA_HEIGHT = 600,
    LEAST_SIDE = 24, /* of a slender field */
    BAR_THICKNESS = 20,
    BAR_GAP = 20,
    BAR_TIP = 12,           /* pointed end: there are values beyond */
    LEAST_BAR_HEIGHT = 180, /* a lower field has its colour bar below */
    SWATCH = 14
};

/* A field picture while it is made. */
struct picture {
    const struct plot_field *plot;
    struct colormap map;
    double found[2];  /* least and largest value of the field */
    bool has_values;  /* any finite one */
    bool has_gaps;    /* any that is not finite */
    bool is_to_scale; /* both axes alike */
    int width, height;
    double *pixels; /* (height, width), row 0 at the bottom */
    struct frame frame;
    struct axis bar; /* its low and high are the ends of the colours */
    bool bar_is_below;
    struct pixel_box bar_box;
    char subtitle[400];
};

/* Whole pixels a cell, or cells a pixel as they come for a field finer than the picture. */
static int whole_cells(double ideal, int64_t cells)
{
    if ((double)cells > ideal * 4 / 3)
        return (int)lround(ideal);
    return (int)((double)cells * fmax(1, round(ideal / (double)cells)));
}

static void choose_pixels(struct picture *picture)
{
    const struct plot_field *plot = picture->plot;
    const int64_t cells[2] = {plot->nx, plot->ny};
    const double scale = fmin(AREA_WIDTH / plot->size[0], AREA_HEIGHT / plot->size[1]);
    const int longer = plot->size[0] >= plot->size[1] ? 0 : 1, other = 1 - longer;
    int pixels[2];
    pixels[longer] = whole_cells(plot->size[longer] * scale, cells[longer]);
    const double ideal = pixels[longer] * plot->size[other] / plot->size[longer];
    const double whole = (double)cells[other] * round(ideal / (double)cells[other]);
    /* Whole pixels a cell are worth a hundredth of distortion. */
    const double side = whole > 0 && fabs(whole - ideal) <= 0.01 * ideal ? whole : round(ideal);
    picture->is_to_scale = side >= LEAST_SIDE;
    pixels[other] = (int)fmax(side, LEAST_SIDE);
    picture->width = pixels[0];
    picture->height = pixels[1];
    picture->bar_is_below = picture->height < LEAST_BAR_HEIGHT;
}

static int most_ticks(int pixels, int each)
{
    return pixels / each > 2 ? pixels / each : 2;
}

static void length_axis(struct axis *axis, const char *name, double from, double to, double largest,
                        int ticks)
{
    const struct axis_unit unit = axis_length_unit(largest);
    axis_init(axis, from / unit.size, to / unit.size, ticks);
    (void)snprintf(axis->label, sizeof axis->label, "%s (%s)", name, unit.name);
}

static void quantity_label(char *label, size_t bytes, const char *quantity, const char *unit)
{
    const bool has_unit = unit != NULL && unit[0] != '\0';
    (void)snprintf(label, bytes, has_unit ? "%s (%s)" : "%s%s", quantity, has_unit ? unit : "");
}

static void choose_axes(struct picture *picture)
{
    const struct plot_field *plot = picture->plot;
    const double largest = fmax(plot->size[0], plot->size[1]);
    const double *origin = plot->origin;
    length_axis(&picture->frame.x, "x", origin[0], origin[0] + plot->size[0], largest,
                most_ticks(picture->width, 90));
    length_axis(&picture->frame.y, "y", origin[1], origin[1] + plot->size[1], largest,
                most_ticks(picture->height, 50));
    const double *range = plot->has_range ? plot->range : picture->found;
    axis_init(&picture->bar, range[0], range[1],
              picture->bar_is_below ? most_ticks(picture->width, 90)
                                    : most_ticks(picture->height, 50));
    quantity_label(picture->bar.label, sizeof picture->bar.label, plot->quantity, plot->unit);
}

void plot_time_text(double time, char *text, size_t bytes)
{
    const struct axis_unit unit = axis_time_unit(fabs(time));
    char number[64];
    axis_number(time / unit.size, 6, number, sizeof number);
    (void)snprintf(text, bytes, "t = %s %s", number, unit.name);
}

/* Enough significant digits to tell the two ends apart to a few parts in a thousand. */
static int fitting_digits(const double range[2])
{
    const double magnitude = fmax(fabs(range[0]), fabs(range[1]));
    const double difference = range[1] - range[0];
    if (!(difference > 0))
        return 6;
    return (int)fmin(15, 4 + ceil(log10(fmax(1, magnitude / difference))));
}

static void write_subtitle(struct picture *picture)
{
    const struct plot_field *plot = picture->plot;
    char time[80] = "", low[64], high[64], range[200] = "no finite value";
    if (plot->has_time)
        plot_time_text(plot->time, time, sizeof time);
    const int digits = fitting_digits(picture->found);
    axis_number(picture->found[0], digits, low, sizeof low);
    axis_number(picture->found[1], digits, high, sizeof high);
    if (picture->has_values)
        (void)snprintf(range, sizeof range, "%s to %s %s", low, high, plot->unit);
    (void)snprintf(picture->subtitle, sizeof picture->subtitle, "%s%s%s  ·  %lld × %lld cells%s",
                   time, plot->has_time ? "  ·  " : "", range, (long long)plot->nx,
                   (long long)plot->ny, picture->is_to_scale ? "" : "  ·  not to scale");
}

/* Room right of the field, and what the colour bar takes below the x axis. */
static int bar_room(const struct picture *picture)
{
    if (picture->bar_is_below)
        return BAR_THICKNESS + FRAME_TICK + 2 * FRAME_GAP + 2 * FRAME_TEXT + FRAME_MARGIN;
    return BAR_GAP + BAR_THICKNESS + FRAME_TICK + 3 * FRAME_GAP +
           (int)ceil(frame_label_width(&picture->bar)) + FRAME_TEXT + FRAME_MARGIN;
}

static int note_room(const struct picture *picture)
{
    const struct axis *bar = &picture->bar;
    const bool is_above = !picture->bar_is_below && (bar->exponent != 0 || bar->offset != 0);
    return is_above ? FRAME_SMALL + FRAME_GAP : 0;
}

static enum status lay_out(struct picture *picture, struct canvas *canvas)
{
    struct frame *frame = &picture->frame;
    const int x0 = frame_left(frame);
    const int y0 = frame_above(frame, picture->plot->title, picture->subtitle) + note_room(picture);
    frame->area = (struct pixel_box){x0, y0, x0 + picture->width, y0 + picture->height};
    const struct pixel_box area = frame->area;
    int width = area.x1 + 3 * FRAME_MARGIN, height = area.y1 + frame_below(frame);
    if (picture->bar_is_below) {
        picture->bar_box = (struct pixel_box){area.x0, height, area.x1, height + BAR_THICKNESS};
        height += bar_room(picture);
    } else {
        const int left = area.x1 + 1 + BAR_GAP;
        picture->bar_box = (struct pixel_box){left, area.y0, left + BAR_THICKNESS, area.y1};
        width = area.x1 + 1 + bar_room(picture);
    }
    const int titles =
        x0 + frame_title_width(picture->plot->title, picture->subtitle) + FRAME_MARGIN;
    return canvas_alloc(canvas, width > titles ? width : titles, height, frame_paper);
}

static void draw_cells(const struct picture *picture, struct canvas *canvas)
{
    const struct pixel_box area = picture->frame.area;
    const double *value = picture->pixels;
    for (int y = area.y1 - 1; y >= area.y0; y--)
        for (int x = area.x0; x < area.x1; x++)
            canvas_set(
                canvas, x, y,
                colormap_colour(&picture->map, *value++, picture->bar.low, picture->bar.high));
}

/* Fills the bar; `forward` goes from low to high values. */
static void draw_bar_colours(const struct picture *picture, struct canvas *canvas)
{
    const struct pixel_box box = picture->bar_box;
    const bool is_upright = !picture->bar_is_below;
    const int length = is_upright ? box.y1 - box.y0 : box.x1 - box.x0;
    for (int k = 0; k < length; k++) {
        const struct colour colour = colormap_colour(&picture->map, k + 0.5, 0, length);
        const struct pixel_box slice =
            is_upright ? (struct pixel_box){box.x0, box.y1 - 1 - k, box.x1, box.y1 - k}
                       : (struct pixel_box){box.x0 + k, box.y0, box.x0 + k + 1, box.y1};
        canvas_fill(canvas, slice, colour);
    }
    canvas_frame(canvas, box, 1, frame_ink);
}

/* A triangle on the end of the bar, pointing away from it. */
static void draw_bar_tip(const struct picture *picture, struct canvas *canvas, bool is_high)
{
    const struct pixel_box box = picture->bar_box;
    const double x0 = box.x0, x1 = box.x1, y0 = box.y0, y1 = box.y1;
    double corners[3][2];
    if (picture->bar_is_below) {
        const double base = is_high ? x1 + 1 : x0 - 1, tip = base + (is_high ? BAR_TIP : -BAR_TIP);
        memcpy(corners, (double[3][2]){{base, y0 - 1}, {base, y1 + 1}, {tip, (y0 + y1) / 2}},
               sizeof corners);
    } else {
        const double base = is_high ? y0 - 1 : y1 + 1, tip = base + (is_high ? -BAR_TIP : BAR_TIP);
        memcpy(corners, (double[3][2]){{x0 - 1, base}, {x1 + 1, base}, {(x0 + x1) / 2, tip}},
               sizeof corners);
    }
    canvas_polygon(canvas, (const double(*)[2])corners, 3);
    canvas_ink(canvas, picture->map.colours[is_high ? COLORMAP_COLOURS - 1 : 0], 1);
    canvas_stroke(canvas, corners[0], corners[2], 1);
    canvas_stroke(canvas, corners[1], corners[2], 1);
    canvas_ink(canvas, frame_ink, 1);
}

static void draw_bar_below(const struct picture *picture, struct canvas *canvas)
{
    const struct axis *axis = &picture->bar;
    const struct pixel_box box = picture->bar_box;
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
    font_draw(canvas, &style, (box.x0 + box.x1) / 2.0, row + FRAME_TEXT + FRAME_GAP, axis->label);
    style.side = TEXT_END;
    style.size = FRAME_SMALL;
    axis_note(axis, text, sizeof text);
    font_draw(canvas, &style, box.x1, row + FRAME_TEXT + FRAME_GAP, text);
}

static void draw_bar_beside(const struct picture *picture, struct canvas *canvas)
{
    const struct axis *axis = &picture->bar;
    const struct pixel_box box = picture->bar_box;
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
    font_draw(canvas, &style, column + frame_label_width(axis) + 2 * FRAME_GAP + FRAME_TEXT / 2.0,
              (box.y0 + box.y1) / 2.0, axis->label);
}

/* What the neutral colour means, below the right end of the x axis. */
static void draw_gap_key(const struct picture *picture, struct canvas *canvas)
{
    const struct pixel_box area = picture->frame.area;
    const int y = area.y1 + 1 + FRAME_TICK + 2 * FRAME_GAP + FRAME_TEXT;
    const int x = picture->bar_is_below ? area.x0 : picture->bar_box.x0;
    const struct pixel_box box = {x, y, x + SWATCH, y + SWATCH};
    const struct text_style style = {.size = FRAME_TEXT, .level = TEXT_MIDDLE, .colour = frame_ink};
    canvas_fill(canvas, box, picture->map.nothing);
    canvas_frame(canvas, box, 1, frame_ink);
    font_draw(canvas, &style, box.x1 + FRAME_GAP, y + SWATCH / 2.0, "NaN");
}

static enum status draw(struct picture *picture, struct canvas *canvas)
{
    const struct plot_field *plot = picture->plot;
    const struct axis *bar = &picture->bar;
    TRY(lay_out(picture, canvas));
    draw_cells(picture, canvas);
    draw_bar_colours(picture, canvas);
    if (picture->found[0] < bar->low)
        draw_bar_tip(picture, canvas, false);
    if (picture->found[1] > bar->high)
        draw_bar_tip(picture, canvas, true);
    if (picture->bar_is_below)
        draw_bar_below(picture, canvas);
    else
        draw_bar_beside(picture, canvas);
    if (picture->has_gaps)
        draw_gap_key(picture, canvas);
    frame_draw(canvas, &picture->frame);
    frame_draw_title(canvas, picture->frame.area.x0, canvas->width - FRAME_MARGIN, plot->title,
                     picture->subtitle);
    if (plot->contours < 1)
        return STATUS_OK;
    struct axis levels;
    const double range[2] = {bar->low, bar->high};
    axis_init(&levels, range[0], range[1], plot->contours);
    return plot_contours(canvas, picture->frame.area, plot, &picture->map, range, &levels);
}

static enum status check_field(const struct plot_field *plot)
{
    if (plot->nx < 1 || plot->ny < 1 || !(plot->size[0] > 0) || !(plot->size[1] > 0) ||
        !isfinite(plot->size[0]) || !isfinite(plot->size[1]))
        return fail(STATUS_INPUT, "a field of %lld x %lld cells on %g m x %g m cannot be drawn",
                    (long long)plot->nx, (long long)plot->ny, plot->size[0], plot->size[1]);
    if (plot->has_range &&
        !(plot->range[0] < plot->range[1] && isfinite(plot->range[0]) && isfinite(plot->range[1])))
        return fail(STATUS_INPUT, "the range of colours %g to %g is empty; give LOW,HIGH",
                    plot->range[0], plot->range[1]);
    return STATUS_OK;
}

enum status plot_field_draw(const struct plot_field *plot, struct canvas *canvas,
                            struct pixel_box *area)
{
    struct picture picture = {.plot = plot};
    enum status status = STATUS_OK;
    *canvas = (struct canvas){0};
    TRY(check_field(plot));
    TRY(colormap_init(&picture.map, plot->colormap));
    picture.has_values = field_range(plot->values, plot->nx * plot->ny, picture.found);
    choose_pixels(&picture);
    choose_axes(&picture);
    write_subtitle(&picture);
    const size_t count = (size_t)picture.width * (size_t)picture.height;
    TRY_DONE(memory_alloc(&picture.pixels, count, sizeof *picture.pixels, "picture"));
    TRY_DONE(field_resample(plot->values, plot->nx, plot->ny, picture.pixels, picture.width,
                            picture.height));
    for (size_t k = 0; k < count && !picture.has_gaps; k++)
        picture.has_gaps = !isfinite(picture.pixels[k]);
    TRY_DONE(draw(&picture, canvas));
    if (area != NULL)
        *area = picture.frame.area;
done:
    free(picture.pixels);
    if (status != STATUS_OK)
        canvas_free(canvas);
    return status;
}
