/* The shape of one rank's block of cells and where a cell lies in memory. Plain C that is also C++
 * for the CUDA side. */
#ifndef ISOTHERM_KERNELS_BLOCK_H
#define ISOTHERM_KERNELS_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cells x0 <= i < x1, y0 <= j < y1; (0, 0) is the first cell of the block, ghost cells have
 * negative indices or such beyond nx, ny. */
struct region {
    int x0, x1, y0, y1;
};

/* Fields are (rows, pitch) arrays of REAL, i runs fastest; cell (0, 0) of each row lies on an
 * address that is a multiple of BLOCK_ALIGNMENT. */
struct block {
    int nx, ny;           /* cells of this rank */
    int halo;             /* ghost cells around, T of the halo exchange */
    int lead;             /* elements before cell 0 of a row */
    int pitch;            /* elements from row to row */
    size_t element_bytes; /* 8 or 4 */
};

enum { BLOCK_ALIGNMENT = 128 }; /* bytes: a line of the GPU, two of the CPU */

struct block block_make(int nx, int ny, int halo, bool is_double);

/* Index of cell (i, j), in elements from the start of the field. */
static inline int64_t block_index(const struct block *block, int i, int j)
{
    return (int64_t)(j + block->halo) * block->pitch + block->lead + i;
}

static inline size_t block_bytes(const struct block *block)
{
    return (size_t)(block->ny + 2 * block->halo) * (size_t)block->pitch * block->element_bytes;
}

static inline bool region_is_empty(struct region region)
{
    return region.x0 >= region.x1 || region.y0 >= region.y1;
}

#endif
