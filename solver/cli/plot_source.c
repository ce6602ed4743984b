#include "solver/cli/plot_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/resample.h"
#include "solver/cli/celsius.h"

enum { TEXT_BYTES = 256 };

static bool is_temperature(const struct plot_source *source)
{
    return strcmp(source->variable.unit, "K") == 0;
}

/* Options that do nothing for this dataset. */
static enum status check_options(const struct plot_source *source)
{
    const struct series_variable *variable = &source->variable;
    const struct plot_options *options = source->options;
    char what[TEXT_BYTES];
    (void)snprintf(what, sizeof what, "%s, which is no temperature", variable->name);
    if (!is_temperature(source))
        TRY(plot_options_refuse(options, PLOT_UNIT, what));
    switch (variable->kind) {
    case SERIES_FIELD:
        return STATUS_OK;
    case SERIES_STILL:
        (void)snprintf(what, sizeof what, "%s, which is the same at all times", variable->name);
        TRY(plot_options_refuse(options, PLOT_TIMES, what));
        (void)snprintf(what, sizeof what, "%s, which is of classes", variable->name);
        return variable->class_count == 0
                   ? STATUS_OK
                   : plot_options_refuse(options, PLOT_COLOURS | PLOT_LINES, what);
    case SERIES_OVER_TIME:
        break;
    }
    if (options->has_line)
        return fail(STATUS_INPUT, "--line: %s is a number over time, there is no line in it",
                    variable->name);
    (void)snprintf(what, sizeof what, "%s, a number over time", variable->name);
    return plot_options_refuse(options, PLOT_TIMES | PLOT_COLOURS | PLOT_LINES, what);
}

static enum status read_materials(struct plot_source *source, size_t cells)
{
    struct series_variable materials = {0};
    enum status status = STATUS_OK;
    if (source->variable.kind == SERIES_OVER_TIME || source->options->has_line)
        return fail(STATUS_INPUT, "--outlines belongs to a picture of a field, not to a curve");
    if (series_variable_open_field(source->series, "material", &materials) != STATUS_OK) {
        error_clear();
        TRY_DONE(fail(STATUS_INPUT,
                      "--outlines: %s holds no material; a run with one material writes it with "
                      "output.fields = [\"temperature\", \"material\"]",
                      source->options->file));
    }
    TRY_DONE(memory_alloc(&source->materials, cells, sizeof *source->materials, "materials"));
    TRY_DONE(series_variable_read(source->series, &materials, 0, source->materials));
done:
    series_variable_close(&materials);
    return status;
}

enum status plot_source_open(struct plot_source *source, const struct plot_options *options)
{
    *source = (struct plot_source){.options = options,
                                   .has_range = options->has_range,
                                   .range = {options->range[0], options->range[1]}};
    TRY(series_open(options->file, &source->series));
    source->frames = series_frames(source->series);
    series_shape(source->series, &source->nx, &source->ny, source->size);
    const char *first = series_field_name(source->series, 0);
    const char *field = options->field != NULL ? options->field : first;
    TRY(series_variable_open(source->series, field, &source->variable));
    series_origin(source->series, source->origin);
    TRY(check_options(source));
    if (source->frames < 1 && source->variable.kind != SERIES_STILL)
        return fail(STATUS_FILE, "%s: holds no frame yet; nothing to draw", options->file);
    size_t cells = 0;
    TRY(size_multiply((size_t)source->nx, (size_t)source->ny, &cells));
    TRY(memory_alloc(&source->field, cells, sizeof *source->field, "field"));
    if (options->is_outlined)
        TRY(read_materials(source, cells));
    if (options->has_line) {
        source->along = options->line_axis == 0 ? source->ny : source->nx;
        TRY(memory_alloc(&source->x, (size_t)source->along, sizeof *source->x, "profile"));
        TRY(memory_alloc(&source->profile, (size_t)source->along, sizeof *source->profile,
                         "profile"));
    }
    return STATUS_OK;
}

void plot_source_close(struct plot_source *source)
{
    series_variable_close(&source->variable);
    series_close(source->series);
    free(source->field);
    free(source->materials);
    free(source->x);
    free(source->profile);
    *source = (struct plot_source){0};
}

void plot_source_convert(const struct plot_source *source, double *values, int64_t count)
{
    if (source->options->is_celsius)
        celsius_from_kelvin(values, count);
}

const char *plot_source_unit(const struct plot_source *source)
{
    return source->options->is_celsius ? celsius_unit : source->variable.unit;
}

enum status plot_source_read(struct plot_source *source, int64_t frame)
{
    const struct plot_options *options = source->options;
    TRY(series_variable_read(source->series, &source->variable, frame, source->field));
    plot_source_convert(source, source->field, source->nx * source->ny);
    if (!options->has_line)
        return STATUS_OK;
    const struct field_grid grid = {.nx = source->nx,
                                    .ny = source->ny,
                                    .size = {source->size[0], source->size[1]},
                                    .origin = {source->origin[0], source->origin[1]},
                                    .values = source->field};
    return field_profile(&grid, options->line_axis, options->line_at, source->x, source->profile);
}

/* One range for all frames, so that pictures of different times can be compared. */
enum status plot_source_find_range(struct plot_source *source)
{
    const struct plot_options *options = source->options;
    const bool is_line = source->along > 0;
    double all[2] = {INFINITY, -INFINITY}, range[2];
    for (int64_t frame = 0; frame < source->frames; frame++) {
        TRY(plot_source_read(source, frame));
        if (field_range(is_line ? source->profile : source->field,
                        is_line ? source->along : source->nx * source->ny, range)) {
            all[0] = fmin(all[0], range[0]);
            all[1] = fmax(all[1], range[1]);
        }
    }
    source->has_range = all[0] < all[1];
    if (source->has_range && !is_line && options->has_middle)
        plot_centre_range(all, options->middle);
    else if (source->has_range && !is_line && !is_temperature(source) && all[0] < 0 && all[1] > 0)
        plot_centre_range(all, 0);
    source->range[0] = all[0];
    source->range[1] = all[1];
    return STATUS_OK;
}

enum status plot_source_draw_line(const struct plot_source *source, const double *time,
                                  struct canvas *canvas)
{
    const struct plot_options *options = source->options;
    char when[80] = "", subtitle[160];
    if (time != NULL)
        plot_time_text(*time, when, sizeof when);
    (void)snprintf(subtitle, sizeof subtitle, "%c = %g m%s%s", "xy"[options->line_axis],
                   options -> line_at, time != NULL ? "  ·  " : "", when);
    const struct plot_curve curve = {.name = source->variable.name,
                                     .count = source->along,
                                     .x = source->x,
                                     .y = source->profile};
    const struct plot_chart chart = {.title = series_text(source->series, "title"),
                                     .subtitle = subtitle,
                                     .across = PLOT_OVER_LENGTH,
                                     .x_name = options->line_axis == 0 ? "y" : "x",
                                     .quantity = source->variable.long_name,
                                     .unit = plot_source_unit(source),
                                     .has_range = source->has_range,
                                     .range = {source->range[0], source->range[1]},
                                     .curve_count = 1,
                                     .curves = &curve};
    return plot_chart_draw(&chart, canvas, NULL);
}

enum status plot_source_draw_field(const struct plot_source *source, const double *time,
                                   struct canvas *canvas)
{
    const struct plot_options *options = source->options;
    const struct series_variable *variable = &source->variable;
    struct plot_class classes[SERIES_MAX_CLASSES];
    for (int k = 0; k < variable->class_count; k++)
        classes[k] = (struct plot_class){variable->classes[k].value, variable->classes[k].name};
    const struct plot_field plot = {
        .nx = source->nx,
        .ny = source->ny,
        .size = {source->size[0], source->size[1]},
        .origin = {source->origin[0], source->origin[1]},
        .values = source->field,
        .title = series_text(source->series, "title"),
        .has_time = time != NULL,
        .time = time != NULL ? *time : 0,
        .quantity = variable->long_name,
        .unit = plot_source_unit(source),
        .has_range = source->has_range,
        .range = {source->range[0], source->range[1]},
        .has_middle = options->has_middle,
        .middle = options->middle,
        /* Temperatures below and above 0 do not mean opposite things. */
        .is_signed = !is_temperature(source),
        .colormap = options->colormap,
        .contours = options->contours,
        .materials = source->materials,
        .class_count = variable->class_count,
        .classes = classes};
    return plot_field_draw(&plot, canvas, NULL);
}
