#include "solver/plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "solver/coefficients.h"
#include "solver/limit.h"
#include "solver/material.h"
#include "solver/output.h"
#include "solver/probing.h"
#include "solver/properties.h"
#include "solver/relaxation.h"
#include "solver/rkl2.h"

/* A step may equal the limit; beyond it only by what rounding of the input's numbers explains. */
static const double LIMIT_TOLERANCE = 1e-9;

/* Below this many cells a further process costs more than it brings. */
static const double LEAST_CELLS_PER_RANK = 4096.0;

static bool is_rkl2(const struct input *input)
{
    return input->time.scheme == SCHEME_RKL2 ||
           (input->time.scheme == SCHEME_AUTO && input->time.is_steady);
}

/* As many as the longest step needs, with the safety of forward Euler where the step is automatic.
 */
static enum status count_stages(struct plan *plan)
{
    const struct input *input = plan->input;
    const double safety = input->time.step == 0.0 ? input->time.safety : 1.0;
    const double dt = fmax(plan->schedule.full_dt, plan->schedule.last_dt);
    plan->stages = rkl2_stages(dt / (plan->step_limit * safety));
    if (plan->stages <= RKL2_MOST_STAGES)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s: a step of %.9g s is %.3g times the limit of forward Euler, more than the %d "
                "stages that are possible can cover; use a step up to %.9g s",
                input->time.step_where, dt, dt / plan->step_limit, (int)RKL2_MOST_STAGES,
                plan->step_limit * rkl2_reach(RKL2_MOST_STAGES));
}

/* A steady run is long and its way does not matter: more stages, but not so many that a stop has to
 * wait for minutes, nor that their rounding shows in single precision. */
static double largest_reach(const struct plan *plan)
{
    if (!is_rkl2(plan->input))
        return 1.0;
    if (!plan->input->time.is_steady)
        return rkl2_reach(RKL2_STAGES);
    return rkl2_reach(plan->is_double ? RKL2_STEADY_STAGES : RKL2_STEADY_STAGES_SINGLE);
}

static double largest_step(const struct plan *plan)
{
    const struct input *input = plan->input;
    return input->time.step > 0.0 ? input->time.step
                                  : plan->step_limit * input->time.safety * largest_reach(plan);
}

static enum status check_count(const char *setting, double span, double interval)
{
    static const double MOST = 1e9;
    if (interval > 0.0 && span / interval > MOST)
        return fail(STATUS_INPUT,
                    "%s: %.3g times before the search for a steady state is given up, %.9g s after "
                    "the start; at most %.3g: choose a longer one, or an earlier time.end",
                    setting, span / interval, span, MOST);
    return STATUS_OK;
}

static enum status check_counts(const struct input *input, double span)
{
    TRY(check_count("output.interval", span, input->output.interval));
    if (!input->checkpoint.interval.is_wall)
        TRY(check_count("checkpoint.interval", span, input->checkpoint.interval.seconds));
    for (int p = 0; p < input->output.probe_count; p++) {
        char setting[80];
        (void)snprintf(setting, sizeof setting, "output.probes.[%d].interval", p);
        TRY(check_count(setting, span, input->output.probes[p].interval));
    }
    return STATUS_OK;
}

/* Looks at the state come every half of the time in which the slowest disturbance falls by e: half
 * is about what rkl2 takes from all others in a step. Snapshots come at looks or between them, and
 * change nothing of when the state is looked at but for that. The last look is at time.end or the
 * last one before; an end before the first look gets one of its own. */
static enum status make_steady_schedule(struct plan *plan)
{
    enum { MOST_LOOKS = 20000 };
    const struct input *input = plan->input;
    const double output = input->output.interval, start = input->time.start;
    const double apart = 0.5 * relaxation_time(plan);
    const double span = input->time.has_end ? input->time.end - start : MOST_LOOKS * apart;
    TRY(check_counts(input, span));
    double interval = apart;
    plan->look_every = 1;
    if (output > 0.0) {
        plan->snapshot_every = (int64_t)fmin(fmax(1.0, ceil(output / apart)), 1e15);
        interval = output / (double)plan->snapshot_every;
        plan->look_every = (int64_t)fmax(1.0, floor(apart / interval * (1.0 + 1e-9)));
    }
    double intervals = floor(span / interval + 1e-9);
    if (intervals < 1.0) {
        intervals = 1.0;
        interval = span;
        plan->look_every = 1;
    }
    return schedule_make(&plan->schedule, start, start + intervals * interval, interval,
                         largest_step(plan), probing_divisor(input, interval, largest_step(plan)));
}

enum status plan_schedule(const struct plan *plan, double end, struct schedule *schedule)
{
    const struct input *input = plan->input;
    const double length = end - input->time.start;
    const double interval = input->output.interval > 0.0 && input->output.interval < length
                                ? input->output.interval
                                : length;
    return schedule_make(schedule, input->time.start, end, interval, largest_step(plan),
                         probing_divisor(input, interval, largest_step(plan)));
}

static enum status make_schedule(struct plan *plan)
{
    const struct input *input = plan->input;
    const double largest = input->time.step;
    if (!is_rkl2(input) && largest > plan->step_limit * (1.0 + LIMIT_TOLERANCE))
        return fail(
            STATUS_INPUT,
            "%s: a step of %.9g s is above the stability limit of %.9g s for forward "
            "Euler; use step = \"auto\", a step up to the limit, or scheme = \"rkl2\", which "
            "allows longer ones",
            input->time.step_where, largest, plan->step_limit);
    if (input->time.is_steady)
        TRY(make_steady_schedule(plan));
    else
        TRY(plan_schedule(plan, input->time.end, &plan->schedule));
    return is_rkl2(input) ? count_stages(plan) : STATUS_OK;
}

static enum status choose_layout(struct plan *plan, int devices)
{
    const struct input *input = plan->input;
    struct layout *layout = &plan->layout;
    layout->nx = input->cells[0];
    layout->ny = input->cells[1];
    layout->is_periodic_x = input->boundary[SIDE_LEFT].type == BOUNDARY_PERIODIC;
    layout->is_periodic_y = input->boundary[SIDE_BOTTOM].type == BOUNDARY_PERIODIC;
    if (input->run.layout[0] > 0) {
        layout->px = input->run.layout[0];
        layout->py = input->run.layout[1];
        if (layout->px > layout->nx || layout->py > layout->ny)
            return fail(STATUS_INPUT,
                        "run.layout: %d x %d blocks need at least as many cells, the domain has "
                        "%lld x %lld; use fewer blocks",
                        layout->px, layout->py, (long long)layout->nx, (long long)layout->ny);
        plan->ranks = layout_ranks(layout);
        if (plan->ranks > CONTROL_MAX_RANKS)
            return fail(STATUS_INPUT,
                        "run.layout: %d x %d blocks are %d ranks; at most %d are possible",
                        layout->px, layout->py, plan->ranks, (int)CONTROL_MAX_RANKS);
        return STATUS_OK;
    }
    plan->ranks = input->run.ranks;
    if (plan->ranks == 0) {
        const double most = (double)layout->nx * (double)layout->ny / LEAST_CELLS_PER_RANK;
        plan->ranks = layout_largest(layout, most < devices ? (int)fmax(1.0, most) : devices);
    }
    if (!layout_choose(layout, plan->ranks))
        return fail(STATUS_INPUT,
                    "run.ranks: %d ranks cannot share %lld x %lld cells, as every one needs at "
                    "least one; use fewer ranks",
                    plan->ranks, (long long)layout->nx, (long long)layout->ny);
    return STATUS_OK;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Whether zones are all that cells differ by, see struct zones: a cell then goes by its kind. */
static bool has_kinds(const struct plan *plan)
{
    const struct input *input = plan->input;
    for (int s = 0; s < input->source_count; s++)
        if (input->sources[s].type != SOURCE_UNIFORM)
            return false;
    return plan->properties == NULL;
}

/* Ghost cells come from the next block alone, so the halo is no deeper than the smallest block. */
static int halo_limited(const struct layout *layout, int64_t depth)
{
    if (layout->px > 1)
        depth = smaller(depth, layout->nx / layout->px);
    if (layout->py > 1)
        depth = smaller(depth, layout->ny / layout->py);
    return (int)depth;
}

/* As few exchanges as possible from one thing that is due to the next: every one is a pass over
 * memory, and 50 steps take longer in 32 + 18 than in 50 (bench/results/cpu-output.txt). Where
 * there are many anyway one more does not matter. */
static int64_t stretched(const struct plan *plan, const struct backend *backend, int64_t depth)
{
    enum { MANY = 8 };
    const int64_t steps = output_next(plan, 0), exchanges = steps / depth;
    if (exchanges < 1 || exchanges > MANY)
        return depth;
    const int64_t longer = (steps + exchanges - 1) / exchanges;
    return longer <= depth + depth * backend->stretch_percent / 100 ? longer : depth;
}

static enum step_cells cells_of(const struct plan *plan)
{
    const struct input *input = plan->input;
    if (!plan->has_zones)
        return STEP_ALIKE;
    if (!has_kinds(plan))
        return STEP_BY_CELL;
    bool is_heated =
        input->loss.coefficient > 0.0 || (input->source_count > 0 && coefficients_vary(input));
    for (int side = 0; side < SIDE_COUNT; side++)
        is_heated = is_heated || input->boundary[side].type == BOUNDARY_RADIATION;
    return is_heated ? STEP_BY_KIND_HEATED : STEP_BY_KIND;
}

/* Whether every material conducts alike in x and y between cells of this grid. */
static bool conducts_alike(const struct plan *plan)
{
    bool is_alike = plan->dx == plan->dy;
    for (int m = 0; m < plan->input->material_count; m++) {
        const struct input_field *k = plan->input->materials[m].conductivity;
        if (material_is_used(plan, m))
            is_alike = is_alike && k[0].number == k[1].number;
    }
    return is_alike;
}

static struct step_case step_case_of(const struct plan *plan)
{
    const struct layout *layout = &plan->layout;
    double rx = 0.0, ry = 0.0;
    plan_coefficients(plan, schedule_dt(&plan->schedule, 0), &rx, &ry);
    return (struct step_case){
        .shortest = smaller(layout->nx / layout->px, layout->ny / layout->py),
        .is_alone = plan->ranks == 1 && !layout->is_periodic_x && !layout->is_periodic_y,
        .is_double = plan->is_double,
        .cells = cells_of(plan),
        .is_equal = plan->has_zones ? conducts_alike(plan) : rx == ry,
        .has_fixed = plan->input->fixed_count > 0,
    };
}

static int halo_depth(const struct plan *plan, const struct backend *backend)
{
    int64_t depth = plan->input->run.steps_per_exchange;
    if (plan->stages > 0) /* every stage needs its neighbours */
        return 1;
    if (depth == 0) {
        depth = backend->favoured_steps(&plan->step_case);
        if (plan->step_case.cells == STEP_ALIKE)
            depth = stretched(plan, backend, depth);
    }
    return halo_limited(&plan->layout, depth);
}

static bool needs_zones(const struct plan *plan)
{
    const struct input *input = plan->input;
    if (is_rkl2(input) || input->source_count > 0 || input->loss.coefficient > 0.0)
        return true;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (input->boundary[side].type == BOUNDARY_RADIATION)
            return true;
    for (int m = 1; m < input->material_count; m++)
        if (material_is_used(plan, m))
            return true;
    return plan->properties != NULL;
}

static enum status make_blocks(struct plan *plan)
{
    enum { LARGEST_BLOCK = 1 << 30 }; /* cells a side, so that indices with ghosts fit an int */
    struct layout *layout = &plan->layout;
    TRY(memory_alloc(&plan->blocks, (size_t)plan->ranks, sizeof *plan->blocks, "blocks"));
    for (int rank = 0; rank < plan->ranks; rank++) {
        const struct extent extent = layout_extent(layout, rank);
        const int64_t nx = extent.x1 - extent.x0, ny = extent.y1 - extent.y0;
        if (nx > LARGEST_BLOCK || ny > LARGEST_BLOCK)
            return fail(STATUS_INPUT,
                        "domain.cells: a block of %lld x %lld cells is too long for one rank; use "
                        "more ranks",
                        (long long)nx, (long long)ny);
        plan->blocks[rank] = block_make((int)nx, (int)ny, layout->halo, plan->is_double);
        const size_t bytes = halo_field_bytes(&plan->blocks[rank]);
        if (bytes > plan->field_bytes)
            plan->field_bytes = bytes;
    }
    TRY(layout_strips(layout, &plan->strips, &plan->strip_count));
    plan->staging_bytes = halo_staging_bytes(plan->blocks, plan->strips, plan->strip_count);
    return STATUS_OK;
}

enum status plan_make(const struct input *input, const struct backend *backend, int devices,
                      struct plan *plan)
{
    *plan = (struct plan){.input = input};
    const struct input_material *material = &input->materials[0];
    plan->is_double = input->run.precision == PRECISION_DOUBLE;
    plan->dx = input->size[0] / (double)input->cells[0];
    plan->dy = input->size[1] / (double)input->cells[1];
    TRY(map_open(input, &plan->map));
    TRY(properties_open(plan));
    plan->has_zones = needs_zones(plan);
    for (int axis = 0; axis < 2 && plan->properties == NULL; axis++)
        plan->diffusivity[axis] = material->conductivity[axis].number / material_capacity(input, 0);
    TRY(limit_of_step(plan, &plan->step_limit));
    TRY(make_schedule(plan));
    TRY(choose_layout(plan, devices));
    plan->step_case = step_case_of(plan);
    plan->layout.halo = halo_depth(plan, backend);
    TRY(make_blocks(plan));
    size_t cells = 0;
    TRY(size_multiply((size_t)input->cells[0], (size_t)input->cells[1], &cells));
    TRY(size_multiply(cells, plan->blocks[0].element_bytes, &plan->frame_bytes));
    return STATUS_OK;
}

enum status plan_change_depth(struct plan *plan, int steps)
{
    free(plan->blocks);
    free(plan->strips);
    plan->blocks = NULL;
    plan->strips = NULL;
    plan->field_bytes = 0;
    plan->layout.halo = halo_limited(&plan->layout, steps);
    return make_blocks(plan);
}

void plan_free(struct plan *plan)
{
    map_close(&plan->map);
    properties_close(plan);
    free(plan->blocks);
    free(plan->strips);
    *plan = (struct plan){0};
}

void plan_coefficients(const struct plan *plan, double dt, double *rx, double *ry)
{
    *rx = plan->diffusivity[0] * dt / (plan->dx * plan->dx);
    *ry = plan->diffusivity[1] * dt / (plan->dy * plan->dy);
    /* Spacings such as 0.3/3 and 0.1/1 differ by rounding only; the kernels are faster for equal r.
     */
    if (fabs(*rx - *ry) <= 8 * 2.220446049250313e-16 * *rx)
        *ry = *rx;
}
