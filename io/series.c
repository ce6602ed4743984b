/* Reading run.h5, whoever wrote it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/h5.h"
#include "io/series_source.h"

static const char *const text_names[] = {"Conventions", "title", "source", "history", "input"};

enum { TEXTS = sizeof text_names / sizeof text_names[0] };

struct series {
    char *path;
    struct h5_source source;
    struct h5_array temperature; /* (time, ny, nx) */
    int64_t frames;
    double size[2];
    double *times;
    int64_t *steps;
    char *texts[TEXTS];
};

/* Values [0, count) of the dataset (n), n >= count. */
static enum status read_numbers(const struct series *series, const char *name, int64_t count,
                                hid_t type, void *values)
{
    struct h5_array array;
    TRY(h5_array_open(&series->source, name, &array));
    enum status status = STATUS_OK;
    const hsize_t start[1] = {0}, wanted[1] = {(hsize_t)count};
    if (array.rank != 1 || array.shape[0] < wanted[0])
        status = fail(STATUS_FILE, "%s: %s does not hold a number for each of the %lld times",
                      series->path, name, (long long)count);
    else if (count > 0)
        status = h5_array_read(&series->source, &array, start, wanted, type, values);
    h5_array_close(&array);
    return status;
}

/* How many frames are complete: time counts, unless a kill left the field shorter. */
static enum status find_frames(struct series *series)
{
    struct h5_array time;
    TRY(h5_array_open(&series->source, "time", &time));
    const bool is_right = time.rank == 1;
    const hsize_t times = time.shape[0];
    h5_array_close(&time);
    if (!is_right)
        return fail(STATUS_FILE, "%s: time is not a list of numbers", series->path);
    const hsize_t fields = series->temperature.shape[0];
    series->frames = (int64_t)(times < fields ? times : fields);
    return STATUS_OK;
}

/* The length of the plate along an axis, from the bounds of its cells or else from their centres.
 */
static enum status find_size(const struct series *series, const char *axis, hsize_t n, double *size)
{
    struct h5_array array;
    double first = 0.0, last = 0.0;
    TRY(h5_array_open(&series->source, axis, &array));
    enum status status = STATUS_OK;
    const hsize_t start[1] = {0}, end[1] = {n - 1}, one[1] = {1};
    if (array.rank != 1 || array.shape[0] != n) {
        status = fail(STATUS_FILE, "%s: %s does not hold the places of the %llu cells",
                      series->path, axis, (unsigned long long)n);
        goto done;
    }
    TRY_DONE(h5_array_read(&series->source, &array, start, one, H5T_NATIVE_DOUBLE, &first));
    TRY_DONE(h5_array_read(&series->source, &array, end, one, H5T_NATIVE_DOUBLE, &last));
    /* Centres of equal cells that begin at 0: the outer edge is as far out as the first centre is
     * in. */
    *size = last + first;
    if (!isfinite(*size) || !(*size > 0.0))
        status =
            fail(STATUS_FILE, "%s: the values of %s are no places of cells", series->path, axis);
done:
    h5_array_close(&array);
    return status;
}

static enum status open_field(struct series *series)
{
    TRY(h5_array_open(&series->source, "temperature", &series->temperature));
    const hsize_t *shape = series->temperature.shape;
    if (series->temperature.rank != 3 || shape[1] < 1 || shape[2] < 1 || shape[1] > INT64_MAX ||
        shape[2] > INT64_MAX)
        return fail(STATUS_FILE, "%s: temperature is not of (time, y, x)", series->path);
    return STATUS_OK;
}

static enum status read_all(struct series *series)
{
    const hsize_t *shape = series->temperature.shape;
    TRY(find_frames(series));
    TRY(find_size(series, "x", shape[2], &series->size[0]));
    TRY(find_size(series, "y", shape[1], &series->size[1]));
    const size_t frames = (size_t)series->frames; /* no more than the file holds */
    TRY(memory_alloc(&series->times, frames, sizeof *series->times, "times"));
    TRY(memory_alloc(&series->steps, frames, sizeof *series->steps, "steps"));
    TRY(read_numbers(series, "time", series->frames, H5T_NATIVE_DOUBLE, series->times));
    TRY(read_numbers(series, "step", series->frames, H5T_NATIVE_INT64, series->steps));
    for (int k = 0; k < TEXTS; k++)
        TRY(h5_read_text(series->source.file, series->path, text_names[k], &series->texts[k]));
    return STATUS_OK;
}

enum status series_open(const char *path, struct series **series)
{
    *series = NULL;
    struct series *opened = NULL;
    TRY(memory_alloc(&opened, 1, sizeof *opened, "series"));
    opened->source = (struct h5_source){.file = H5I_INVALID_HID, .fd = -1};
    opened->temperature.dataset = H5I_INVALID_HID;
    enum status status = STATUS_OK;
    TRY_DONE(memory_copy_text(&opened->path, path));
    TRY_DONE(h5_source_open(opened->path, &opened->source));
    TRY_DONE(open_field(opened));
    TRY_DONE(read_all(opened));
done:
    if (status == STATUS_OK)
        *series = opened;
    else
        series_close(opened);
    return status;
}

void series_close(struct series *series)
{
    if (series == NULL)
        return;
    h5_array_close(&series->temperature);
    h5_source_close(&series->source);
    for (int k = 0; k < TEXTS; k++)
        free(series->texts[k]);
    free(series->times);
    free(series->steps);
    free(series->path);
    free(series);
}

int64_t series_frames(const struct series *series)
{
    return series->frames;
}

void series_shape(const struct series *series, int64_t *nx, int64_t *ny, double size[2])
{
    *nx = (int64_t)series->temperature.shape[2];
    *ny = (int64_t)series->temperature.shape[1];
    memcpy(size, series->size, sizeof series->size);
}

const double *series_times(const struct series *series)
{
    return series->times;
}

const int64_t *series_steps(const struct series *series)
{
    return series->steps;
}

const char *series_text(const struct series *series, const char *name)
{
    for (int k = 0; k < TEXTS; k++)
        if (strcmp(text_names[k], name) == 0)
            return series->texts[k];
    return "";
}

enum status series_values(struct series *series, const char *name, double *values)
{
    return read_numbers(series, name, series->frames, H5T_NATIVE_DOUBLE, values);
}

enum status series_field(struct series *series, int64_t index, double *temperature)
{
    if (index < 0 || index >= series->frames)
        return fail(STATUS_FILE, "%s: there is no frame %lld among its %lld", series->path,
                    (long long)index, (long long)series->frames);
    const hsize_t *shape = series->temperature.shape;
    const hsize_t start[3] = {(hsize_t)index, 0, 0}, count[3] = {1, shape[1], shape[2]};
    return h5_array_read(&series->source, &series->temperature, start, count, H5T_NATIVE_DOUBLE,
                         temperature);
}

const struct h5_source *series_source(const struct series *series)
{
    return &series->source;
}
