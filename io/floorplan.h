/* Floorplans of chips with the power of their blocks, in the two text formats of HotSpot
 * (https://github.com/uvahotspot/HotSpot). Empty lines and lines that begin with # are comments.
 *
 *   floorplan:  name  width  height  left  bottom       a line for each block, m
 *   trace:      the names of all blocks, then lines of as many numbers, W
 *
 * Lines of three words in a floorplan (name, name, wire density) are no blocks and are left out. */
#ifndef ISOTHERM_IO_FLOORPLAN_H
#define ISOTHERM_IO_FLOORPLAN_H

#include <stdint.h>

#include "base/error.h"

enum { FLOORPLAN_MOST_BLOCKS = 1024, FLOORPLAN_MOST_BYTES = 1 << 28 };

struct floorplan_block {
    char *name;
    double from[2], to[2]; /* m: lower left and upper right corner */
};

struct floorplan {
    struct floorplan_block *blocks; /* (count) */
    int count;
    double *powers; /* (rows, count), W, in the order of the blocks */
    int64_t rows;
};

/* A file, and what goes in front of messages about it. */
struct floorplan_file {
    const char *path, *where;
};

/* Every block has a column in the trace and the other way round, each once; at least one block and
 * one row. STATUS_FILE names file and line. On failure nothing is to be freed. */
enum status floorplan_read(const struct floorplan_file *blocks, const struct floorplan_file *trace,
                           struct floorplan *floorplan) MUST_CHECK;
void floorplan_free(struct floorplan *floorplan); /* fine for a zeroed one */

#endif
