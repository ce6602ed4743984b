/* Which cells of the grid the snapshots keep: of those in a region every so many-th column and row,
 * from the first one on. */
#ifndef ISOTHERM_IO_KEPT_H
#define ISOTHERM_IO_KEPT_H

#include <stdint.h>

#include "io/input.h"

struct kept { /* in x and y */
    int64_t first[2], stride[2], count[2];
};

struct kept kept_find(const struct input *input);
struct kept kept_all(int64_t nx, int64_t ny);

/* The cell of the grid that is the k-th of those kept. */
static inline int64_t kept_cell(const struct kept *kept, int axis, int64_t k)
{
    return kept->first[axis] + k * kept->stride[axis];
}

#endif
