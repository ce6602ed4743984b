#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "io/plot.h"
#include "io/plot_frame.h"

/* Pixels. */
enum { AREA_WIDTH = 800, AREA_HEIGHT = 480 };

static const double curve_width = 2;

struct chart_picture {
    const struct plot_chart *chart;
    struct frame frame;
    double unit;                 /* of x, in m or s */
    struct legend_entry *legend; /* (entries); owned */
    int entries;
};

/* Least and largest finite coordinate of all curves; false when there is none. */
static bool curves_range(const struct plot_chart *chart, bool of_y, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int c = 0; c < chart->curve_count; c++) {
        const struct plot_curve *curve = &chart->curves[c];
        for (int64_t k = 0; k < curve->count; k++) {
            if (!isfinite(curve->x[k]) || !isfinite(curve->y[k]))
                continue;
            const double value = of_y ? curve->y[k] : curve->x[k];
            range[0] = fmin(range[0], value);
            range[1] = fmax(range[1], value);
        }
    }
    return range[0] <= range[1];
}

static void choose_x_axis(struct chart_picture *picture, double range[2])
{
    const struct plot_chart *chart = picture->chart;
    const double largest = fmax(fabs(range[0]), fabs(range[1]));
    const struct axis_unit unit =
        chart->across == PLOT_OVER_LENGTH ? axis_length_unit(largest) : axis_time_unit(largest);
    struct axis *axis = &picture->frame.x;
    picture->unit = unit.size;
    axis_init(axis, range[0] / unit.size, range[1] / unit.size, AREA_WIDTH / 90);
    (void)snprintf(axis->label, sizeof axis->label, "%s (%s)", chart->x_name, unit.name);
}

static void choose_y_axis(struct chart_picture *picture, double range[2])
{
    const struct plot_chart *chart = picture->chart;
    struct axis *axis = &picture->frame.y;
    const double air = chart->has_range ? 0 : 0.04 * (range[1] - range[0]);
    axis_init(axis, range[0] - air, range[1] + air, AREA_HEIGHT / 55);
    frame_quantity(axis->label, sizeof axis->label, chart->quantity, chart->unit);
}

static enum status choose_axes(struct chart_picture *picture)
{
    const struct plot_chart *chart = picture->chart;
    double x[2], y[2];
    if (!curves_range(chart, false, x) || !curves_range(chart, true, y))
        return fail(STATUS_INPUT, "there is no finite value to draw");
    if (chart->has_range) {
        y[0] = chart->range[0];
        y[1] = chart->range[1];
    }
    if (!(y[0] <= y[1] && isfinite(y[0]) && isfinite(y[1])))
        return fail(STATUS_INPUT, "the range %g to %g is empty; give LOW,HIGH", y[0], y[1]);
    choose_x_axis(picture, x);
    choose_y_axis(picture, y);
    return STATUS_OK;
}

/* The entries are the caller's to free. */
static enum status make_legend(struct chart_picture *picture)
{
    const struct plot_chart *chart = picture->chart;
    if (chart->curve_count < 2 && !chart->has_legend)
        return STATUS_OK;
    TRY(memory_alloc(&picture->legend, (size_t)chart->curve_count, sizeof *picture->legend,
                     "legend"));
    picture->entries = chart->curve_count;
    for (int c = 0; c < chart->curve_count; c++)
        picture->legend[c] = (struct legend_entry){chart->curves[c].name, frame_curve_colour(c)};
    return STATUS_OK;
}

static enum status lay_out(struct chart_picture *picture, struct canvas *canvas)
{
    const struct plot_chart *chart = picture->chart;
    struct frame *frame = &picture->frame;
    const int x0 = frame_left(frame);
    const int y0 = frame_above(frame, chart->title, chart->subtitle);
    frame->area = (struct pixel_box){x0, y0, x0 + AREA_WIDTH, y0 + AREA_HEIGHT};
    const int beside = legend_width(picture->legend, picture->entries) + 2 * FRAME_MARGIN;
    return canvas_alloc(canvas, frame->area.x1 + beside, frame->area.y1 + frame_below(frame),
                        frame_paper);
}

static void draw_grid(const struct frame *frame, struct canvas *canvas)
{
    const struct pixel_box area = frame->area;
    for (int k = 0; k < frame->x.count; k++) {
        const int x = (int)floor(axis_place(&frame->x, frame->x.ticks[k], area.x0, area.x1));
        canvas_fill(canvas, (struct pixel_box){x, area.y0, x + 1, area.y1}, frame_grid);
    }
    for (int k = 0; k < frame->y.count; k++) {
        const int y = (int)floor(axis_place(&frame->y, frame->y.ticks[k], area.y1, area.y0));
        canvas_fill(canvas, (struct pixel_box){area.x0, y, area.x1, y + 1}, frame_grid);
    }
}

static void curve_point(const struct chart_picture *picture, const struct plot_curve *curve,
                        int64_t k, double at[2])
{
    const struct frame *frame = &picture->frame;
    const struct pixel_box area = frame->area;
    at[0] = axis_place(&frame->x, curve->x[k] / picture->unit, area.x0, area.x1);
    at[1] = axis_place(&frame->y, curve->y[k], area.y1, area.y0);
}

static bool is_drawn(const struct plot_curve *curve, int64_t k)
{
    return k >= 0 && k < curve->count && isfinite(curve->x[k]) && isfinite(curve->y[k]);
}

/* Points that fall into the pixel column of the one before only lengthen its upright extent, so a
 * curve of millions of points takes no longer to stroke than the picture is wide. */
static void draw_curve(const struct chart_picture *picture, struct canvas *canvas,
                       const struct plot_curve *curve, struct colour colour)
{
    double before[2] = {NAN, NAN}, at[2], low = 0, high = 0;
    for (int64_t k = 0; k < curve->count; k++) {
        if (!is_drawn(curve, k)) {
            before[0] = NAN; /* a stroke from here draws nothing: the gap */
            continue;
        }
        curve_point(picture, curve, k, at);
        const bool is_same_column = floor(at[0]) == floor(before[0]);
        if (is_same_column && at[1] >= low && at[1] <= high && is_drawn(curve, k + 1)) {
            before[0] = at[0];
            before[1] = at[1];
            continue;
        }
        canvas_stroke(canvas, before, at, curve_width);
        if (!is_drawn(curve, k - 1) && !is_drawn(curve, k + 1))
            canvas_stroke(canvas, at, at, 3 * curve_width); /* a single point */
        low = is_same_column ? fmin(low, at[1]) : at[1];
        high = is_same_column ? fmax(high, at[1]) : at[1];
        before[0] = at[0];
        before[1] = at[1];
    }
    canvas_ink(canvas, colour, 1);
}

static enum status draw(struct chart_picture *picture, struct canvas *canvas)
{
    const struct plot_chart *chart = picture->chart;
    const struct pixel_box *area = &picture->frame.area;
    TRY(choose_axes(picture));
    TRY(make_legend(picture));
    TRY(lay_out(picture, canvas));
    draw_grid(&picture->frame, canvas);
    canvas_clip(canvas, area);
    for (int c = 0; c < chart->curve_count; c++)
        draw_curve(picture, canvas, &chart->curves[c], frame_curve_colour(c));
    canvas_clip(canvas, NULL);
    legend_draw(canvas, picture->legend, picture->entries, AREA_HEIGHT / LEGEND_ROW, true,
                area->x1 + LEGEND_GAP, area->y0);
    frame_draw(canvas, &picture->frame);
    frame_draw_title(canvas, area->x0, canvas->width - FRAME_MARGIN, chart->title, chart->subtitle);
    return STATUS_OK;
}

enum status plot_chart_draw(const struct plot_chart *chart, struct canvas *canvas,
                            struct pixel_box *area)
{
    struct chart_picture picture = {.chart = chart};
    *canvas = (struct canvas){0};
    const enum status status = draw(&picture, canvas);
    if (area != NULL)
        *area = picture.frame.area;
    free(picture.legend);
    return status;
}
