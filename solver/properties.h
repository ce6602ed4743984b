/* Conductivity and heat capacity cell by cell, where the input gives some of a material's
 * properties as a field. One copy for all processes of a run: made before they part. */
#ifndef ISOTHERM_SOLVER_PROPERTIES_H
#define ISOTHERM_SOLVER_PROPERTIES_H

#include "solver/plan.h"

struct properties {
    double *conductivity[2]; /* (ny, nx), in x and y, W/m/K; both the same where no two are given */
    double *capacity;        /* (ny, nx), rho c, J/m3/K */
};

/* plan->properties, from files and expressions; plan->map must be there. STATUS_INPUT names the
 * cell whose value is out of range. On failure properties_close() may still be called. */
enum status properties_open(struct plan *plan) MUST_CHECK;
void properties_close(struct plan *plan);

/* Conductivity (W/m/K) of the face to the west (axis 0) or south (axis 1) of cell (i, j): harmonic
 * mean of both sides, contact in series; of the cell inside at a boundary. i may be nx, j ny: the
 * last faces. */
double properties_face(const struct plan *plan, int axis, int64_t i, int64_t j);

#endif
