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

/* The slowest wave beside one end that holds its temperature, as a share of the one between two:
 * 1/2 before an insulated end, growing to 1 with the Biot number of the other one. Within 1 % of
 * the root of k cot k = -Bi. */
static double share_of_wave(double biot)
{
    return 0.5 * (1.0 + biot / (biot + 0.25 * PI * PI));
}

/* 1/s along an axis. *inside: of the slowest cosine that needs no ends. Between ends that no more
 * than pass heat on to surroundings, heat first flows to the ends and then leaves through them. */
static double rate_along(const struct plan *plan, const struct means *means, int axis,
                         double *inside)
{
    const struct input *input = plan->input;
    const int lower = 2 * axis, upper = lower + 1;
    const double length = input->size[axis], k = means->conductivity[axis];
    const double a = k / means->capacity, wave = PI / length;
    const double passed = transfer(input, lower) + transfer(input, upper);
    const int held = holds_temperature(input, lower) + holds_temperature(input, upper);
    const int passing = (transfer(input, lower) > 0.0) + (transfer(input, upper) > 0.0);
    const int ends = held > 0 ? held : passing;
    *inside = input->cells[axis] > 1 ? a * wave * wave : 0.0;
    double to_ends = 0.0;
    if (input->cells[axis] == 1)
        to_ends = 2.0 * a * ends / (length * length);
    else if (held == 1 && k > 0.0)
        to_ends = pow(share_of_wave(passed * length / k), 2.0) * *inside;
    else if (ends > 0)
        to_ends = ends == 2 ? *inside : 0.25 * *inside;
    if (held > 0 || !(to_ends > 0.0))
        return to_ends;
    return 1.0 / (1.0 / to_ends + means->capacity * length / passed);
}

double relaxation_time(const struct plan *plan)
{
    const struct means means = find_means(plan);
    double inside[2];
    double rate = plan->input->loss.coefficient / means.capacity;
    for (int axis = 0; axis < 2; axis++)
        rate += rate_along(plan, &means, axis, &inside[axis]);
    if (!(rate > 0.0)) /* no way out: what is left is to even out */
        rate = inside[0] > 0.0 && inside[1] > 0.0 ? fmin(inside[0], inside[1])
                                                  : fmax(inside[0], inside[1]);
    const double time = rate > 0.0 ? 1.0 / rate : 0.0;
    return time > 0.0 && isfinite(time) ? time : 1.0;
}
