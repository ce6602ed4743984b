/* Which zone each cell of a rank's block is in, and fields of heat from files. */
#ifndef ISOTHERM_SOLVER_ZONING_H
#define ISOTHERM_SOLVER_ZONING_H

#include "solver/coefficients.h"

/* Fills kinds, zone, fields, files, spots and the counts of the rank's coefficients, and the
 * materials along its sides. */
enum status zoning_open(struct rank *rank) MUST_CHECK;
void zoning_close(struct rank *rank);

#endif
