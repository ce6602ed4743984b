/* How long a plate takes to forget its start. */
#ifndef ISOTHERM_SOLVER_RELAXATION_H
#define ISOTHERM_SOLVER_RELAXATION_H

#include "solver/plan.h"

/* An estimate of the time, s, in which the slowest disturbance of the steady state falls by a
 * factor of e: of the slowest sine that fits between the sides (L^2 / (pi^2 a) between two that
 * hold the temperature, four times that beside one that does not), longer where ends of an axis do
 * no more than pass on heat. Several materials count by their means over samples of the domain.
 * From the input alone; > 0. */
double relaxation_time(const struct plan *plan);

#endif
