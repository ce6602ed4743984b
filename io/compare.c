#include "io/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/checkpoint.h"
#include "io/compare_sums.h"

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

void compare_add(struct compare_sums *sums, const double *a, const double *b,
                 const struct compare_span *span)
{
    struct compare_result *result = sums->result;
    for (int64_t k = 0; k < span->count; k++) {
        if (isfinite(a[k]))
            sums->largest_a = fmax(sums->largest_a, fabs(a[k]));
        if (same_bits(a[k], b[k]))
            continue;
        result->differing++;
        const bool is_finite = isfinite(a[k]) && isfinite(b[k]);
        const double difference = is_finite ? fabs(a[k] - b[k]) : INFINITY;
        sums->squares += difference * difference;
        if (difference > result->largest) {
            result->largest = difference;
            result->largest_time = span->time;
            result->largest_i = (span->first + k) % span->nx;
            result->largest_j = (span->first + k) / span->nx;
        }
    }
    sums->values += span->count;
}

void compare_name(char *list, size_t bytes, const char *name)
{
    static const char more[] = ", ...";
    const size_t used = strlen(list), length = strlen(more);
    const bool is_cut = used >= length && strcmp(list + used - length, more) == 0;
    if (is_cut || strcmp(list, more + strlen(", ")) == 0)
        return;
    const bool fits = used + 2 + strlen(name) + sizeof more <= bytes;
    (void)snprintf(list + used, bytes - used, "%s%s", used > 0 ? ", " : "", fits ? name : "...");
}

void compare_leave_out(struct compare_result *result, const char *name)
{
    compare_name(result->left_out, sizeof result->left_out, name);
}

void compare_note(struct compare_result *result, const char *name, int64_t count)
{
    result->differing += count;
    if (count > 0)
        compare_name(result->differing_in, sizeof result->differing_in, name);
}

enum status compare_grids_differ(const char *path_a, const char *path_b, int64_t nx_a, int64_t ny_a,
                                 int64_t nx_b, int64_t ny_b)
{
    return fail(STATUS_INPUT,
                "%s has %lld x %lld cells and %s %lld x %lld; only equal grids can be "
                "compared",
                path_a, (long long)nx_a, (long long)ny_a, path_b, (long long)nx_b, (long long)ny_b);
}

static void finish(struct compare_sums *sums)
{
    struct compare_result *result = sums->result;
    if (sums->values > 0)
        result->l2 = sqrt(sums->squares / (double)sums->values);
    result->relative = sums->largest_a > 0.0   ? result->largest / sums->largest_a
                       : result->largest > 0.0 ? INFINITY
                                               : 0.0;
}

static bool is_table(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".csv") == 0;
}

/* What only some kinds of files can be asked. */
static enum status check_kinds(const char *path_a, const char *path_b, const char *field)
{
    if (is_table(path_a) != is_table(path_b))
        return fail(STATUS_INPUT, "%s and %s: a table can only be compared with a table", path_a,
                    path_b);
    if (is_table(path_a))
        return STATUS_OK;
    if (checkpoint_is(path_a) != checkpoint_is(path_b))
        return fail(STATUS_INPUT, "%s and %s: a checkpoint can only be compared with a checkpoint",
                    path_a, path_b);
    if (checkpoint_is(path_a) && field != NULL && strcmp(field, "temperature") != 0)
        return fail(STATUS_INPUT, "%s: a checkpoint holds no field %.60s; it has temperature",
                    path_a, field);
    return STATUS_OK;
}

enum status compare_files(const char *path_a, const char *path_b,
                          const struct compare_options *options, struct compare_result *result)
{
    static const struct compare_options plain;
    *result = (struct compare_result){.field = "temperature", .unit = "K"};
    struct compare_sums sums = {.result = result};
    if (options == NULL)
        options = &plain;
    TRY(check_kinds(path_a, path_b, options->field));
    if (is_table(path_a))
        TRY(compare_tables(path_a, path_b, options->field, &sums));
    else if (checkpoint_is(path_a))
        TRY(compare_checkpoints(path_a, path_b, options, &sums));
    else
        TRY(compare_series(path_a, path_b, options, &sums));
    finish(&sums);
    return STATUS_OK;
}
