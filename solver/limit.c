#include "solver/limit.h"

#include <math.h>

#include "solver/boundary.h"
#include "solver/function.h"
#include "solver/material.h"

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
static double best_conduction(const struct input *input, int material, int axis)
{
    double best = 0.0;
    const double k = input->materials[material].conductivity[axis];
    for (int other = 0; other < input->material_count; other++)
        if (material_is_used(input, other))
            best = fmax(best, material_between(k, input->materials[other].conductivity[axis]));
    return best;
}

/* 1/s: the largest of the sums for cells of one material. */
static double rate_of(const struct plan *plan, int material)
{
    const struct input *input = plan->input;
    const double d[2] = {plan->dx, plan->dy};
    double sum = input->loss.coefficient;
    for (int axis = 0; axis < 2; axis++) {
        const double k = input->materials[material].conductivity[axis];
        const struct input_boundary *sides = &input->boundary[(ptrdiff_t)2 * axis];
        const double walls[2] = {wall_share(&sides[0], k, d[axis]),
                                 wall_share(&sides[1], k, d[axis])};
        const bool is_periodic = sides[0].type == BOUNDARY_PERIODIC;
        sum += boundary_spectrum(input->cells[axis], is_periodic ? NULL : walls, k,
                                 best_conduction(input, material, axis)) /
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
            input->materials[0].conductivity[side / 2] > 0.0 ||
            (value->kind == FUNCTION_NUMBER && value->number == 0.0))
            continue;
        return boundary_fail_flux((enum side)side);
    }
    return STATUS_OK;
}

enum status limit_of_step(const struct plan *plan, double *limit)
{
    double rate = 0.0;
    TRY(check_fluxes(plan));
    for (int m = 0; m < plan->input->material_count; m++)
        if (material_is_used(plan->input, m))
            rate = fmax(rate, rate_of(plan, m));
    *limit = rate > 0.0 ? 2.0 / rate : INFINITY;
    return STATUS_OK;
}
