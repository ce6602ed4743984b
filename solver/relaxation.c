#include "solver/relaxation.h"

#include <math.h>
#include <stdbool.h>

#include "solver/boundary.h"
#include "solver/material.h"
#include "solver/properties.h"

static const double PI = 3.14159265358979323846;

/* Of the whole domain. */
struct means {
    double capacity;        /* J/m3/K */
    double conductivity[2]; /* W/m/K, of what conducts, as if in series */
};

static double capacity(const struct plan *plan, int64_t i, int64_t j)
{
    return plan->properties != NULL ? plan->properties->capacity[j * plan->input->cells[0] + i]
                                    : material_capacity(plan->input, material_at(plan, i, j));
}

static double conductivity(const struct plan *plan, int axis, int64_t i, int64_t j)
{
    const struct input *input = plan->input;
    return plan->properties != NULL
               ? plan->properties->conductivity[axis][j * input->cells[0] + i]
               : input->materials[material_at(plan, i, j)].conductivity[axis].number;
}

static struct means find_means(const struct plan *plan)
{
    enum { SAMPLES = 128 }; /* at most, in x and in y */
    const struct input *input = plan->input;
    const int64_t nx = input->cells[0], ny = input->cells[1];
    const int64_t mx = nx < SAMPLES ? nx : SAMPLES, my = ny < SAMPLES ? ny : SAMPLES;
    struct means means = {0};
    double resistance[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
    for (int64_t j = 0; j < my; j++)
        for (int64_t i = 0; i < mx; i++) {
            const int64_t x = i * nx / mx, y = j * ny / my;
            means.capacity += capacity(plan, x, y) / (double)(mx * my);
            for (int axis = 0; axis < 2; axis++) {
                const double k = conductivity(plan, axis, x, y);
                resistance[axis] += k > 0.0 ? 1.0 / k : 0.0;
                count[axis] += k > 0.0 ? 1.0 : 0.0;
            }
        }
    for (int axis = 0; axis < 2; axis++)
        means.conductivity[axis] = count[axis] > 0.0 ? count[axis] / resistance[axis] : 0.0;
    return means;
}

static bool holds_temperature(const struct input *input, int side)
{
    for (int f = 0; f < input->fixed_count; f++)
        if (input->fixed[f].is_side && (int)input->fixed[f].side == side)
            return true;
    return input->boundary[side].type == BOUNDARY_TEMPERATURE;
}

static bool passes_heat(const struct input *input, int side)
{
    const enum boundary_type type = input->boundary[side].type;
    return holds_temperature(input, side) || type == BOUNDARY_CONVECTION ||
           type == BOUNDARY_RADIATION;
}

static double number_or(const struct input_function *function, double otherwise)
{
    return function->kind == FUNCTION_NUMBER ? function->number : otherwise;
}

/* W/m2/K from a side to its surroundings. */
static double transfer(const struct input *input, int side)
{
    const struct input_boundary *boundary = &input->boundary[side];
    if (boundary->type == BOUNDARY_CONVECTION)
        return number_or(&boundary->coefficient, 10.0);
    if (boundary->type != BOUNDARY_RADIATION)
        return 0.0;
    const double start =
        input->initial_temperature.kind == FIELD_NUMBER ? input->initial_temperature.number : 300.0;
    const double hot = fmax(start, number_or(&boundary->ambient, 300.0));
    return 4.0 * number_or(&boundary->emissivity, 1.0) * STEFAN_BOLTZMANN * pow(hot, 3.0);
}

/* 1/s along an axis: of the slowest sine between its ends; *inside: of the slowest cosine that does
 * not need them. */
static double rate_along(const struct plan *plan, const struct means *means, int axis,
                         double *inside)
{
    const struct input *input = plan->input;
    const int ends = passes_heat(input, 2 * axis) + passes_heat(input, 2 * axis + 1);
    const double wave = PI / input->size[axis];
    const double a = means->conductivity[axis] / means->capacity;
    *inside = 0.0;
    if (input->cells[axis] == 1) /* half a cell to each end */
        return 2.0 * a * ends / (input->size[axis] * input->size[axis]);
    *inside = a * wave * wave;
    return ends == 2 ? *inside : ends == 1 ? 0.25 * *inside : 0.0;
}

double relaxation_time(const struct plan *plan)
{
    const struct input *input = plan->input;
    const struct means means = find_means(plan);
    double inside[2], passed = 0.0; /* W/K per metre of depth: what sides pass on in all */
    bool is_held = input->fixed_count > 0;
    double rate = input->loss.coefficient / means.capacity;
    for (int axis = 0; axis < 2; axis++)
        rate += rate_along(plan, &means, axis, &inside[axis]);
    for (int side = 0; side < SIDE_COUNT; side++) {
        is_held = is_held || holds_temperature(input, side);
        passed += transfer(input, side) * input->size[side < SIDE_BOTTOM ? 1 : 0];
    }
    if (!(rate > 0.0)) /* no way out: what is left is to even out */
        rate = inside[0] > 0.0 && inside[1] > 0.0 ? fmin(inside[0], inside[1])
                                                  : fmax(inside[0], inside[1]);
    double time = rate > 0.0 ? 1.0 / rate : 0.0;
    if (!is_held && passed > 0.0)
        time += means.capacity * input->size[0] * input->size[1] / passed;
    return time > 0.0 && isfinite(time) ? time : 1.0;
}
