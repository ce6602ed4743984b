#include "io/snapshot_chunk.h"

#include <math.h>

#include "io/deflate.h"
#include "io/h5.h"

enum { SKIP_SHUFFLE = 1, SKIP_DEFLATE = 2 }; /* bits of filter masks: first and second filter */

struct pack_work snapshot_pack_work(const struct snapshot_spec *spec, int64_t rows, int64_t columns,
                                    bool is_packed)
{
    const size_t element_bytes = snapshot_element_bytes(spec);
    return (struct pack_work){
        .chunk_bytes = (size_t)(rows * columns) * element_bytes,
        .scratch_bytes = (size_t)columns * sizeof(double),
        .element_bytes = element_bytes,
        .kind = !is_packed           ? PACK_CHECKED
                : deflate_is_built() ? PACK_DEFLATED
                                     : PACK_BARE,
        .level = spec->compression == COMPRESSION_SMALL ? 6 : 1,
        .threads = spec->threads,
    };
}

double *snapshot_row_begin(const struct snapshot_spec *spec, void *chunk, void *scratch, int64_t j,
                           int64_t columns)
{
    return spec->precision == PRECISION_DOUBLE ? (double *)chunk + j * columns : scratch;
}

void snapshot_row_end(const struct snapshot_spec *spec, void *chunk, double *row, int64_t j,
                      int64_t columns, int64_t filled)
{
    for (int64_t i = filled; i < columns; i++)
        row[i] = (double)NAN;
    if (spec->precision == PRECISION_DOUBLE)
        return;
    float *const narrow = (float *)chunk + j * columns;
    for (int64_t i = 0; i < columns; i++)
        narrow[i] = (float)row[i];
}

/* By HDF5's filters: in a build without libdeflate. */
static enum status write_bare(const struct snapshot_spec *spec, const struct snapshot_place *place,
                              const void *data)
{
    enum status status = STATUS_OK;
    const char *path = spec->path, *name = place->name;
    const int y = place->rank - 2, x = place->rank - 1;
    hsize_t count[3] = {1, 1, 1}, shape[3] = {1, 1, 1};
    const hsize_t origin[3] = {0};
    count[y] = (hsize_t)place->inside_rows;
    count[x] = (hsize_t)place->inside_columns;
    shape[y] = (hsize_t)place->rows;
    shape[x] = (hsize_t)place->columns;
    hid_t memory = H5I_INVALID_HID;
    const hid_t space = H5Dget_space(place->dataset);
    TRY_DONE(h5_check(space, path, name));
    memory = H5Screate_simple(place->rank, shape, NULL);
    TRY_DONE(h5_check(memory, path, name));
    TRY_DONE(h5_check(H5Sselect_hyperslab(space, H5S_SELECT_SET, place->start, NULL, count, NULL),
                      path, name));
    TRY_DONE(h5_check(H5Sselect_hyperslab(memory, H5S_SELECT_SET, origin, NULL, count, NULL), path,
                      name));
    TRY_DONE(h5_check(
        H5Dwrite(place->dataset, snapshot_element_type(spec), memory, space, H5P_DEFAULT, data),
        path, name));
done:
    h5_close_space(memory);
    h5_close_space(space);
    return status;
}

enum status snapshot_write_chunk(const struct snapshot_spec *spec,
                                 const struct snapshot_place *place, const struct pack_work *work,
                                 const struct pack_chunk *chunk)
{
    uint32_t skip = chunk->form == PACK_SHUFFLED ? SKIP_DEFLATE : 0;
    if (place->has_deflate && (work->kind == PACK_CHECKED || chunk->form == PACK_PLAIN))
        skip = SKIP_SHUFFLE | SKIP_DEFLATE;
    if (work->kind == PACK_BARE && chunk->form != PACK_PLAIN)
        return write_bare(spec, place, chunk->data);
    return h5_check(
        H5Dwrite_chunk(place->dataset, H5P_DEFAULT, skip, place->start, chunk->bytes, chunk->data),
        spec->path, place->name);
}
