/* What compare.h does with each kind of file, and what these share. Part of compare.h, not for
 * others. */
#ifndef ISOTHERM_IO_COMPARE_SUMS_H
#define ISOTHERM_IO_COMPARE_SUMS_H

#include <stddef.h>

#include "io/compare.h"

/* What the values of several fields add up to. */
struct compare_sums {
    struct compare_result *result;
    double squares, largest_a;
    int64_t values;
};

/* Where values stand: they are number first, ..., first + count - 1 of a field (ny, nx). */
struct compare_span {
    int64_t first, count, nx;
    double time; /* s */
};

/* Adds a[span->count] and b[span->count]. */
void compare_add(struct compare_sums *sums, const double *a, const double *b,
                 const struct compare_span *span);

/* A list of names, as far as it fits; then it ends in "...". */
void compare_name(char *list, size_t bytes, const char *name);
void compare_leave_out(struct compare_result *result, const char *name);
/* `count` values of the dataset `name` have different bits; nothing for 0. */
void compare_note(struct compare_result *result, const char *name, int64_t count);

enum status compare_grids_differ(const char *path_a, const char *path_b, int64_t nx_a, int64_t ny_a,
                                 int64_t nx_b, int64_t ny_b) MUST_CHECK;

/* Two run.h5, two checkpoints, two tables of probes (of `field`, NULL: of all). */
enum status compare_series(const char *path_a, const char *path_b,
                           const struct compare_options *options,
                           struct compare_sums *sums) MUST_CHECK;
enum status compare_checkpoints(const char *path_a, const char *path_b,
                                const struct compare_options *options,
                                struct compare_sums *sums) MUST_CHECK;
enum status compare_tables(const char *path_a, const char *path_b, const char *field,
                           struct compare_sums *sums) MUST_CHECK;

#endif
