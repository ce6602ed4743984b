/* The temperatures that a problem cannot leave: without sources every cell stays between the least
 * and the greatest of its start field and of what surrounds it. */
#ifndef ISOTHERM_SOLVER_EXTREMES_H
#define ISOTHERM_SOLVER_EXTREMES_H

#include "solver/plan.h"

struct extremes {
    double low, high; /* K; -INFINITY, INFINITY where there is no bound */
};

/* Of sides, loss and sources, without the start field. Low above high when nothing surrounds the
 * plate. Values that change in time by an expression have no bound; with `numbers_only`, which
 * needs no file, those of tables and expressions have none either. */
enum status extremes_of_surroundings(const struct plan *plan, bool numbers_only,
                                     struct extremes *extremes) MUST_CHECK;

/* Widened to hold `value`. */
void extremes_add(struct extremes *extremes, double value);

/* The greatest temperature that can be told from the input's numbers alone, INFINITY if none can.
 */
double extremes_hottest(const struct plan *plan);

#endif
