/* A backend that is late at random: for tests of the exchange, which must give the same bits
 * whoever is late. Before every launch, copy, record and wait the host sleeps, or the queue does.
 */
#ifndef ISOTHERM_KERNELS_JITTER_H
#define ISOTHERM_KERNELS_JITTER_H

#include "kernels/backend.h"

/* The backend itself, or, where the environment variable ISOTHERM_JITTER holds a number (the seed),
 * one around it that sleeps up to 2 ms at a time. Call once, before the fork. */
const struct backend *backend_with_jitter(const struct backend *backend);

#endif
