/* Tables of numbers in text, such as probes.csv: a header line with the names of the columns, then
 * rows, separated by commas; entries may stand in quotes (RFC 4180, but on one line). Lines that
 * begin with # are comments. */
#ifndef ISOTHERM_IO_CSV_H
#define ISOTHERM_IO_CSV_H

#include <stdint.h>

#include "base/error.h"

struct csv {
    int columns;
    int64_t rows;
    char **names;    /* (columns) */
    double **values; /* (columns, rows): values[column][row]; an empty entry is a NaN with other
                        bits than those of "nan" */
};

/* STATUS_FILE says the line and column of what is no number, or of a row of another length. A last
 * line without its end is a row being written by a running program: it is left out. */
enum status csv_read(const char *path, struct csv *csv) MUST_CHECK;

/* Accepts an empty and a partly read table. */
void csv_free(struct csv *csv);

#endif
