/* A picture of the running simulation for a terminal: `isotherm run --watch`. */
#ifndef ISOTHERM_SOLVER_CLI_PICTURE_H
#define ISOTHERM_SOLVER_CLI_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/colormap.h"
#include "io/watch.h"
#include "solver/run.h"

struct picture {
    const struct run *run;
    struct colormap map;
    enum watch_colours colours;
    int64_t nx, ny;    /* cells that are looked at: some of a big grid */
    double *values;    /* (ny, nx), K; owned */
    char *text;        /* owned */
    size_t bytes;      /* of the text, at least */
    uint64_t frames;   /* finished when the one on the screen was drawn; 0: none yet */
    int lines;         /* on the screen */
    int columns, rows; /* of the terminal then */
};

/* False when there can be no picture (no colours, no memory); nothing is to be closed then. */
bool picture_open(struct picture *picture, const struct run *run);
void picture_close(struct picture *picture);

/* Draws the last frame that is written, over the picture before, unless it stands there already.
 * The cursor is at the start of the empty line below the picture, before and after. */
void picture_show(struct picture *picture);

#endif
