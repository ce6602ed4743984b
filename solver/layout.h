/* How the domain is split: px x py blocks of nearly equal size, rank = by * px + bx, and the strips
 * of ghost cells between them. Pure geometry, the same in every process. */
#ifndef ISOTHERM_SOLVER_LAYOUT_H
#define ISOTHERM_SOLVER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "ipc/halo.h"

struct layout {
    int64_t nx, ny; /* cells of the domain */
    int px, py;     /* blocks in x and y */
    bool is_periodic_x, is_periodic_y;
    int halo; /* ghost cells around every block */
};

/* The cells [x0, x1) x [y0, y1) of one rank, in cells of the domain. */
struct extent {
    int64_t x0, x1, y0, y1;
};

static inline int layout_ranks(const struct layout *layout)
{
    return layout->px * layout->py;
}

struct extent layout_extent(const struct layout *layout, int rank);

/* Chooses px, py with px * py = ranks and no empty block such that the least is exchanged (shortest
 * inner edges; ties go to more blocks in y, whose strips are contiguous). False when no such split
 * exists. */
bool layout_choose(struct layout *layout, int ranks);

/* The largest number of ranks <= wanted for which layout_choose succeeds. */
int layout_largest(const struct layout *layout, int wanted);

/* All strips of the domain, owned by the caller. Ghost cells beyond a side that is not periodic
 * belong to no strip. A halo wider than a periodic domain wraps around it as often as needed. */
enum status layout_strips(const struct layout *layout, struct halo_strip **strips,
                          int *count) MUST_CHECK;

#endif
