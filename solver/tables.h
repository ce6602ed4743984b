/* Tables of what cells multiply with, by zone and by kind: they change with the length of the step
 * alone. */
#ifndef ISOTHERM_SOLVER_TABLES_H
#define ISOTHERM_SOLVER_TABLES_H

#include "solver/coefficients.h"

/* Of all tables together; 0 where conduction goes by cell. */
size_t tables_elements(const struct coefficients *own);

/* Where the tables are in the device's memory, for the step. */
void tables_point(struct rank *rank);

/* Fills the host's tables for steps of dt seconds. */
void tables_fill(struct rank *rank, double dt);

#endif
