/* isotherm plot: results as PNG pictures. */
#include "io/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/cli/commands.h"
#include "solver/cli/fields.h"
#include "solver/cli/plot_probes.h"
#include "solver/cli/plot_source.h"
#include "solver/cli/plot_write.h"

enum { TAIL_BYTES = 256 };

/* What is drawn, as part of the name of the picture: nothing for the temperature. */
static void name_tail(const struct plot_source *source, char *tail, size_t bytes)
{
    const char *name = source->variable.name;
    const bool is_usual = strcmp(name, "temperature") == 0;
    (void)snprintf(tail, bytes, "%s%s%s", is_usual ? "" : "-", is_usual ? "" : name,
                   source->along > 0 ? "-line" : "");
    for (char *c = tail; *c != '\0'; c++)
        *c = *c == '/' ? '_' : *c;
}

/* Draws one frame; `number` < 0 leaves the number out of the name. */
static enum status plot_frame(struct plot_source *source, int64_t frame, int64_t number)
{
    const bool is_still = source->variable.kind == SERIES_STILL;
    const double *time = is_still ? NULL : &series_times(source->series)[frame];
    struct canvas canvas = {0};
    char tail[TAIL_BYTES];
    enum status status = STATUS_OK;
    name_tail(source, tail, sizeof tail);
    TRY_DONE(plot_source_read(source, frame));
    TRY_DONE(source->along > 0 ? plot_source_draw_line(source, time, &canvas)
                               : plot_source_draw_field(source, time, &canvas));
    TRY_DONE(plot_write_picture(source->options, &(struct plot_name){tail, number, source->frames},
                                &canvas));
done:
    canvas_free(&canvas);
    return status;
}

static enum status plot_frames(struct plot_source *source)
{
    const struct plot_options *options = source->options;
    const bool is_numbered = options->when.when == FRAMES_ALL;
    int64_t frame = 0, end = 0;
    TRY(frames_find(&options->when, source->series, options->file, &frame, &end));
    if (is_numbered && !source->has_range)
        TRY(plot_source_find_range(source));
    for (; frame < end; frame++)
        TRY(plot_frame(source, frame, is_numbered ? frame : -1));
    return STATUS_OK;
}

static enum status plot_over_time(struct plot_source *source)
{
    const struct plot_options *options = source->options;
    const struct series_variable *variable = &source->variable;
    double *values = NULL;
    char tail[TAIL_BYTES];
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&values, (size_t)source->frames, sizeof *values, "numbers of a series"));
    TRY_DONE(series_variable_read(source->series, variable, 0, values));
    plot_source_convert(source, values, source->frames);
    name_tail(source, tail, sizeof tail);
    const struct plot_curve curve = {.name = variable->name,
                                     .count = source->frames,
                                     .x = series_times(source->series),
                                     .y = values};
    TRY_DONE(plot_write_chart(options, tail,
                              &(struct plot_chart){.title = series_text(source->series, "title"),
                                                   .across = PLOT_OVER_TIME,
                                                   .x_name = "Time",
                                                   .quantity = variable->long_name,
                                                   .unit = plot_source_unit(source),
                                                   .has_range = source->has_range,
                                                   .range = {source->range[0], source->range[1]},
                                                   .curve_count = 1,
                                                   .curves = &curve}));
done:
    free(values);
    return status;
}

static enum status plot_series(const struct plot_options *options)
{
    struct plot_source source = {0};
    enum status status = STATUS_OK;
    TRY_DONE(plot_source_open(&source, options));
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
    plot_source_close(&source);
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
