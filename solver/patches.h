/* Heat of the blocks of floorplans. A block's power is spread evenly over its area, by the share of
 * it that each cell has, so that no heat is lost or won where an edge of a block cuts cells. Cells
 * that have the same shares of the same blocks are a patch: they are heated alike. */
#ifndef ISOTHERM_SOLVER_PATCHES_H
#define ISOTHERM_SOLVER_PATCHES_H

#include "solver/source.h"

struct patch_block {
    int source, block;       /* of the input; of its floorplan */
    double from[2], to[2];   /* corners, in cells of the domain */
    double density_per_watt; /* 1/m3, of cells that it covers wholly */
};

struct patch_term {
    int block;    /* of `blocks` */
    double share; /* 0 < share <= 1 of the cell */
};

struct patches {
    const struct sources *sources; /* not owned */
    struct patch_block *blocks;    /* (block_count), of all floorplans */
    int block_count;
    /* Columns, and rows, between which no block's edge lies are of one class. */
    int *classes[2];      /* (nx), (ny) */
    int class_count[2];   /* 0 without floorplans */
    uint16_t *of_classes; /* (class_count[1], class_count[0]): the patch; 0: none */
    int count;            /* patches, with the empty one */
    int *first;           /* (count + 1): patch p has terms first[p] .. first[p + 1] */
    struct patch_term *terms;
    double *powers; /* (block_count): W, scratch */
};

/* `sources` must stay. Without floorplans there are no patches: count is 0. STATUS_INPUT when there
 * are more than 65535. On failure patches_close() may still be called. */
enum status patches_open(const struct sources *sources, struct patches *patches) MUST_CHECK;
void patches_close(struct patches *patches);

/* The patch of cell (x, y) of the domain. */
int patches_at(const struct patches *patches, int64_t x, int64_t y);

/* densities[count]: W/m3 of each patch in a step. */
enum status patches_densities(struct patches *patches, int64_t step, double *densities) MUST_CHECK;

#endif
