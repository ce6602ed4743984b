/* Where probes look and what the schedule asks for at each step. */
#include "solver/output.h"

#include <math.h>

#include "tests/check.h"
#include "tests/unit/plan_input.h"

static struct plan plan_of(const struct input *input)
{
    struct plan plan;
    CHECK_OK(plan_make(input, &backend_cpu, 1, &plan));
    return plan;
}

static double clamped(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

/* Bilinear interpolation reproduces 2 + 3 x - 5 y + 7 x y between cell centres; beyond the
 * outermost ones the value at the nearest point between them counts. */
static void a_probe_interpolates(int64_t nx, int64_t ny, double x, double y)
{
    struct input input = plan_input(nx, ny);
    input.size[0] = 0.3;
    struct input_probe probe = {.name = plan_input_name, .at = {x, y}, .interval = 1.0};
    input.output.probes = &probe;
    input.output.probe_count = 1;
    struct plan plan = plan_of(&input);
    const struct probe_stencil stencil = output_probe_stencil(&plan, 0);
    double weights = 0.0, value = 0.0;
    for (int corner = 0; corner < PROBE_CORNERS; corner++) {
        const int64_t i = stencil.i[corner], j = stencil.j[corner];
        CHECK(i >= 0 && i < nx && j >= 0 && j < ny);
        CHECK(stencil.weight[corner] >= 0.0 && stencil.weight[corner] <= 1.0);
        const double cx = ((double)i + 0.5) * plan.dx, cy = ((double)j + 0.5) * plan.dy;
        weights += stencil.weight[corner];
        value += stencil.weight[corner] * (2.0 + 3.0 * cx - 5.0 * cy + 7.0 * cx * cy);
    }
    const double px = clamped(x, 0.5 * plan.dx, input.size[0] - 0.5 * plan.dx);
    const double py = clamped(y, 0.5 * plan.dy, input.size[1] - 0.5 * plan.dy);
    CHECK_NEAR(weights, 1.0, 1e-15);
    CHECK_NEAR(value, 2.0 + 3.0 * px - 5.0 * py + 7.0 * px * py, 1e-14);
    plan_free(&plan);
}

static void probes_interpolate_everywhere(void)
{
    static const int64_t cells[][2] = {{10, 7}, {1, 1}, {1, 5}, {5, 1}, {2, 2}, {1000, 3}};
    static const double parts[] = {0.0, 1e-9, 0.05, 0.31, 0.5, 0.77, 0.95, 1.0};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++)
        for (int p = 0; p < PARTS * PARTS; p++)
            a_probe_interpolates(cells[c][0], cells[c][1], 0.3 * parts[p / PARTS],
                                 parts[p % PARTS]);
}

/* At a cell's centre only that cell counts. */
static void a_probe_at_a_centre_reads_one_cell(void)
{
    struct input input = plan_input(4, 8);
    struct input_probe probe = {.name = plan_input_name, .at = {0.625, 0.1875}, .interval = 1.0};
    input.output.probes = &probe;
    input.output.probe_count = 1;
    struct plan plan = plan_of(&input);
    const struct probe_stencil stencil = output_probe_stencil(&plan, 0);
    for (int corner = 0; corner < PROBE_CORNERS; corner++) {
        const bool is_the_cell = stencil.i[corner] == 2 && stencil.j[corner] == 1;
        CHECK_EQUAL_DOUBLE(stencil.weight[corner], is_the_cell ? 1.0 : 0.0);
    }
    plan_free(&plan);
}

struct due {
    int64_t step;
    int kinds;
};

/* output_next() leads through exactly these steps, and output_scheduled() names what is due. */
static void schedule_is(const struct input *input, const struct due *expected, int count)
{
    struct plan plan = plan_of(input);
    int64_t step = 0;
    for (int d = 0; d < count; d++) {
        CHECK_EQUAL_INT(step, expected[d].step);
        CHECK_EQUAL_INT(output_scheduled(&plan, step), expected[d].kinds);
        const int64_t next = d + 1 < count ? expected[d + 1].step : step + 1;
        for (int64_t between = step + 1; between < next && d + 1 < count; between++) {
            CHECK_EQUAL_INT(output_scheduled(&plan, between), 0);
            CHECK_EQUAL_INT(output_next(&plan, between), next);
        }
        if (d + 1 < count)
            step = output_next(&plan, step);
    }
    CHECK_EQUAL_INT(step, plan.schedule.steps);
    plan_free(&plan);
}

/* One cell without neighbours: the schedule alone decides about steps. */
static void what_is_due_when(void)
{
    enum { S = ITEM_SNAPSHOT, C = ITEM_CHECKPOINT, P = ITEM_PROBES, E = ITEM_END };
    struct input input = plan_input(1, 1);
    schedule_is(&input, (const struct due[]){{0, S}, {1, S | E}}, 2);

    input.time.step = 0.01;
    input.output.interval = 0.4;
    schedule_is(&input, (const struct due[]){{0, S}, {40, S}, {80, S}, {100, S | E}}, 4);

    input.checkpoint.interval.seconds = 0.3;
    schedule_is(
        &input,
        (const struct due[]){{0, S}, {30, C}, {40, S}, {60, C}, {80, S}, {90, C}, {100, S | C | E}},
        7);
    input.checkpoint.interval.is_wall = true; /* not by the schedule, but for the end */
    schedule_is(&input, (const struct due[]){{0, S}, {40, S}, {80, S}, {100, S | C | E}}, 4);

    struct input_probe probes[2] = {{.name = plan_input_name, .interval = 0.2},
                                    {.name = plan_input_name, .interval = 0.5}};
    input.output.probes = probes;
    input.output.probe_count = 2;
    schedule_is(
        &input,
        (const struct due[]){
            {0, S | P}, {20, P}, {40, S | P}, {50, P}, {60, P}, {80, S | P}, {100, S | P | C | E}},
        7);
    input.time.end = 0.0;
    schedule_is(&input, (const struct due[]){{0, S | P | C | E}}, 1);
}

/* Slots of frames and probe values lie in the shared memory, apart from each other. */
static void slots_do_not_overlap(void)
{
    struct input input = plan_input(13, 7);
    struct input_probe probes[3] = {{.name = plan_input_name, .interval = 1.0},
                                    {.name = plan_input_name, .interval = 1.0},
                                    {.name = plan_input_name, .interval = 1.0}};
    input.output.probes = probes;
    input.output.probe_count = 3;
    struct plan plan = plan_of(&input);
    struct output output;
    CHECK_OK(output_open(&plan, NULL, &output));
    const double *last_probe = output_probe_value(&output, OUTPUT_ITEMS - 1, 2, PROBE_CORNERS - 1);
    const double *const end = (const double *)output.memory + output.bytes / sizeof(double);
    CHECK((const void *)output_probe_value(&output, 0, 0, 0) >= (const void *)(output.shared + 1));
    for (uint64_t frame = 0; frame < OUTPUT_FRAMES; frame++) {
        const double *field = output_frame_field(&output, frame);
        CHECK(field > last_probe);
        CHECK(output_frame_side(&output, frame, SIDE_LEFT) >= field + 13 * 7);
        CHECK(output_frame_side(&output, frame, SIDE_RIGHT) ==
              output_frame_side(&output, frame, SIDE_LEFT) + 7);
        CHECK(output_frame_side(&output, frame, SIDE_BOTTOM) ==
              output_frame_side(&output, frame, SIDE_RIGHT) + 7);
        CHECK(output_frame_side(&output, frame, SIDE_TOP) ==
              output_frame_side(&output, frame, SIDE_BOTTOM) + 13);
        const double *next = frame + 1 < OUTPUT_FRAMES
                                 ? (const double *)output_frame_field(&output, frame + 1)
                                 : end;
        CHECK(output_frame_side(&output, frame, SIDE_TOP) + 13 <= next);
        CHECK(output_frame_field(&output, frame + OUTPUT_FRAMES) == (const void *)field);
    }
    output_close(&output);
    plan_free(&plan);
}

int main(void)
{
    probes_interpolate_everywhere();
    a_probe_at_a_centre_reads_one_cell();
    what_is_due_when();
    slots_do_not_overlap();
    return check_result();
}
