#include "solver/cli/plot_probes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/csv.h"
#include "io/snapshot.h"
#include "solver/cli/celsius.h"
#include "solver/cli/plot_write.h"

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
        if (options->is_celsius)
            celsius_from_kelvin(csv->values[k], csv->rows);
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
                                     .unit = options->is_celsius ? celsius_unit : "K",
                                     .has_range = options->has_range,
                                     .range = {options->range[0], options->range[1]},
                                     .has_legend = true,
                                     .curve_count = csv->columns - 1,
                                     .curves = curves};
    const enum status status =
        plot_write_chart(options, options->file != NULL ? "-probes" : "", &chart);
    if (series != NULL)
        series_close(series);
    return status;
}

enum status plot_probes(const struct plot_options *options)
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
