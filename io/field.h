/* Fields from files: a dataset of an HDF5 file, or a text array. */
#ifndef ISOTHERM_IO_FIELD_H
#define ISOTHERM_IO_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* values[ny * nx], row 0 at the bottom. The file's array must have just this shape.
 *
 * HDF5: dataset (ny, nx), row 0 at the bottom, or (time, ny, nx), of which the last time counts;
 *   external links, external storage and virtual datasets are refused.
 * Text: a header line "# nx ny" and rows of numbers, the first row at the bottom; or one value a
 *   line, bottom row first; with `from_top` (files of programs that print a picture) the top row
 *   comes first.
 * `where` goes in front of every message. */
enum status field_read(const char *file, const char *dataset, bool from_top, int64_t nx, int64_t ny,
                       const char *where, double *values) MUST_CHECK;

#endif
