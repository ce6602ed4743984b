/* Whether a problem can have a steady state at all. */
#ifndef ISOTHERM_SOLVER_STEADY_INPUT_H
#define ISOTHERM_SOLVER_STEADY_INPUT_H

#include "solver/plan.h"

/* STATUS_INPUT where something changes with time, or where nothing ties the temperature to a level
 * (no temperature, convection, radiation, loss or fixed cell) and heat from fluxes and sources does
 * not add up to zero; then the plate would warm up or cool down for ever. If it does, the level
 * stays that of the start. Reads files of sources where it has to add them up. */
enum status steady_input(const struct plan *plan) MUST_CHECK;

/* Writes a line where single precision cannot tell as fine as `tolerance`; "" elsewhere. */
void steady_warn(const struct plan *plan, char *line, size_t bytes);

#endif
