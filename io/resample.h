/* A field at the resolution of a picture, and along a line. */
#ifndef ISOTHERM_IO_RESAMPLE_H
#define ISOTHERM_IO_RESAMPLE_H

#include <stdint.h>

#include "base/error.h"

/* to[height * width] from from[ny * nx], both with row 0 at the bottom. Along each axis by itself:
 * with fewer pixels than cells a pixel is the average of the cells it covers, shares of cells
 * included, so nothing is dropped; otherwise it is the cell under its centre. A pixel that covers
 * anything not finite is not finite. */
enum status field_resample(const double *from, int64_t nx, int64_t ny, double *to, int width,
                           int height) MUST_CHECK;

/* The same, but each pixel is the one cell under its centre: for values that have no mean. */
void field_sample(const double *from, int64_t nx, int64_t ny, double *to, int width, int height);

struct field_grid {
    int64_t nx, ny;
    double size[2];       /* m */
    double origin[2];     /* m, lower left corner */
    const double *values; /* (ny, nx), row 0 at the bottom; not owned */
};

/* The field along the line x = at (axis 0: ny values, upwards) or y = at (axis 1: nx values, to the
 * right), linear between the two nearest rows of cell centres. `at` in m, inside the field;
 * positions in m. */
enum status field_profile(const struct field_grid *grid, int axis, double at, double *positions,
                          double *profile) MUST_CHECK;

/* Least and largest finite value; false, and 0 to 1, when there is none. */
bool field_range(const double *values, int64_t count, double range[2]);

#endif
