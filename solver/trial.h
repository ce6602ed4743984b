/* How fast a device makes steps of a plan's first block, by the number of steps of one call. Opens
 * the device: call it in a process of its own. */
#ifndef ISOTHERM_SOLVER_TRIAL_H
#define ISOTHERM_SOLVER_TRIAL_H

#include "solver/plan.h"

enum { TRIAL_DEPTHS = 5 };
extern const int trial_depths[TRIAL_DEPTHS]; /* rising */

struct trial {
    double rates[TRIAL_DEPTHS]; /* cell updates a second; 0: not possible */
};

/* For plans of one material without sources, loss or stages. */
enum status trial_run(const struct plan *plan, const struct backend *backend, int ordinal,
                      struct trial *trial) MUST_CHECK;

/* The most steps that are hardly slower than the fastest; 0: none is possible. */
int trial_choose(const struct trial *trial);

#endif
