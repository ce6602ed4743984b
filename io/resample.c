#include "io/resample.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The cells under one pixel: first..last, whole but for the two ends. */
struct share {
    int64_t first, last;
    double first_weight, last_weight; /* parts of a cell; last_weight counts only if last > first */
    double total;
};

static struct share pixel_share(int pixel, int pixels, int64_t cells)
{
    const double ratio = (double)cells / pixels;
    struct share share = {.first_weight = 1, .last_weight = 1, .total = 1};
    if (cells <= pixels) {
        share.first = (int64_t)((pixel + 0.5) * ratio);
        share.last = share.first;
        return share;
    }
    /* Multiplied before it is divided: whole ratios give whole borders. */
    const double low = (double)pixel * (double)cells / pixels;
    const double high = (double)(pixel + 1) * (double)cells / pixels;
    share.first = (int64_t)low;
    share.last = (int64_t)ceil(high) - 1;
    share.first_weight = (double)(share.first + 1) - low;
    share.last_weight = high - (double)share.last;
    share.total = ratio;
    return share;
}

static double share_weight(const struct share *share, int64_t cell)
{
    if (cell == share->first)
        return share->first_weight;
    return cell == share->last ? share->last_weight : 1;
}

enum status field_resample(const double *from, int64_t nx, int64_t ny, double *to, int width,
                           int height)
{
    double *row = NULL; /* (nx): one row of pixels, not yet reduced in x */
    TRY(memory_alloc(&row, (size_t)nx, sizeof *row, "row of a picture"));
    for (int y = 0; y < height; y++) {
        const struct share rows = pixel_share(y, height, ny);
        for (int64_t j = rows.first; j <= rows.last; j++) {
            const double weight = share_weight(&rows, j) / rows.total;
            const double *line = from + j * nx;
            for (int64_t i = 0; i < nx; i++)
                row[i] = (j == rows.first ? 0 : row[i]) + weight * line[i];
        }
        for (int x = 0; x < width; x++) {
            const struct share columns = pixel_share(x, width, nx);
            double sum = 0;
            for (int64_t i = columns.first; i <= columns.last; i++)
                sum += share_weight(&columns, i) * row[i];
            to[(size_t)y * (size_t)width + (size_t)x] = sum / columns.total;
        }
    }
    free(row);
    return STATUS_OK;
}

void field_sample(const double *from, int64_t nx, int64_t ny, double *to, int width, int height)
{
    for (int y = 0; y < height; y++) {
        const double *line = from + (int64_t)((y + 0.5) * (double)ny / height) * nx;
        for (int x = 0; x < width; x++)
            *to++ = line[(int64_t)((x + 0.5) * (double)nx / width)];
    }
}

enum status field_profile(const struct field_grid *grid, int axis, double at, double *positions,
                          double *profile)
{
    const int64_t cells[2] = {grid->nx, grid->ny}, strides[2] = {1, grid->nx};
    const int along = 1 - axis;
    const double from = grid->origin[axis], to = from + grid->size[axis];
    if (!(at >= from && at <= to))
        return fail(STATUS_INPUT, "the line %c = %g m is outside of the field; choose %g to %g",
                    "xy"[axis], at, from, to);
    /* Position in units of cells from the first centre; beyond the outer centres the outer cell. */
    const double place = (at - from) / grid->size[axis] * (double)cells[axis] - 0.5;
    const double inside = fmax(0, fmin(place, (double)(cells[axis] - 1)));
    const int64_t low = (int64_t)inside;
    const double part = inside - (double)low;
    for (int64_t k = 0; k < cells[along]; k++) {
        const double *value = grid->values + k * strides[along] + low * strides[axis];
        positions[k] =
            grid->origin[along] + ((double)k + 0.5) * grid->size[along] / (double)cells[along];
        profile[k] = part > 0 ? value[0] + part * (value[strides[axis]] - value[0]) : value[0];
    }
    return STATUS_OK;
}

bool field_range(const double *values, int64_t count, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int64_t k = 0; k < count; k++) {
        if (!isfinite(values[k]))
            continue;
        range[0] = values[k] < range[0] ? values[k] : range[0];
        range[1] = values[k] > range[1] ? values[k] : range[1];
    }
    if (range[0] <= range[1])
        return true;
    range[0] = 0;
    range[1] = 1;
    return false;
}
