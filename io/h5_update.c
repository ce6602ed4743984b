#define _GNU_SOURCE /* leases */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "io/disk.h"
#include "io/h5.h"
#include "io/h5_medium.h"

enum status h5_update_create(const char *path, hid_t creation, struct h5_update *update)
{
    *update = (struct h5_update){
        .path = path, .file = H5I_INVALID_HID, .medium = {.path = path, .fd = -1}};
    TRY(disk_path(update->new_path, sizeof update->new_path, "%s.new", path));
    update->medium.fd = open(update->new_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (update->medium.fd < 0)
        return disk_fail(path, "created", errno);
    return h5_medium_open(&update->medium, path, creation, H5_FORMAT_OLDEST, &update->file);
}

enum status h5_update_open(const char *path, struct h5_update *update)
{
    *update = (struct h5_update){
        .path = path, .file = H5I_INVALID_HID, .medium = {.path = path, .fd = -1}};
    TRY(journal_replay(path));
    update->medium.fd = open(path, O_RDWR | O_CLOEXEC);
    if (update->medium.fd < 0)
        return disk_fail(path, "opened", errno);
    struct h5_medium *medium = &update->medium;
    TRY(disk_size(medium->fd, path, &update->old_bytes));
    medium->kept_below = medium->stored = medium->end = update->old_bytes;
    return h5_medium_open(medium, path, H5P_DEFAULT, H5_FORMAT_OLDEST, &update->file);
}

static enum status close_hdf5(struct h5_update *update)
{
    const hid_t file = update->file;
    update->file = H5I_INVALID_HID;
    const herr_t closed = H5Fclose(file);
    if (update->medium.error != 0) {
        char what[64];
        (void)snprintf(what, sizeof what, "written (%llu bytes so far)",
                       (unsigned long long)update->medium.stored);
        return disk_fail(update->path, what, update->medium.error);
    }
    return h5_check(closed, update->path, "cannot be closed");
}

static enum status set_size(const struct h5_update *update, uint64_t bytes)
{
    if (ftruncate(update->medium.fd, (off_t)bytes) != 0)
        return disk_fail(update->path, "resized", errno);
    return STATUS_OK;
}

static enum status close_file(struct h5_update *update)
{
    const int fd = update->medium.fd;
    update->medium.fd = -1;
    if (close(fd) != 0)
        return disk_fail(update->path, "closed", errno);
    return STATUS_OK;
}

/* Whether nobody reads the file. With a lease nobody has it open, and the kernel lets who tries to
 * open it wait until it is closed here (and sends a signal about it; SIGURG does nothing). Where
 * there are no leases the lock has to do that HDF5 gives every reader while the file is open. */
static bool is_alone(int fd)
{
    if (fcntl(fd, F_SETSIG, SIGURG) == 0 && fcntl(fd, F_SETLEASE, F_WRLCK) == 0)
        return true;
    if (errno == EAGAIN)
        return false;
    return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Waits until nobody reads, at most a second, so that nobody meets half a change. A reader that
 * stays is waited for once and not at every frame; it may have to open the file again to read on.
 */
static void lock_out_readers(int fd)
{
    enum { MOST_TRIES = 1000 };
    static bool has_one_stayed;
    const struct timespec pause = {.tv_nsec = 1000000};
    const int most = has_one_stayed ? 1 : MOST_TRIES;
    has_one_stayed = true;
    for (int tries = 0; tries < most && has_one_stayed; tries++) {
        has_one_stayed = !is_alone(fd);
        if (has_one_stayed)
            (void)nanosleep(&pause, NULL);
    }
    (void)flock(fd, LOCK_EX | LOCK_NB); /* who comes now is told that the file is busy */
}

static enum status commit_new(struct h5_update *update)
{
    TRY(set_size(update, update->medium.end));
    TRY(close_file(update));
    TRY(journal_remove(update->path)); /* of the file that goes */
    if (rename(update->new_path, update->path) != 0)
        return disk_fail(update->path, "created", errno);
    update->new_path[0] = '\0';
    return STATUS_OK;
}

enum status h5_update_commit(struct h5_update *update, uint64_t anchor, bool anchor_first)
{
    struct h5_medium *medium = &update->medium;
    TRY(close_hdf5(update));
    if (update->new_path[0] != '\0')
        return commit_new(update);
    const uint64_t most = medium->end > update->old_bytes ? medium->end : update->old_bytes;
    TRY(set_size(update, most));
    medium->stored = most;
    h5_patches_sort(&medium->patches, anchor, anchor_first);
    TRY(journal_write(update->path, &medium->patches, most));
    lock_out_readers(medium->fd);
    update->is_begun = true; /* from here on the journal finishes it, whatever happens */
    TRY(journal_apply(update->path, medium->fd, &medium->patches));
    if (medium->end < most)
        TRY(set_size(update, medium->end));
    TRY(close_file(update));
    return journal_remove(update->path);
}

/* On the way out of a failure: the message stands, and what cannot be taken back does no harm, as
 * bytes behind the end that the superblock knows are ignored. */
static void take_back(const struct h5_update *update)
{
    char name[sizeof update->new_path + 16];
    bool is_short = true;
    if (update->medium.stored > update->old_bytes)
        is_short = ftruncate(update->medium.fd, (off_t)update->old_bytes) == 0;
    if (is_short && disk_path(name, sizeof name, "%s.journal", update->path) == STATUS_OK)
        (void)unlink(name);
}

void h5_update_close(struct h5_update *update)
{
    if (update->file >= 0) {
        update->medium.error = ECANCELED; /* nothing more is written */
        (void)H5Fclose(update->file);
        update->file = H5I_INVALID_HID;
    }
    if (update->new_path[0] != '\0')
        (void)unlink(update->new_path);
    else if (update->medium.fd >= 0 && !update->is_begun)
        take_back(update);
    if (update->medium.fd >= 0)
        (void)close(update->medium.fd);
    update->medium.fd = -1;
    h5_patches_free(&update->medium.patches);
}

enum status h5_image_create(struct h5_medium *medium, hid_t *file)
{
    enum status status = STATUS_OK;
    *medium = (struct h5_medium){.path = "checkpoint", .fd = -1, .kept_below = UINT64_MAX};
    *file = H5I_INVALID_HID;
    TRY(h5_start());
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    TRY_DONE(h5_check(creation, "checkpoint", "create"));
    TRY_DONE(h5_check(
        H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "checkpoint", "create"));
    TRY_DONE(h5_medium_open(medium, "checkpoint", creation, H5_FORMAT_CHECKED, file));
done:
    h5_close_list(creation);
    return status;
}
