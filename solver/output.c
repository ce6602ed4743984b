#include "solver/output.h"

#include <math.h>

#include "base/memory.h"

enum { ALIGNMENT = 4096 }; /* of frames: whole pages can be pinned */

static size_t probes_bytes(const struct plan *plan)
{
    return (size_t)plan->input->output.probe_count * PROBE_CORNERS * sizeof(double);
}

static size_t frame_field_bytes(const struct plan *plan)
{
    return size_round_up(plan->frame_bytes, sizeof(double));
}

static size_t frame_bytes(const struct plan *plan)
{
    const size_t faces = 2 * (size_t)(plan->layout.nx + plan->layout.ny);
    return size_round_up(frame_field_bytes(plan) + faces * sizeof(double), ALIGNMENT);
}

static size_t frames_offset(const struct plan *plan)
{
    return size_round_up(sizeof(struct output_shared) + OUTPUT_ITEMS * probes_bytes(plan),
                         ALIGNMENT);
}

size_t output_bytes(const struct plan *plan)
{
    return frames_offset(plan) + OUTPUT_FRAMES * frame_bytes(plan);
}

enum status output_open(const struct plan *plan, struct control *control, struct output *output)
{
    *output = (struct output){.plan = plan, .control = control};
    output->bytes = output_bytes(plan);
    TRY(shared_map("isotherm-output", output->bytes, &output->memory));
    output->shared = output->memory;
    atomic_init(&output->shared->still_to_come, INFINITY);
    return STATUS_OK;
}

void output_close(struct output *output)
{
    if (output->memory != NULL)
        shared_unmap(output->memory, output->bytes);
    *output = (struct output){0};
}

static unsigned char *frame_start(const struct output *output, uint64_t frame)
{
    return (unsigned char *)output->memory + frames_offset(output->plan) +
           (size_t)(frame % OUTPUT_FRAMES) * frame_bytes(output->plan);
}

void *output_frame_field(const struct output *output, uint64_t frame)
{
    return frame_start(output, frame);
}

double *output_frame_side(const struct output *output, uint64_t frame, enum side side)
{
    const struct layout *layout = &output->plan->layout;
    const int64_t before[SIDE_COUNT] = {0, layout->ny, 2 * layout->ny, 2 * layout->ny + layout->nx};
    void *sides = frame_start(output, frame) + frame_field_bytes(output->plan);
    return (double *)sides + before[side];
}

void *output_probe_value(const struct output *output, uint64_t item, int probe, int corner)
{
    const size_t index = (size_t)(item % OUTPUT_ITEMS) *
                             (size_t)output->plan->input->output.probe_count * PROBE_CORNERS +
                         (size_t)probe * PROBE_CORNERS + (size_t)corner;
    return (unsigned char *)output->memory + sizeof(struct output_shared) + index * sizeof(double);
}

/* Position between cell centres: the lower cell and the weight of the upper one. */
static void bracket(double at, double d, int64_t n, int64_t *lower, double *upper_weight)
{
    const double position = fmin(fmax(at / d - 0.5, 0.0), (double)(n - 1));
    *lower = (int64_t)floor(position);
    *upper_weight = position - (double)*lower;
}

struct probe_stencil output_probe_stencil(const struct plan *plan, int probe)
{
    const double *at = plan->input->output.probes[probe].at;
    const struct layout *layout = &plan->layout;
    int64_t i = 0, j = 0;
    double u = 0.0, v = 0.0;
    bracket(at[0], plan->dx, layout->nx, &i, &u);
    bracket(at[1], plan->dy, layout->ny, &j, &v);
    struct probe_stencil stencil;
    for (int corner = 0; corner < PROBE_CORNERS; corner++) {
        const int right = corner % 2, upper = corner / 2;
        stencil.i[corner] = i + (right && i + 1 < layout->nx);
        stencil.j[corner] = j + (upper && j + 1 < layout->ny);
        stencil.weight[corner] = (right ? u : 1.0 - u) * (upper ? v : 1.0 - v);
    }
    return stencil;
}

static bool is_due(const struct schedule *schedule, double interval, int64_t step)
{
    const int64_t index = schedule_due_from(schedule, interval, step);
    return schedule_due_step(schedule, interval, index) == step;
}

/* At the end of interval `index` of a steady run. */
static int steady_kinds(const struct plan *plan, int64_t index)
{
    const bool is_end = schedule_output_step(&plan->schedule, index) == plan->schedule.steps;
    int kinds = index > 0 && (is_end || index % plan->look_every == 0) ? ITEM_LOOK : 0;
    if (index == 0 || is_end || (plan->snapshot_every > 0 && index % plan->snapshot_every == 0))
        kinds |= ITEM_SNAPSHOT;
    return kinds;
}

int output_scheduled(const struct plan *plan, int64_t step)
{
    const struct input *input = plan->input;
    const struct schedule *schedule = &plan->schedule;
    const int64_t index = schedule_output_from(schedule, step);
    int kinds = 0;
    if (schedule_output_step(schedule, index) == step)
        kinds |= input->time.is_steady ? steady_kinds(plan, index) : ITEM_SNAPSHOT;
    for (int p = 0; p < input->output.probe_count; p++)
        if (is_due(schedule, input->output.probes[p].interval, step))
            kinds |= ITEM_PROBES;
    const struct input_interval *interval = &input->checkpoint.interval;
    if (interval->seconds > 0.0) {
        if (step == schedule->steps)
            kinds |= ITEM_CHECKPOINT; /* the end, so that a resume finds nothing to do */
        else if (!interval->is_wall && step > 0 && is_due(schedule, interval->seconds, step))
            kinds |= ITEM_CHECKPOINT;
    }
    if (step == schedule->steps)
        kinds |= ITEM_END;
    return kinds;
}

static int64_t next_due(const struct schedule *schedule, double interval, int64_t step)
{
    return schedule_due_step(schedule, interval, schedule_due_from(schedule, interval, step + 1));
}

int64_t output_next(const struct plan *plan, int64_t step)
{
    const struct input *input = plan->input;
    const struct schedule *schedule = &plan->schedule;
    int64_t next = schedule_output_step(schedule, schedule_output_from(schedule, step + 1));
    for (int p = 0; p < input->output.probe_count; p++) {
        const int64_t due = next_due(schedule, input->output.probes[p].interval, step);
        next = due < next ? due : next;
    }
    const struct input_interval *interval = &input->checkpoint.interval;
    if (interval->seconds > 0.0 && !interval->is_wall) {
        const int64_t due = next_due(schedule, interval->seconds, step);
        next = due < next ? due : next;
    }
    return next;
}
