/* Energy balances against hand calculation. */
#include "solver/balance.h"

#include <math.h>

#include "tests/check.h"
#include "tests/unit/plan_input.h"

/* 4 x 5 cells of 0.1 x 0.3 m, k = 2 and 3 W/m/K, rho c = 4000 J/m3/K. */
static struct input input_of(void)
{
    struct input input = plan_input(4, 5);
    input.size[0] = 0.4;
    input.size[1] = 1.5;
    plan_input_material.conductivity[0].number = 2.0;
    plan_input_material.conductivity[1].number = 3.0;
    plan_input_material.density.number = 8.0;
    plan_input_material.heat_capacity.number = 500.0;
    input.time.end = 10.0;
    return input;
}

static struct exact_sum sum_of(double value)
{
    struct exact_sum sum = {0};
    exact_sum_add(&sum, value);
    return sum;
}

/* Energy of a cell: 4000 * 0.1 * 0.3 = 120 J/m/K. */
static void energy_is_heat_capacity_times_temperature(void)
{
    struct input input = input_of();
    struct plan plan;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    struct balance_state state = {.start = sum_of(30.0), .reference = 250.0};
    const struct exact_sum field = sum_of(37.0);
    const double none[SIDE_COUNT] = {0};
    const struct balance balance = balance_at(&plan, &state, 0, &field, none, 0.0);
    CHECK_NEAR(balance.energy, 120.0 * (37.0 + 20.0 * 250.0), 1e-8);
    CHECK_NEAR(balance.stored, 120.0 * 7.0, 1e-11);
    CHECK_NEAR(balance.residual, 840.0, 1e-11);
    CHECK_EQUAL_DOUBLE(balance.fixed_heat, 0.0);
    CHECK_NEAR(balance_scale(&balance), 840.0, 1e-11);
    plan_free(&plan);
}

/* A step dt through a face of the left side, 0.3 m: k (ghost - cell) / dx 0.3 dt = 6 dt a kelvin;
 * of the bottom, 0.1 m: 3 / 0.3 0.1 dt = dt a kelvin. */
static void heat_comes_in_through_the_sides(void)
{
    struct input input = input_of();
    struct plan plan;
    input.time.step = 0.5;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_EQUAL_DOUBLE(plan.schedule.full_dt, 0.5);
    struct balance_state state = {.start = sum_of(0.0)};
    const struct exact_sum field = sum_of(0.0);
    const double sums[SIDE_COUNT] = {10.0, -20.0, 100.0, 1000.0};
    const struct balance balance = balance_at(&plan, &state, 7, &field, sums, 0.0);
    CHECK_NEAR(balance.side_heat[SIDE_LEFT], 10.0 * 6.0 * 0.5, 1e-11);
    CHECK_NEAR(balance.side_heat[SIDE_RIGHT], -20.0 * 6.0 * 0.5, 1e-11);
    CHECK_NEAR(balance.side_heat[SIDE_BOTTOM], 100.0 * 0.5, 1e-11);
    CHECK_NEAR(balance.side_heat[SIDE_TOP], 1000.0 * 0.5, 1e-11);
    CHECK_NEAR(balance.residual, -(30.0 - 60.0 + 50.0 + 500.0), 1e-10);
    CHECK_NEAR(balance_scale(&balance), 500.0, 1e-10);
    plan_free(&plan);
}

/* Intervals of 4 s in steps of 0.5 s, then 2 s in steps of 0.5 s or less: sums after 8 s count with
 * the dt of the last interval. */
static void the_last_interval_has_its_own_step(void)
{
    struct input input = input_of();
    struct plan plan;
    input.time.end = 9.9;
    input.time.step = 0.5;
    input.output.interval = 4.0;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_EQUAL_DOUBLE(plan.schedule.full_dt, 0.5);
    CHECK_NEAR(plan.schedule.last_dt, 1.9 / 4.0, 1e-15);
    struct balance_state state = {.start = sum_of(0.0)};
    const struct exact_sum field = sum_of(0.0);
    struct balance balance =
        balance_at(&plan, &state, 8, &field, (const double[SIDE_COUNT]){0, 0, 50.0, 0}, 0.0);
    CHECK_NEAR(balance.side_heat[SIDE_BOTTOM], 50.0 * 0.5, 1e-11);
    balance =
        balance_at(&plan, &state, 16, &field, (const double[SIDE_COUNT]){0, 0, 100.0, 0}, 0.0);
    CHECK_NEAR(balance.side_heat[SIDE_BOTTOM], 100.0 * 0.5, 1e-11);
    balance =
        balance_at(&plan, &state, 20, &field, (const double[SIDE_COUNT]){0, 0, 140.0, 0}, 0.0);
    CHECK_NEAR(balance.side_heat[SIDE_BOTTOM], 100.0 * 0.5 + 40.0 * 1.9 / 4.0, 1e-11);
    plan_free(&plan);
}

/* What fixed cells give is what is missing. */
static void fixed_cells_give_the_rest(void)
{
    struct input input = input_of();
    struct input_fixed fixed = {.is_side = true, .side = SIDE_LEFT};
    struct plan plan;
    input.fixed = &fixed;
    input.fixed_count = 1;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    struct balance_state state = {.start = sum_of(0.0)};
    const struct exact_sum field = sum_of(2.0);
    const double sums[SIDE_COUNT] = {0, 0, 10.0, 0};
    const struct balance balance = balance_at(&plan, &state, 1, &field, sums, 0.0);
    CHECK_NEAR(balance.fixed_heat, 240.0 - 10.0 * plan.schedule.full_dt, 1e-11);
    CHECK(isnan(balance.residual));
    CHECK_NEAR(balance_scale(&balance), 240.0, 1e-11);
    plan_free(&plan);
}

/* Small changes of a large sum are not lost to rounding: 1e-7 K in one of 1e9 cells at 300 K. */
static void stored_heat_is_exact(void)
{
    struct input input = input_of();
    struct plan plan;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    struct exact_sum field = sum_of(3e11);
    struct balance_state state = {.start = field};
    exact_sum_add(&field, 1e-7);
    const struct balance balance =
        balance_at(&plan, &state, 1, &field, (const double[SIDE_COUNT]){0}, 0.0);
    CHECK_NEAR(balance.stored, 120e-7, 1e-20);
    plan_free(&plan);
}

int main(void)
{
    energy_is_heat_capacity_times_temperature();
    heat_comes_in_through_the_sides();
    the_last_interval_has_its_own_step();
    fixed_cells_give_the_rest();
    stored_heat_is_exact();
    return check_result();
}
