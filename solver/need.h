/* Device memory that a rank takes. */
#ifndef ISOTHERM_SOLVER_NEED_H
#define ISOTHERM_SOLVER_NEED_H

#include "solver/plan.h"

/* Bytes for a rank with this block, but for a few kilobytes of lists. */
size_t need_device_bytes(const struct plan *plan, const struct block *block);

#endif
