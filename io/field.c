#include "io/field.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/disk.h"
#include "io/field_text.h"
#include "io/h5.h"

/* By the signature, which HDF5 looks for at 0, 512, 1024, 2048, ...: HDF5 File Format Specification
 * 3.0, II.A. */
static enum status is_hdf5(const char *file, const char *where, bool *result)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail(STATUS_FILE, "%s: %s cannot be opened: %s", where, file, strerror(errno));
    uint64_t bytes = 0;
    const enum status status = disk_size(fd, file, &bytes);
    *result = false;
    for (uint64_t at = 0; status == STATUS_OK && at + sizeof signature <= bytes && !*result;
         at = at == 0 ? 512 : 2 * at) {
        unsigned char start[sizeof signature];
        *result = pread(fd, start, sizeof start, (off_t)at) == (ssize_t)sizeof start &&
                  memcmp(start, signature, sizeof start) == 0;
    }
    (void)close(fd);
    return status;
}

static enum status check_shape(const struct h5_array *array, const char *file, const char *dataset,
                               int64_t nx, int64_t ny, const char *where)
{
    const int r = array->rank;
    if (r != 2 && r != 3)
        return fail(STATUS_FILE, "%s: %s: %s has %d dimensions; (y, x) or (time, y, x) is needed",
                    where, file, dataset, r);
    if (r == 3 && array->shape[0] == 0)
        return fail(STATUS_FILE, "%s: %s: %s holds no time", where, file, dataset);
    if (array->shape[r - 1] != (hsize_t)nx || array->shape[r - 2] != (hsize_t)ny)
        return fail(STATUS_FILE, "%s: %s: %s is of %llu x %llu cells, the domain of %lld x %lld",
                    where, file, dataset, (unsigned long long)array->shape[r - 1],
                    (unsigned long long)array->shape[r - 2], (long long)nx, (long long)ny);
    return STATUS_OK;
}

static enum status read_hdf5(const char *file, const char *dataset, int64_t nx, int64_t ny,
                             const char *where, double *values)
{
    enum status status = STATUS_OK;
    struct h5_source source = {.file = H5I_INVALID_HID, .fd = -1};
    struct h5_array array = {.dataset = H5I_INVALID_HID};
    TRY_DONE(h5_source_open(file, &source));
    TRY_DONE(h5_array_open_bare(&source, dataset, &array));
    TRY_DONE(check_shape(&array, file, dataset, nx, ny, where));
    hsize_t start[3] = {0}, count[3];
    for (int d = 0; d < array.rank; d++)
        count[d] = array.shape[d];
    if (array.rank == 3) {
        start[0] = array.shape[0] - 1;
        count[0] = 1;
    }
    TRY_DONE(h5_array_read(&source, &array, start, count, H5T_NATIVE_DOUBLE, values));
done:
    h5_array_close(&array);
    h5_source_close(&source);
    return status;
}

/* Puts `where` in front of a message of those below, who do not know it. */
static enum status say_where(enum status status, const char *where)
{
    char message[ERROR_MESSAGE_BYTES];
    if (status == STATUS_OK || strncmp(error_message(), where, strlen(where)) == 0)
        return status;
    (void)snprintf(message, sizeof message, "%s", error_message());
    error_clear();
    return fail(status, "%s: %s", where, message);
}

static void turn_upside_down(int64_t nx, int64_t ny, double *values)
{
    for (int64_t j = 0; j < ny / 2; j++)
        for (int64_t i = 0; i < nx; i++) {
            double *a = &values[j * nx + i], *b = &values[(ny - 1 - j) * nx + i];
            const double kept = *a;
            *a = *b;
            *b = kept;
        }
}

enum status field_read(const char *file, const char *dataset, bool from_top, int64_t nx, int64_t ny,
                       const char *where, double *values)
{
    bool is_h5 = false;
    TRY(say_where(is_hdf5(file, where, &is_h5), where));
    if (is_h5 && dataset == NULL)
        return fail(STATUS_INPUT, "%s: %s is an HDF5 file; name its dataset", where, file);
    if (!is_h5 && dataset != NULL)
        return fail(STATUS_INPUT, "%s: %s is not an HDF5 file; leave dataset out for a text array",
                    where, file);
    if (is_h5)
        TRY(say_where(read_hdf5(file, dataset, nx, ny, where, values), where));
    else
        TRY(field_read_text(file, nx, ny, where, values));
    if (from_top)
        turn_upside_down(nx, ny, values);
    for (int64_t k = 0; k < nx * ny; k++)
        if (!isfinite(values[k]))
            return fail(STATUS_FILE, "%s: %s: the value of cell (%lld, %lld) is not finite", where,
                        file, (long long)(k % nx), (long long)(k / nx));
    return STATUS_OK;
}
