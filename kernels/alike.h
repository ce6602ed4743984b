/* Where cells around a place are of one kind: what lets kernels of many steps take a short way
 * without a look at each cell's kind. Plain C that is also C++ for the CUDA side. */
#ifndef ISOTHERM_KERNELS_ALIKE_H
#define ISOTHERM_KERNELS_ALIKE_H

#include "kernels/block.h"

/* So many cells of a row share an entry, from a multiple of that on; so many rows below and above
 * count for it, too: those that a kernel looks at which makes three steps of three rows at a time.
 * ALIKE_NOT: they are not all of one plain kind. */
enum { ALIKE_COLUMNS = 4, ALIKE_ROWS = 3, ALIKE_NOT = 255 };

/* Bytes of the map. The entry of cell (i, j) is number block_index(block, i, j) / ALIKE_COLUMNS. */
static inline size_t alike_bytes(const struct block *block)
{
    return block_bytes(block) / block->element_bytes / ALIKE_COLUMNS;
}

/* Fills alike[alike_bytes] from kind[cells of the block's array]: the kind of the cells that share
 * an entry and of those ALIKE_ROWS below and above, if it is one and below `plain`. Kinds count
 * within `known`, which is not empty; a cell outside is taken for the nearest one within. */
void alike_fill(const struct block *block, struct region known, int plain,
                const unsigned char *kind, unsigned char *alike);

#endif
