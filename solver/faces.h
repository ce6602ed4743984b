/* Conduction cell by cell on the device of one rank, where the plan has properties of cells. */
#ifndef ISOTHERM_SOLVER_FACES_H
#define ISOTHERM_SOLVER_FACES_H

#include "solver/coefficients.h"

/* Fills faces and rate of the rank's zones, ghost cells included; does nothing without properties
 * of cells. faces_close() is fine after a failed open. */
enum status faces_open(struct rank *rank) MUST_CHECK;
void faces_close(struct rank *rank);

#endif
