#include "solver/derived.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/cell.h"
#include "solver/material.h"
#include "solver/properties.h"

static int64_t side_faces(const struct plan *plan, int side)
{
    return side < SIDE_BOTTOM ? plan->layout.ny : plan->layout.nx;
}

static bool is_periodic(const struct plan *plan, int side)
{
    return plan->input->boundary[side].type == BOUNDARY_PERIODIC;
}

static enum side lower_side(int axis)
{
    return axis == 0 ? SIDE_LEFT : SIDE_BOTTOM;
}

static enum side upper_side(int axis)
{
    return axis == 0 ? SIDE_RIGHT : SIDE_TOP;
}

static double width(const struct plan *plan, int axis)
{
    return axis == 0 ? plan->dx : plan->dy;
}

static enum status fill_conductances(struct derived *derived, int axis)
{
    const struct input *input = derived->plan->input;
    const size_t count = (size_t)input->material_count;
    const double d = width(derived->plan, axis);
    if (derived->plan->properties != NULL)
        return STATUS_OK;
    TRY(memory_alloc(&derived->conductance[axis], count * count, sizeof(double), "conductances"));
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            derived->conductance[axis][a * count + b] =
                material_face(input, (int)a, (int)b, axis, d) / d;
    return STATUS_OK;
}

enum status derived_open(const struct plan *plan, const unsigned char *materials,
                         struct derived *derived)
{
    const unsigned plain = 1U << OUTPUT_TEMPERATURE | 1U << OUTPUT_MATERIAL;
    *derived = (struct derived){.plan = plan,
                                .materials = materials,
                                .kept = kept_find(plan->input),
                                .has_sides = (plan->input->output.fields & ~plain) != 0};
    if (!derived->has_sides)
        return STATUS_OK;
    for (int axis = 0; axis < 2; axis++)
        TRY(fill_conductances(derived, axis));
    for (int side = 0; side < SIDE_COUNT; side++) {
        const size_t faces = (size_t)side_faces(plan, side);
        TRY(boundary_open(&plan->input->boundary[side], &derived->boundaries[side]));
        TRY(memory_alloc(&derived->flux[side], faces, sizeof(double), "boundary"));
        TRY(memory_alloc(&derived->slope[side], faces, sizeof(double), "boundary"));
    }
    return STATUS_OK;
}

void derived_close(struct derived *derived)
{
    for (int side = 0; side < SIDE_COUNT; side++) {
        boundary_close(&derived->boundaries[side]);
        free(derived->flux[side]);
        free(derived->slope[side]);
    }
    for (int axis = 0; axis < 2; axis++)
        free(derived->conductance[axis]);
    *derived = (struct derived){0};
}

/* The deviation from the reference in a cell of the domain. */
static double held(const struct derived *derived, int64_t cell)
{
    return derived->plan->is_double ? ((const double *)derived->field)[cell]
                                    : (double)((const float *)derived->field)[cell];
}

static int material_of(const struct derived *derived, int64_t cell)
{
    return derived->materials == NULL ? 0 : derived->materials[cell];
}

static double conductivity(const struct derived *derived, int axis, int64_t cell)
{
    const struct plan *plan = derived->plan;
    return plan->properties != NULL
               ? plan->properties->conductivity[axis][cell]
               : plan->input->materials[material_of(derived, cell)].conductivity[axis].number;
}

/* ---- the sides, once for a frame ---- */

static int64_t cell_at_side(const struct plan *plan, int side, int64_t face)
{
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny;
    switch (side) {
    case SIDE_LEFT:
        return face * nx;
    case SIDE_RIGHT:
        return face * nx + nx - 1;
    case SIDE_BOTTOM:
        return face;
    default:
        return (ny - 1) * nx + face;
    }
}

static enum status fill_side(struct derived *derived, int side, double t)
{
    const struct plan *plan = derived->plan;
    const int axis = side / 2;
    const double d = width(plan, axis), along = width(plan, 1 - axis);
    const bool depends_on_s = boundary_depends_on(&plan->input->boundary[side], 's');
    struct boundary_values values;
    struct ghost_map map;
    TRY(boundary_at(&derived->boundaries[side], 0.5 * along, t, &values));
    for (int64_t face = 0; face < side_faces(plan, side); face++) {
        const int64_t cell = cell_at_side(plan, side, face);
        const double k = conductivity(derived, axis, cell);
        if (depends_on_s)
            TRY(boundary_at(&derived->boundaries[side], ((double)face + 0.5) * along, t, &values));
        TRY(boundary_map(&values, (enum side)side, k, d, &map));
        const double inside = derived->reference + held(derived, cell);
        const double rise = values.type == BOUNDARY_RADIATION
                                ? cell_radiate_f64(inside, map.a, map.b, 0.0) - inside
                                : map.a + (map.b - 1.0) * inside;
        const double slope = rise / d;
        derived->slope[side][face] = slope;
        derived->flux[side][face] = values.type == BOUNDARY_FLUX ? values.value : k * slope;
    }
    return STATUS_OK;
}

enum status derived_frame(struct derived *derived, const void *field, double reference, double t)
{
    derived->field = field;
    derived->reference = reference;
    for (int side = 0; side < SIDE_COUNT && derived->has_sides; side++)
        if (!is_periodic(derived->plan, side))
            TRY(fill_side(derived, side, t));
    return STATUS_OK;
}

/* ---- cells ---- */

/* Both cells beside cell `cell`, number `at` of `n` along an axis, in cells; -1 at a boundary. */
struct neighbours {
    int64_t lower, upper;
};

static struct neighbours find_neighbours(const struct plan *plan, int axis, int64_t cell,
                                         int64_t at)
{
    const int64_t n = axis == 0 ? plan->layout.nx : plan->layout.ny;
    const int64_t stride = axis == 0 ? 1 : plan->layout.nx;
    const bool wraps = is_periodic(plan, (int)lower_side(axis));
    return (struct neighbours){
        .lower = at > 0  ? cell - stride
                 : wraps ? cell + (n - 1) * stride
                         : -1,
        .upper = at + 1 < n ? cell + stride
                 : wraps    ? cell - (n - 1) * stride
                            : -1,
    };
}

static double conductance(const struct derived *derived, int axis, int64_t lower, int64_t upper)
{
    const struct plan *plan = derived->plan;
    const int64_t nx = plan->layout.nx;
    if (plan->properties != NULL)
        return properties_face(plan, axis, upper % nx, upper / nx) / width(plan, axis);
    const int pair =
        material_of(derived, lower) * plan->input->material_count + material_of(derived, upper);
    return derived->conductance[axis][pair];
}

static double flux_between(const struct derived *derived, int axis, int64_t lower, int64_t upper)
{
    return conductance(derived, axis, lower, upper) * (held(derived, lower) - held(derived, upper));
}

static double heat_flux(const struct derived *derived, int axis, int64_t cell, int64_t at,
                        int64_t face)
{
    const struct neighbours beside = find_neighbours(derived->plan, axis, cell, at);
    const double into = beside.lower < 0 ? derived->flux[lower_side(axis)][face]
                                         : flux_between(derived, axis, beside.lower, cell);
    const double out = beside.upper < 0 ? -derived->flux[upper_side(axis)][face]
                                        : flux_between(derived, axis, cell, beside.upper);
    return 0.5 * (into + out);
}

static double slope(const struct derived *derived, int axis, int64_t cell, int64_t at, int64_t face)
{
    const struct neighbours beside = find_neighbours(derived->plan, axis, cell, at);
    const double d = width(derived->plan, axis), here = held(derived, cell);
    const double lower = beside.lower < 0 ? -derived->slope[lower_side(axis)][face]
                                          : (here - held(derived, beside.lower)) / d;
    const double upper = beside.upper < 0 ? derived->slope[upper_side(axis)][face]
                                          : (held(derived, beside.upper) - here) / d;
    return 0.5 * (lower + upper);
}

/* Anything but the temperature. */
static double value_of(const struct derived *derived, enum output_field field, int64_t i, int64_t j)
{
    const int64_t cell = j * derived->plan->layout.nx + i;
    switch (field) {
    case OUTPUT_HEAT_FLUX_X:
        return heat_flux(derived, 0, cell, i, j);
    case OUTPUT_HEAT_FLUX_Y:
        return heat_flux(derived, 1, cell, j, i);
    default: {
        const double x = slope(derived, 0, cell, i, j), y = slope(derived, 1, cell, j, i);
        return sqrt(x * x + y * y);
    }
    }
}

void derived_row(const void *derived, enum output_field field, int64_t j, int64_t i, int64_t count,
                 double *values)
{
    const struct derived *d = derived;
    const int64_t row = kept_cell(&d->kept, 1, j);
    const int64_t first = row * d->plan->layout.nx + kept_cell(&d->kept, 0, i);
    for (int64_t k = 0; k < count && field == OUTPUT_TEMPERATURE; k++)
        values[k] = d->reference + held(d, first + k * d->kept.stride[0]);
    for (int64_t k = 0; k < count && field != OUTPUT_TEMPERATURE; k++)
        values[k] = value_of(d, field, kept_cell(&d->kept, 0, i + k), row);
}
