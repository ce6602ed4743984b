/* Reading run.h5, whoever wrote it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/checkpoint.h"
#include "io/h5.h"
#include "io/series_source.h"

static const char *const text_names[] = {"Conventions", "title", "source", "history", "input"};

enum { TEXTS = sizeof text_names / sizeof text_names[0] };

struct series {
    char *path;
    struct h5_source source;
    struct h5_array fields[OUTPUT_FIELDS]; /* (time, ny, nx), the material (ny, nx) */
    bool has[OUTPUT_FIELDS];
    int first; /* of the fields that there are */
    int64_t frames, cells[2];
    double size[2], origin[2];
    double *places[2]; /* (cells) */
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

/* How many frames are complete: time counts, unless a kill left a field shorter. */
static enum status find_frames(struct series *series)
{
    struct h5_array time;
    TRY(h5_array_open(&series->source, "time", &time));
    const bool is_right = time.rank == 1;
    hsize_t frames = time.shape[0];
    h5_array_close(&time);
    if (!is_right)
        return fail(STATUS_FILE, "%s: time is not a list of numbers", series->path);
    for (int f = 0; f < OUTPUT_MATERIAL; f++)
        if (series->has[f] && series->fields[f].shape[0] < frames)
            frames = series->fields[f].shape[0];
    series->frames = (int64_t)frames;
    return STATUS_OK;
}

static enum status read_places(struct series *series, int axis)
{
    const char *name = axis == 0 ? "x" : "y";
    struct h5_array array;
    TRY(h5_array_open(&series->source, name, &array));
    enum status status = STATUS_OK;
    const hsize_t start[1] = {0}, count[1] = {(hsize_t)series->cells[axis]};
    if (array.rank != 1 || array.shape[0] != count[0]) {
        status = fail(STATUS_FILE, "%s: %s does not hold the places of the %lld cells",
                      series->path, name, (long long)series->cells[axis]);
        goto done;
    }
    TRY_DONE(memory_alloc(&series->places[axis], (size_t)count[0], sizeof(double), name));
    TRY_DONE(h5_array_read(&series->source, &array, start, count, H5T_NATIVE_DOUBLE,
                           series->places[axis]));
done:
    h5_array_close(&array);
    return status;
}

/* Width of the cell of an only column or row; 0 when the file does not say. */
static enum status read_only_width(const struct series *series, int axis, double *width)
{
    const char *name = axis == 0 ? "x_bnds" : "y_bnds";
    const hsize_t start[2] = {0, 0}, count[2] = {1, 2};
    double bounds[2] = {0.0, 0.0};
    struct h5_array array;
    *width = 0.0;
    if (!h5_array_exists(&series->source, name))
        return STATUS_OK;
    TRY(h5_array_open(&series->source, name, &array));
    enum status status = STATUS_OK;
    if (array.rank == 2 && array.shape[0] == 1 && array.shape[1] == 2)
        status = h5_array_read(&series->source, &array, start, count, H5T_NATIVE_DOUBLE, bounds);
    h5_array_close(&array);
    *width = bounds[1] - bounds[0];
    return status;
}

/* The part of the plate that the cells cover, each as wide as it is from centre to centre. */
static enum status find_part(struct series *series, int axis)
{
    const int64_t n = series->cells[axis];
    TRY(read_places(series, axis));
    const double first = series->places[axis][0], last = series->places[axis][n - 1];
    double width = n > 1 ? (last - first) / (double)(n - 1) : 0.0;
    if (n == 1)
        TRY(read_only_width(series, axis, &width));
    if (!(width > 0.0))
        width = 2.0 * first;
    series->origin[axis] = first - 0.5 * width;
    series->size[axis] = (double)n * width;
    if (fabs(series->origin[axis]) <= 1e-9 * width) {
        /* The whole plate: the outer edge is as far out as the first centre is in. */
        series->origin[axis] = 0.0;
        series->size[axis] = last + first;
    }
    if (isfinite(series->size[axis]) && series->size[axis] > 0.0)
        return STATUS_OK;
    return fail(STATUS_FILE, "%s: the values of %s are no places of cells", series->path,
                axis == 0 ? "x" : "y");
}

/* Takes the dataset as a field when it has the cells of those before it; the first one must be one.
 * What a file of another program calls by such a name may be anything. */
static enum status open_field(struct series *series, int f)
{
    const int rank = f == OUTPUT_MATERIAL ? 2 : 3;
    const bool is_first = series->first < 0;
    struct h5_array *field = &series->fields[f];
    TRY(h5_array_open(&series->source, output_field_names[f], field));
    const hsize_t *cells = field->shape + (field->rank >= rank ? rank - 2 : 0);
    bool is_right = field->rank == rank && cells[0] >= 1 && cells[1] >= 1 &&
                    cells[0] <= INT64_MAX && cells[1] <= INT64_MAX;
    if (is_first && !is_right)
        return fail(STATUS_FILE, "%s: %s is not of (time, y, x)", series->path,
                    output_field_names[f]);
    if (is_first) {
        series->cells[0] = (int64_t)cells[1];
        series->cells[1] = (int64_t)cells[0];
        series->first = f;
    }
    is_right =
        is_right && series->cells[0] == (int64_t)cells[1] && series->cells[1] == (int64_t)cells[0];
    series->has[f] = is_right;
    return STATUS_OK;
}

static enum status open_fields(struct series *series)
{
    series->first = -1;
    for (int f = 0; f < OUTPUT_FIELDS; f++)
        if (h5_array_exists(&series->source, output_field_names[f]) &&
            (f != OUTPUT_MATERIAL || series->first >= 0))
            TRY(open_field(series, f));
    if (series->first < 0)
        return open_field(series, OUTPUT_TEMPERATURE); /* says that there is none */
    return STATUS_OK;
}

static enum status read_all(struct series *series)
{
    TRY(find_frames(series));
    TRY(find_part(series, 0));
    TRY(find_part(series, 1));
    const size_t frames = (size_t)series->frames; /* no more than the file holds */
    TRY(memory_alloc(&series->times, frames, sizeof *series->times, "times"));
    TRY(memory_alloc(&series->steps, frames, sizeof *series->steps, "steps"));
    TRY(read_numbers(series, "time", series->frames, H5T_NATIVE_DOUBLE, series->times));
    TRY(read_numbers(series, "step", series->frames, H5T_NATIVE_INT64, series->steps));
    for (int k = 0; k < TEXTS; k++)
        TRY(h5_read_text(series->source.file, series->path, text_names[k], &series->texts[k]));
    return STATUS_OK;
}

/* What lies beside a run.h5 and is easily taken for it. */
static enum status check_kind(const struct series *series)
{
    if (checkpoint_is(series->path))
        return fail(STATUS_FILE,
                    "%s: is a checkpoint, which isotherm info shows; what was computed over time "
                    "is in run.h5",
                    series->path);
    if (h5_array_exists(&series->source, "VTKHDF") &&
        !h5_array_exists(&series->source, output_field_names[OUTPUT_TEMPERATURE]))
        return fail(STATUS_FILE, "%s: is a view of run.h5 for ParaView; open the run.h5 beside it",
                    series->path);
    return STATUS_OK;
}

enum status series_open(const char *path, struct series **series)
{
    *series = NULL;
    struct series *opened = NULL;
    TRY(memory_alloc(&opened, 1, sizeof *opened, "series"));
    opened->source = (struct h5_source){.file = H5I_INVALID_HID, .fd = -1};
    for (int f = 0; f < OUTPUT_FIELDS; f++)
        opened->fields[f].dataset = H5I_INVALID_HID;
    enum status status = STATUS_OK;
    TRY_DONE(memory_copy_text(&opened->path, path));
    TRY_DONE(h5_source_open(opened->path, &opened->source));
    TRY_DONE(check_kind(opened));
    TRY_DONE(open_fields(opened));
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
    for (int f = 0; f < OUTPUT_FIELDS; f++)
        h5_array_close(&series->fields[f]);
    h5_source_close(&series->source);
    for (int k = 0; k < TEXTS; k++)
        free(series->texts[k]);
    free(series->places[0]);
    free(series->places[1]);
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
    *nx = series->cells[0];
    *ny = series->cells[1];
    memcpy(size, series->size, sizeof series->size);
}

void series_origin(const struct series *series, double origin[2])
{
    memcpy(origin, series->origin, sizeof series->origin);
}

const double *series_places(const struct series *series, int axis)
{
    return series->places[axis];
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

int series_field_count(const struct series *series)
{
    int count = 0;
    for (int f = 0; f < OUTPUT_FIELDS; f++)
        count += series->has[f] ? 1 : 0;
    return count;
}

const char *series_field_name(const struct series *series, int field)
{
    for (int f = 0; f < OUTPUT_FIELDS; f++)
        if (series->has[f] && field-- == 0)
            return output_field_names[f];
    return NULL;
}

enum status series_field(struct series *series, int64_t index, double *values)
{
    if (index < 0 || index >= series->frames)
        return fail(STATUS_FILE, "%s: there is no frame %lld among its %lld", series->path,
                    (long long)index, (long long)series->frames);
    const struct h5_array *field = &series->fields[series->first];
    const hsize_t start[3] = {field->rank == 3 ? (hsize_t)index : 0, 0, 0};
    const hsize_t *cells = field->shape + (field->rank - 2);
    const hsize_t count[3] = {field->rank == 3 ? 1 : cells[0],
                              field->rank == 3 ? cells[0] : cells[1], cells[1]};
    return h5_array_read(&series->source, field, start, count, H5T_NATIVE_DOUBLE, values);
}

const struct h5_source *series_source(const struct series *series)
{
    return &series->source;
}
