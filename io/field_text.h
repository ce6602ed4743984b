/* Text arrays: a header line "# nx ny" and ny rows of nx numbers, or one number a line. */
#ifndef ISOTHERM_IO_FIELD_TEXT_H
#define ISOTHERM_IO_FIELD_TEXT_H

#include <stdint.h>

#include "base/error.h"

/* values[ny * nx] in the order of the file, see io/field.h. */
enum status field_read_text(const char *file, int64_t nx, int64_t ny, const char *where,
                            double *values) MUST_CHECK;

#endif
