/* Which material is where, and what follows for conduction between cells. */
#ifndef ISOTHERM_SOLVER_MATERIAL_H
#define ISOTHERM_SOLVER_MATERIAL_H

#include "solver/plan.h"

/* Whether the centre of cell (i, j) of the domain lies in the rectangle from..to (m). A hair's
 * breadth counts, as (i + 0.5) dx and the number in the input may differ by rounding. */
bool material_in_rectangle(const struct plan *plan, const double from[2], const double to[2],
                           int64_t i, int64_t j);

/* The same for a shape. */
bool material_in_shape(const struct plan *plan, const struct input_shape *shape, int64_t i,
                       int64_t j);

/* The index of the material of cell (i, j): of the last shape that holds its centre, else of the
 * map.
 */
int material_at(const struct plan *plan, int64_t i, int64_t j);

/* Whether a material may occur: those of the map and of shapes. */
bool material_is_used(const struct plan *plan, int material);

/* Conductivity between two cells of equal size: half a cell of each in series, the harmonic mean.
 */
double material_between(double k, double other);

/* `between` cells d wide of two materials, with the resistance of their contact in series. */
double material_with_contact(const struct input *input, int material, int other, double between,
                             double d);

/* The conductivity between cells d wide of two materials that are the same everywhere. */
double material_face(const struct input *input, int material, int other, int axis, double d);

double material_capacity(const struct input *input, int material); /* rho c, J/m3/K */

#endif
