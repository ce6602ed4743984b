/* The values that a field of the input has in the cells of the whole domain. */
#ifndef ISOTHERM_SOLVER_VALUES_H
#define ISOTHERM_SOLVER_VALUES_H

#include "base/error.h"
#include "io/input.h"

/* values[ny * nx], row 0 at the bottom; with `materials` (ny, nx) only those of cells that are of
 * `material`, the others stay as they are. */
enum status values_evaluate(const struct input *input, const struct input_field *field,
                            const unsigned char *materials, int material,
                            double *values) MUST_CHECK;

#endif
