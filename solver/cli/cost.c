#include "solver/cli/cost.h"

#include <math.h>

#include "io/kept.h"
#include "solver/host_memory.h"
#include "solver/need.h"
#include "solver/output.h"
#include "solver/still.h"

/* Half a relaxation time apart; a factor of 1e-6 takes 28. */
enum { TYPICAL_LOOKS = 30 };

/* What the kernels do: one material and nothing else; zones of materials, uniform sources and
 * loss; sources that differ from cell to cell, a pass over memory for each step; the stages of rkl2
 * and properties by cell. */
enum { UNIFORM, BY_ZONE, BY_SOURCE, BY_STAGE, KINDS };
enum { DOUBLE, SINGLE, PRECISIONS };
enum { ALONE, WITH_OTHERS, COMPANIES }; /* whether ranks exchange edges */

/* Fitted to bench/results/ (cpu-cost.txt, h200-bench.txt; of sources by cell on GPUs nothing is
 * there, they are taken for zones); the true figures differ by machine. */
struct speed {
    double start;                            /* s */
    double start_cell;                       /* s for each cell: fields, the initial state */
    double sweep;                            /* s for each sweep over the cells */
    double row[KINDS];                       /* s for each row of it */
    double exchange[COMPANIES];              /* s for each exchange or pass over memory */
    double updates_per_s[KINDS][PRECISIONS]; /* cells of one core or GPU, data at hand */
    double streamed_per_s[PRECISIONS];       /* cells that memory delivers and takes */
};

static const struct speed CPU = {
    .start = 0.02,
    .start_cell = 3e-8,
    .sweep = 0.5e-6,
    .row = {[BY_ZONE] = 0.02e-6, [BY_SOURCE] = 0.02e-6, [BY_STAGE] = 0.05e-6},
    .exchange = {[WITH_OTHERS] = 12e-6},
    .updates_per_s = {{5e9, 1e10}, {3e9, 5e9}, {0.43e9, 0.44e9}, {0.65e9, 1e9}},
    .streamed_per_s = {1.3e9, 2.6e9},
};

static const struct speed GPU = {
    .start = 0.5,
    .start_cell = 3e-8,
    .sweep = 2e-6,
    .exchange = {6e-6, 16e-6},
    .updates_per_s = {{5e12, 8e12}, {7e11, 1e12}, {7e11, 1e12}, {3e11, 6e11}},
    .streamed_per_s = {2.6e11, 4.9e11},
};

/* Of GPUs that take turns, for each exchange. */
static const double TIME_SLICE = 0.2e-3;

/* s for a row and for a column that a moving spot is worked out in at each step, on the host. */
static const double SPOT_PLACE = 0.05e-6;

/* The writer, bytes before compression. */
static const double WRITTEN_PER_S = 6e8, COMPRESSED_PER_S = 2.5e8;

static int kind_of(const struct plan *plan)
{
    const struct input *input = plan->input;
    if (plan->stages > 0 || plan->properties != NULL)
        return BY_STAGE;
    for (int s = 0; s < input->source_count; s++)
        if (input->sources[s].type != SOURCE_UNIFORM)
            return BY_SOURCE;
    return plan->has_zones ? BY_ZONE : UNIFORM;
}

/* Of all moving spots in a step. */
static double spot_seconds(const struct plan *plan)
{
    const struct layout *layout = &plan->layout;
    const double places =
        (double)layout->nx / layout->px + (double)layout->ny / layout->py + 4.0 * layout->halo;
    double seconds = 0.0;
    for (int s = 0; s < plan->input->source_count; s++)
        if (plan->input->sources[s].type == SOURCE_GAUSSIAN &&
            plan->input->sources[s].path.count > 1)
            seconds += SPOT_PLACE * places;
    return seconds;
}

/* Of the time loop without output. */
static double loop_seconds(const struct session *session, double steps)
{
    const struct plan *plan = &session->plan;
    const struct layout *layout = &plan->layout;
    const struct speed *speed = session->backend == &backend_cuda ? &GPU : &CPU;
    const int kind = kind_of(plan);
    const int precision = plan->is_double ? DOUBLE : SINGLE;
    const double cells = (double)layout->nx * (double)layout->ny /
                         fmin(plan->ranks, fmax(1.0, session->device_count));
    const double cell = 1.0 / speed->updates_per_s[kind][precision] +
                        1.0 / (speed->streamed_per_s[precision] * layout->halo);
    const double exchange = speed->exchange[plan->ranks > 1 ? WITH_OTHERS : ALONE] +
                            (session->has_time_slices ? TIME_SLICE : 0.0);
    const double sweeps = plan->stages > 0 ? plan->stages : 1.0;
    return steps * spot_seconds(plan) +
           steps * sweeps *
               (speed->sweep + speed->row[kind] * (double)layout->ny / layout->py + cells * cell +
                exchange / layout->halo);
}

static double start_seconds(const struct session *session)
{
    const struct layout *layout = &session->plan.layout;
    const struct speed *speed = session->backend == &backend_cuda ? &GPU : &CPU;
    return speed->start + speed->start_cell * (double)layout->nx * (double)layout->ny;
}

/* Of a field, before compression. */
static double kept_bytes(const struct input *input)
{
    const struct kept kept = kept_find(input);
    const double element = input->output.precision == PRECISION_DOUBLE ? 8.0 : 4.0;
    return (double)kept.count[0] * (double)kept.count[1] * element;
}

/* Of what is written once and differs from cell to cell. */
static double still_bytes(const struct plan *plan)
{
    const struct snapshot_still still = still_fields(plan, NULL);
    double bytes = 0.0;
    for (int f = 0; f < STILL_FIELDS; f++)
        bytes += (still.fields & ~still.uniform) >> f & 1U ? kept_bytes(plan->input) : 0.0;
    return bytes;
}

/* Of a frame, before compression. */
static double snapshot_bytes(const struct input *input)
{
    const unsigned chosen = input->output.fields & ~(1U << OUTPUT_MATERIAL);
    double bytes = 0.0;
    for (int f = 0; f < OUTPUT_FIELDS; f++)
        if ((chosen == 0 ? 1U << OUTPUT_TEMPERATURE : chosen) >> f & 1U)
            bytes += kept_bytes(input);
    return bytes;
}

static double largest_rank_bytes(const struct plan *plan)
{
    size_t largest = 0;
    for (int rank = 0; rank < plan->ranks; rank++) {
        const size_t bytes = need_device_bytes(plan, &plan->blocks[rank]);
        largest = bytes > largest ? bytes : largest;
    }
    return (double)largest;
}

struct cost cost_find(const struct session *session)
{
    const struct plan *plan = &session->plan;
    const struct schedule *schedule = &plan->schedule;
    int64_t snapshots = schedule_outputs(schedule), steps = schedule->steps;
    if (plan->input->time.is_steady) {
        const int64_t typical = TYPICAL_LOOKS * plan->look_every, left = schedule->full_intervals;
        const int64_t intervals = left < typical ? left : typical;
        snapshots = 2 + (plan->snapshot_every > 0 ? intervals / plan->snapshot_every : 0);
        steps = intervals * schedule->full_steps;
    }
    const double written = (double)snapshots * snapshot_bytes(plan->input) + still_bytes(plan);
    const bool is_plain = plan->input->output.compression == COMPRESSION_NONE;
    return (struct cost){
        .snapshots = snapshots,
        .rank_bytes = largest_rank_bytes(plan),
        .shared_bytes = (double)(output_bytes(plan) + plan->staging_bytes),
        .host_bytes = host_memory_needed(plan, session->backend != &backend_cuda),
        .output_bytes = written,
        .seconds = start_seconds(session) + loop_seconds(session, (double)steps) +
                   written / (is_plain ? WRITTEN_PER_S : COMPRESSED_PER_S),
    };
}
