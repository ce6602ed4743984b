/* Reading HDF5 files that anyone may have made. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "io/disk.h"
#include "io/h5.h"

enum { DEFLATE_MOST_RATIO = 1032 }; /* 258 bytes from 2 bits: Deutsch 1996 (RFC 1951), 3.2.5 */

enum { WAIT_MOST_MS = 10000 };

static void wait_a_little(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    (void)nanosleep(&pause, NULL);
}

/* A run that is writing a frame holds the file for some milliseconds, see io/h5_update.c: by a
 * lease, then it cannot be opened, or by a lock. */
static enum status open_regular(struct h5_source *source)
{
    for (int ms = 0; ms < WAIT_MOST_MS; ms++) {
        source->fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (source->fd >= 0 || errno != EWOULDBLOCK)
            break;
        wait_a_little();
    }
    if (source->fd < 0)
        return disk_fail(source->path, "opened", errno);
    TRY(disk_size(source->fd, source->path, &source->bytes));
    for (int ms = 0; flock(source->fd, LOCK_SH | LOCK_NB) != 0; ms++) {
        if (errno != EWOULDBLOCK)
            break; /* a file system without locks */
        if (ms == WAIT_MOST_MS)
            return fail(STATUS_FILE, "%s: another program keeps it locked; try again later",
                        source->path);
        wait_a_little();
    }
    return disk_size(source->fd, source->path, &source->bytes);
}

enum status h5_source_open(const char *path, struct h5_source *source)
{
    enum status status = STATUS_OK;
    *source = (struct h5_source){.path = path, .file = H5I_INVALID_HID, .fd = -1};
    hid_t access = H5I_INVALID_HID;
    TRY(h5_start());
    /* Looked at through a descriptor of our own first: HDF5 would wait for the writer of a FIFO. */
    TRY_DONE(open_regular(source));
    if (H5Fis_hdf5(path) <= 0)
        TRY_DONE(fail(STATUS_FILE, "%s: is not an HDF5 file", path));
    access = H5Pcreate(H5P_FILE_ACCESS);
    TRY_DONE(h5_check(access, path, "open"));
    TRY_DONE(h5_check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), path, "open"));
    source->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (source->file < 0 && h5_is_cut())
        TRY_DONE(fail(STATUS_FILE, "%s: the file is cut short; copy it anew", path));
    TRY_DONE(h5_check(source->file, path, "cannot be opened"));
done:
    h5_close_list(access);
    if (status != STATUS_OK)
        h5_source_close(source);
    return status;
}

void h5_source_close(struct h5_source *source)
{
    h5_close_file(source->file);
    source->file = H5I_INVALID_HID;
    if (source->fd >= 0)
        (void)close(source->fd);
    source->fd = -1;
}

enum { NAME_MOST_BYTES = 1024 };

/* Every part of the way must be a hard link: the others lead out of the file or in circles. */
static enum status check_links(const struct h5_source *source, const char *name)
{
    char part[NAME_MOST_BYTES];
    const size_t length = strlen(name);
    if (length == 0 || length >= sizeof part)
        return fail(STATUS_FILE, "%s: \"%.100s\" is no name of a dataset", source->path, name);
    for (size_t end = 1; end <= length; end++) {
        if (name[end] != '/' && name[end] != '\0')
            continue;
        memcpy(part, name, end);
        part[end] = '\0';
        H5L_info_t link;
        if (H5Lget_info(source->file, part, &link, H5P_DEFAULT) < 0)
            return fail(STATUS_FILE, "%s: holds no %s", source->path, part);
        if (link.type != H5L_TYPE_HARD)
            return fail(STATUS_FILE,
                        "%s: %s is a soft or external link, which is not followed; name the "
                        "dataset that it leads to",
                        source->path, part);
    }
    return STATUS_OK;
}

static enum status check_filters(const char *path, const char *name, hid_t list, bool *is_deflated)
{
    const int count = H5Pget_nfilters(list);
    TRY(h5_check(count, path, name));
    for (int k = 0; k < count; k++) {
        unsigned flags = 0;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(list, (unsigned)k, &flags, &values, NULL, 0, NULL, NULL);
        TRY(h5_check(filter, path, name));
        if (filter >= H5Z_FILTER_RESERVED || H5Zfilter_avail(filter) <= 0)
            return fail(STATUS_FILE,
                        "%s: %s is stored with filter %d, which this HDF5 library lacks; repack it "
                        "(h5repack -f GZIP=1)",
                        path, name, (int)filter);
        /* Of HDF5's own filters only the two that change no size are known not to compress. */
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
            *is_deflated = true;
    }
    return STATUS_OK;
}

/* Whether nothing is stored, and the file itself says what the values are. */
static bool is_bare(hid_t list, double stored)
{
    H5D_fill_value_t fill = H5D_FILL_VALUE_ERROR;
    return stored == 0.0 && H5Pget_layout(list) == H5D_CHUNKED &&
           H5Pfill_value_defined(list, &fill) >= 0 && fill == H5D_FILL_VALUE_USER_DEFINED;
}

static enum status check_storage(const struct h5_source *source, const char *name,
                                 const struct h5_array *array)
{
    enum status status = STATUS_OK;
    bool is_deflated = false;
    const hid_t list = H5Dget_create_plist(array->dataset);
    TRY_DONE(h5_check(list, source->path, name));
    const H5D_layout_t layout = H5Pget_layout(list);
    if (layout == H5D_VIRTUAL || H5Pget_external_count(list) != 0) {
        status = fail(STATUS_FILE, "%s: %s lies in other files, which is not followed",
                      source->path, name);
        goto done;
    }
    TRY_DONE(check_filters(source->path, name, list, &is_deflated));
    const double stored = (double)H5Dget_storage_size(array->dataset);
    double bytes = 1.0;
    for (int d = 0; d < array->rank; d++)
        bytes *= (double)array->shape[d];
    const hid_t type = H5Dget_type(array->dataset);
    bytes *= (double)H5Tget_size(type);
    h5_close_type(type);
    if (array->may_be_bare && is_bare(list, stored))
        goto done;
    if (stored > (double)source->bytes || bytes > stored * (is_deflated ? DEFLATE_MOST_RATIO : 1))
        status = fail(STATUS_FILE, "%s: %s claims %.0f bytes, more than the file holds",
                      source->path, name, bytes);
done:
    h5_close_list(list);
    return status;
}

static enum status check_type(const struct h5_source *source, const char *name, hid_t dataset)
{
    const hid_t type = H5Dget_type(dataset);
    TRY(h5_check(type, source->path, name));
    const H5T_class_t class = H5Tget_class(type);
    const size_t bytes = H5Tget_size(type);
    h5_close_type(type);
    if ((class != H5T_FLOAT && class != H5T_INTEGER) || bytes > 8)
        return fail(STATUS_FILE, "%s: %s does not hold numbers of at most 8 bytes", source->path,
                    name);
    return STATUS_OK;
}

static enum status get_shape(const struct h5_source *source, const char *name,
                             struct h5_array *array)
{
    enum status status = STATUS_OK;
    const hid_t space = H5Dget_space(array->dataset);
    TRY_DONE(h5_check(space, source->path, name));
    array->rank = H5Sget_simple_extent_ndims(space);
    TRY_DONE(h5_check(array->rank, source->path, name));
    if (array->rank > H5_MAX_RANK) {
        status = fail(STATUS_FILE, "%s: %s has %d dimensions", source->path, name, array->rank);
        goto done;
    }
    TRY_DONE(h5_check(H5Sget_simple_extent_dims(space, array->shape, NULL), source->path, name));
done:
    h5_close_space(space);
    return status;
}

static enum status open_array(const struct h5_source *source, const char *name, bool may_be_bare,
                              struct h5_array *array)
{
    enum status status = STATUS_OK;
    *array = (struct h5_array){.dataset = H5I_INVALID_HID, .may_be_bare = may_be_bare};
    TRY(check_links(source, name));
    H5O_info_t about;
    TRY(h5_check(H5Oget_info_by_name(source->file, name, &about, H5P_DEFAULT), source->path, name));
    if (about.type != H5O_TYPE_DATASET)
        return fail(STATUS_FILE, "%s: %s is not a dataset", source->path, name);
    array->dataset = H5Dopen2(source->file, name, H5P_DEFAULT);
    TRY(h5_check(array->dataset, source->path, name));
    TRY_DONE(check_type(source, name, array->dataset));
    TRY_DONE(get_shape(source, name, array));
    TRY_DONE(check_storage(source, name, array));
done:
    if (status != STATUS_OK)
        h5_array_close(array);
    return status;
}

enum status h5_array_open(const struct h5_source *source, const char *name, struct h5_array *array)
{
    return open_array(source, name, false, array);
}

enum status h5_array_open_bare(const struct h5_source *source, const char *name,
                               struct h5_array *array)
{
    return open_array(source, name, true, array);
}

bool h5_array_exists(const struct h5_source *source, const char *name)
{
    return H5Lexists(source->file, name, H5P_DEFAULT) > 0;
}

void h5_array_close(struct h5_array *array)
{
    h5_close_dataset(array->dataset);
    array->dataset = H5I_INVALID_HID;
}

enum status h5_array_read(const struct h5_source *source, const struct h5_array *array,
                          const hsize_t *start, const hsize_t *count, hid_t memory_type,
                          void *values)
{
    enum status status = STATUS_OK;
    hid_t memory = H5I_INVALID_HID;
    const hid_t space = H5Dget_space(array->dataset);
    TRY_DONE(h5_check(space, source->path, "read"));
    memory = H5Screate_simple(array->rank, count, NULL);
    TRY_DONE(h5_check(memory, source->path, "read"));
    TRY_DONE(h5_check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL),
                      source->path, "read"));
    TRY_DONE(h5_check(H5Dread(array->dataset, memory_type, memory, space, H5P_DEFAULT, values),
                      source->path, "cannot be read"));
done:
    h5_close_space(memory);
    h5_close_space(space);
    return status;
}
