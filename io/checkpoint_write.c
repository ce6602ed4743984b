/* Writing checkpoints. The HDF5 library only lays out the file and writes its metadata into memory;
 * the bytes then go to disk in one pass of our own, block by block with their checksums. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/checkpoint.h"
#include "io/checkpoint_list.h"
#include "io/crc32c.h"
#include "io/disk.h"
#include "io/h5.h"
#include "io/h5_driver.h"
#include "io/trailer.h"

/* ---- layout ---- */

static hid_t type_of(enum section_type type)
{
    switch (type) {
    case SECTION_F64:
        return H5T_IEEE_F64LE;
    case SECTION_F32:
        return H5T_IEEE_F32LE;
    case SECTION_I64:
        return H5T_STD_I64LE;
    case SECTION_U8:
    default:
        return H5T_STD_U8LE;
    }
}

/* A dataset with its place in the file but no values; the place goes into section->offset. */
static enum status make_section(hid_t file, const char *path, struct checkpoint_section *section)
{
    enum status status = STATUS_OK;
    hid_t space = H5I_INVALID_HID, dataset = H5I_INVALID_HID;
    const char *name = section->name;
    const hsize_t shape[2] = {(hsize_t)section->rows, (hsize_t)section->columns};
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    TRY_DONE(h5_check(list, path, name));
    TRY_DONE(h5_check(H5Pset_obj_track_times(list, false), path, name));
    TRY_DONE(h5_check(H5Pset_layout(list, H5D_CONTIGUOUS), path, name));
    TRY_DONE(h5_check(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY), path, name));
    TRY_DONE(h5_check(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER), path, name));
    space = H5Screate_simple(2, shape, NULL);
    TRY_DONE(h5_check(space, path, name));
    dataset = H5Dcreate2(file, name, type_of(section->type), space, H5P_DEFAULT, list, H5P_DEFAULT);
    TRY_DONE(h5_check(dataset, path, name));
    const haddr_t offset = H5Dget_offset(dataset);
    TRY_DONE(h5_check(offset == HADDR_UNDEF ? -1 : 0, path, name));
    section->offset = (int64_t)offset;
done:
    h5_close_dataset(dataset);
    h5_close_space(space);
    h5_close_list(list);
    return status;
}

static enum status make_image(struct checkpoint *checkpoint, struct h5_medium *image)
{
    enum status status = STATUS_OK;
    const char *path = checkpoint->path;
    const int complete = 1;
    hid_t file = H5I_INVALID_HID;
    uint64_t bytes = 0;
    TRY_DONE(h5_image_create(image, &file));
    TRY_DONE(h5_write_text(file, path, "title", "Isotherm checkpoint"));
    TRY_DONE(h5_write_value(file, path, "step", H5T_NATIVE_INT64, &checkpoint->step));
    TRY_DONE(h5_write_value(file, path, "time", H5T_NATIVE_DOUBLE, &checkpoint->time));
    TRY_DONE(h5_write_value(file, path, "run_id", H5T_NATIVE_UINT64, &checkpoint->run_id));
    for (int k = 0; k < checkpoint->section_count; k++) {
        TRY_DONE(section_bytes(&checkpoint->sections[k], &bytes));
        TRY_DONE(make_section(file, path, &checkpoint->sections[k]));
    }
    TRY_DONE(h5_write_value(file, path, "complete", H5T_NATIVE_INT, &complete));
    const herr_t closed = H5Fclose(file);
    file = H5I_INVALID_HID;
    TRY_DONE(h5_check(closed, path, "cannot be laid out"));
    if (image->error != 0)
        status = fail(STATUS_MEMORY, "%s: no memory for its layout", path);
done:
    h5_close_file(file);
    return status;
}

/* ---- bytes ---- */

/* A checkpoint on its way to disk. */
struct writing {
    struct checkpoint *checkpoint;
    struct h5_medium image;
    struct trailer trailer;
    char new_path[4096];
    int fd;
};

static void lay_section(const struct checkpoint_section *section, uint64_t start, size_t bytes,
                        unsigned char *block)
{
    uint64_t size = 0;
    if (section_bytes(section, &size) != STATUS_OK)
        return; /* was checked when the image was made */
    const uint64_t offset = (uint64_t)section->offset;
    const uint64_t from = offset > start ? offset : start;
    const uint64_t to = offset + size < start + bytes ? offset + size : start + bytes;
    if (from < to)
        memcpy(block + (from - start), (const unsigned char *)section->data + (from - offset),
               (size_t)(to - from));
}

static enum status write_bytes(const struct writing *writing, const void *data, size_t bytes,
                               uint64_t offset)
{
    const int error = disk_write_at(writing->fd, data, bytes, offset);
    if (error == 0)
        return STATUS_OK;
    char what[80];
    const uint64_t total = writing->trailer.hdf5_bytes + trailer_bytes(&writing->trailer);
    (void)snprintf(what, sizeof what, "written (byte %llu of %llu)", (unsigned long long)offset,
                   (unsigned long long)total);
    return disk_fail(writing->checkpoint->path, what, error);
}

static enum status write_blocks(struct writing *writing)
{
    enum status status = STATUS_OK;
    const struct checkpoint *checkpoint = writing->checkpoint;
    const uint64_t total = writing->trailer.hdf5_bytes;
    unsigned char *block = NULL;
    TRY(memory_alloc(&block, TRAILER_BLOCK_BYTES, 1, "block of a checkpoint"));
    for (uint64_t k = 0, start = 0; start < total; k++, start += TRAILER_BLOCK_BYTES) {
        const size_t bytes =
            total - start < TRAILER_BLOCK_BYTES ? (size_t)(total - start) : TRAILER_BLOCK_BYTES;
        memset(block, 0, bytes);
        for (int s = 0; s < checkpoint->section_count; s++)
            lay_section(&checkpoint->sections[s], start, bytes, block);
        h5_patches_read(&writing->image.patches, start, bytes, block);
        writing->trailer.blocks[k] = crc32c(trailer_block_start(k), block, bytes);
        TRY_DONE(write_bytes(writing, block, bytes, start));
    }
done:
    free(block);
    return status;
}

static enum status write_trailer(struct writing *writing)
{
    unsigned char *packed = NULL;
    enum status status = trailer_pack(&writing->trailer, &packed);
    if (status == STATUS_OK)
        status = write_bytes(writing, packed, trailer_bytes(&writing->trailer),
                             writing->trailer.hdf5_bytes);
    free(packed);
    return status;
}

/* Takes the room at once, so that a full disk shows before hours of writing. Where the file system
 * cannot do that, the writes will tell. */
static enum status reserve(const struct writing *writing, uint64_t bytes)
{
    int error = 0;
    do
        error = posix_fallocate(writing->fd, 0, (off_t)bytes);
    while (error == EINTR);
    if (error == 0 || error == EINVAL || error == EOPNOTSUPP)
        return STATUS_OK;
    char what[64];
    (void)snprintf(what, sizeof what, "given its %llu bytes", (unsigned long long)bytes);
    return disk_fail(writing->checkpoint->path, what, error);
}

static enum status write_file(struct writing *writing, const char *directory)
{
    const char *path = writing->checkpoint->path;
    const uint64_t bytes = writing->trailer.hdf5_bytes + trailer_bytes(&writing->trailer);
    TRY(disk_check_room(directory, bytes, "a checkpoint"));
    do
        writing->fd = open(writing->new_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    while (writing->fd < 0 && errno == EINTR);
    if (writing->fd < 0) {
        const int error = errno;
        writing->new_path[0] = '\0'; /* not ours to remove */
        return disk_fail(path, "created", error);
    }
    TRY(reserve(writing, bytes));
    TRY(write_blocks(writing));
    TRY(write_trailer(writing));
    /* Once only: after a failure the kernel may have dropped the data and answer 0 next time. */
    if (fsync(writing->fd) != 0)
        return disk_fail(path, "made durable (fsync)", errno);
    const int fd = writing->fd;
    writing->fd = -1;
    if (close(fd) != 0 && errno != EINTR) /* Linux closes it whatever it says */
        return disk_fail(path, "closed", errno);
    return STATUS_OK;
}

/* The file gets its name, for good. */
static enum status publish(struct writing *writing, const char *directory)
{
    const char *path = writing->checkpoint->path;
    const bool replaces = access(path, F_OK) == 0;
    if (rename(writing->new_path, path) != 0)
        return disk_fail(path, "created", errno);
    writing->new_path[0] = '\0';
    const enum status status = disk_sync_directory(directory);
    if (status != STATUS_OK && !replaces)
        (void)unlink(path); /* a name that may not last was never acknowledged */
    return status;
}

static enum status prepare(struct writing *writing, const char *directory)
{
    struct checkpoint *checkpoint = writing->checkpoint;
    TRY(checkpoint_path(checkpoint->path, sizeof checkpoint->path, directory, checkpoint->step));
    TRY(checkpoint_new_path(writing->new_path, sizeof writing->new_path, directory,
                            checkpoint->step));
    TRY(checkpoint_clean(directory));
    TRY(make_image(checkpoint, &writing->image));
    struct trailer *trailer = &writing->trailer;
    *trailer = (struct trailer){.run_id = checkpoint->run_id,
                                .step = checkpoint->step,
                                .time = checkpoint->time,
                                .hdf5_bytes = writing->image.end,
                                .section_count = checkpoint->section_count};
    memcpy(trailer->sections, checkpoint->sections, sizeof trailer->sections);
    return memory_alloc(&trailer->blocks, (size_t)trailer_block_count(trailer->hdf5_bytes),
                        sizeof *trailer->blocks, "checksums");
}

/* One that cannot be removed only costs room, and the next call tries again. */
static void remove_old(const char *directory, int64_t step, int keep)
{
    char path[4096];
    int64_t *steps = NULL;
    int count = 0, kept = 0;
    if (checkpoint_list(directory, &steps, &count) != STATUS_OK) {
        error_clear(); /* the new checkpoint is safe, which is what counts */
        return;
    }
    for (int k = 0; k < count; k++) {
        const bool is_later = steps[k] > step;
        if ((is_later || kept >= keep) &&
            checkpoint_path(path, sizeof path, directory, steps[k]) == STATUS_OK)
            (void)unlink(path);
        kept += !is_later;
    }
    free(steps);
}

enum status checkpoint_write(const char *directory, struct checkpoint *checkpoint, int keep)
{
    enum status status = STATUS_OK;
    struct writing writing = {.checkpoint = checkpoint, .fd = -1};
    TRY_DONE(prepare(&writing, directory));
    TRY_DONE(write_file(&writing, directory));
    TRY_DONE(publish(&writing, directory));
    remove_old(directory, checkpoint->step, keep);
done:
    if (writing.fd >= 0)
        (void)close(writing.fd);
    if (status != STATUS_OK && writing.new_path[0] != '\0')
        (void)unlink(writing.new_path);
    h5_patches_free(&writing.image.patches);
    trailer_free(&writing.trailer);
    return status;
}
