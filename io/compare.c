#include "io/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/checkpoint.h"
#include "io/series_variable.h"

/* What the values of several fields add up to. */
struct sums {
    struct compare_result *result;
    double squares, largest_a;
    int64_t values;
};

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void add_field(struct sums *sums, const double *a, const double *b, int64_t nx, int64_t ny,
                      double time)
{
    struct compare_result *result = sums->result;
    for (int64_t c = 0; c < nx * ny; c++) {
        sums->largest_a = fmax(sums->largest_a, fabs(a[c]));
        if (same_bits(a[c], b[c]))
            continue;
        result->differing++;
        const bool is_finite = isfinite(a[c]) && isfinite(b[c]);
        const double difference = is_finite ? fabs(a[c] - b[c]) : INFINITY;
        sums->squares += difference * difference;
        if (difference > result->largest) {
            result->largest = difference;
            result->largest_time = time;
            result->largest_i = c % nx;
            result->largest_j = c / nx;
        }
    }
    sums->values += nx * ny;
}

/* A list of names, as far as it fits. */
static void add_name(char *list, size_t bytes, const char *name)
{
    const size_t used = strlen(list);
    (void)snprintf(list + used, bytes - used, "%s%s", used > 0 ? ", " : "", name);
}

static void leave_out(struct compare_result *result, const char *name)
{
    add_name(result->left_out, sizeof result->left_out, name);
}

static void finish(struct sums *sums)
{
    struct compare_result *result = sums->result;
    if (sums->values > 0)
        result->l2 = sqrt(sums->squares / (double)sums->values);
    result->relative = sums->largest_a > 0.0   ? result->largest / sums->largest_a
                       : result->largest > 0.0 ? INFINITY
                                               : 0.0;
}

static enum status grids_differ(const char *path_a, const char *path_b, int64_t nx_a, int64_t ny_a,
                                int64_t nx_b, int64_t ny_b)
{
    return fail(STATUS_INPUT,
                "%s has %lld x %lld cells and %s %lld x %lld; only equal grids can be "
                "compared",
                path_a, (long long)nx_a, (long long)ny_a, path_b, (long long)nx_b, (long long)ny_b);
}

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
                                 struct sums *sums)
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
            add_field(sums, values_a, values_b, nx, ny, times_a[i]);
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
        return grids_differ(path_a, path_b, *nx, *ny, nx_b, ny_b);
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
    struct sums of_other = {.result = &other};
    TRY(open_operand(a, name));
    TRY(open_operand(b, name));
    TRY(compare_times(a, b, &of_other));
    result->differing += other.differing;
    if (other.differing > 0)
        add_name(result->differing_in, sizeof result->differing_in, name);
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
            leave_out(result, name);
            result->only_fields++;
        }
    }
    for (int k = 0; k < names_b.count && status == STATUS_OK; k++)
        if (!has_name(&names_a, names_b.names[k])) {
            leave_out(result, names_b.names[k]);
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
            leave_out(result, name);
    }
}

static enum status compare_operands(struct operand *a, struct operand *b,
                                    const struct compare_options *options, struct sums *sums)
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
    TRY(open_operand(a, options->field != NULL ? options->field : series_field_name(a->series, 0)));
    TRY(open_operand(b, a->variable.name));
    result->is_over_time = a->variable.kind == SERIES_OVER_TIME;
    (void)snprintf(result->field, sizeof result->field, "%s", a->variable.name);
    (void)snprintf(result->unit, sizeof result->unit, "%s", a->variable.unit);
    TRY(compare_times(a, b, sums));
    if (result->times == 0)
        return fail(STATUS_INPUT, "%s and %s have no time in common", a->path, b->path);
    if (result->differing > 0)
        add_name(result->differing_in, sizeof result->differing_in, result->field);
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

static enum status compare_series(const char *path_a, const char *path_b,
                                  const struct compare_options *options, struct sums *sums)
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

/* The field of a checkpoint: its first section, (ny, nx) f64 or f32, as doubles. */
static enum status read_state(const struct checkpoint *checkpoint, double **values)
{
    const struct checkpoint_section *section = &checkpoint->sections[0];
    if (checkpoint->section_count == 0 || section->type == SECTION_I64 ||
        section->type == SECTION_U8)
        return fail(STATUS_FILE, "%s: holds no field", checkpoint->path);
    const size_t count = (size_t)section->rows * (size_t)section->columns;
    const size_t element = section->type == SECTION_F64 ? sizeof(double) : sizeof(float);
    TRY(memory_alloc(values, count, sizeof **values, "field to compare"));
    TRY(checkpoint_read(checkpoint, section, 0, count * element, *values));
    const float *narrow = (const float *)*values;
    for (size_t c = count; c-- > 0 && element == sizeof(float);) {
        const float value = narrow[c]; /* from the end, so that nothing unread is overwritten */
        (*values)[c] = (double)value;
    }
    return STATUS_OK;
}

static enum status compare_states(const struct checkpoint *a, const struct checkpoint *b,
                                  struct sums *sums)
{
    const struct checkpoint_section *sa = &a->sections[0], *sb = &b->sections[0];
    double *values_a = NULL, *values_b = NULL;
    if (sa->rows != sb->rows || sa->columns != sb->columns)
        return grids_differ(a->path, b->path, sa->columns, sa->rows, sb->columns, sb->rows);
    if (a->time != b->time)
        return fail(STATUS_INPUT,
                    "%s is at t = %.9g s and %s at %.9g s; only equal times can be "
                    "compared",
                    a->path, a->time, b->path, b->time);
    enum status status = read_state(a, &values_a);
    if (status == STATUS_OK)
        status = read_state(b, &values_b);
    if (status == STATUS_OK) {
        add_field(sums, values_a, values_b, sa->columns, sa->rows, a->time);
        sums->result->times = 1;
        leave_out(sums->result, "all but the temperature");
    }
    free(values_a);
    free(values_b);
    return status;
}

static enum status compare_checkpoints(const char *path_a, const char *path_b, struct sums *sums)
{
    struct checkpoint a = {.fd = -1}, b = {.fd = -1};
    enum status status = checkpoint_open(path_a, &a);
    if (status == STATUS_OK)
        status = checkpoint_open(path_b, &b);
    if (status == STATUS_OK)
        status = compare_states(&a, &b, sums);
    checkpoint_close(&a);
    checkpoint_close(&b);
    return status;
}

enum status compare_files(const char *path_a, const char *path_b,
                          const struct compare_options *options, struct compare_result *result)
{
    static const struct compare_options plain;
    *result = (struct compare_result){.field = "temperature", .unit = "K"};
    struct sums sums = {.result = result};
    if (options == NULL)
        options = &plain;
    if (checkpoint_is(path_a) != checkpoint_is(path_b))
        return fail(STATUS_INPUT, "%s and %s: a checkpoint can only be compared with a checkpoint",
                    path_a, path_b);
    if (checkpoint_is(path_a) && options->field != NULL &&
        strcmp(options->field, result->field) != 0)
        return fail(STATUS_INPUT, "%s: a checkpoint holds no field %.60s; it has temperature",
                    path_a, options->field);
    TRY(checkpoint_is(path_a) ? compare_checkpoints(path_a, path_b, &sums)
                              : compare_series(path_a, path_b, options, &sums));
    finish(&sums);
    return STATUS_OK;
}
