/* isotherm info: what a result file or a checkpoint holds. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/series_variable.h"
#include "solver/cli/commands.h"
#include "solver/cli/options.h"
#include "solver/state.h"

static const char help[] =
    "usage: isotherm info FILE [OPTIONS]\n\n"
    "Shows what a run.h5 or a checkpoint holds: version, grid, fields, times, least, mean and\n"
    "greatest temperature. Everything is read, and every checksum compared, before a line is\n"
    "printed.\n\n"
    "  --field NAME   values of heat_flux_x, ... instead of the temperature: any dataset that\n"
    "                 has a value for each cell\n"
    "  --json         one JSON object instead of text, with all fields\n";

struct extremes {
    double least, mean, most;
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

/* Of the temperature, in K. */
static void put_extremes(struct json *json, const struct extremes *extremes)
{
    json_number(json, "min_K", extremes->least);
    json_number(json, "mean_K", extremes->mean);
    json_number(json, "max_K", extremes->most);
}

/* ---- snapshots ---- */

struct snapshots {
    const char *path;
    struct series *series;
    int64_t nx, ny;
    double size[2], origin[2];      /* m */
    int field_count, shown;         /* `shown`: index of the field for people */
    struct series_variable *fields; /* (field_count): this program's, and the one that was named */
    struct extremes *extremes;      /* (field_count, frames) */
};

static const struct extremes *extremes_of(const struct snapshots *snapshots, int field,
                                          int64_t frame)
{
    return &snapshots->extremes[field * series_frames(snapshots->series) + frame];
}

static enum status read_frames(struct snapshots *snapshots)
{
    const int64_t frames = series_frames(snapshots->series), cells = snapshots->nx * snapshots->ny;
    double *field = NULL;
    enum status status = STATUS_OK;
    TRY(memory_alloc(&snapshots->extremes, (size_t)(frames * snapshots->field_count),
                     sizeof *snapshots->extremes, "frames"));
    TRY(memory_alloc(&field, (size_t)cells, sizeof *field, "field"));
    for (int k = 0; k < snapshots->field_count; k++) {
        for (int64_t f = 0; f < frames; f++) {
            TRY_DONE(series_variable_read(snapshots->series, &snapshots->fields[k], f, field));
            snapshots->extremes[k * frames + f] = find_extremes(field, cells);
        }
    }
done:
    free(field);
    return status;
}

/* Files of other programs may have none; what was read of ours has been compared. */
static bool has_checksums(const struct snapshots *snapshots)
{
    return strncmp(series_text(snapshots->series, "source"), "isotherm ", strlen("isotherm ")) == 0;
}

static void say_grid(const struct snapshots *snapshots)
{
    const double *origin = snapshots->origin;
    printf("grid      %lld x %lld cells, %.6g x %.6g m", (long long)snapshots->nx,
           (long long)snapshots->ny, snapshots->size[0], snapshots->size[1]);
    if (origin[0] != 0.0 || origin[1] != 0.0)
        printf(" from x = %.6g m, y = %.6g m", origin[0], origin[1]);
    printf("\nfields    ");
    for (int k = 0; k < snapshots->field_count; k++)
        printf("%s%s", k > 0 ? ", " : "", snapshots->fields[k].name);
    printf("\n");
}

static const char *unit_of(const struct series_variable *field)
{
    return field->unit[0] != '\0' ? field->unit : "1";
}

static void say_snapshots(const struct snapshots *snapshots)
{
    static const char *const texts[] = {"title", "source", "history"};
    const struct series *series = snapshots->series;
    printf("%s: snapshots\n", snapshots->path);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char shown[1024]; /* a file from elsewhere must not drive the terminal */
        text_escape(shown, sizeof shown, series_text(series, texts[k]));
        printf("%-9s %s\n", texts[k], shown);
    }
    say_grid(snapshots);
    printf("checksums %s\n", has_checksums(snapshots) ? "all agree" : "unknown: another program's");
    const struct series_variable *shown = &snapshots->fields[snapshots->shown];
    printf("frames    %lld of %s\n", (long long)series_frames(series), shown->name);
    const char *unit = unit_of(shown);
    char heads[3][32];
    const char *names[3] = {"min", "mean", "max"};
    for (int k = 0; k < 3; k++)
        (void)snprintf(heads[k], sizeof heads[k], "%s [%s]", names[k], unit);
    printf("  %-14s %-10s %-14s %-14s %-14s\n", "time [s]", "step", heads[0], heads[1], heads[2]);
    for (int64_t f = 0; f < series_frames(series); f++) {
        const struct extremes *extremes = extremes_of(snapshots, snapshots->shown, f);
        printf("  %-14.9g %-10lld %-14.9g %-14.9g %-14.9g\n", series_times(series)[f],
               (long long)series_steps(series)[f], extremes->least, extremes->mean, extremes->most);
    }
}

/* A field with its extremes, one number of each a frame. */
static void put_field(struct json *json, const struct snapshots *snapshots, int field)
{
    static const char *const lists[] = {"min", "mean", "max"};
    struct series *series = snapshots->series;
    json_object(json, NULL);
    json_text(json, "name", snapshots->fields[field].name);
    json_text(json, "unit", unit_of(&snapshots->fields[field]));
    for (int list = 0; list < 3; list++) {
        json_array(json, lists[list]);
        for (int64_t f = 0; f < series_frames(series); f++) {
            const struct extremes *extremes = extremes_of(snapshots, field, f);
            json_number(json, NULL,
                        list == 0   ? extremes->least
                        : list == 1 ? extremes->mean
                                    : extremes->most);
        }
        json_array_end(json);
    }
    json_object_end(json);
}

static void put_snapshots(struct json *json, const struct snapshots *snapshots)
{
    static const char *const texts[] = {"title", "source", "history", "input"};
    const struct series *series = snapshots->series;
    json_object(json, NULL);
    json_text(json, "kind", "snapshots");
    json_text(json, "file", snapshots->path);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        json_text(json, texts[k], series_text(series, texts[k]));
    json_integer(json, "cells_x", snapshots->nx);
    json_integer(json, "cells_y", snapshots->ny);
    json_number(json, "size_x_m", snapshots->size[0]);
    json_number(json, "size_y_m", snapshots->size[1]);
    json_number(json, "origin_x_m", snapshots->origin[0]);
    json_number(json, "origin_y_m", snapshots->origin[1]);
    if (has_checksums(snapshots))
        json_bool(json, "checksums_agree", true);
    json_array(json, "frames");
    for (int64_t f = 0; f < series_frames(series); f++) {
        json_object(json, NULL);
        json_number(json, "time_s", series_times(series)[f]);
        json_integer(json, "step", series_steps(series)[f]);
        if (strcmp(snapshots->fields[0].name, "temperature") == 0)
            put_extremes(json, extremes_of(snapshots, 0, f));
        json_object_end(json);
    }
    json_array_end(json);
    json_array(json, "fields");
    for (int k = 0; k < snapshots->field_count; k++)
        put_field(json, snapshots, k);
    json_array_end(json);
    json_object_end(json);
    putchar('\n');
}

/* Opens the fields and chooses what is shown to people. */
static enum status open_fields(struct snapshots *snapshots, const char *named)
{
    const struct series *series = snapshots->series;
    const int usual = series_field_count(series);
    TRY(memory_alloc(&snapshots->fields, (size_t)usual + 1, sizeof *snapshots->fields, "fields"));
    snapshots->shown = named == NULL ? 0 : usual;
    for (int k = 0; k < usual; k++) {
        const char *name = series_field_name(series, k);
        snapshots->field_count++;
        TRY(series_variable_open_field(series, name, &snapshots->fields[k]));
        if (named != NULL && strcmp(name, named) == 0)
            snapshots->shown = k;
    }
    if (snapshots->shown < usual)
        return STATUS_OK;
    snapshots->field_count++;
    return series_variable_open_field(series, named, &snapshots->fields[usual]);
}

static enum status show_snapshots(const char *path, const char *field, struct json *json)
{
    struct snapshots snapshots = {.path = path};
    enum status status = STATUS_OK;
    TRY(series_open(path, &snapshots.series));
    series_shape(snapshots.series, &snapshots.nx, &snapshots.ny, snapshots.size);
    series_origin(snapshots.series, snapshots.origin);
    TRY_DONE(open_fields(&snapshots, field));
    TRY_DONE(read_frames(&snapshots));
    if (json != NULL)
        put_snapshots(json, &snapshots);
    else
        say_snapshots(&snapshots);
done:
    for (int k = 0; k < snapshots.field_count; k++)
        series_variable_close(&snapshots.fields[k]);
    free(snapshots.fields);
    free(snapshots.extremes);
    series_close(snapshots.series);
    return status;
}

/* ---- checkpoints ---- */

static const char *const type_names[] = {
    [SECTION_F64] = "f64", [SECTION_F32] = "f32", [SECTION_I64] = "i64", [SECTION_U8] = "u8"};

struct state {
    const struct checkpoint *checkpoint;
    const struct checkpoint_section *field; /* the temperature */
    struct extremes extremes;
};

/* Row by row. In single precision the field is the deviation from a reference. */
static enum status read_field(struct state *state, double reference)
{
    const struct checkpoint_section *field = state->field;
    const bool is_double = field->type == SECTION_F64;
    const size_t row_bytes = (size_t)field->columns * (is_double ? sizeof(double) : sizeof(float));
    struct extremes *all = &state->extremes;
    double *row = NULL;
    float *narrow = NULL;
    enum status status = STATUS_OK;
    *all = (struct extremes){INFINITY, 0.0, -INFINITY};
    TRY_DONE(memory_alloc(&row, (size_t)field->columns, sizeof *row, "row"));
    TRY_DONE(memory_alloc(&narrow, (size_t)field->columns, sizeof *narrow, "row"));
    for (int64_t j = 0; j < field->rows; j++) {
        TRY_DONE(checkpoint_read(state->checkpoint, field, j * (int64_t)row_bytes, row_bytes,
                                 is_double ? (void *)row : (void *)narrow));
        for (int64_t i = 0; i < field->columns; i++)
            row[i] = reference + (is_double ? row[i] : (double)narrow[i]);
        const struct extremes here = find_extremes(row, field->columns);
        all->least = fmin(all->least, here.least);
        all->most = fmax(all->most, here.most);
        all->mean += here.mean / (double)field->rows;
    }
done:
    free(narrow);
    free(row);
    return status;
}

static enum status read_state(const struct checkpoint *checkpoint, struct state *state)
{
    struct state_values values;
    *state = (struct state){.checkpoint = checkpoint};
    for (int is_double = 0; is_double <= 1 && state->field == NULL; is_double++)
        state->field = checkpoint_section(checkpoint, state_field_name(is_double != 0));
    if (state->field == NULL)
        return fail(STATUS_FILE, "%s: holds no temperature; it was not written by this program",
                    checkpoint->path);
    TRY(state_read_values(checkpoint, &values));
    return read_field(state, values.reference);
}

static void say_state(const struct state *state)
{
    const struct checkpoint *checkpoint = state->checkpoint;
    printf("%s: checkpoint at step %lld, t = %.9g s\n", checkpoint->path,
           (long long)checkpoint->step, checkpoint->time);
    printf("run       %016llx\n", (unsigned long long)checkpoint->run_id);
    printf("grid      %lld x %lld cells, %s precision\n", (long long)state->field->columns,
           (long long)state->field->rows, state->field->type == SECTION_F64 ? "double" : "single");
    printf("checksums all agree\n");
    printf("field     %.9g to %.9g K, mean %.9g K\n", state->extremes.least, state->extremes.most,
           state->extremes.mean);
    for (int s = 0; s < checkpoint->section_count; s++) {
        const struct checkpoint_section *section = &checkpoint->sections[s];
        printf("  %-24s %s (%lld, %lld)\n", section->name, type_names[section->type],
               (long long)section->rows, (long long)section->columns);
    }
}

static void put_state(struct json *json, const struct state *state)
{
    const struct checkpoint *checkpoint = state->checkpoint;
    char run_id[32];
    (void)snprintf(run_id, sizeof run_id, "%016llx", (unsigned long long)checkpoint->run_id);
    json_object(json, NULL);
    json_text(json, "kind", "checkpoint");
    json_text(json, "file", checkpoint->path);
    json_text(json, "run_id", run_id);
    json_integer(json, "cells_x", state->field->columns);
    json_integer(json, "cells_y", state->field->rows);
    json_text(json, "precision", state->field->type == SECTION_F64 ? "double" : "single");
    json_bool(json, "checksums_agree", true);
    json_number(json, "time_s", checkpoint->time);
    json_integer(json, "step", checkpoint->step);
    put_extremes(json, &state->extremes);
    json_array(json, "sections");
    for (int s = 0; s < checkpoint->section_count; s++) {
        const struct checkpoint_section *section = &checkpoint->sections[s];
        json_object(json, NULL);
        json_text(json, "name", section->name);
        json_text(json, "type", type_names[section->type]);
        json_integer(json, "rows", section->rows);
        json_integer(json, "columns", section->columns);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
    putchar('\n');
}

static enum status show_checkpoint(const char *path, struct json *json)
{
    struct checkpoint checkpoint = {.fd = -1};
    struct state state;
    enum status status = STATUS_OK;
    TRY_DONE(checkpoint_open(path, &checkpoint));
    TRY_DONE(read_state(&checkpoint, &state));
    if (json != NULL)
        put_state(json, &state);
    else
        say_state(&state);
done:
    checkpoint_close(&checkpoint);
    return status;
}

enum status command_info(int argc, char **argv)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                            {"field", required_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    bool is_json = false;
    const char *field = NULL;
    opterr = 0;
    TRY(options_check_names(argc, argv, ":h", options));
    for (int option = getopt_long(argc, argv, ":h", options, NULL); option != -1;
         option = getopt_long(argc, argv, ":h", options, NULL)) {
        if (option == 'h') {
            fputs(help, stdout);
            return STATUS_OK;
        }
        if (option != 'j' && option != 'f')
            return options_complain("info", option, argv);
        if (option == 'f')
            field = optarg;
        else
            is_json = true;
    }
    if (argc - optind != 1)
        return fail(STATUS_INPUT,
                    "isotherm info takes one file, %d given; see isotherm info --help",
                    argc - optind);
    const char *path = argv[optind];
    struct json json;
    if (field != NULL && checkpoint_is(path))
        return fail(STATUS_INPUT, "--field %.60s: %s is a checkpoint, which holds the temperature",
                    field, path);
    json_start(&json, stdout);
    return checkpoint_is(path) ? show_checkpoint(path, is_json ? &json : NULL)
                               : show_snapshots(path, field, is_json ? &json : NULL);
}
