/* Chunks of a dataset of cells in run.h5, whether it changes with time or not. */
#ifndef ISOTHERM_IO_SNAPSHOT_CHUNK_H
#define ISOTHERM_IO_SNAPSHOT_CHUNK_H

#include "io/pack.h"
#include "io/snapshot_layout.h"

/* Where a chunk goes. Its last two dimensions are y and x. */
struct snapshot_place {
    hid_t dataset;
    const char *name;
    bool has_deflate; /* of the dataset: filters that compress */
    int rank;
    hsize_t start[3];                    /* (rank) */
    int64_t rows, columns;               /* of the chunk */
    int64_t inside_rows, inside_columns; /* that lie on the grid */
};

/* How chunks of so many rows and columns are made, all but what fills them and their count. */
struct pack_work snapshot_pack_work(const struct snapshot_spec *spec, int64_t rows, int64_t columns,
                                    bool is_packed);

/* Where the doubles of row j of a chunk are put: itself, or `scratch` in single precision. */
double *snapshot_row_begin(const struct snapshot_spec *spec, void *chunk, void *scratch, int64_t j,
                           int64_t columns);

/* The first `filled` of `row` are there: what lies beyond the grid becomes NaN, and all of it what
 * the file holds. */
void snapshot_row_end(const struct snapshot_spec *spec, void *chunk, double *row, int64_t j,
                      int64_t columns, int64_t filled);

/* Writes one that was made. */
enum status snapshot_write_chunk(const struct snapshot_spec *spec,
                                 const struct snapshot_place *place, const struct pack_work *work,
                                 const struct pack_chunk *chunk) MUST_CHECK;

#endif
