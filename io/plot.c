#include "io/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/colormap.h"
#include "io/plot_bar.h"
#include "io/plot_contour.h"
#include "io/plot_frame.h"
#include "io/plot_outline.h"
#include "io/resample.h"

/* Pixels. */
enum {
    AREA_WIDTH = 800, /* the field fits into this, but for whole pixels a cell */
    AREA_HEIGHT = 600,
    LEAST_SIDE = 24,        /* of a slender field */
    SLENDER = 20,           /* times longer than wide: each axis then has a unit of its own */
    LEAST_BAR_HEIGHT = 180, /* a lower field has its colour bar below */
    SWATCH = 14,
    MOST_ENTRIES = AREA_HEIGHT / LEGEND_ROW
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
    struct colour_bar bar;       /* not with classes */
    struct legend_entry *legend; /* (entries): the classes that the field holds; owned */
    int entries;
    char subtitle[400];
};

void plot_centre_range(double range[2], double middle)
{
    const double reach = fmax(fabs(range[0] - middle), fabs(range[1] - middle));
    range[0] = middle - reach;
    range[1] = middle + reach;
}

static bool has_classes(const struct picture *picture)
{
    return picture->plot->class_count > 0;
}

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
    picture->bar.is_below = picture->height < LEAST_BAR_HEIGHT;
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

/* The ends of the colours, and the colours: diverging ones where there is a middle to diverge
 * from, and then as far to both sides of it. */
static enum status choose_colours(struct picture *picture, double range[2])
{
    const struct plot_field *plot = picture->plot;
    const double *given = plot->has_range ? plot->range : picture->found;
    range[0] = given[0];
    range[1] = given[1];
    const bool is_about_zero = range[0] < 0 && range[1] > 0;
    const bool is_even = !plot->has_range || range[0] == -range[1];
    const bool diverges = plot->has_middle || (plot->is_signed && is_about_zero && is_even);
    const char *fitting = plot->colormap == NULL && diverges ? "balance" : plot->colormap;
    TRY(colormap_init(&picture->map, fitting));
    if (!plot->has_range && plot->has_middle)
        plot_centre_range(range, plot->middle);
    else if (!plot->has_range && is_about_zero && picture->map.is_diverging)
        plot_centre_range(range, 0);
    return STATUS_OK;
}

static enum status choose_axes(struct picture *picture)
{
    const struct plot_field *plot = picture->plot;
    const double longer = fmax(plot->size[0], plot->size[1]);
    const bool is_slender = longer > SLENDER * fmin(plot->size[0], plot->size[1]);
    struct colour_bar *bar = &picture->bar;
    double range[2];
    length_axis(&picture->frame.x, "x", plot->origin[0], plot->origin[0] + plot->size[0],
                is_slender ? plot->size[0] : longer, most_ticks(picture->width, 90));
    length_axis(&picture->frame.y, "y", plot->origin[1], plot->origin[1] + plot->size[1],
                is_slender ? plot->size[1] : longer, most_ticks(picture->height, 50));
    TRY(choose_colours(picture, range));
    bar->map = &picture->map;
    axis_init(&bar->axis, range[0], range[1],
              bar->is_below ? most_ticks(picture->width, 90) : most_ticks(picture->height, 50));
    bar->has_lower = picture->found[0] < bar->axis.low;
    bar->has_higher = picture->found[1] > bar->axis.high;
    frame_quantity(bar->axis.label, sizeof bar->axis.label, plot->quantity, plot->unit);
    return STATUS_OK;
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
    char time[80] = "", low[64], high[64], range[240] = "no finite value", unit[80] = "";
    const char *apart = "  ·  ";
    if (plot->has_time)
        plot_time_text(plot->time, time, sizeof time);
    const int digits = fitting_digits(picture->found);
    axis_number(picture->found[0], digits, low, sizeof low);
    axis_number(picture->found[1], digits, high, sizeof high);
    frame_unit(unit, sizeof unit, plot->unit);
    if (has_classes(picture))
        (void)snprintf(range, sizeof range, "%s", plot->quantity);
    else if (picture->has_values && strcmp(low, high) == 0)
        (void)snprintf(range, sizeof range, "%s %s everywhere", low, unit);
    else if (picture->has_values)
        (void)snprintf(range, sizeof range, "%s to %s %s", low, high, unit);
    (void)snprintf(picture->subtitle, sizeof picture->subtitle, "%s%s%s%s%lld × %lld cells%s%s",
                   time, plot->has_time ? apart : "", range, apart, (long long)plot->nx,
                   (long long)plot->ny, picture->is_to_scale ? "" : apart,
                   picture->is_to_scale ? "" : "not to scale");
}

/* ---- fields of classes ---- */

/* The class of a value: its index, -1 when there is none. */
static int find_class(const struct plot_field *plot, double value)
{
    for (int k = 0; k < plot->class_count; k++)
        if (plot->classes[k].value == value)
            return k;
    return -1;
}

static struct colour class_colour(const struct picture *picture, double value)
{
    const int found = find_class(picture->plot, value);
    return found < 0 ? picture->map.nothing : frame_surface_colour(found);
}

/* An entry for each class that is somewhere in the field, in the order of the classes. */
static enum status make_legend(struct picture *picture)
{
    const struct plot_field *plot = picture->plot;
    bool *is_there = NULL;
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&picture->legend, (size_t)plot->class_count + 1, sizeof *picture->legend,
                          "legend"));
    TRY_DONE(memory_alloc(&is_there, (size_t)plot->class_count + 1, sizeof *is_there, "legend"));
    for (int64_t c = 0; c < plot->nx * plot->ny; c++) {
        const int found = find_class(plot, plot->values[c]);
        is_there[found < 0 ? plot->class_count : found] = true;
    }
    for (int k = 0; k < plot->class_count; k++)
        if (is_there[k])
            picture->legend[picture->entries++] =
                (struct legend_entry){plot->classes[k].name, frame_surface_colour(k)};
    if (is_there[plot->class_count])
        picture->legend[picture->entries++] =
            (struct legend_entry){"without a name", picture->map.nothing};
done:
    free(is_there);
    return status;
}

/* ---- drawing ---- */

static enum status lay_out(struct picture *picture, struct canvas *canvas)
{
    struct frame *frame = &picture->frame;
    const struct colour_bar *bar = &picture->bar;
    const bool is_barred = !has_classes(picture);
    const int x0 = frame_left(frame);
    const int y0 = frame_above(frame, picture->plot->title, picture->subtitle) +
                   (is_barred ? bar_note_room(bar) : 0);
    frame->area = (struct pixel_box){x0, y0, x0 + picture->width, y0 + picture->height};
    const struct pixel_box area = frame->area;
    int width = area.x1 + 3 * FRAME_MARGIN, height = area.y1 + frame_below(frame);
    bar_place(&picture->bar, area, height);
    if (!is_barred) {
        const int shown = picture->entries < MOST_ENTRIES ? picture->entries : MOST_ENTRIES;
        const int lower = area.y0 + shown * LEGEND_ROW + FRAME_MARGIN;
        width = area.x1 + legend_width(picture->legend, picture->entries) + 2 * FRAME_MARGIN;
        height = height > lower ? height : lower;
    } else if (bar->is_below) {
        height += bar_room(bar);
    } else {
        width = area.x1 + 1 + bar_room(bar);
    }
    const int titles =
        x0 + frame_title_width(picture->plot->title, picture->subtitle) + FRAME_MARGIN;
    return canvas_alloc(canvas, width > titles ? width : titles, height, frame_paper);
}

static void draw_cells(const struct picture *picture, struct canvas *canvas)
{
    const struct pixel_box area = picture->frame.area;
    const struct axis *bar = &picture->bar.axis;
    const double *value = picture->pixels;
    for (int y = area.y1 - 1; y >= area.y0; y--)
        for (int x = area.x0; x < area.x1; x++, value++)
            canvas_set(canvas, x, y,
                       has_classes(picture)
                           ? class_colour(picture, *value)
                           : colormap_colour(&picture->map, *value, bar->low, bar->high));
}

/* What the neutral colour means, below the right end of the x axis. */
static void draw_gap_key(const struct picture *picture, struct canvas *canvas)
{
    const struct pixel_box area = picture->frame.area;
    const int y = area.y1 + 1 + FRAME_TICK + 2 * FRAME_GAP + FRAME_TEXT;
    const int x = picture->bar.is_below ? area.x0 : picture->bar.box.x0;
    const struct pixel_box box = {x, y, x + SWATCH, y + SWATCH};
    const struct text_style style = {.size = FRAME_TEXT, .level = TEXT_MIDDLE, .colour = frame_ink};
    canvas_fill(canvas, box, picture->map.nothing);
    canvas_frame(canvas, box, 1, frame_ink);
    font_draw(canvas, &style, box.x1 + FRAME_GAP, y + SWATCH / 2.0, "NaN");
}

static enum status draw_contours(const struct picture *picture, struct canvas *canvas)
{
    const struct plot_field *plot = picture->plot;
    const double range[2] = {picture->bar.axis.low, picture->bar.axis.high};
    struct axis levels;
    axis_init(&levels, range[0], range[1], plot->contours);
    return plot_contours(canvas, picture->frame.area, plot, &picture->map, range, &levels);
}

static enum status draw(struct picture *picture, struct canvas *canvas)
{
    const struct plot_field *plot = picture->plot;
    TRY(lay_out(picture, canvas));
    const struct pixel_box area = picture->frame.area;
    draw_cells(picture, canvas);
    if (has_classes(picture))
        legend_draw(canvas, picture->legend, picture->entries, MOST_ENTRIES, false,
                    area.x1 + LEGEND_GAP, area.y0);
    else
        bar_draw(&picture->bar, canvas);
    if (picture->has_gaps && !has_classes(picture))
        draw_gap_key(picture, canvas);
    frame_draw(canvas, &picture->frame);
    frame_draw_title(canvas, area.x0, canvas->width - FRAME_MARGIN, plot->title, picture->subtitle);
    if (plot->materials != NULL)
        TRY(plot_outlines(canvas, area, plot));
    const bool is_lined = plot->contours > 0 && !has_classes(picture);
    return is_lined ? draw_contours(picture, canvas) : STATUS_OK;
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

/* The values of the pixels. */
static enum status resample(struct picture *picture)
{
    const struct plot_field *plot = picture->plot;
    const int width = picture->width, height = picture->height;
    const size_t count = (size_t)width * (size_t)height;
    TRY(memory_alloc(&picture->pixels, count, sizeof *picture->pixels, "picture"));
    if (has_classes(picture))
        field_sample(plot->values, plot->nx, plot->ny, picture->pixels, width, height);
    else
        TRY(field_resample(plot->values, plot->nx, plot->ny, picture->pixels, width, height));
    for (size_t k = 0; k < count && !picture->has_gaps; k++)
        picture->has_gaps = !isfinite(picture->pixels[k]);
    return STATUS_OK;
}

enum status plot_field_draw(const struct plot_field *plot, struct canvas *canvas,
                            struct pixel_box *area)
{
    struct picture picture = {.plot = plot};
    enum status status = STATUS_OK;
    *canvas = (struct canvas){0};
    TRY(check_field(plot));
    picture.has_values = field_range(plot->values, plot->nx * plot->ny, picture.found);
    choose_pixels(&picture);
    TRY_DONE(choose_axes(&picture));
    if (has_classes(&picture))
        TRY_DONE(make_legend(&picture));
    write_subtitle(&picture);
    TRY_DONE(resample(&picture));
    TRY_DONE(draw(&picture, canvas));
    if (area != NULL)
        *area = picture.frame.area;
done:
    free(picture.pixels);
    free(picture.legend);
    if (status != STATUS_OK)
        canvas_free(canvas);
    return status;
}
