/* Sums of doubles without rounding: a fixed-point number wide enough for every double (a "long
 * accumulator", Kulisch). Because nothing is rounded before the end, the result does not depend on
 * the order of the terms, and so not on how the domain is split. About 2 ns a term, of many terms
 * at once 0.6 ns. */
#ifndef ISOTHERM_BASE_EXACT_SUM_H
#define ISOTHERM_BASE_EXACT_SUM_H

#include <stdint.h>

enum { EXACT_SUM_LIMBS = 68 }; /* of 32 bits: 2^-1074 to 2^1024 and room for carries */

/* Starts as zeros. Terms must be finite. */
struct exact_sum {
    int64_t limbs[EXACT_SUM_LIMBS]; /* value = sum of limbs[i] * 2^(32 i - 1074) */
    int64_t terms;                  /* since the carries were last passed on */
};

void exact_sum_add(struct exact_sum *sum, double term);
void exact_sum_add_all(struct exact_sum *sum, const double *terms, int64_t count);

/* sum += other, sum -= other. */
void exact_sum_merge(struct exact_sum *sum, const struct exact_sum *other);
void exact_sum_subtract(struct exact_sum *sum, const struct exact_sum *other);

/* The sum as a double, within one unit in the last place; equal sums give equal bits. */
double exact_sum_value(const struct exact_sum *sum);

#endif
