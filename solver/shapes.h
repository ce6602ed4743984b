/* Shapes of the geometry that no cell takes its material from: most likely mistakes. */
#ifndef ISOTHERM_SOLVER_SHAPES_H
#define ISOTHERM_SOLVER_SHAPES_H

#include <stddef.h>

#include "solver/plan.h"

/* Writes a line about the first such shape, with its place in the input, the reason and how many
 * more there are; "" where there is none. plan->dx and dy must be there. */
void shapes_look(const struct plan *plan, char *line, size_t bytes);

#endif
