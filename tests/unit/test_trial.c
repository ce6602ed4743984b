/* Steps are timed for every number of them that a device can make. */
#include "solver/trial.h"

#include "tests/check.h"
#include "tests/unit/plan_input.h"

static void rates_are_found(bool is_double, bool is_periodic)
{
    struct input input = plan_input(64, 48);
    struct plan plan;
    struct trial trial;
    input.run.precision = is_double ? PRECISION_DOUBLE : PRECISION_SINGLE;
    if (is_periodic)
        input.boundary[SIDE_LEFT].type = input.boundary[SIDE_RIGHT].type = BOUNDARY_PERIODIC;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_OK(trial_run(&plan, &backend_cpu, 0, &trial));
    for (int n = 0; n < TRIAL_DEPTHS; n++) {
        CHECK(trial.rates[n] > 1e5); /* updates a second: any computer */
        CHECK(trial.rates[n] < 1e13);
        CHECK(n == 0 || trial_depths[n] > trial_depths[n - 1]);
    }
    plan_free(&plan);
}

int main(void)
{
    rates_are_found(true, false);
    rates_are_found(false, true);
    return check_result();
}
