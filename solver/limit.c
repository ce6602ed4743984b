#include "solver/limit.h"

#include <math.h>

#include "solver/boundary.h"
#include "solver/function.h"
#include "solver/material.h"
#include "solver/properties.h"

/* The largest h of a side, INFINITY where it changes. */
static double transfer(const struct input_function *coefficient)
{
    return coefficient->kind == FUNCTION_NUMBER ? coefficient->number : INFINITY;
}

/* 1 - b of the ghost map of a side. */
static double wall_share(const struct input_boundary *boundary, double k, double d)
{
    if (boundary->type == BOUNDARY_TEMPERATURE)
        return 2.0;
    if (boundary->type != BOUNDARY_CONVECTION)
        return 0.0;
    const double h = transfer(&boundary->coefficient);
    if (isinf(h))
        return 2.0;
    return h > 0.0 ? 2.0 * h * d / (2.0 * k + h * d) : 0.0;
}

/* The best conduction from one material to any that may lie beside it. */
static double best_conduction(const struct plan *plan, int material, int axis)
{
    const struct input *input = plan->input;
    double best = 0.0;
    const double k = input->materials[material].conductivity[axis].number;
    for (int other = 0; other < input->material_count; other++)
        if (material_is_used(plan, other))
            best =
                fmax(best, material_between(k, input->materials[other].conductivity[axis].number));
    return best;
}

/* 1/s: the largest of the sums for cells of one material. */
static double rate_of(const struct plan *plan, int material)
{
    const struct input *input = plan->input;
    const double d[2] = {plan->dx, plan->dy};
    double sum = input->loss.coefficient;
    for (int axis = 0; axis < 2; axis++) {
        const double k = input->materials[material].conductivity[axis].number;
        const struct input_boundary *sides = &input->boundary[(ptrdiff_t)2 * axis];
        const double walls[2] = {wall_share(&sides[0], k, d[axis]),
                                 wall_share(&sides[1], k, d[axis])};
        const bool is_periodic = sides[0].type == BOUNDARY_PERIODIC;
        sum += boundary_spectrum(input->cells[axis], is_periodic ? NULL : walls, k,
                                 best_conduction(plan, material, axis)) /
               (d[axis] * d[axis]);
    }
    return sum / material_capacity(input, material);
}

/* With one material it is known before the run that a flux cannot enter. */
static enum status check_fluxes(const struct plan *plan)
{
    const struct input *input = plan->input;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct input_boundary *boundary = &input->boundary[side];
        const struct input_function *value = &boundary->value;
        if (boundary->type != BOUNDARY_FLUX || input->shape_count > 0 ||
            plan->map.materials != NULL || plan->properties != NULL ||
            input->materials[0].conductivity[side / 2].number > 0.0 ||
            (value->kind == FUNCTION_NUMBER && value->number == 0.0))
            continue;
        return boundary_fail_flux((enum side)side);
    }
    return STATUS_OK;
}

/* 1/s: the sum for cell (i, j), where properties go by cell. */
static double rate_of_cell(const struct plan *plan, int64_t i, int64_t j)
{
    const struct input *input = plan->input;
    const int64_t nx = input->cells[0], at[2] = {i, j};
    const double d[2] = {plan->dx, plan->dy};
    double sum = input->loss.coefficient;
    for (int axis = 0; axis < 2; axis++)
        for (int end = 0; end < 2; end++) {
            const struct input_boundary *side = &input->boundary[2 * axis + end];
            const bool is_wall = side->type != BOUNDARY_PERIODIC &&
                                 at[axis] == (end == 0 ? 0 : input->cells[axis] - 1);
            const double k =
                properties_face(plan, axis, i + (axis == 0 ? end : 0), j + (axis == 1 ? end : 0));
            const double share = is_wall ? wall_share(side, k, d[axis]) : 2.0;
            sum += share * k / (d[axis] * d[axis]);
        }
    return sum / plan->properties->capacity[j * nx + i];
}

static double rate_of_cells(const struct plan *plan)
{
    double rate = 0.0;
    for (int64_t j = 0; j < plan->input->cells[1]; j++)
        for (int64_t i = 0; i < plan->input->cells[0]; i++)
            rate = fmax(rate, rate_of_cell(plan, i, j));
    return rate;
}

enum status limit_of_step(const struct plan *plan, double *limit)
{
    double rate = 0.0;
    TRY(check_fluxes(plan));
    if (plan->properties != NULL)
        rate = rate_of_cells(plan);
    for (int m = 0; m < plan->input->material_count && plan->properties == NULL; m++)
        if (material_is_used(plan, m))
            rate = fmax(rate, rate_of(plan, m));
    *limit = rate > 0.0 ? 2.0 / rate : INFINITY;
    return STATUS_OK;
}
