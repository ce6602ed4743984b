/* Appending to run.h5 and cutting it. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/deflate.h"
#include "io/disk.h"
#include "io/h5.h"
#include "io/h5_driver.h"
#include "io/snapshot_layout.h"

static enum status open_dataset(const struct h5_update *update, const char *name, hid_t *dataset)
{
    *dataset = H5Dopen2(update->file, name, H5P_DEFAULT);
    return h5_check(*dataset, update->path, name);
}

static enum status get_shape(const struct h5_update *update, const char *name, hid_t dataset,
                             int rank, hsize_t *shape)
{
    enum status status = STATUS_OK;
    const hid_t space = H5Dget_space(dataset);
    TRY_DONE(h5_check(space, update->path, name));
    if (H5Sget_simple_extent_ndims(space) != rank)
        status = fail(STATUS_FILE, "%s: %s is not as this program writes it", update->path, name);
    else
        status = h5_check(H5Sget_simple_extent_dims(space, shape, NULL), update->path, name);
done:
    h5_close_space(space);
    return status;
}

/* Number and address of the frames' times; the last time when there is one. */
static enum status look_at_time(const struct h5_update *update, hsize_t *frames, uint64_t *anchor,
                                double *last)
{
    enum status status = STATUS_OK;
    hid_t dataset = H5I_INVALID_HID, space = H5I_INVALID_HID, memory = H5I_INVALID_HID;
    H5O_info_t about;
    TRY_DONE(open_dataset(update, "time", &dataset));
    TRY_DONE(h5_check(H5Oget_info(dataset, &about), update->path, "time"));
    *anchor = about.addr;
    TRY_DONE(get_shape(update, "time", dataset, 1, frames));
    if (*frames == 0)
        goto done;
    const hsize_t start = *frames - 1, count = 1;
    space = H5Dget_space(dataset);
    TRY_DONE(h5_check(space, update->path, "time"));
    memory = H5Screate_simple(1, &count, NULL);
    TRY_DONE(h5_check(memory, update->path, "time"));
    TRY_DONE(h5_check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL),
                      update->path, "time"));
    TRY_DONE(h5_check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, last),
                      update->path, "time"));
done:
    h5_close_space(memory);
    h5_close_space(space);
    h5_close_dataset(dataset);
    return status;
}

/* ---- appending ---- */

/* Sets the number of frames of a one-number-per-frame dataset and writes the last one. */
static enum status append_number(const struct h5_update *update, const char *name, hsize_t frame,
                                 hid_t type, const void *value)
{
    enum status status = STATUS_OK;
    hid_t dataset = H5I_INVALID_HID, space = H5I_INVALID_HID, memory = H5I_INVALID_HID;
    const hsize_t frames = frame + 1, count = 1;
    TRY_DONE(open_dataset(update, name, &dataset));
    TRY_DONE(h5_check(H5Dset_extent(dataset, &frames), update->path, name));
    space = H5Dget_space(dataset);
    TRY_DONE(h5_check(space, update->path, name));
    memory = H5Screate_simple(1, &count, NULL);
    TRY_DONE(h5_check(memory, update->path, name));
    TRY_DONE(h5_check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &frame, NULL, &count, NULL),
                      update->path, name));
    TRY_DONE(
        h5_check(H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, value), update->path, name));
done:
    h5_close_space(memory);
    h5_close_space(space);
    h5_close_dataset(dataset);
    return status;
}

/* A chunk of the field, its cells converted; what lies beyond the grid is NaN. */
static void fill_chunk(const struct snapshot_spec *spec, const double *field, int64_t j0,
                       int64_t i0, int64_t rows, int64_t columns, void *chunk)
{
    double *as_double = chunk;
    float *as_single = chunk;
    const bool is_double = spec->precision == PRECISION_DOUBLE;
    const int64_t inside = spec->nx - i0 < columns ? spec->nx - i0 : columns;
    for (int64_t j = 0; j < rows; j++) {
        const bool is_row = j0 + j < spec->ny;
        const int64_t filled = is_row ? inside : 0;
        const double *row = is_row ? field + (j0 + j) * spec->nx + i0 : NULL;
        for (int64_t i = 0; i < filled && is_double; i++)
            as_double[j * columns + i] = row[i];
        for (int64_t i = 0; i < filled && !is_double; i++)
            as_single[j * columns + i] = (float)row[i];
        for (int64_t i = filled; i < columns; i++) {
            if (is_double)
                as_double[j * columns + i] = (double)NAN;
            else
                as_single[j * columns + i] = NAN;
        }
    }
}

/* Compresses chunk by chunk by ourselves. */
static enum status write_packed(const struct snapshot_spec *spec, hid_t dataset, hsize_t frame,
                                const double *field)
{
    enum status status = STATUS_OK;
    struct deflate *deflate = NULL;
    void *chunk = NULL;
    int64_t columns = 0, rows = 0;
    const size_t element_bytes = snapshot_element_bytes(spec);
    const int level = spec->compression == COMPRESSION_FAST ? 1 : 6;
    const uint32_t skip_deflate = 1 << 1; /* second filter of the list that set_filters() makes */
    snapshot_chunk(spec->nx, spec->ny, element_bytes, &columns, &rows);
    const size_t chunk_bytes = (size_t)(rows * columns) * element_bytes;
    TRY_DONE(memory_alloc(&chunk, chunk_bytes, 1, "chunk"));
    TRY_DONE(deflate_open(level, chunk_bytes, element_bytes, &deflate));
    for (int64_t j = 0; j < spec->ny; j += rows)
        for (int64_t i = 0; i < spec->nx; i += columns) {
            const hsize_t at[3] = {frame, (hsize_t)j, (hsize_t)i};
            const void *packed = NULL;
            size_t bytes = 0;
            bool skipped = false;
            fill_chunk(spec, field, j, i, rows, columns, chunk);
            deflate_chunk(deflate, chunk, &packed, &bytes, &skipped);
            TRY_DONE(h5_check(
                H5Dwrite_chunk(dataset, H5P_DEFAULT, skipped ? skip_deflate : 0, at, bytes, packed),
                spec->path, "temperature"));
        }
done:
    deflate_close(deflate);
    free(chunk);
    return status;
}

/* HDF5 converts and filters. */
static enum status write_plain(const struct snapshot_spec *spec, hid_t dataset, hsize_t frame,
                               const double *field)
{
    enum status status = STATUS_OK;
    hid_t memory = H5I_INVALID_HID;
    const hsize_t start[3] = {frame, 0, 0};
    const hsize_t count[3] = {1, (hsize_t)spec->ny, (hsize_t)spec->nx};
    const hid_t space = H5Dget_space(dataset);
    TRY_DONE(h5_check(space, spec->path, "temperature"));
    memory = H5Screate_simple(3, count, NULL);
    TRY_DONE(h5_check(memory, spec->path, "temperature"));
    TRY_DONE(h5_check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL),
                      spec->path, "temperature"));
    TRY_DONE(h5_check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, field),
                      spec->path, "temperature"));
done:
    h5_close_space(memory);
    h5_close_space(space);
    return status;
}

static enum status append_field(const struct snapshot_spec *spec, const struct h5_update *update,
                                hsize_t frame, const double *field)
{
    enum status status = STATUS_OK;
    hid_t dataset = H5I_INVALID_HID;
    hsize_t shape[3] = {0};
    TRY_DONE(open_dataset(update, "temperature", &dataset));
    TRY_DONE(get_shape(update, "temperature", dataset, 3, shape));
    if (shape[1] != (hsize_t)spec->ny || shape[2] != (hsize_t)spec->nx) {
        status =
            fail(STATUS_FILE,
                 "%s: holds a grid of %llu x %llu cells, not %lld x %lld; it is of another run",
                 spec->path, (unsigned long long)shape[2], (unsigned long long)shape[1],
                 (long long)spec->nx, (long long)spec->ny);
        goto done;
    }
    shape[0] = frame + 1;
    TRY_DONE(h5_check(H5Dset_extent(dataset, shape), spec->path, "temperature"));
    if (spec->compression != COMPRESSION_NONE && deflate_is_built())
        TRY_DONE(write_packed(spec, dataset, frame, field));
    else
        TRY_DONE(write_plain(spec, dataset, frame, field));
done:
    h5_close_dataset(dataset);
    return status;
}

enum status snapshot_append(const struct snapshot_spec *spec, const struct snapshot_frame *frame)
{
    enum status status = STATUS_OK;
    struct h5_update update = {.file = H5I_INVALID_HID, .medium = {.fd = -1}};
    hsize_t frames = 0;
    uint64_t anchor = 0;
    double last = 0.0;
    TRY_DONE(h5_update_open(spec->path, &update));
    TRY_DONE(look_at_time(&update, &frames, &anchor, &last));
    if (frames > 0 && !(frame->time > last)) {
        status = fail(STATUS_FILE, "%s: the time %.17g s is not later than the last one, %.17g s",
                      spec->path, frame->time, last);
        goto done;
    }
    TRY_DONE(append_field(spec, &update, frames, frame->temperature));
    TRY_DONE(append_number(&update, "step", frames, H5T_NATIVE_INT64, &frame->step));
    for (int k = snapshot_number_count(spec) - 1; k >= 0; k--) /* time last */
        TRY_DONE(append_number(&update, snapshot_numbers[k].name, frames, H5T_NATIVE_DOUBLE,
                               (const char *)frame + snapshot_numbers[k].offset));
    TRY_DONE(h5_update_commit(&update, anchor, false));
done:
    h5_update_close(&update);
    return status;
}

/* ---- cutting ---- */

static enum status cut_dataset(const struct h5_update *update, const char *name, int rank,
                               hsize_t frames)
{
    enum status status = STATUS_OK;
    hid_t dataset = H5I_INVALID_HID;
    hsize_t shape[3] = {0};
    TRY_DONE(open_dataset(update, name, &dataset));
    TRY_DONE(get_shape(update, name, dataset, rank, shape));
    if (shape[0] < frames) {
        status = fail(STATUS_FILE, "%s: %s holds %llu times, %llu are needed to go on",
                      update->path, name, (unsigned long long)shape[0], (unsigned long long)frames);
        goto done;
    }
    if (shape[0] > frames) {
        shape[0] = frames;
        TRY_DONE(h5_check(H5Dset_extent(dataset, shape), update->path, name));
    }
done:
    h5_close_dataset(dataset);
    return status;
}

enum status snapshot_cut(const struct snapshot_spec *spec, int64_t frames)
{
    enum status status = STATUS_OK;
    struct h5_update update = {.file = H5I_INVALID_HID, .medium = {.fd = -1}};
    hsize_t before = 0;
    uint64_t anchor = 0;
    double last = 0.0;
    TRY_DONE(h5_update_open(spec->path, &update));
    TRY_DONE(look_at_time(&update, &before, &anchor, &last));
    TRY_DONE(cut_dataset(&update, "temperature", 3, (hsize_t)frames));
    TRY_DONE(cut_dataset(&update, "step", 1, (hsize_t)frames));
    for (int k = 0; k < snapshot_number_count(spec); k++)
        TRY_DONE(cut_dataset(&update, snapshot_numbers[k].name, 1, (hsize_t)frames));
    TRY_DONE(h5_update_commit(&update, anchor, true));
done:
    h5_update_close(&update);
    return status;
}

enum status snapshot_sync(const char *path)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return disk_fail(path, "opened", errno);
    enum status status = STATUS_OK;
    if (fsync(fd) != 0)
        status = disk_fail(path, "made durable (fsync)", errno);
    if (close(fd) != 0 && status == STATUS_OK)
        status = disk_fail(path, "closed", errno);
    return status;
}
