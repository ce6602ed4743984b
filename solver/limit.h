/* The largest step of forward Euler. */
#ifndef ISOTHERM_SOLVER_LIMIT_H
#define ISOTHERM_SOLVER_LIMIT_H

#include "solver/plan.h"

/* Seconds; INFINITY where nothing conducts or is lost. By Gershgorin's theorem a step is stable
 * when for every cell dt (diagonal + sum of the off-diagonal elements) <= 2, which is looked for
 * cell by cell. Where that would take seconds (very many cells with several materials) every cell
 * is taken to have the neighbours that conduct best of all materials there are, which is on the
 * safe side. Walls whose heat transfer changes in time count as if it were infinite; radiating ones
 * as sending out at the hottest temperature that the input's numbers allow, or else as if it were
 * infinite. */
enum status limit_of_step(const struct plan *plan, double *limit) MUST_CHECK;

#endif
