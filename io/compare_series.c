/* compare.h for two run.h5. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/compare_sums.h"
#include "io/series_variable.h"

/* A dataset of a series, with room for a frame, and for a number for each time. */
struct operand {
    const char *path;
    struct series *series;
    struct series_variable variable;
    double *values;  /* (ny, nx) */
    double *numbers; /* (frames) */
};

static enum status open_operand(struct operand *operand, const char *name)
{
    series_variable_close(&operand->variable);
    TRY(series_variable_open(operand->series, name, &operand->variable));
    if (operand->variable.kind != SERIES_OVER_TIME)
        return STATUS_OK;
    return series_variable_read(operand->series, &operand->variable, 0, operand->numbers);
}

static enum status read_operand(const struct operand *operand, int64_t frame, const double **values)
{
    const bool is_over_time = operand->variable.kind == SERIES_OVER_TIME;
    *values = is_over_time ? operand->numbers + frame : operand->values;
    if (is_over_time)
        return STATUS_OK;
    return series_variable_read(operand->series, &operand->variable, frame, operand->values);
}

/* Walks both lists of times, which increase; equal times are compared. What is the same at all
 * times is compared once. */
static enum status compare_times(const struct operand *a, const struct operand *b,
                                 struct compare_sums *sums)
{
    int64_t nx = 1, ny = 1;
    double size[2];
    const bool is_over_time = a->variable.kind == SERIES_OVER_TIME;
    if (is_over_time != (b->variable.kind == SERIES_OVER_TIME))
        return fail(STATUS_INPUT, "%s and %s hold %s in different shapes; it cannot be compared",
                    a->path, b->path, a->variable.name);
    if (!is_over_time)
        series_shape(a->series, &nx, &ny, size);
    const bool is_still = a->variable.kind == SERIES_STILL && b->variable.kind == SERIES_STILL;
    const double *times_a = series_times(a->series), *times_b = series_times(b->series);
    const int64_t count_a = series_frames(a->series), count_b = series_frames(b->series);
    int64_t i = 0, j = 0;
    while (i < count_a && j < count_b) {
        if (times_a[i] != times_b[j]) {
            if (times_a[i] < times_b[j])
                i++;
            else
                j++;
            continue;
        }
        if (!is_still || sums->result->times == 0) {
            const double *values_a = NULL, *values_b = NULL;
            TRY(read_operand(a, i, &values_a));
            TRY(read_operand(b, j, &values_b));
            compare_add(sums, values_a, values_b,
                        &(struct compare_span){.count = nx * ny, .nx = nx, .time = times_a[i]});
        }
        sums->result->times++;
        i++;
        j++;
    }
    sums->result->only_a = count_a - sums->result->times;
    sums->result->only_b = count_b - sums->result->times;
    return STATUS_OK;
}

static bool are_apart(const struct series *a, const struct series *b, int axis, int64_t n)
{
    const double *places_a = series_places(a, axis), *places_b = series_places(b, axis);
    const double slack = 1e-9 * fmax(fabs(places_a[0]), fabs(places_a[n - 1]));
    for (int64_t k = 0; k < n; k++)
        if (!(fabs(places_a[k] - places_b[k]) <= slack))
            return true;
    return false;
}

static enum status check_cells(const struct series *a, const struct series *b, const char *path_a,
                               const char *path_b, int64_t *nx, int64_t *ny)
{
    int64_t nx_b = 0, ny_b = 0;
    double size[2];
    series_shape(a, nx, ny, size);
    series_shape(b, &nx_b, &ny_b, size);
    if (*nx != nx_b || *ny != ny_b)
        return compare_grids_differ(path_a, path_b, *nx, *ny, nx_b, ny_b);
    if (are_apart(a, b, 0, *nx) || are_apart(a, b, 1, *ny))
        return fail(STATUS_INPUT,
                    "%s and %s hold cells in other places; only the same cells can be compared",
                    path_a, path_b);
    return STATUS_OK;
}

static bool has_name(const struct series_names *names, const char *name)
{
    for (int k = 0; k < names->count; k++)
        if (strcmp(names->names[k], name) == 0)
            return true;
    return false;
}

static enum status compare_other(const char *name, struct operand *a, struct operand *b,
                                 struct compare_result *result)
{
    struct compare_result other = {0};
    struct compare_sums of_other = {.result = &other};
    TRY(open_operand(a, name));
    TRY(open_operand(b, name));
    TRY(compare_times(a, b, &of_other));
    compare_note(result, name, other.differing);
    return STATUS_OK;
}

/* Adds what differs in all datasets but the one that was compared. */
static enum status compare_others(struct operand *a, struct operand *b,
                                  struct compare_result *result)
{
    struct series_names names_a = {0}, names_b = {0};
    enum status status = series_names_read(a->series, &names_a);
    if (status == STATUS_OK)
        status = series_names_read(b->series, &names_b);
    for (int k = 0; k < names_a.count && status == STATUS_OK; k++) {
        const char *name = names_a.names[k];
        if (strcmp(name, result->field) == 0)
            continue;
        if (has_name(&names_b, name)) {
            status = compare_other(name, a, b, result);
        } else {
            compare_leave_out(result, name);
            result->only_fields++;
        }
    }
    for (int k = 0; k < names_b.count && status == STATUS_OK; k++)
        if (!has_name(&names_a, names_b.names[k])) {
            compare_leave_out(result, names_b.names[k]);
            result->only_fields++;
        }
    series_names_free(&names_a);
    series_names_free(&names_b);
    return status;
}

/* The names of the other fields that this program writes. */
static void name_others(const struct operand *operand, struct compare_result *result,
                        const struct operand *said)
{
    for (int k = 0; k < series_field_count(operand->series); k++) {
        const char *name = series_field_name(operand->series, k);
        bool is_said = strcmp(name, result->field) == 0;
        for (int n = 0; said != NULL && n < series_field_count(said->series); n++)
            is_said = is_said || strcmp(series_field_name(said->series, n), name) == 0;
        if (!is_said)
            compare_leave_out(result, name);
    }
}

/* The field that stands first in `a`; of all datasets, the first one that `b` has too. */
static const char *first_field(const struct series *a, const struct series *b, bool is_every)
{
    for (int k = 0; is_every && k < series_field_count(a); k++)
        for (int n = 0; n < series_field_count(b); n++)
            if (strcmp(series_field_name(a, k), series_field_name(b, n)) == 0)
                return series_field_name(a, k);
    return series_field_name(a, 0);
}

static enum status compare_operands(struct operand *a, struct operand *b,
                                    const struct compare_options *options,
                                    struct compare_sums *sums)
{
    int64_t nx = 0, ny = 0;
    struct compare_result *result = sums->result;
    TRY(check_cells(a->series, b->series, a->path, b->path, &nx, &ny));
    const size_t cells = (size_t)nx * (size_t)ny;
    struct operand *const both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        const size_t frames = (size_t)series_frames(both[k]->series);
        TRY(memory_alloc(&both[k]->values, cells, sizeof(double), "fields to compare"));
        TRY(memory_alloc(&both[k]->numbers, frames, sizeof(double), "numbers to compare"));
    }
    TRY(open_operand(a, options->field != NULL
                            ? options->field
                            : first_field(a->series, b->series, options->is_every)));
    TRY(open_operand(b, a->variable.name));
    result->is_over_time = a->variable.kind == SERIES_OVER_TIME;
    (void)snprintf(result->field, sizeof result->field, "%s", a->variable.name);
    (void)snprintf(result->unit, sizeof result->unit, "%s", a->variable.unit);
    TRY(compare_times(a, b, sums));
    if (series_frames(a->series) == 0 && series_frames(b->series) == 0)
        return fail(STATUS_INPUT, "%s and %s hold no snapshot yet", a->path, b->path);
    if (result->times == 0)
        return STATUS_OK;
    if (result->differing > 0)
        compare_name(result->differing_in, sizeof result->differing_in, result->field);
    if (options->is_every)
        return compare_others(a, b, result);
    name_others(a, result, NULL);
    name_others(b, result, a);
    return STATUS_OK;
}

static void operand_close(struct operand *operand)
{
    series_variable_close(&operand->variable);
    series_close(operand->series);
    free(operand->values);
    free(operand->numbers);
}

enum status compare_series(const char *path_a, const char *path_b,
                           const struct compare_options *options, struct compare_sums *sums)
{
    struct operand a = {.path = path_a}, b = {.path = path_b};
    enum status status = series_open(path_a, &a.series);
    if (status == STATUS_OK)
        status = series_open(path_b, &b.series);
    if (status == STATUS_OK)
        status = compare_operands(&a, &b, options, sums);
    operand_close(&a);
    operand_close(&b);
    return status;
}
