/* isotherm info: what a result file or a checkpoint holds. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/checkpoint.h"
#include "io/compare.h"
#include "io/snapshot.h"
#include "solver/cli/commands.h"
#include "solver/cli/options.h"

static const char help[] =
    "usage: isotherm info FILE [--json]\n\n"
    "Shows what a run.h5 or a checkpoint holds: version, grid, times and temperatures; of a\n"
    "checkpoint, every byte is checked first.\n";

struct extremes {
    double least, mean, most; /* K */
};

static struct extremes find_extremes(const double *values, int64_t count)
{
    struct extremes extremes = {INFINITY, 0.0, -INFINITY};
    for (int64_t c = 0; c < count; c++) {
        extremes.least = fmin(extremes.least, values[c]);
        extremes.most = fmax(extremes.most, values[c]);
        extremes.mean += values[c];
    }
    extremes.mean /= (double)count;
    return extremes;
}

static void print_frame(struct json *json, double time, int64_t step, struct extremes extremes)
{
    if (json == NULL) {
        printf("  %-14.9g %-10lld %-14.9g %-14.9g %-14.9g\n", time, (long long)step, extremes.least,
               extremes.mean, extremes.most);
        return;
    }
    json_object(json, NULL);
    json_number(json, "time_s", time);
    json_integer(json, "step", step);
    json_number(json, "min_K", extremes.least);
    json_number(json, "mean_K", extremes.mean);
    json_number(json, "max_K", extremes.most);
    json_object_end(json);
}

static enum status print_frames(struct series *series, int64_t cells, struct json *json)
{
    double *field = NULL;
    TRY(memory_alloc(&field, (size_t)cells, sizeof *field, "field"));
    enum status status = STATUS_OK;
    for (int64_t f = 0; f < series_frames(series) && status == STATUS_OK; f++) {
        status = series_field(series, f, field);
        if (status == STATUS_OK)
            print_frame(json, series_times(series)[f], series_steps(series)[f],
                        find_extremes(field, cells));
    }
    free(field);
    return status;
}

static enum status show_series(const char *path, struct json *json)
{
    struct series *series = NULL;
    int64_t nx = 0, ny = 0;
    double size[2];
    TRY(series_open(path, &series));
    series_shape(series, &nx, &ny, size);
    if (json != NULL) {
        json_object(json, NULL);
        json_text(json, "file", path);
        json_text(json, "title", series_text(series, "title"));
        json_text(json, "source", series_text(series, "source"));
        json_integer(json, "cells_x", nx);
        json_integer(json, "cells_y", ny);
        json_number(json, "size_x_m", size[0]);
        json_number(json, "size_y_m", size[1]);
        json_array(json, "frames");
    } else {
        printf("%s: snapshots\n", path);
        printf("title     %s\n", series_text(series, "title"));
        printf("source    %s\n", series_text(series, "source"));
        printf("history   %s\n", series_text(series, "history"));
        printf("grid      %lld x %lld cells, %.6g x %.6g m\n", (long long)nx, (long long)ny, size[0],
               size[1]);
        printf("frames    %lld\n", (long long)series_frames(series));
        printf("  %-14s %-10s %-14s %-14s %-14s\n", "time [s]", "step", "min [K]", "mean [K]",
               "max [K]");
    }
    const enum status status = print_frames(series, nx * ny, json);
    if (json != NULL) {
        json_array_end(json);
        json_object_end(json);
    }
    series_close(series);
    return status;
}

static const char *const type_names[] = {
    [SECTION_F64] = "f64", [SECTION_F32] = "f32", [SECTION_I64] = "i64", [SECTION_U8] = "u8"};

static enum status show_checkpoint(const char *path, struct json *json)
{
    struct checkpoint checkpoint = {.fd = -1};
    TRY(checkpoint_open(path, &checkpoint));
    if (json != NULL) {
        json_object(json, NULL);
        json_text(json, "file", path);
        json_bool(json, "checksums_agree", true);
        json_integer(json, "step", checkpoint.step);
        json_number(json, "time_s", checkpoint.time);
        json_array(json, "sections");
    } else {
        printf("%s: checkpoint at step %lld, t = %.9g s; all checksums agree\n", path,
               (long long)checkpoint.step, checkpoint.time);
    }
    for (int s = 0; s < checkpoint.section_count; s++) {
        const struct checkpoint_section *section = &checkpoint.sections[s];
        if (json == NULL) {
            printf("  %-24s %s (%lld, %lld)\n", section->name, type_names[section->type],
                   (long long)section->rows, (long long)section->columns);
            continue;
        }
        json_object(json, NULL);
        json_text(json, "name", section->name);
        json_text(json, "type", type_names[section->type]);
        json_integer(json, "rows", section->rows);
        json_integer(json, "columns", section->columns);
        json_object_end(json);
    }
    if (json != NULL) {
        json_array_end(json);
        json_object_end(json);
    }
    checkpoint_close(&checkpoint);
    return STATUS_OK;
}

enum status command_info(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool is_json = false;
    opterr = 0;
    for (int option = getopt_long(argc, argv, ":h", options, NULL); option != -1;
         option = getopt_long(argc, argv, ":h", options, NULL)) {
        if (option == 'h') {
            fputs(help, stdout);
            return STATUS_OK;
        }
        if (option != 'j')
            return options_complain("info", option, argv);
        is_json = true;
    }
    if (argc - optind != 1)
        return fail(STATUS_INPUT, "isotherm info takes one file, %d given; see isotherm info --help",
                    argc - optind);
    struct json json;
    json_start(&json, stdout);
    const char *path = argv[optind];
    const enum status status = compare_is_checkpoint(path)
                                   ? show_checkpoint(path, is_json ? &json : NULL)
                                   : show_series(path, is_json ? &json : NULL);
    if (is_json)
        putchar('\n');
    return status;
}
