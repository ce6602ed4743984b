/* Lines of equal value of a field given at points, by marching squares. */
#ifndef ISOTHERM_IO_CONTOUR_H
#define ISOTHERM_IO_CONTOUR_H

#include "base/error.h"

/* Called with one line: points[count][2] in units of the grid, (0, 0) is the first value; the last
 * point of a closed line is its first again. The points are only lent. */
typedef void contour_line(void *context, const double (*points)[2], int count);

/* All lines of values[ny * nx] = level. Squares with a corner that is not finite have no line. */
enum status contour_trace(const double *values, int nx, int ny, double level, contour_line *line,
                          void *context) MUST_CHECK;

#endif
