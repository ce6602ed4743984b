/* compare.h for two tables such as probes.csv: columns of the same name at equal times. */
#include <stdio.h>
#include <string.h>

#include "io/compare_sums.h"
#include "io/csv.h"

/* The first column holds the times. -1 where no other has the name. */
static int find_column(const struct csv *csv, const char *name)
{
    for (int k = 1; k < csv->columns; k++)
        if (strcmp(csv->names[k], name) == 0)
            return k;
    return -1;
}

/* Of a column, or of its probe: without the unit. */
static enum status find_field(const struct csv *csv, const char *path, const char *field,
                              int *column)
{
    char in_kelvin[64], all[512] = "";
    (void)snprintf(in_kelvin, sizeof in_kelvin, "%.60s_K", field);
    *column = find_column(csv, field);
    if (*column < 0)
        *column = find_column(csv, in_kelvin);
    if (*column > 0)
        return STATUS_OK;
    for (int k = 1; k < csv->columns; k++)
        compare_name(all, sizeof all, csv->names[k]);
    return fail(STATUS_INPUT, "--field %.60s: %s holds no such probe; it has %s", field, path,
                all[0] != '\0' ? all : "none");
}

static bool is_in_kelvin(const char *name)
{
    const size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, "_K") == 0;
}

/* Walks both lists of times, which increase. Returns how many both have. */
static int64_t compare_columns(const struct csv *a, const struct csv *b, int of_a, int of_b,
                               struct compare_sums *sums)
{
    struct compare_result *result = sums->result;
    const double *times_a = a->values[0], *times_b = b->values[0];
    const double before = result->largest;
    int64_t common = 0;
    for (int64_t i = 0, j = 0; i < a->rows && j < b->rows;) {
        if (times_a[i] == times_b[j]) {
            compare_add(sums, &a->values[of_a][i], &b->values[of_b][j],
                        &(struct compare_span){.count = 1, .nx = 1, .time = times_a[i]});
            common++;
            i++;
            j++;
        } else if (times_a[i] < times_b[j]) {
            i++;
        } else {
            j++;
        }
    }
    if (result->largest > before)
        (void)snprintf(result->largest_in, sizeof result->largest_in, "%s", a->names[of_a]);
    return common;
}

/* Columns that both have. */
static void compare_column(const struct csv *a, const struct csv *b, int of_a, int of_b,
                           struct compare_sums *sums)
{
    struct compare_result *result = sums->result;
    const int64_t before = result->differing;
    (void)compare_columns(a, b, of_a, of_b, sums);
    if (!is_in_kelvin(a->names[of_a]))
        result->unit[0] = '\0';
    if (result->differing > before)
        compare_name(result->differing_in, sizeof result->differing_in, a->names[of_a]);
    result->columns++;
}

/* All columns but the times; those that `b` has alone are counted too. */
static void compare_all(const struct csv *a, const struct csv *b, struct compare_sums *sums)
{
    struct compare_result *result = sums->result;
    for (int k = 1; k < a->columns; k++) {
        const int other = find_column(b, a->names[k]);
        if (other < 0) {
            compare_leave_out(result, a->names[k]);
            result->only_fields++;
            continue;
        }
        compare_column(a, b, k, other, sums);
    }
    for (int k = 1; k < b->columns; k++)
        if (find_column(a, b->names[k]) < 0) {
            compare_leave_out(result, b->names[k]);
            result->only_fields++;
        }
}

static void count_times(const struct csv *a, const struct csv *b, struct compare_result *result)
{
    struct compare_result unused = {.field = ""};
    result->times = compare_columns(a, b, 0, 0, &(struct compare_sums){.result = &unused});
    result->only_a = a->rows - result->times;
    result->only_b = b->rows - result->times;
}

enum status compare_tables(const char *path_a, const char *path_b, const char *field,
                           struct compare_sums *sums)
{
    struct compare_result *result = sums->result;
    struct csv a = {0}, b = {0};
    enum status status = STATUS_OK;
    TRY_DONE(csv_read(path_a, &a));
    TRY_DONE(csv_read(path_b, &b));
    result->is_table = result->is_over_time = true;
    count_times(&a, &b, result);
    if (field == NULL) {
        compare_all(&a, &b, sums);
    } else {
        int of_a = 0, of_b = 0;
        TRY_DONE(find_field(&a, path_a, field, &of_a));
        TRY_DONE(find_field(&b, path_b, field, &of_b));
        (void)snprintf(result->field, sizeof result->field, "%s", a.names[of_a]);
        compare_column(&a, &b, of_a, of_b, sums);
    }
done:
    csv_free(&a);
    csv_free(&b);
    return status;
}
