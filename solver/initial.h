/* The start of a run: temperatures of one rank's cells, cells held fixed, reference temperature. */
#ifndef ISOTHERM_SOLVER_INITIAL_H
#define ISOTHERM_SOLVER_INITIAL_H

#include "base/error.h"
#include "solver/plan.h"

/* The temperature from which fields in single precision hold the deviation, K: so that rounding is
 * relative to what changes, not to 300 K. 0 in double precision. A mean of samples over the domain,
 * the same in every process. */
enum status initial_reference(const struct plan *plan, double *reference) MUST_CHECK;

/* temperature[(y1 - y0) * (x1 - x0)], K, of the cells of `extent`, fixed cells with a temperature
 * of their own included. STATUS_INPUT names the cell when a value is not finite. */
enum status initial_temperature(const struct plan *plan, struct extent extent,
                                double *temperature) MUST_CHECK;

/* Where the temperature is an expression: whether initial_temperature() would succeed in a sample
 * of counts[2] columns and rows, see sample.h. */
enum status initial_try(const struct plan *plan, const int64_t counts[2]) MUST_CHECK;

/* Marks fixed cells (1, others 0) for block cells and ghosts: mask[block_bytes in cells], in the
 * layout of the field. */
void initial_fixed_mask(const struct plan *plan, const struct block *block, struct extent extent,
                        unsigned char *mask);

#endif
