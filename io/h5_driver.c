#include "io/h5_driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/disk.h"
#include "io/h5.h"
#include "io/h5_medium.h"

/* An open file as HDF5's driver layer knows it. */
struct driver_file {
    H5FD_t common;            /* must be first */
    struct h5_medium *medium; /* not owned */
    haddr_t end_allocated;
};

/* HDF5 opens by name; this is what the name stands for while h5_medium_open() runs. */
static struct h5_medium *opening;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name, (void)flags, (void)access, (void)most;
    struct driver_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return NULL;
    file->medium = opening;
    return &file->common;
}

static struct driver_file *mine(H5FD_t *file)
{
    return (struct driver_file *)file;
}

static const struct driver_file *mine_const(const H5FD_t *file)
{
    return (const struct driver_file *)file;
}

static herr_t driver_close(H5FD_t *file)
{
    free(mine(file));
    return 0;
}

/* Without the feature to accumulate metadata every object comes in a write of its own, which the
 * order of patches relies on. */
static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return mine_const(file)->end_allocated;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    mine(file)->end_allocated = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return mine_const(file)->medium->end;
}

static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    mine(file)->medium->end = mine(file)->end_allocated;
    return 0;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t bytes, void *data)
{
    (void)type, (void)transfer;
    return h5_medium_read(mine(file)->medium, address, bytes, data) ? 0 : -1;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t bytes, const void *data)
{
    (void)type, (void)transfer;
    h5_medium_write(mine(file)->medium, address, bytes, data);
    return 0;
}

/* The driver, registered at first use. What a class holds beyond the functions set here differs
 * between versions of HDF5, so it starts as a copy of that of a driver of the library. */
static enum status driver_id(hid_t *id)
{
    static hid_t registered = H5I_INVALID_HID;
    static H5FD_class_t class;
    if (registered < 0) {
        H5FD_t *any = H5FDopen("/dev/null", H5F_ACC_RDONLY, H5P_DEFAULT, HADDR_UNDEF);
        if (any == NULL)
            return h5_check(-1, "/dev/null", "cannot be opened");
        class = *any->cls;
        TRY(h5_check(H5FDclose(any), "/dev/null", "cannot be closed"));
        class.name = "isotherm";
        class.terminate = NULL;
        class.open = driver_open;
        class.close = driver_close;
        class.cmp = NULL;
        class.query = driver_query;
        class.get_eoa = driver_get_eoa;
        class.set_eoa = driver_set_eoa;
        class.get_eof = driver_get_eof;
        class.get_handle = NULL;
        class.read = driver_read;
        class.write = driver_write;
        class.flush = NULL;
        class.truncate = driver_truncate;
        class.lock = NULL;
        class.unlock = NULL;
        registered = H5FDregister(&class);
        TRY(h5_check(registered, "HDF5", "the file driver cannot be registered"));
    }
    *id = registered;
    return STATUS_OK;
}

enum status h5_medium_open(struct h5_medium *medium, const char *path, hid_t creation,
                           enum h5_format format, hid_t *file)
{
    enum status status = STATUS_OK;
    hid_t driver = H5I_INVALID_HID, access = H5I_INVALID_HID;
    const H5F_libver_t low = format == H5_FORMAT_OLDEST ? H5F_LIBVER_EARLIEST : H5F_LIBVER_V110;
    TRY(h5_start());
    TRY(driver_id(&driver));
    access = H5Pcreate(H5P_FILE_ACCESS);
    TRY_DONE(h5_check(access, path, "open"));
    TRY_DONE(h5_check(H5Pset_driver(access, driver, NULL), path, "open"));
    TRY_DONE(h5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), path, "open"));
    TRY_DONE(h5_check(H5Pset_libver_bounds(access, low, H5F_LIBVER_V110), path, "open"));
    if (format == H5_FORMAT_CHECKED)
        TRY_DONE(h5_check(H5Pset_alignment(access, 4096, 4096), path, "open"));
    opening = medium;
    *file = creation != H5P_DEFAULT ? H5Fcreate(path, H5F_ACC_TRUNC, creation, access)
                                    : H5Fopen(path, H5F_ACC_RDWR, access);
    TRY_DONE(h5_check(*file, path, "cannot be opened"));
done:
    opening = NULL;
    h5_close_list(access);
    return status;
}

/* ---- the medium ---- */

bool h5_medium_read(struct h5_medium *medium, uint64_t address, size_t bytes, void *data)
{
    size_t stored = 0;
    if (medium->fd >= 0 && address < medium->stored)
        stored = medium->stored - address < bytes ? (size_t)(medium->stored - address) : bytes;
    if (disk_read(medium->fd, medium->path, data, stored, address) != STATUS_OK) {
        medium->error = EIO;
        return false;
    }
    memset((char *)data + stored, 0, bytes - stored);
    h5_patches_read(&medium->patches, address, bytes, data);
    return true;
}

void h5_medium_write(struct h5_medium *medium, uint64_t address, size_t bytes, const void *data)
{
    if (medium->error != 0) /* the change is lost anyway */
        return;
    size_t kept = 0;
    if (address < medium->kept_below)
        kept =
            medium->kept_below - address < bytes ? (size_t)(medium->kept_below - address) : bytes;
    if (kept > 0 && !h5_patches_write(&medium->patches, address, kept, data)) {
        medium->error = ENOMEM;
        return;
    }
    const uint64_t end = address + bytes;
    if (kept < bytes) {
        medium->error =
            disk_write_at(medium->fd, (const char *)data + kept, bytes - kept, address + kept);
        medium->stored = end > medium->stored ? end : medium->stored;
    }
    medium->end = end > medium->end ? end : medium->end;
}
