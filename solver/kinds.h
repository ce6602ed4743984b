/* Kinds of cells: those of one kind lie in one zone and have the same four conductances, see struct
 * zones. Kernels of many steps look up one byte a cell instead of its neighbours' zones. */
#ifndef ISOTHERM_SOLVER_KINDS_H
#define ISOTHERM_SOLVER_KINDS_H

#include <stdbool.h>

#include "kernels/backend.h"

struct kind {
    unsigned char zone;
    unsigned char beside[4]; /* to the west, east, south, north: the first zone that conducts like
                                the neighbour's */
};

struct kinds {
    int count; /* 0: more than KINDS_MOST would be needed */
    int fixed; /* the first kind of cells that keep their value */
    struct kind list[KINDS_MOST];
};

/* What kinds are found from; maps are in the field's layout, ghost cells included. */
struct kinds_cells {
    const struct block *block;
    bool is_boundary[4];        /* left, right, bottom, top: nothing is beyond */
    int zone_count;             /* >= 1 */
    const int *material;        /* (zone_count): zones with the same one conduct alike */
    const unsigned char *zone;  /* < zone_count where there is a cell */
    const unsigned char *fixed; /* != 0: keeps its value; NULL: no such cell */
};

/* The cells whose kinds are found: all but those beyond a boundary and those of the outermost ring
 * of the halo, whose neighbours are not known. */
struct region kinds_region(const struct kinds_cells *cells);

/* Fills *kinds and the map kind[cells of the block's array]. Where kinds->count is 0 the map is of
 * no use. */
void kinds_find(const struct kinds_cells *cells, struct kinds *kinds, unsigned char *kind);

#endif
