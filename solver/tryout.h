/* Expressions of the input tried where and when a run evaluates them, before it does: what is not
 * finite somewhere, or not possible, is found at bounded cost. */
#ifndef ISOTHERM_SOLVER_TRYOUT_H
#define ISOTHERM_SOLVER_TRYOUT_H

#include "solver/plan.h"

/* How many times expressions were evaluated, and how many times a run would: more, where only an
 * even sample was tried that holds the first and the last, the corners of the grid among them. */
struct tryout {
    double tried, all;
};

/* STATUS_INPUT only for what a run would refuse too. */
enum status tryout_make(const struct plan *plan, struct tryout *tryout) MUST_CHECK;

#endif
