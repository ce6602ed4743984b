/* Which zone and patch each cell of a rank's block is in, and fields of heat from files. */
#ifndef ISOTHERM_SOLVER_ZONING_H
#define ISOTHERM_SOLVER_ZONING_H

#include "solver/coefficients.h"

/* Cell (i, j) of the rank's block, ghosts included, in the domain; false when there is none. */
bool zoning_cell(const struct rank *rank, int i, int j, int64_t *x, int64_t *y);

/* Fills makeup, zone, kinds, kind, patch, fields, files, spots and the counts of the rank's
 * coefficients, and the conductivities along its sides. */
enum status zoning_open(struct rank *rank) MUST_CHECK;
void zoning_close(struct rank *rank);

#endif
