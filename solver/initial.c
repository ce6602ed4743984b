#include "solver/initial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "base/memory.h"
#include "io/field.h"
#include "solver/guard.h"
#include "solver/material.h"
#include "solver/sample.h"

static double centre(int64_t index, double d)
{
    return ((double)index + 0.5) * d;
}

/* The fixed region that holds cell (i, j); NULL when it is free. Later regions win. */
static const struct input_fixed *fixed_at(const struct plan *plan, int64_t i, int64_t j)
{
    const struct input *input = plan->input;
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny;
    const bool is_on_side[SIDE_COUNT] = {i == 0, i == nx - 1, j == 0, j == ny - 1};
    for (int f = input->fixed_count - 1; f >= 0; f--) {
        const struct input_fixed *fixed = &input->fixed[f];
        if (fixed->is_side && is_on_side[fixed->side])
            return fixed;
        if (fixed->is_material && material_at(plan, i, j) == fixed->index)
            return fixed;
        if (!fixed->is_side && !fixed->is_material &&
            material_in_rectangle(plan, fixed->from, fixed->to, i, j))
            return fixed;
    }
    return NULL;
}

static enum status evaluate(const struct plan *plan, struct expression *expression, int64_t i,
                            int64_t j, double *value)
{
    const double at[2] = {centre(i, plan->dx), centre(j, plan->dy)};
    return expression_evaluate_cell(expression, at, i, j, value);
}

static enum status from_expression(const struct plan *plan, struct extent extent, double *values)
{
    const struct input_field *field = &plan->input->initial_temperature;
    struct expression *expression = NULL;
    enum status status = expression_open(&expression, field->expression, "xy", field->where);
    for (int64_t j = extent.y0; j < extent.y1 && status == STATUS_OK; j++)
        for (int64_t i = extent.x0; i < extent.x1 && status == STATUS_OK; i++)
            status = evaluate(plan, expression, i, j, values++);
    expression_close(expression);
    return status;
}

static enum status from_file(const struct plan *plan, struct extent extent, double *values)
{
    const struct input_field *field = &plan->input->initial_temperature;
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny;
    double *all = NULL;
    if (extent.x1 - extent.x0 == nx && extent.y1 - extent.y0 == ny)
        return field_read(field->file, field->dataset, field->from_top, nx, ny, field->where,
                          values);
    TRY(memory_alloc(&all, (size_t)(nx * ny), sizeof *all, "initial temperature"));
    const enum status status =
        field_read(field->file, field->dataset, field->from_top, nx, ny, field->where, all);
    for (int64_t j = extent.y0; j < extent.y1 && status == STATUS_OK; j++)
        for (int64_t i = extent.x0; i < extent.x1; i++)
            *values++ = all[j * nx + i];
    free(all);
    return status;
}

static enum status from_source(const struct plan *plan, struct extent extent, double *values)
{
    const struct input_field *field = &plan->input->initial_temperature;
    switch (field->kind) {
    case FIELD_EXPRESSION:
        return from_expression(plan, extent, values);
    case FIELD_FILE:
        return from_file(plan, extent, values);
    case FIELD_NUMBER:
        break;
    }
    const int64_t count = (extent.x1 - extent.x0) * (extent.y1 - extent.y0);
    for (int64_t c = 0; c < count; c++)
        values[c] = field->number;
    return STATUS_OK;
}

/* What the field has in cell (i, j) becomes what the cell starts at. */
static enum status settle(const struct plan *plan, int64_t i, int64_t j, double *value)
{
    const struct input *input = plan->input;
    const struct input_fixed *fixed = input->fixed_count > 0 ? fixed_at(plan, i, j) : NULL;
    if (fixed != NULL && fixed->has_temperature)
        *value = fixed->temperature;
    if (*value < 0.0 && guard_is_absolute(input))
        return fail(STATUS_INPUT,
                    "%s: cell (%lld, %lld) starts at %.9g K, below absolute zero; a plate that "
                    "radiates needs absolute temperatures",
                    input->initial_temperature.where, (long long)i, (long long)j, *value);
    if (!isfinite(*value))
        return fail(STATUS_INPUT,
                    "%s: the value of cell (%lld, %lld) is not finite; give every cell a "
                    "temperature",
                    input->initial_temperature.where, (long long)i, (long long)j);
    return STATUS_OK;
}

enum status initial_temperature(const struct plan *plan, struct extent extent, double *temperature)
{
    TRY(from_source(plan, extent, temperature));
    double *value = temperature;
    for (int64_t j = extent.y0; j < extent.y1; j++)
        for (int64_t i = extent.x0; i < extent.x1; i++)
            TRY(settle(plan, i, j, value++));
    return STATUS_OK;
}

enum status initial_try(const struct plan *plan, const int64_t counts[2])
{
    const struct input_field *field = &plan->input->initial_temperature;
    struct expression *expression = NULL;
    double value = 0.0;
    if (field->kind != FIELD_EXPRESSION)
        return STATUS_OK;
    enum status status = expression_open(&expression, field->expression, "xy", field->where);
    for (int64_t b = 0; b < counts[1] && status == STATUS_OK; b++)
        for (int64_t a = 0; a < counts[0] && status == STATUS_OK; a++) {
            const int64_t i = sample_at(plan->layout.nx, counts[0], a);
            const int64_t j = sample_at(plan->layout.ny, counts[1], b);
            status = evaluate(plan, expression, i, j, &value);
            if (status == STATUS_OK)
                status = settle(plan, i, j, &value);
        }
    expression_close(expression);
    return status;
}

/* The temperature of one cell; `all` is that of the whole domain or NULL. */
static enum status sample(const struct plan *plan, const double *all, int64_t x, int64_t y,
                          double *value)
{
    if (all == NULL)
        return initial_temperature(plan, (struct extent){x, x + 1, y, y + 1}, value);
    *value = all[y * plan->layout.nx + x];
    return STATUS_OK;
}

static enum status mean_of_samples(const struct plan *plan, const double *all, double *mean)
{
    enum { SAMPLES = 32 }; /* at most, in x and in y */
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny;
    const int64_t mx = nx < SAMPLES ? nx : SAMPLES, my = ny < SAMPLES ? ny : SAMPLES;
    double sum = 0.0;
    for (int64_t j = 0; j < my; j++) {
        for (int64_t i = 0; i < mx; i++) {
            double value = 0.0;
            TRY(sample(plan, all, i * nx / mx, j * ny / my, &value));
            sum += value;
        }
    }
    *mean = sum / (double)(mx * my);
    return STATUS_OK;
}

enum status initial_reference(const struct plan *plan, double *reference)
{
    *reference = 0.0;
    if (plan->is_double)
        return STATUS_OK;
    if (plan->input->initial_temperature.kind != FIELD_FILE)
        return mean_of_samples(plan, NULL, reference);
    /* A file is read as a whole, so only once. */
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny;
    double *all = NULL;
    TRY(memory_alloc(&all, (size_t)(nx * ny), sizeof *all, "initial temperature"));
    enum status status = initial_temperature(plan, (struct extent){0, nx, 0, ny}, all);
    if (status == STATUS_OK)
        status = mean_of_samples(plan, all, reference);
    free(all);
    return status;
}

static int64_t wrap(bool is_periodic, int64_t index, int64_t n)
{
    return is_periodic ? (index % n + n) % n : index;
}

void initial_fixed_mask(const struct plan *plan, const struct block *block, struct extent extent,
                        unsigned char *mask)
{
    const struct layout *layout = &plan->layout;
    for (int j = -block->halo; j < block->ny + block->halo; j++) {
        for (int i = -block->halo; i < block->nx + block->halo; i++) {
            const int64_t x = wrap(layout->is_periodic_x, extent.x0 + i, layout->nx);
            const int64_t y = wrap(layout->is_periodic_y, extent.y0 + j, layout->ny);
            const bool is_in_domain = x >= 0 && x < layout->nx && y >= 0 && y < layout->ny;
            mask[block_index(block, i, j)] = is_in_domain && fixed_at(plan, x, y) != NULL;
        }
    }
}
