/* What the writer finds out about the field of a frame before it is written. */
#ifndef ISOTHERM_SOLVER_FRAME_H
#define ISOTHERM_SOLVER_FRAME_H

#include "base/exact_sum.h"
#include "solver/account.h"
#include "solver/run.h"

struct frame_sums {
    struct exact_sum sum;    /* of the deviations as held; with zones each times rho c */
    double minimum, maximum; /* K */
    int64_t not_finite;      /* the first such cell; -1: none */
};

/* Looks at all cells of `field` (ny, nx), in `threads` threads; the results do not depend on how
 * many. */
enum status frame_sum(const struct run *run, const struct account *account, const void *field,
                      double reference, int threads, struct frame_sums *sums) MUST_CHECK;

#endif
