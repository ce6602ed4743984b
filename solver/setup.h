/* The device memory of one rank, filled: field, fixed cells, boundary maps, face sums. */
#ifndef ISOTHERM_SOLVER_SETUP_H
#define ISOTHERM_SOLVER_SETUP_H

#include "solver/rank.h"

/* After the device is open; fills fields, fixed, maps, face_sums and step of the rank. What was
 * allocated is released by rank_close(), also on failure. */
enum status setup_state(struct rank *rank) MUST_CHECK;

/* Copies host memory to the device and waits, so that `from` may go. */
enum status setup_upload(struct rank *rank, const void *from, void *to, size_t bytes) MUST_CHECK;

#endif
