#include "io/plot_contour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/contour.h"
#include "io/font.h"
#include "io/plot_frame.h"
#include "io/resample.h"

static const double line_width = 1.3, line_opacity = 0.85;
static const double label_size = 12, label_air = 4;

enum { MAX_LABELS = 64, CANDIDATES = 9 };

/* What one call of draw_line() needs to know. */
struct drawing {
    struct canvas *canvas;
    struct pixel_box area;
    int points[2];  /* of the grid: cells and the walls before and behind them */
    double step[2]; /* pixels of a cell */
    char text[64];
    double text_width;
    struct colour colour;
    double labels[MAX_LABELS][2]; /* where labels stand already */
    int label_count;
};

/* A stretch of a line that a label takes: from..to along the line, pixels. */
struct gap {
    double from, to;
    double ends[2][2];
};

/* In cells from the first wall: walls are half a cell from the centres beside them. */
static double from_wall(double grid, int points)
{
    if (grid < 1)
        return 0.5 * grid;
    const double beyond = grid - (points - 2);
    return beyond > 0 ? points - 2 - 0.5 + 0.5 * beyond : grid - 0.5;
}

static void to_pixels(const struct drawing *drawing, const double grid[2], double pixels[2])
{
    pixels[0] = drawing->area.x0 + from_wall(grid[0], drawing->points[0]) * drawing->step[0];
    pixels[1] = drawing->area.y1 - from_wall(grid[1], drawing->points[1]) * drawing->step[1];
}

static double distance(const double a[2], const double b[2])
{
    return hypot(b[0] - a[0], b[1] - a[1]);
}

static double line_length(const struct drawing *drawing, const double (*points)[2], int count)
{
    double length = 0;
    for (int k = 1; k < count; k++) {
        double a[2], b[2];
        to_pixels(drawing, points[k - 1], a);
        to_pixels(drawing, points[k], b);
        length += distance(a, b);
    }
    return length;
}

/* The point at this way along the line. */
static void line_point(const struct drawing *drawing, const double (*points)[2], int count,
                       double way, double at[2])
{
    double a[2], b[2];
    to_pixels(drawing, points[0], b);
    for (int k = 1; k < count; k++) {
        a[0] = b[0];
        a[1] = b[1];
        to_pixels(drawing, points[k], b);
        const double piece = distance(a, b);
        if (way <= piece && piece > 0) {
            at[0] = a[0] + way / piece * (b[0] - a[0]);
            at[1] = a[1] + way / piece * (b[1] - a[1]);
            return;
        }
        way -= piece;
    }
    at[0] = b[0];
    at[1] = b[1];
}

/* Whether a label of the current text centred there is inside of the picture and clear of others.
 */
static bool label_fits(const struct drawing *drawing, const double centre[2])
{
    const double reach = drawing->text_width / 2 + label_air;
    const struct pixel_box area = drawing->area;
    if (centre[0] < area.x0 + reach || centre[0] > area.x1 - reach || centre[1] < area.y0 + reach ||
        centre[1] > area.y1 - reach)
        return false;
    for (int k = 0; k < drawing->label_count; k++)
        if (distance(drawing->labels[k], centre) < 1.5 * drawing->text_width)
            return false;
    return drawing->label_count < MAX_LABELS;
}

/* The straightest place for the label; false when the line is too short or too crooked. */
static bool find_gap(const struct drawing *drawing, const double (*points)[2], int count,
                     struct gap *best)
{
    const double need = drawing->text_width + 2 * label_air;
    const double length = line_length(drawing, points, count);
    double straightest = 0.93 * need;
    bool is_found = false;
    for (int k = 0; k < CANDIDATES && length > 2 * need; k++) {
        /* From the middle outwards: 0.5, 0.42, 0.58, ... of the length. */
        const int out = (k + 1) / 2;
        const double part = 0.5 + (k % 2 == 0 ? 0.08 : -0.08) * out;
        struct gap gap = {.from = part * length - need / 2, .to = part * length + need / 2};
        line_point(drawing, points, count, gap.from, gap.ends[0]);
        line_point(drawing, points, count, gap.to, gap.ends[1]);
        const double centre[2] = {(gap.ends[0][0] + gap.ends[1][0]) / 2,
                                  (gap.ends[0][1] + gap.ends[1][1]) / 2};
        const double chord = distance(gap.ends[0], gap.ends[1]);
        if (gap.from < 0 || chord <= straightest * 1.005 || !label_fits(drawing, centre))
            continue;
        straightest = chord;
        *best = gap;
        is_found = true;
    }
    return is_found;
}

static void draw_label(struct drawing *drawing, const struct gap *gap)
{
    const double *a = gap->ends[0], *b = gap->ends[1];
    double angle = atan2(a[1] - b[1], b[0] - a[0]) * 180 / acos(-1.0);
    if (angle > 90)
        angle -= 180;
    if (angle <= -90)
        angle += 180;
    const struct text_style style = {.size = label_size,
                                     .angle = angle,
                                     .side = TEXT_CENTRE,
                                     .level = TEXT_MIDDLE,
                                     .colour = drawing->colour};
    double *centre = drawing->labels[drawing->label_count++];
    centre[0] = (a[0] + b[0]) / 2;
    centre[1] = (a[1] + b[1]) / 2;
    font_draw(drawing->canvas, &style, centre[0], centre[1], drawing->text);
}

/* Whether `at` lies between the centres of the outermost cells. One or two cells have nothing
 * between: there the axis does not count. */
static bool is_between(double at, int points)
{
    return points <= 4 || (at > 1 && at < points - 2);
}

/* Whether a line stays beyond the centres of the outermost cells. So does the one of a wall's own
 * temperature, which says nothing. */
static bool is_at_wall(const struct drawing *drawing, const double (*points)[2], int count)
{
    for (int k = 0; k < count; k++)
        if (is_between(points[k][0], drawing->points[0]) &&
            is_between(points[k][1], drawing->points[1]))
            return false;
    return true;
}

static void draw_line(void *context, const double (*points)[2], int count)
{
    struct drawing *drawing = context;
    if (is_at_wall(drawing, points, count))
        return;
    struct gap gap = {.from = INFINITY, .to = INFINITY};
    const bool has_label = find_gap(drawing, points, count, &gap);
    double way = 0, a[2], b[2];
    to_pixels(drawing, points[0], b);
    for (int k = 1; k < count; k++) {
        a[0] = b[0];
        a[1] = b[1];
        to_pixels(drawing, points[k], b);
        const double piece = distance(a, b);
        if (way + piece < gap.from || way > gap.to)
            canvas_stroke(drawing->canvas, a, b, line_width);
        else if (way < gap.from)
            canvas_stroke(drawing->canvas, a, gap.ends[0], line_width);
        if (way <= gap.to && way + piece > gap.to)
            canvas_stroke(drawing->canvas, gap.ends[1], b, line_width);
        way += piece;
    }
    canvas_ink(drawing->canvas, drawing->colour, line_opacity);
    if (has_label)
        draw_label(drawing, &gap);
}

/* The value at the wall in front of `first`, behind which `second` lies, on a straight line. */
static double at_wall(double first, double second)
{
    return isfinite(second) ? first + 0.5 * (first - second) : first;
}

/* Fills the walls around the cells of values[points[1] * points[0]]: first left and right of each
 * row, then below and above all columns. */
static void extend_to_walls(double *values, const int points[2])
{
    const int width = points[0], height = points[1];
    for (int j = 1; j < height - 1; j++) {
        double *row = values + (size_t)j * (size_t)width;
        row[0] = width > 3 ? at_wall(row[1], row[2]) : row[1];
        row[width - 1] = width > 3 ? at_wall(row[width - 2], row[width - 3]) : row[1];
    }
    double *low = values, *high = values + (size_t)(height - 1) * (size_t)width;
    for (int i = 0; i < width; i++) {
        low[i] = height > 3 ? at_wall(low[i + width], low[i + 2 * width]) : low[i + width];
        high[i] = height > 3 ? at_wall(high[i - width], high[i - 2 * width]) : high[i - width];
    }
}

/* The field at the centres of nx * ny cells, and at the walls around them. */
static enum status make_grid(const struct plot_field *plot, int nx, int ny, double *values)
{
    double *cells = NULL;
    const int points[2] = {nx + 2, ny + 2};
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&cells, (size_t)nx * (size_t)ny, sizeof *cells, "contour lines"));
    TRY_DONE(field_resample(plot->values, plot->nx, plot->ny, cells, nx, ny));
    for (int j = 0; j < ny; j++)
        memcpy(values + (size_t)(j + 1) * (size_t)points[0] + 1, cells + (size_t)j * (size_t)nx,
               (size_t)nx * sizeof *cells);
    extend_to_walls(values, points);
done:
    free(cells);
    return status;
}

enum status plot_contours(struct canvas *canvas, struct pixel_box area,
                          const struct plot_field *plot, const struct colormap *map,
                          const double range[2], const struct axis *levels)
{
    const int width = area.x1 - area.x0, height = area.y1 - area.y0;
    /* No finer than the picture, no coarser than the cells. */
    const int nx = plot->nx < width ? (int)plot->nx : width;
    const int ny = plot->ny < height ? (int)plot->ny : height;
    struct drawing drawing = {.canvas = canvas,
                              .area = area,
                              .points = {nx + 2, ny + 2},
                              .step = {(double)width / nx, (double)height / ny}};
    double *values = NULL;
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&values, (size_t)(nx + 2) * (size_t)(ny + 2), sizeof *values,
                          "contour lines"));
    TRY_DONE(make_grid(plot, nx, ny, values));
    canvas_clip(canvas, &area);
    for (int k = 0; k < levels->count; k++) {
        const double level = levels->ticks[k];
        const struct colour under = colormap_colour(map, level, range[0], range[1]);
        axis_tick_text(levels, k, drawing.text, sizeof drawing.text);
        drawing.text_width = font_width(drawing.text, label_size);
        drawing.colour = colour_lightness(under) > 0.62 ? frame_ink : frame_paper;
        TRY_DONE(contour_trace(values, nx + 2, ny + 2, level, draw_line, &drawing));
    }
done:
    canvas_clip(canvas, NULL);
    free(values);
    return status;
}
