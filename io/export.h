/* A field as a file that needs no library to be read: a table as text, or bare numbers. */
#ifndef ISOTHERM_IO_EXPORT_H
#define ISOTHERM_IO_EXPORT_H

#include <stdint.h>

#include "base/error.h"

struct export_field {
    int64_t nx, ny;
    double size[2], origin[2]; /* m, of the part of the plate that the cells cover */
    const double *places[2];   /* (nx), (ny): centres, m */
    const char *name, *unit;   /* "temperature", "K"; "": a plain number */
    const double *values;      /* (ny, nx), row 0 at the bottom */
    double time;               /* s */
    int64_t step;
};

/* One line of names with units, "x_m,y_m,temperature_K", then a line per cell: its centre and its
 * value, x fastest, y from the bottom. Numbers read back to the same bits; a value that is not
 * finite is an empty entry. */
enum status export_csv(const char *path, const struct export_field *field) MUST_CHECK;

/* ny * nx doubles, little-endian on any machine, x fastest, the first row at the bottom; and
 * PATH.txt, lines "name = value" that say so, with size and time. */
enum status export_raw(const char *path, const struct export_field *field) MUST_CHECK;

/* Both replace what is there, but for standard output, which the path "-" stands for. On failure
 * (STATUS_FILE) no half-written file is left. */

#endif
