/* What is worked out from the input: stability limit, step, split, halo depth, sizes. */
#include "solver/plan.h"
#include "solver/trial.h"

#include <float.h>
#include <math.h>

#include "solver/probing.h"
#include "tests/check.h"
#include "tests/unit/plan_input.h"

static double step_limit_of(const struct input *input)
{
    struct plan plan;
    CHECK_OK(plan_make(input, &backend_cpu, 1, &plan));
    const double limit = plan.step_limit;
    plan_free(&plan);
    return limit;
}

/* Forward Euler in two dimensions: dx^2 / (4 a) for square cells, else 1 / (2 a (1/dx^2 + 1/dy^2)).
 */
static void the_limit_is_that_of_textbooks(void)
{
    struct input input = plan_input(100, 100);
    CHECK_NEAR(step_limit_of(&input), 0.01 * 0.01 / 4.0, 1e-18);
    plan_input_material.conductivity[0].number = plan_input_material.conductivity[1].number = 401.0;
    plan_input_material.density.number = 8960.0;
    plan_input_material.heat_capacity.number = 385.0;
    const double a = 401.0 / (8960.0 * 385.0);
    CHECK_NEAR(step_limit_of(&input), 0.01 * 0.01 / (4.0 * a), 1e-13);

    input = plan_input(100, 50);
    CHECK_NEAR(step_limit_of(&input), 1.0 / (2.0 * (1e4 + 2.5e3)), 1e-18);
    plan_input_material.conductivity[1].number = 5.0;
    CHECK_NEAR(step_limit_of(&input), 1.0 / (2.0 * (1e4 + 5.0 * 2.5e3)), 1e-18);
    input.boundary[SIDE_LEFT].type = input.boundary[SIDE_RIGHT].type = BOUNDARY_PERIODIC;
    CHECK_NEAR(step_limit_of(&input), 1.0 / (2.0 * (1e4 + 5.0 * 2.5e3)), 1e-18);
}

/* One row or column does not conduct across itself: dx^2 / (2 a). */
static void lines_have_the_limit_of_one_dimension(void)
{
    struct input input = plan_input(100, 1);
    CHECK_NEAR(step_limit_of(&input), 1e-4 / 2.0, 1e-18);
    input = plan_input(1, 100);
    CHECK_NEAR(step_limit_of(&input), 1e-4 / 2.0, 1e-18);
    input.boundary[SIDE_LEFT].type = input.boundary[SIDE_RIGHT].type = BOUNDARY_PERIODIC;
    CHECK_NEAR(step_limit_of(&input), 1e-4 / 2.0, 1e-18);
    input = plan_input(1, 1);
    CHECK(isinf(step_limit_of(&input)));
    /* dT/dt = 2 a (2 / d^2) (wall - T) between two isothermal walls: stable for dt <= d^2 / (2 a).
     */
    input.boundary[SIDE_LEFT].type = input.boundary[SIDE_RIGHT].type = BOUNDARY_TEMPERATURE;
    CHECK_NEAR(step_limit_of(&input), 0.5, 1e-15);
    input = plan_input(100, 100);
    plan_input_material.conductivity[0].number = plan_input_material.conductivity[1].number = 0.0;
    CHECK(isinf(step_limit_of(&input)));
}

/* Two materials of equal diffusivity, k = rho c = 1 and 100, side by side on 100 x 100 cells: a
 * cell of the first has one neighbour across the joint, 2 * 100 / 101 times as well connected as
 * the three of its own kind, and two where it is a layer of one cell. */
static void materials_count_where_they_meet(void)
{
    static char other_name[] = "n";
    struct input input = plan_input(100, 100);
    struct input_material both[2] = {plan_input_material, plan_input_material};
    both[1].name = other_name;
    both[1].conductivity[0].number = both[1].conductivity[1].number = 100.0;
    both[1].density.number = 100.0;
    struct input_shape shapes[2] = {
        {.type = SHAPE_RECTANGLE, .from = {0.5, 0.0}, .to = {1.0, 1.0}, .index = 1},
        {.type = SHAPE_RECTANGLE, .from = {0.0, 0.0}, .to = {0.49, 1.0}, .index = 1}};
    input.materials = both;
    input.material_count = 2;
    input.shapes = shapes;
    const double joint = 200.0 / 101.0;
    input.shape_count = 1;
    CHECK_NEAR(step_limit_of(&input), 2.0 / (2.0 * (3.0 + joint) * 1e4), 1e-16);
    input.shape_count = 2;
    CHECK_NEAR(step_limit_of(&input), 2.0 / (2.0 * (2.0 + 2.0 * joint) * 1e4), 1e-16);
    shapes[1] = shapes[0]; /* joined around the sides as well */
    input.boundary[SIDE_LEFT].type = input.boundary[SIDE_RIGHT].type = BOUNDARY_PERIODIC;
    shapes[0].from[0] = 0.01;
    input.shape_count = 1;
    CHECK_NEAR(step_limit_of(&input), 2.0 / (2.0 * (2.0 + 2.0 * joint) * 1e4), 1e-16);
    /* A contact of R = d / (4 k) of the joint leaves 4/5 of it. */
    struct input_contact contact = {
        .resistance = 0.25 * 0.01 / joint, .index = 0, .beside_index = 1};
    input.contacts = &contact;
    input.contact_count = 1;
    CHECK_NEAR(step_limit_of(&input), 2.0 / (2.0 * (2.0 + 1.6 * joint) * 1e4), 1e-16);
}

static void a_step_up_to_the_limit_is_taken(void)
{
    struct input input = plan_input(100, 100);
    input.time.end = 2.5e-3; /* 100 steps at the limit */
    static const struct {
        double share;
        int64_t steps; /* 0: refused */
    } cases[] = {{1.0, 100}, {1.0 + 1e-12, 100}, {0.99, 102}, {0.5, 200},
                 {1.001, 0}, {1.01, 0},          {40.0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct plan plan;
        input.time.step = 2.5e-5 * cases[c].share;
        const enum status expected = cases[c].steps > 0 ? STATUS_OK : STATUS_INPUT;
        if (CHECK_FAILS(plan_make(&input, &backend_cpu, 1, &plan), expected) &&
            expected == STATUS_OK)
            CHECK_EQUAL_INT(plan.schedule.steps, cases[c].steps);
        if (expected != STATUS_OK) {
            CHECK_CONTAINS(error_message(), "test.cfg:1: time.step");
            CHECK_CONTAINS(error_message(), "stability limit of 2.5e-05 s");
        }
        error_clear();
        plan_free(&plan);
    }
}

static void an_automatic_step_is_the_limit_times_safety(void)
{
    struct input input = plan_input(100, 100);
    struct plan plan;
    input.time.safety = 0.9;
    input.time.end = 2.25e-3; /* 100 steps of 0.9 times the limit */
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_EQUAL_INT(plan.schedule.steps, 100);
    plan_free(&plan);
    input = plan_input(1, 1); /* nothing conducts: one step an output */
    input.output.interval = 0.25;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_EQUAL_INT(plan.schedule.steps, 4);
    plan_free(&plan);
    input.time.end = 0.0;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_EQUAL_INT(plan.schedule.steps, 0);
    plan_free(&plan);
}

static struct input_probe probe_every(double interval)
{
    return (struct input_probe){.name = plan_input_name, .at = {0.5, 0.5}, .interval = interval};
}

/* Probes that sample 2 and 3 times an output: steps of an output are a multiple of 6. */
static void probes_shorten_steps(void)
{
    struct input input = plan_input(1, 1);
    struct input_probe probes[3] = {probe_every(0.05), probe_every(0.1 / 3.0), probe_every(0.7)};
    struct plan plan;
    input.output.interval = 0.1;
    input.output.probes = probes;
    input.output.probe_count = 3;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_EQUAL_INT(plan.schedule.full_steps, 6);
    plan_free(&plan);
    input.output.interval = 0.0; /* of the whole second: 20 and 30, 60 in all */
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK_EQUAL_INT(plan.schedule.full_steps, 60);
    plan_free(&plan);
}

static struct plan plan_with_probe(struct input *input, struct input_probe *probe, double interval)
{
    struct plan plan;
    *probe = probe_every(interval);
    input->output.probes = probe;
    input->output.probe_count = 1;
    CHECK_OK(plan_make(input, &backend_cpu, 1, &plan));
    return plan;
}

/* Whether all times of the probe are those of steps: by going through them. */
static bool is_hit(const struct plan *plan, double interval)
{
    const struct schedule *schedule = &plan->schedule;
    bool is_hit = true;
    for (int64_t index = 0;; index++) {
        const int64_t step = schedule_due_step(schedule, interval, index);
        if (step == INT64_MAX)
            return is_hit && index == (int64_t)(schedule->end / interval * (1.0 + 1e-12)) + 1;
        is_hit = is_hit && fabs(schedule_time(schedule, step) - (double)index * interval) < 1e-12;
    }
}

/* Intervals that do not divide each other, and ends that no interval divides: hit where that makes
 * steps at most half as long, and told apart from where it does not. */
static void probes_beside_outputs_are_hit(void)
{
    static const struct {
        double end, output, step, probe;
        bool is_hit;
        int64_t steps;
    } cases[] = {
        {0.1, 0.0, 3.4e-4, 0.03, true, 300},  /* a tenth of the whole: 295 would do else */
        {0.1, 0.0, 1e-3, 0.03, true, 100},    /* the step is as it was asked for */
        {1.0, 0.1, 0.011, 0.25, true, 100},   /* longer than the outputs are apart: 10 of each */
        {0.1, 0.04, 1e-3, 0.03, true, 100},   /* the last interval, of 0.02 */
        {0.105, 0.04, 4e-3, 0.01, true, 34},  /* 12 + 12 + 10: the last for halves of 0.01 */
        {0.103, 0.04, 3e-3, 0.01, false, 42}, /* the last in tenths of 0.01 would be too many */
        {1.0, 0.1, 0.02, 0.03, false, 50},    /* 5 steps, and 10 would be needed */
        {1.0, 0.1, 0.011, 0.03, true, 100},   /* just allowed */
        {1.0, 0.1, 0.03, 0.013, false, 40},   /* 0.001 is far below a step */
        {1.0, 0.1, 1e-3, 0.0314159265358979, false, 1000},
        {1.0, 0.1, 0.02, 0.7, true, 50},
        {1.0, 0.3, 0.1, 2.0, true, 10}, /* beyond the end */
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct input input = plan_input(1, 1);
        struct input_probe probe;
        input.time.end = cases[c].end;
        input.time.step = cases[c].step;
        input.output.interval = cases[c].output;
        struct plan plan = plan_with_probe(&input, &probe, cases[c].probe);
        const double late = probing_lateness(&plan, 0);
        CHECK_EQUAL_INT(plan.schedule.steps, cases[c].steps);
        CHECK_EQUAL_INT(is_hit(&plan, cases[c].probe), cases[c].is_hit);
        CHECK_EQUAL_INT(late == 0.0, cases[c].is_hit);
        CHECK(late <= cases[c].step);
        if (check_counts.failures > 0)
            (void)printf("  in case %zu\n", c);
        plan_free(&plan);
    }
}

static void ranks_follow_input_and_machine(void)
{
    static const struct {
        int64_t nx, ny;
        int ranks, devices, expected;
    } cases[] = {
        {1000, 1000, 1, 8, 1},     {1000, 1000, 3, 8, 3},
        {1000, 1000, 256, 8, 256}, {1000, 1000, 0, 8, 8}, /* auto */
        {1000, 1000, 0, 7, 7},     {1000, 1000, 0, 1, 1},
        {64, 64, 0, 8, 1}, /* a second process would not pay */
        {128, 64, 0, 8, 2},        {1, 1, 0, 256, 1},
        {2, 3, 6, 1, 6},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct input input = plan_input(cases[c].nx, cases[c].ny);
        struct plan plan;
        input.run.ranks = cases[c].ranks;
        CHECK_OK(plan_make(&input, &backend_cpu, cases[c].devices, &plan));
        CHECK_EQUAL_INT(plan.ranks, cases[c].expected);
        CHECK_EQUAL_INT(layout_ranks(&plan.layout), cases[c].expected);
        plan_free(&plan);
    }
}

static void splits_that_cannot_be_are_refused(void)
{
    static const struct {
        int64_t nx, ny;
        int ranks, px, py;
        const char *text;
    } cases[] = {
        {1, 1, 2, 0, 0, "run.ranks: 2 ranks cannot share 1 x 1 cells"},
        {5, 5, 7, 0, 0, "run.ranks: 7 ranks cannot share 5 x 5 cells"},
        {5, 5, 0, 6, 1, "run.layout: 6 x 1 blocks need at least as many cells"},
        {5, 5, 0, 1, 6, "run.layout: 1 x 6 blocks need at least as many cells"},
        {300, 300, 0, 256, 2, "run.layout: 256 x 2 blocks are 512 ranks; at most 256"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct input input = plan_input(cases[c].nx, cases[c].ny);
        struct plan plan;
        input.run.ranks = cases[c].ranks;
        input.run.layout[0] = cases[c].px;
        input.run.layout[1] = cases[c].py;
        CHECK_FAILS(plan_make(&input, &backend_cpu, 8, &plan), STATUS_INPUT);
        CHECK_CONTAINS(error_message(), cases[c].text);
        error_clear();
        plan_free(&plan);
    }
}

/* As deep as asked for, but no deeper than the thinnest block has cells. */
static void the_halo_is_no_deeper_than_a_block(void)
{
    static const struct {
        int64_t nx, ny;
        int px, py, wanted, halo;
    } cases[] = {
        {100, 100, 2, 2, 5, 5}, {100, 100, 2, 2, 64, 50}, {101, 100, 2, 2, 64, 50},
        {9, 100, 2, 1, 8, 4},   {100, 9, 1, 2, 8, 4},     {9, 100, 1, 2, 8, 8},
        {3, 2, 3, 2, 64, 1},    {1, 1, 1, 1, 64, 64},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct input input = plan_input(cases[c].nx, cases[c].ny);
        struct plan plan;
        input.run.ranks = 0;
        input.run.layout[0] = cases[c].px;
        input.run.layout[1] = cases[c].py;
        input.run.steps_per_exchange = cases[c].wanted;
        CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
        CHECK_EQUAL_INT(plan.layout.halo, cases[c].halo);
        CHECK_EQUAL_INT(plan.blocks[0].halo, cases[c].halo);
        plan_free(&plan);
    }
}

/* Left open it is as deep as the backend likes: with a heat loss too, as cells then go by kind, but
 * not with heat that differs from cell to cell. */
static void heat_by_cell_wants_a_shallow_halo(void)
{
    struct input_source sources[] = {{.type = SOURCE_UNIFORM}, {.type = SOURCE_GAUSSIAN}};
    struct input input = plan_input(1000, 1000);
    struct plan plan;
    const struct step_case alone = {.shortest = 1000, .is_alone = true, .cells = STEP_BY_KIND};
    const int favoured = backend_cpu.favoured_steps(&alone);
    CHECK(favoured > 8);
    input.loss.coefficient = 3.0;
    input.sources = sources;
    for (input.source_count = 0; input.source_count <= 2; input.source_count++) {
        CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
        CHECK_EQUAL_INT(plan.layout.halo, input.source_count < 2 ? favoured : 8);
        plan_free(&plan);
    }
}

/* Runs of the GPU's kernel of many steps, which has instances for some numbers. */
static void few_steps_left_fit_the_kernels_of_a_gpu(void)
{
    static const struct {
        struct step_case is;
        int left, steps;
    } cases[] = {
        {{2048, true, true, STEP_ALIKE, true, false}, 15, 12},
        {{2048, true, true, STEP_ALIKE, true, false}, 7, 4},
        {{2048, true, true, STEP_ALIKE, true, false}, 18, 16},
        {{2048, true, true, STEP_ALIKE, true, false}, 12, 12},
        {{2048, true, true, STEP_ALIKE, true, false}, 3, 3},
        {{2048, true, true, STEP_ALIKE, false, false}, 15, 8},
        {{2048, true, true, STEP_ALIKE, true, true}, 7, 7},
        {{4096, false, false, STEP_ALIKE, true, false}, 19, 18},
        {{2048, true, true, STEP_BY_KIND, true, true}, 11, 8},
        {{2048, true, false, STEP_BY_KIND, false, false}, 17, 12},
        {{2048, true, true, STEP_BY_KIND, true, false}, 7, 7},
        {{2048, true, true, STEP_BY_KIND_HEATED, true, false}, 9, 9},
        {{2047, true, true, STEP_ALIKE, true, false}, 15, 15},
    };
    if (backend_cuda.fitting_steps == NULL)
        return; /* built without CUDA */
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        CHECK_EQUAL_INT(backend_cuda.fitting_steps(&cases[c].is, cases[c].left), cases[c].steps);
}

/* Of trials of 4, 8, 12, 16, 18 steps. */
static void a_trial_prefers_many_steps_to_a_close_race(void)
{
    CHECK_EQUAL_INT(trial_choose(&(struct trial){{700, 1500, 2500, 2400, 0}}), 16);
    CHECK_EQUAL_INT(trial_choose(&(struct trial){{700, 1500, 2500, 2300, 900}}), 12);
    CHECK_EQUAL_INT(trial_choose(&(struct trial){{700, 600, 0, 0, 0}}), 4);
    CHECK_EQUAL_INT(trial_choose(&(struct trial){{0}}), 0);
}

static struct step_case seen_case; /* by the backend below */

static int note_case(const struct step_case *step_case)
{
    seen_case = *step_case;
    return 4;
}

/* What a backend is asked with. */
static void a_backend_learns_how_cells_differ(void)
{
    struct backend backend = backend_cpu;
    backend.favoured_steps = note_case;
    struct input_source source = {.type = SOURCE_UNIFORM};
    struct input input = plan_input(300, 200);
    struct plan plan;
    const enum step_cells expected[] = {STEP_ALIKE,          STEP_BY_KIND,
                                        STEP_BY_KIND_HEATED, STEP_BY_KIND_HEATED,
                                        STEP_BY_KIND_HEATED, STEP_BY_CELL};
    input.sources = &source;
    for (int c = 0; c < 6; c++) {
        input.source_count = c == 1 || c == 2 || c == 5 ? 1 : 0;
        source.factor =
            (struct input_function){.kind = c == 2 ? FUNCTION_EXPRESSION : FUNCTION_NUMBER,
                                    .number = 1.0,
                                    .expression = "t"};
        source.type = c == 5 ? SOURCE_GAUSSIAN : SOURCE_UNIFORM;
        input.loss.coefficient = c == 3 ? 3.0 : 0.0;
        input.boundary[SIDE_TOP].type = c == 4 ? BOUNDARY_RADIATION : BOUNDARY_INSULATED;
        CHECK_OK(plan_make(&input, &backend, 1, &plan));
        CHECK_EQUAL_INT(seen_case.cells, expected[c]);
        CHECK_EQUAL_INT((int)seen_case.shortest, 200);
        plan_free(&plan);
    }
}

/* On a backend whose passes may be 75 % longer than its favourite of 32 steps: as few as possible
 * lie between two snapshots, where they are few at all. 50 = 50, 70 = 35 + 35, 91 = 46 + 45; 60 in
 * one would be too long; what the user asks for stays. */
static void few_passes_lie_between_snapshots(void)
{
    static const struct {
        double steps; /* from one snapshot to the next */
        int wanted, stretch_percent, halo;
    } cases[] = {
        {50, 0, 75, 50}, {56, 0, 75, 56}, {57, 0, 75, 32},  {60, 0, 75, 32},   {64, 0, 75, 32},
        {70, 0, 75, 35}, {91, 0, 75, 46}, {20, 0, 75, 32},  {33, 0, 75, 33},   {270, 0, 75, 34},
        {50, 0, 0, 32},  {50, 0, 50, 32}, {50, 32, 75, 32}, {1001, 0, 75, 32},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct backend backend = backend_cpu;
        struct input input = plan_input(1000, 1000);
        struct plan plan;
        backend.stretch_percent = cases[c].stretch_percent;
        input.run.steps_per_exchange = cases[c].wanted;
        input.time.step = 1e-7;
        input.output.interval = cases[c].steps * input.time.step;
        CHECK_EQUAL_INT(
            backend.favoured_steps(&(struct step_case){1000, true, true, STEP_ALIKE, true, false}),
            32);
        CHECK_OK(plan_make(&input, &backend, 1, &plan));
        CHECK_EQUAL_INT(plan.layout.halo, cases[c].halo);
        plan_free(&plan);
    }
}

/* A plan whose depth was changed is the plan that was made with this depth. */
static void a_changed_depth_is_as_a_chosen_one(void)
{
    static const int depths[] = {1, 5, 18, 64};
    for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
        struct input input = plan_input(100, 37);
        struct plan chosen, changed;
        input.run.layout[0] = 3;
        input.run.layout[1] = 2;
        CHECK_OK(plan_make(&input, &backend_cpu, 1, &changed));
        CHECK_OK(plan_change_depth(&changed, depths[d]));
        input.run.steps_per_exchange = depths[d];
        CHECK_OK(plan_make(&input, &backend_cpu, 1, &chosen));
        CHECK_EQUAL_INT(changed.layout.halo, depths[d] < 18 ? depths[d] : 18);
        CHECK_EQUAL_INT(changed.layout.halo, chosen.layout.halo);
        CHECK_EQUAL_INT(changed.strip_count, chosen.strip_count);
        CHECK_EQUAL_INT(changed.blocks[5].pitch, chosen.blocks[5].pitch);
        CHECK(changed.field_bytes == chosen.field_bytes);
        CHECK(changed.staging_bytes == chosen.staging_bytes);
        plan_free(&chosen);
        plan_free(&changed);
    }
}

static void sizes_are_those_of_the_largest_rank(void)
{
    struct input input = plan_input(101, 37);
    struct plan plan;
    input.run.ranks = 3;
    input.run.precision = PRECISION_SINGLE;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    CHECK(plan.frame_bytes == (size_t)101 * 37 * 4);
    int64_t cells = 0;
    for (int rank = 0; rank < plan.ranks; rank++) {
        cells += (int64_t)plan.blocks[rank].nx * plan.blocks[rank].ny;
        CHECK(plan.field_bytes >= 2 * block_bytes(&plan.blocks[rank]));
    }
    CHECK_EQUAL_INT(cells, 101 * 37);
    plan_free(&plan);
}

/* The kernels are faster for equal coefficients, and cells of 0.3 / 3 and 0.1 / 1 are square. */
static void square_cells_have_equal_coefficients(void)
{
    struct input input = plan_input(3, 1);
    struct plan plan;
    double rx = 0.0, ry = 0.0;
    input.size[0] = 0.3;
    input.size[1] = 0.1;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    plan_coefficients(&plan, 1e-3, &rx, &ry);
    CHECK(rx == ry);
    CHECK_NEAR(rx, 0.1, 1e-15);
    plan_free(&plan);
    input.size[1] = 0.10001;
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    plan_coefficients(&plan, 1e-3, &rx, &ry);
    CHECK(rx != ry);
    CHECK_NEAR(ry, 1e-3 / (0.10001 * 0.10001), 1e-15);
    plan_free(&plan);
}

/* Half a plan can be given back, and twice. */
static void a_failed_plan_is_freed(void)
{
    struct input input = plan_input(5, 5);
    struct plan plan;
    input.boundary[SIDE_TOP] =
        (struct input_boundary){.type = BOUNDARY_FLUX, .value = {.number = 1.0}};
    plan_input_material.conductivity[1].number = 0.0;
    CHECK_FAILS(plan_make(&input, &backend_cpu, 1, &plan), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "boundary.top");
    error_clear();
    plan_free(&plan);
    plan_free(&plan);
}

int main(void)
{
    the_limit_is_that_of_textbooks();
    lines_have_the_limit_of_one_dimension();
    materials_count_where_they_meet();
    a_step_up_to_the_limit_is_taken();
    an_automatic_step_is_the_limit_times_safety();
    probes_shorten_steps();
    probes_beside_outputs_are_hit();
    ranks_follow_input_and_machine();
    splits_that_cannot_be_are_refused();
    the_halo_is_no_deeper_than_a_block();
    heat_by_cell_wants_a_shallow_halo();
    few_steps_left_fit_the_kernels_of_a_gpu();
    a_backend_learns_how_cells_differ();
    a_trial_prefers_many_steps_to_a_close_race();
    few_passes_lie_between_snapshots();
    a_changed_depth_is_as_a_chosen_one();
    sizes_are_those_of_the_largest_rank();
    square_cells_have_equal_coefficients();
    a_failed_plan_is_freed();
    return check_result();
}
