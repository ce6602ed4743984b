/* Steps for probes: which of their times a run can hit. */
#ifndef ISOTHERM_SOLVER_PROBING_H
#define ISOTHERM_SOLVER_PROBING_H

#include "solver/plan.h"

/* What the steps of an interval of output must be a multiple of so that probes are hit exactly, for
 * schedule_make(). Probes that divide the interval always count, unless they need absurdly small
 * steps; others when they and the interval are multiples of a time that is not shorter than the
 * step that is as long as `largest_dt` allows: then steps become at most half as long. */
int64_t probing_divisor(const struct input *input, double interval, double largest_dt);

/* 0 when all values of a probe are taken at the times that its interval gives, to rounding; else
 * the step (s): a value is taken at the first step after its time, so less than that too late. */
double probing_lateness(const struct plan *plan, int probe);

#endif
