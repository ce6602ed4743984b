/* Appending to run.h5 and cutting it. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "io/disk.h"
#include "io/h5.h"
#include "io/h5_driver.h"
#include "io/snapshot_layout.h"

enum status snapshot_open_dataset(const struct h5_update *update, const char *name, hid_t *dataset)
{
    *dataset = H5Dopen2(update->file, name, H5P_DEFAULT);
    return h5_check(*dataset, update->path, name);
}

enum status snapshot_get_shape(const struct h5_update *update, const char *name, hid_t dataset,
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
    TRY_DONE(snapshot_open_dataset(update, "time", &dataset));
    TRY_DONE(h5_check(H5Oget_info(dataset, &about), update->path, "time"));
    *anchor = about.addr;
    TRY_DONE(snapshot_get_shape(update, "time", dataset, 1, frames));
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
    TRY_DONE(snapshot_open_dataset(update, name, &dataset));
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
    TRY_DONE(snapshot_append_fields(spec, &update, frames, frame));
    TRY_DONE(append_number(&update, "step", frames, H5T_NATIVE_INT64, &frame->step));
    for (int k = snapshot_number_count(spec) - 1; k >= 0; k--) /* time last */
        TRY_DONE(append_number(&update, snapshot_numbers[k].name, frames, H5T_NATIVE_DOUBLE,
                               (const char *)frame + snapshot_numbers[k].offset));
    TRY_DONE(h5_update_commit(&update, anchor, false));
    if (spec->pace != NULL)
        pace_end_frame(spec->pace, spec->path, update.old_bytes, update.medium.end);
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
    TRY_DONE(snapshot_open_dataset(update, name, &dataset));
    TRY_DONE(snapshot_get_shape(update, name, dataset, rank, shape));
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

static enum status cut_all(const struct h5_update *update, const struct snapshot_spec *spec,
                           hsize_t frames, uint64_t *anchor)
{
    hsize_t before = 0;
    double last = 0.0;
    TRY(look_at_time(update, &before, anchor, &last));
    for (int field = 0; field < OUTPUT_FIELDS; field++)
        if (snapshot_has(spec, field))
            TRY(cut_dataset(update, output_field_names[field], 3, frames));
    TRY(cut_dataset(update, "step", 1, frames));
    for (int k = 0; k < snapshot_number_count(spec); k++)
        TRY(cut_dataset(update, snapshot_numbers[k].name, 1, frames));
    return STATUS_OK;
}

/* What to do about a file that could be opened but is short, damaged or of another run. */
static enum status add_way_out(enum status status)
{
    char message[ERROR_MESSAGE_BYTES];
    (void)snprintf(message, sizeof message, "%s", error_message());
    error_clear();
    return fail(status, "%s; restore it, or move it away and the resume begins a new one", message);
}

enum status snapshot_cut(const struct snapshot_spec *spec, int64_t frames)
{
    struct h5_update update = {.file = H5I_INVALID_HID, .medium = {.fd = -1}};
    uint64_t anchor = 0;
    enum status status = h5_update_open(spec->path, &update);
    if (status == STATUS_OK)
        status = cut_all(&update, spec, (hsize_t)frames, &anchor);
    if (status != STATUS_OK && update.medium.fd >= 0 && update.medium.error == 0)
        status = add_way_out(status);
    if (status == STATUS_OK)
        status = h5_update_commit(&update, anchor, true);
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
