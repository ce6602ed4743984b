/* The difference of two result files or tables of probes at the same times, or of two checkpoints.
 * Prints nothing. */
#ifndef ISOTHERM_IO_COMPARE_H
#define ISOTHERM_IO_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct compare_options {
    const char *field; /* any dataset, of tables a column or the name of its probe; NULL: the one
                          that stands first, the temperature, of tables all */
    bool is_every;     /* count the bits that differ in all other datasets too */
    bool is_named;     /* checkpoints that were renamed are refused, as by a resume */
};

struct compare_result {
    char field[64], unit[32]; /* that was compared */
    char left_out[256];       /* names of fields that were not: "heat_flux_x, material, ..." */
    char differing_in[512];   /* names of datasets with differing bits; both as far as they fit */
    bool is_over_time;        /* it is a number for each time, not of cells */
    bool is_table;            /* it is no field but `columns` that both tables have */
    int columns;
    char largest_in[64];    /* of tables: the column with the largest difference */
    int64_t times;          /* compared */
    int64_t only_a, only_b; /* times that the other file does not have */
    int only_fields;        /* datasets or columns that one of the files does not have */
    int64_t differing;      /* values that are not the same bits */
    double largest;         /* of |a - b|; INFINITY where one of two is not finite */
    double largest_time;    /* s */
    int64_t largest_i, largest_j;
    double l2;       /* root mean square of a - b over all values */
    double relative; /* largest over the largest finite |a|; 0 where both are 0 */
};

/* Two run.h5 are compared at the times both have (`only_fields` is known with is_every), and so are
 * all columns of two tables, whose names end in .csv. Two checkpoints of the same time are compared
 * in their temperature; with is_every, whatever their times, in all that a resume reads, step and
 * time included. Without a time in common `times` is 0 and nothing is compared. STATUS_FILE when
 * one cannot be read, STATUS_INPUT when the cells or the kinds of files differ, the field is
 * missing or no run.h5 has a snapshot. `options` may be NULL. */
enum status compare_files(const char *path_a, const char *path_b,
                          const struct compare_options *options,
                          struct compare_result *result) MUST_CHECK;

#endif
