/* What run.h5 is made of, shared by its writing and its reading. */
#ifndef ISOTHERM_IO_SNAPSHOT_LAYOUT_H
#define ISOTHERM_IO_SNAPSHOT_LAYOUT_H

#include <hdf5.h>
#include <stddef.h>

#include "io/h5_driver.h"
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

/* Columns and rows of a chunk of a field: of about 1 to 4 MiB, or the whole frame. */
void snapshot_chunk(int64_t nx, int64_t ny, size_t element_bytes, int64_t *columns, int64_t *rows);

static inline unsigned snapshot_field_set(const struct snapshot_spec *spec)
{
    return spec->fields != 0 ? spec->fields : 1U << OUTPUT_TEMPERATURE;
}

/* Whether the file holds the field, one that changes with time. */
static inline bool snapshot_has(const struct snapshot_spec *spec, int field)
{
    return field != OUTPUT_MATERIAL && (snapshot_field_set(spec) >> field & 1U) != 0;
}

static inline struct kept snapshot_kept(const struct snapshot_spec *spec)
{
    return spec->kept.count[0] > 0 ? spec->kept : kept_all(spec->nx, spec->ny);
}

static inline size_t snapshot_element_bytes(const struct snapshot_spec *spec)
{
    return spec->precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

static inline hid_t snapshot_element_type(const struct snapshot_spec *spec)
{
    return spec->precision == PRECISION_DOUBLE ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}

/* For changes of a file: opens a dataset; shape[rank] of one, which must be of that rank. */
enum status snapshot_open_dataset(const struct h5_update *update, const char *name,
                                  hid_t *dataset) MUST_CHECK;
enum status snapshot_get_shape(const struct h5_update *update, const char *name, hid_t dataset,
                               int rank, hsize_t *shape) MUST_CHECK;

/* snapshot_field.c: all fields of frame number `index`. */
enum status snapshot_append_fields(const struct snapshot_spec *spec, const struct h5_update *update,
                                   hsize_t index, const struct snapshot_frame *frame) MUST_CHECK;

#endif
