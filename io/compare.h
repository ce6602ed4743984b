/* The difference of two result files at the same times, or of two checkpoints. Prints nothing. */
#ifndef ISOTHERM_IO_COMPARE_H
#define ISOTHERM_IO_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct compare_result {
    int64_t times;          /* compared */
    int64_t only_a, only_b; /* times that the other file does not have */
    int64_t differing;      /* values that are not the same bits */
    double largest;         /* K, of |a - b|; INFINITY where one of two is not finite */
    double largest_time;    /* s */
    int64_t largest_i, largest_j;
    double l2;       /* K, root mean square of a - b over all values */
    double relative; /* largest over the largest |a|; 0 where both are 0 */
};

/* Two run.h5 are compared at the times both have, two checkpoints in their fields. STATUS_FILE when
 * one cannot be read, STATUS_INPUT when the grids differ or no time is common. */
enum status compare_files(const char *path_a, const char *path_b,
                          struct compare_result *result) MUST_CHECK;

#endif
