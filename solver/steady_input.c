#include "solver/steady_input.h"

#include <math.h>
#include <stdio.h>

#include "solver/account.h"
#include "solver/boundary.h"

/* Heat flows in decimal numbers that are meant to cancel miss it by rounding. */
static const double SLACK = 1e-9;

/* Of the range: what rounding may keep moving in single precision (rounding_change() in steady.c),
 * where a look is many steps after the one before. */
static const double SINGLE_SHARE = 6e-5;
enum { MANY_STEPS = 16 };

static enum status fail_varies(const char *where)
{
    return fail(
        STATUS_INPUT,
        "%s: changes with time, and a steady state (time.steady) needs what does not; give a "
        "number or an expression without t",
        where);
}

static enum status check_times(const struct input *input)
{
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct input_boundary *boundary = &input->boundary[side];
        const struct input_function *functions[] = {&boundary->value, &boundary->coefficient,
                                                    &boundary->emissivity, &boundary->ambient};
        for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++)
            if (function_depends_on(functions[f], 't'))
                return fail_varies(functions[f]->where);
    }
    for (int s = 0; s < input->source_count; s++) {
        const struct input_source *source = &input->sources[s];
        if (function_depends_on(&source->factor, 't'))
            return fail_varies(source->factor.where);
        if (source->type == SOURCE_FLOORPLAN)
            return fail(STATUS_INPUT,
                        "sources.[%d]: the powers of a floorplan change in time, and a steady "
                        "state (time.steady) needs what does not; use regions of mean power",
                        s);
        if (source_varies(source))
            return fail(
                STATUS_INPUT,
                "sources.[%d].path: moves, and a steady state (time.steady) needs what does "
                "not; give one point",
                s);
    }
    return STATUS_OK;
}

/* What the faces of a side add up to. */
struct along {
    double flow, size; /* W/m: heat in, and the same with every face taken as positive */
    bool is_tied;      /* some face ties the temperature to its surroundings */
};

static enum status add_side(const struct plan *plan, int side, struct along *along)
{
    const bool is_y = side < SIDE_BOTTOM;
    const int64_t faces = plan->input->cells[is_y ? 1 : 0];
    const double d = is_y ? plan->dy : plan->dx;
    struct boundary boundary;
    enum status status = boundary_open(&plan->input->boundary[side], &boundary);
    for (int64_t f = 0; f < faces && status == STATUS_OK && !along->is_tied; f++) {
        struct boundary_values values;
        status = boundary_at(&boundary, ((double)f + 0.5) * d, plan->schedule.start, &values);
        if (status != STATUS_OK)
            break;
        along->is_tied = values.type == BOUNDARY_TEMPERATURE || values.coefficient > 0.0 ||
                         values.emissivity > 0.0;
        if (values.type == BOUNDARY_FLUX) {
            along->flow += values.value * d;
            along->size += fabs(values.value) * d;
        }
    }
    boundary_close(&boundary);
    return status;
}

static enum status add_sources(const struct plan *plan, struct along *along)
{
    struct account account;
    enum status status = account_open(plan, &account);
    for (int s = 0; s < plan->input->source_count && status == STATUS_OK; s++) {
        double power = 0.0;
        status = account_power(&account, s, 0, &power);
        along->flow += power;
        along->size += fabs(power);
    }
    account_close(&account);
    return status;
}

enum status steady_input(const struct plan *plan)
{
    const struct input *input = plan->input;
    struct along all = {.is_tied = input->fixed_count > 0 || input->loss.coefficient > 0.0};
    TRY(check_times(input));
    for (int side = 0; side < SIDE_COUNT && !all.is_tied; side++)
        TRY(add_side(plan, side, &all));
    if (!all.is_tied)
        TRY(add_sources(plan, &all));
    if (all.is_tied || fabs(all.flow) <= SLACK * all.size)
        return STATUS_OK;
    return fail(
        STATUS_INPUT,
        "time.steady: %s: the plate gains %.9g W per metre of depth for ever, as no side holds "
        "a temperature or passes heat to surroundings; add such a side, loss or fixed cells, "
        "or let fluxes and sources add up to 0",
        input->path, all.flow);
}

void steady_warn(const struct plan *plan, char *line, size_t bytes)
{
    const struct input *input = plan->input;
    line[0] = '\0';
    if (!input->time.is_steady || plan->is_double || input->time.tolerance >= SINGLE_SHARE ||
        plan->schedule.full_steps * plan->look_every < MANY_STEPS)
        return;
    (void)snprintf(line, bytes,
                   "time.tolerance: %.3g of the range is finer than single precision tells here, "
                   "about %.0e: the search goes on until nothing but rounding is left; it is "
                   "quicker with a tolerance of 1e-4, or with run.precision = \"double\", whose "
                   "steps are longer",
                   input->time.tolerance, SINGLE_SHARE);
}
