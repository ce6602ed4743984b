/* What run.h5 is made of, shared by its writing and its reading. */
#ifndef ISOTHERM_IO_SNAPSHOT_LAYOUT_H
#define ISOTHERM_IO_SNAPSHOT_LAYOUT_H

#include <hdf5.h>
#include <stddef.h>

#include "io/snapshot.h"

enum dimension { DIMENSION_TIME, DIMENSION_Y, DIMENSION_X, DIMENSION_NV, DIMENSION_COUNT };

/* One number per frame: a dataset (time) of doubles. The first is time itself. */
struct snapshot_number {
    const char *name, *units, *long_name;
    size_t offset; /* of the double in struct snapshot_frame */
};

/* All of them, and those of runs that are not steady: the first. */
enum { SNAPSHOT_NUMBERS = 18, SNAPSHOT_COMMON_NUMBERS = 10 };
extern const struct snapshot_number snapshot_numbers[SNAPSHOT_NUMBERS];

static inline int snapshot_number_count(const struct snapshot_spec *spec)
{
    return spec->is_steady ? SNAPSHOT_NUMBERS : SNAPSHOT_COMMON_NUMBERS;
}

/* Columns and rows of a chunk of the temperature: of about 1 to 4 MiB, or the whole frame. */
void snapshot_chunk(int64_t nx, int64_t ny, size_t element_bytes, int64_t *columns, int64_t *rows);

static inline size_t snapshot_element_bytes(const struct snapshot_spec *spec)
{
    return spec->precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

static inline hid_t snapshot_element_type(const struct snapshot_spec *spec)
{
    return spec->precision == PRECISION_DOUBLE ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}

#endif
