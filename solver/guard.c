#include "solver/guard.h"

#include <math.h>
#include <stdio.h>

/* Shares of the range by which a field may leave it. A stage of rkl2 is no mean of its neighbours,
 * so sharp corners of a start overshoot a little; single precision rounds. */
static const double EULER_SLACK = 1e-6, RKL2_SLACK = 1e-2, SINGLE_SLACK = 1e-5;

enum status guard_open(const struct plan *plan, struct guard *guard)
{
    *guard = (struct guard){.plan = plan};
    return extremes_of_surroundings(plan, false, &guard->surroundings);
}

void guard_start(struct guard *guard, const struct extremes *start)
{
    guard->allowed = guard->surroundings;
    extremes_add(&guard->allowed, start->low);
    extremes_add(&guard->allowed, start->high);
}

static double slack(const struct guard *guard)
{
    const struct extremes *allowed = &guard->allowed;
    const double share = guard->plan->stages > 0 ? RKL2_SLACK : EULER_SLACK;
    const double low = isfinite(allowed->low) ? allowed->low : 0.0;
    const double high = isfinite(allowed->high) ? allowed->high : 0.0;
    return fmax(share, guard->plan->is_double ? 0.0 : SINGLE_SLACK) * fabs(high - low) +
           1e-9 * fmax(fabs(low), fabs(high));
}

static double temperature(const struct plan *plan, const struct guarded *field, int64_t cell)
{
    const float *deviations = field->field;
    const double *values = field->field;
    return (plan->is_double ? values[cell] : (double)deviations[cell]) + field->reference;
}

/* "the temperature of cell (3, 4) at x = 0.1 m, y = 0.2 m is 12.5 K at t = 3 s (step 7)" */
static void describe(const struct guard *guard, const struct guarded *field, double value,
                     char *text, size_t bytes)
{
    const struct plan *plan = guard->plan;
    const int64_t cells = plan->layout.nx * plan->layout.ny;
    int64_t cell = 0;
    while (cell + 1 < cells && temperature(plan, field, cell) != value)
        cell++;
    const int64_t i = cell % plan->layout.nx, j = cell / plan->layout.nx;
    (void)snprintf(text, bytes,
                   "the temperature of cell (%lld, %lld) at x = %.6g m, y = %.6g m is %.9g K at "
                   "t = %.9g s (step %lld)",
                   (long long)i, (long long)j, ((double)i + 0.5) * plan->dx,
                   ((double)j + 0.5) * plan->dy, value, field->time, (long long)field->step);
}

static void look_at_range(struct guard *guard, const struct guarded *field,
                          void (*notice)(const char *line))
{
    const struct extremes *allowed = &guard->allowed, *found = &field->extremes;
    const bool is_low = found->low < allowed->low - slack(guard);
    if (guard->has_warned_of_range || (!is_low && !(found->high > allowed->high + slack(guard))))
        return;
    char place[300], line[600];
    describe(guard, field, is_low ? found->low : found->high, place, sizeof place);
    (void)snprintf(line, sizeof line,
                   "%s, %s than anything at the start or around the plate (%.9g K), which no "
                   "solution is: the step is too long there; choose a smaller time.step or "
                   "time.safety",
                   place, is_low ? "less" : "more", is_low ? allowed->low : allowed->high);
    notice(line);
    guard->has_warned_of_range = true;
}

static void look_at_zero(struct guard *guard, const struct guarded *field,
                         void (*notice)(const char *line))
{
    if (guard->has_warned_of_zero || !(field->extremes.low < 0.0))
        return;
    char place[300], line[600];
    describe(guard, field, field->extremes.low, place, sizeof place);
    (void)snprintf(line, sizeof line,
                   "%s, below absolute zero; temperatures are in K (without radiation degrees "
                   "Celsius do as well)",
                   place);
    notice(line);
    guard->has_warned_of_zero = true;
}

void guard_look(struct guard *guard, const struct guarded *field, void (*notice)(const char *line))
{
    look_at_range(guard, field, notice);
    look_at_zero(guard, field, notice);
}

bool guard_is_absolute(const struct input *input)
{
    for (int side = 0; side < SIDE_COUNT; side++)
        if (input->boundary[side].type == BOUNDARY_RADIATION)
            return true;
    return false;
}

/* One number of the input. */
struct number {
    const char *where;
    double value;
};

static enum status look_at_number(const struct plan *plan, const struct number *number, char *line,
                                  size_t bytes)
{
    if (!(number->value < 0.0))
        return STATUS_OK;
    if (guard_is_absolute(plan->input))
        return fail(STATUS_INPUT,
                    "%s: %.9g K is below absolute zero; a plate that radiates needs absolute "
                    "temperatures",
                    number->where, number->value);
    if (line[0] == '\0')
        (void)snprintf(line, bytes,
                       "%s: %.9g K is below absolute zero; temperatures are in K (without "
                       "radiation degrees Celsius do as well)",
                       number->where, number->value);
    return STATUS_OK;
}

static enum status look_at_function(const struct plan *plan, const struct input_function *function,
                                    char *line, size_t bytes)
{
    const struct number number = {function->where, function->number};
    return function->kind == FUNCTION_NUMBER ? look_at_number(plan, &number, line, bytes)
                                             : STATUS_OK;
}

enum status guard_input(const struct plan *plan, char *line, size_t bytes)
{
    const struct input *input = plan->input;
    const struct input_field *start = &input->initial_temperature;
    line[0] = '\0';
    if (start->kind == FIELD_NUMBER)
        TRY(look_at_number(plan, &(struct number){start->where, start->number}, line, bytes));
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct input_boundary *boundary = &input->boundary[side];
        if (boundary->type == BOUNDARY_TEMPERATURE)
            TRY(look_at_function(plan, &boundary->value, line, bytes));
        if (boundary->type == BOUNDARY_CONVECTION || boundary->type == BOUNDARY_RADIATION)
            TRY(look_at_function(plan, &boundary->ambient, line, bytes));
    }
    for (int f = 0; f < input->fixed_count; f++) {
        char where[80];
        (void)snprintf(where, sizeof where, "fixed.[%d].temperature", f);
        if (input->fixed[f].has_temperature)
            TRY(look_at_number(plan, &(struct number){where, input->fixed[f].temperature}, line,
                               bytes));
    }
    if (input->loss.coefficient > 0.0)
        TRY(look_at_number(plan, &(struct number){"loss.ambient", input->loss.ambient}, line,
                           bytes));
    if (guard_is_absolute(input)) {
        struct extremes around;
        TRY(extremes_of_surroundings(plan, false, &around));
        if (isfinite(around.low) && around.low < 0.0)
            return fail(STATUS_INPUT,
                        "boundary: %.9g K is below absolute zero; a plate that radiates needs "
                        "absolute temperatures",
                        around.low);
    }
    return STATUS_OK;
}
