/* The energy balance of a run, from sums that do not depend on how the domain is split. */
#ifndef ISOTHERM_SOLVER_BALANCE_H
#define ISOTHERM_SOLVER_BALANCE_H

#include "base/exact_sum.h"
#include "solver/plan.h"

struct balance {
    double energy;                /* J/m: sum of rho c T dx dy, relative to 0 K */
    double stored;                /* J/m: gained since the start */
    double side_heat[SIDE_COUNT]; /* J/m: that came in through each side since the start */
    double fixed_heat;            /* J/m from fixed cells and loss, by difference; 0 without fixed
                                     cells */
    double source_heat;           /* J/m from sources */
    double loss_heat;             /* J/m from the surroundings by linear loss, by difference: < 0
                                     where heat is lost; NAN with fixed cells, 0 without loss */
    double residual;              /* J/m: stored - all heat that came in; NAN when something else is
                                     known by difference only */
};

/* What is remembered between frames. */
struct balance_state {
    struct exact_sum start;       /* of the start field, as held (deviation from the reference) */
    double full_sums[SIDE_COUNT]; /* face sums where the full intervals of the schedule end, K */
    double reference;             /* K */
    double capacity;              /* J/m/K of the domain, with zones */
};

/* The balance at `step` from the exact sum of the field and of each side's (ghost - cell) sums, and
 * from the heat of sources. With zones the terms of the sums are weighted: the field with rho c,
 * the sides with k. The caller remembers state->full_sums by calling this at every output. */
struct balance balance_at(const struct plan *plan, struct balance_state *state, int64_t step,
                          const struct exact_sum *field, const double side_sums[SIDE_COUNT],
                          double source_heat);

/* The largest of the heats that make up the balance: what a residual is a share of. */
double balance_scale(const struct balance *balance);

#endif
