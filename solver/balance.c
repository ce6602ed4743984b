#include "solver/balance.h"

#include <math.h>

#include "solver/material.h"

static double heat_capacity(const struct plan *plan)
{
    if (plan->has_zones)
        return 1.0; /* the sum has it */
    return material_capacity(plan->input, 0);
}

/* Heat per metre of depth that a sum of (ghost - cell) over the faces of a side stands for, each of
 * the terms for one step dt: k (ghost - cell) / d is the flux, w the length of a face. */
static double heat_of(const struct plan *plan, enum side side, double sum, double dt)
{
    const int axis = (int)side / 2;
    const double k = plan->has_zones ? 1.0 : plan->input->materials[0].conductivity[axis].number;
    const double d = axis == 0 ? plan->dx : plan->dy, w = axis == 0 ? plan->dy : plan->dx;
    return k / d * w * dt * sum;
}

struct balance balance_at(const struct plan *plan, struct balance_state *state, int64_t step,
                          const struct exact_sum *field, const double side_sums[SIDE_COUNT],
                          double source_heat)
{
    const struct schedule *schedule = &plan->schedule;
    const int64_t full_end = schedule->full_intervals * schedule->full_steps;
    const double cell_capacity = heat_capacity(plan) * plan->dx * plan->dy; /* J/m/K */
    const double cells = (double)plan->layout.nx * (double)plan->layout.ny;
    const double capacity = plan->has_zones ? state->capacity : cell_capacity * cells;
    struct exact_sum gained = *field;
    exact_sum_subtract(&gained, &state->start);
    struct balance balance = {
        .energy = cell_capacity * exact_sum_value(field) + capacity * state->reference,
        .source_heat = source_heat,
        .stored = cell_capacity * exact_sum_value(&gained),
    };
    const bool has_loss = plan->input->loss.coefficient > 0.0;
    double came_in = source_heat;
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (step == full_end)
            state->full_sums[side] = side_sums[side];
        const double full = step <= full_end ? side_sums[side] : state->full_sums[side];
        balance.side_heat[side] =
            heat_of(plan, (enum side)side, full, schedule->full_dt) +
            heat_of(plan, (enum side)side, side_sums[side] - full, schedule->last_dt);
        came_in += balance.side_heat[side];
    }
    if (plan->input->fixed_count > 0) {
        balance.fixed_heat = balance.stored - came_in;
        balance.loss_heat = has_loss ? NAN : 0.0;
        balance.residual = NAN;
    } else if (has_loss) {
        balance.loss_heat = balance.stored - came_in;
        balance.residual = NAN;
    } else {
        balance.residual = balance.stored - came_in;
    }
    return balance;
}

double balance_scale(const struct balance *balance)
{
    double scale = fmax(fabs(balance->stored), fabs(balance->fixed_heat));
    scale = fmax(scale, fabs(balance->source_heat)); /* fmax leaves out what is not a number */
    scale = fmax(scale, fabs(balance->loss_heat));
    for (int side = 0; side < SIDE_COUNT; side++)
        scale = fmax(scale, fabs(balance->side_heat[side]));
    return scale;
}
