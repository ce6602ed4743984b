/* isotherm plot: results as PNG pictures. */
#include "io/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/csv.h"
#include "io/png.h"
#include "io/resample.h"
#include "io/series_variable.h"
#include "solver/cli/commands.h"
#include "solver/cli/fields.h"
#include "solver/cli/plot_options.h"

enum { PATH_BYTES = 4096, TAIL_BYTES = 256 };

/* An open run.h5 with room for one frame. */
struct source {
    const struct plot_options *options;
    struct series *series;
    struct series_variable variable;
    int64_t frames, nx, ny;
    double size[2], origin[2]; /* m */
    double *field;             /* (ny, nx) */
    double *materials;         /* (ny, nx), NULL without --outlines */
    int64_t along;             /* points of a profile, 0 without --line */
    double *x, *profile;       /* (along) */
    bool has_range;
    double range[2]; /* for all pictures alike */
};

static enum status write_picture(const char *path, const struct canvas *canvas)
{
    char shown[PATH_BYTES];
    TRY(png_write_canvas(path, canvas));
    if (strcmp(path, "-") == 0)
        return STATUS_OK;
    text_escape(shown, sizeof shown, path);
    printf("wrote %s\n", shown);
    return STATUS_OK;
}

/* A frame below 0 leaves the number out of the name. */
static enum status picture_path(const struct plot_options *options, const char *tail, int64_t frame,
                                int64_t frames, char path[PATH_BYTES])
{
    return frames_path(
        &(struct frames_name){.from = options->file != NULL ? options->file : options->probes,
                              .tail = tail,
                              .suffix = ".png",
                              .output = options->output,
                              .frame = frame,
                              .frames = frames},
        path, PATH_BYTES);
}

/* Options that do nothing for this dataset. */
static enum status check_options(const struct source *source)
{
    const struct series_variable *variable = &source->variable;
    const struct plot_options *options = source->options;
    char what[TAIL_BYTES];
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

static enum status read_materials(struct source *source, size_t cells)
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

static enum status source_open(struct source *source, const struct plot_options *options)
{
    *source = (struct source){.options = options,
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

static void source_close(struct source *source)
{
    series_variable_close(&source->variable);
    series_close(source->series);
    free(source->field);
    free(source->materials);
    free(source->x);
    free(source->profile);
    *source = (struct source){0};
}

static enum status read_frame(struct source *source, int64_t frame)
{
    const struct plot_options *options = source->options;
    TRY(series_variable_read(source->series, &source->variable, frame, source->field));
    if (!options->has_line)
        return STATUS_OK;
    const struct field_grid grid = {.nx = source->nx,
                                    .ny = source->ny,
                                    .size = {source->size[0], source->size[1]},
                                    .origin = {source->origin[0], source->origin[1]},
                                    .values = source->field};
    return field_profile(&grid, options->line_axis, options->line_at, source->x, source->profile);
}

/* Values below and above 0 mean opposite things, unless they are temperatures. */
static bool is_signed(const struct source *source)
{
    return strcmp(source->variable.unit, "K") != 0;
}

/* One range for all frames, so that pictures of different times can be compared. */
static enum status find_common_range(struct source *source)
{
    const struct plot_options *options = source->options;
    const bool is_line = source->along > 0;
    double all[2] = {INFINITY, -INFINITY}, range[2];
    for (int64_t frame = 0; frame < source->frames; frame++) {
        TRY(read_frame(source, frame));
        if (field_range(is_line ? source->profile : source->field,
                        is_line ? source->along : source->nx * source->ny, range)) {
            all[0] = fmin(all[0], range[0]);
            all[1] = fmax(all[1], range[1]);
        }
    }
    source->has_range = all[0] < all[1];
    if (source->has_range && !is_line && options->has_middle)
        plot_centre_range(all, options->middle);
    else if (source->has_range && !is_line && is_signed(source) && all[0] < 0 && all[1] > 0)
        plot_centre_range(all, 0);
    source->range[0] = all[0];
    source->range[1] = all[1];
    return STATUS_OK;
}

static enum status draw_profile(struct source *source, const double *time, struct canvas *canvas)
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
                                     .unit = source->variable.unit,
                                     .has_range = source->has_range,
                                     .range = {source->range[0], source->range[1]},
                                     .curve_count = 1,
                                     .curves = &curve};
    return plot_chart_draw(&chart, canvas, NULL);
}

static enum status draw_field(struct source *source, const double *time, struct canvas *canvas)
{
    const struct plot_options *options = source->options;
    const struct series_variable *variable = &source->variable;
    struct plot_class classes[SERIES_MAX_CLASSES];
    for (int k = 0; k < variable->class_count; k++)
        classes[k] = (struct plot_class){variable->classes[k].value, variable->classes[k].name};
    const struct plot_field plot = {.nx = source->nx,
                                    .ny = source->ny,
                                    .size = {source->size[0], source->size[1]},
                                    .origin = {source->origin[0], source->origin[1]},
                                    .values = source->field,
                                    .title = series_text(source->series, "title"),
                                    .has_time = time != NULL,
                                    .time = time != NULL ? *time : 0,
                                    .quantity = variable->long_name,
                                    .unit = variable->unit,
                                    .has_range = source->has_range,
                                    .range = {source->range[0], source->range[1]},
                                    .has_middle = options->has_middle,
                                    .middle = options->middle,
                                    .is_signed = is_signed(source),
                                    .colormap = options->colormap,
                                    .contours = options->contours,
                                    .materials = source->materials,
                                    .class_count = variable->class_count,
                                    .classes = classes};
    return plot_field_draw(&plot, canvas, NULL);
}

/* What is drawn, as part of the name of the picture: nothing for the temperature. */
static void name_tail(const struct source *source, char *tail, size_t bytes)
{
    const char *name = source->variable.name;
    const bool is_usual = strcmp(name, "temperature") == 0;
    (void)snprintf(tail, bytes, "%s%s%s", is_usual ? "" : "-", is_usual ? "" : name,
                   source->along > 0 ? "-line" : "");
    for (char *c = tail; *c != '\0'; c++)
        *c = *c == '/' ? '_' : *c;
}

/* Draws one frame; `number` < 0 leaves the number out of the name. */
static enum status plot_frame(struct source *source, int64_t frame, int64_t number)
{
    const bool is_still = source->variable.kind == SERIES_STILL;
    const double *time = is_still ? NULL : &series_times(source->series)[frame];
    struct canvas canvas = {0};
    char path[PATH_BYTES], tail[TAIL_BYTES];
    enum status status = STATUS_OK;
    name_tail(source, tail, sizeof tail);
    TRY_DONE(picture_path(source->options, tail, number, source->frames, path));
    TRY_DONE(read_frame(source, frame));
    TRY_DONE(source->along > 0 ? draw_profile(source, time, &canvas)
                               : draw_field(source, time, &canvas));
    TRY_DONE(write_picture(path, &canvas));
done:
    canvas_free(&canvas);
    return status;
}

static enum status plot_frames(struct source *source)
{
    const struct plot_options *options = source->options;
    const bool is_numbered = options->when.when == FRAMES_ALL;
    int64_t frame = 0, end = 0;
    TRY(frames_find(&options->when, source->series, options->file, &frame, &end));
    if (is_numbered && !source->has_range)
        TRY(find_common_range(source));
    for (; frame < end; frame++)
        TRY(plot_frame(source, frame, is_numbered ? frame : -1));
    return STATUS_OK;
}

static enum status write_chart(const struct plot_options *options, const struct plot_chart *chart,
                               const char *tail)
{
    struct canvas canvas = {0};
    char path[PATH_BYTES];
    enum status status = STATUS_OK;
    TRY_DONE(picture_path(options, tail, -1, 0, path));
    TRY_DONE(plot_chart_draw(chart, &canvas, NULL));
    TRY_DONE(write_picture(path, &canvas));
done:
    canvas_free(&canvas);
    return status;
}

static enum status plot_over_time(struct source *source)
{
    const struct plot_options *options = source->options;
    const struct series_variable *variable = &source->variable;
    double *values = NULL;
    char tail[TAIL_BYTES];
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&values, (size_t)source->frames, sizeof *values, "numbers of a series"));
    TRY_DONE(series_variable_read(source->series, variable, 0, values));
    name_tail(source, tail, sizeof tail);
    const struct plot_curve curve = {.name = variable->name,
                                     .count = source->frames,
                                     .x = series_times(source->series),
                                     .y = values};
    TRY_DONE(write_chart(options,
                         &(struct plot_chart){.title = series_text(source->series, "title"),
                                              .across = PLOT_OVER_TIME,
                                              .x_name = "Time",
                                              .quantity = variable->long_name,
                                              .unit = variable->unit,
                                              .has_range = source->has_range,
                                              .range = {source->range[0], source->range[1]},
                                              .curve_count = 1,
                                              .curves = &curve},
                         tail));
done:
    free(values);
    return status;
}

static enum status plot_series(const struct plot_options *options)
{
    struct source source = {0};
    enum status status = STATUS_OK;
    TRY_DONE(source_open(&source, options));
    switch (source.variable.kind) {
    case SERIES_FIELD:
        TRY_DONE(plot_frames(&source));
        break;
    case SERIES_STILL:
        TRY_DONE(plot_frame(&source, 0, -1));
        break;
    case SERIES_OVER_TIME:
        TRY_DONE(plot_over_time(&source));
        break;
    }
done:
    source_close(&source);
    return status;
}

/* "centre_K" names the unit for programs; the axis tells people. */
static void cut_unit(char *name)
{
    const size_t length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, "_K") == 0)
        name[length - 2] = '\0';
}

/* The title of the run when FILE was given too, else the name of the table. */
static enum status draw_probes(const struct plot_options *options, struct csv *csv,
                               struct plot_curve *curves)
{
    for (int k = 1; k < csv->columns; k++) {
        cut_unit(csv->names[k]);
        curves[k - 1] = (struct plot_curve){
            .name = csv->names[k], .count = csv->rows, .x = csv->values[0], .y = csv->values[k]};
    }
    struct series *series = NULL;
    if (options->file != NULL)
        TRY(series_open(options->file, &series));
    const struct plot_chart chart = {.title = series != NULL ? series_text(series, "title") : "",
                                     .subtitle = options->probes,
                                     .across = PLOT_OVER_TIME,
                                     .x_name = "Time",
                                     .quantity = "Temperature",
                                     .unit = "K",
                                     .has_range = options->has_range,
                                     .range = {options->range[0], options->range[1]},
                                     .has_legend = true,
                                     .curve_count = csv->columns - 1,
                                     .curves = curves};
    const enum status status = write_chart(options, &chart, options->file != NULL ? "-probes" : "");
    if (series != NULL)
        series_close(series);
    return status;
}

static enum status plot_probes(const struct plot_options *options)
{
    struct csv csv = {0};
    struct plot_curve *curves = NULL;
    enum status status = STATUS_OK;
    TRY_DONE(csv_read(options->probes, &csv));
    if (csv.columns < 2 || csv.rows < 1)
        TRY_DONE(
            fail(STATUS_FILE, "%s: holds no probe values yet; nothing to draw", options->probes));
    TRY_DONE(memory_alloc(&curves, (size_t)csv.columns, sizeof *curves, "curves"));
    TRY_DONE(draw_probes(options, &csv, curves));
done:
    free(curves);
    csv_free(&csv);
    return status;
}

enum status command_plot(int argc, char **argv)
{
    struct plot_options options;
    TRY(plot_options_parse(argc, argv, &options));
    if (options.is_help)
        return STATUS_OK;
    if (options.probes != NULL)
        return plot_probes(&options);
    return options.is_list ? fields_list(options.file) : plot_series(&options);
}
