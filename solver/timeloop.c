/* The time loop of one rank, on one page. Hosts run ahead and queue work, devices wait for each
 * other; the only host waits are for neighbours to have issued their work (halo_receive), for
 * room in the output (rank_output) and, on the way to a steady state, every few steps or thousands
 * of steps for the writer's verdict (rank_output_look). State n lies in level k mod 2, where k
 * counts the exchanges; an exchange serves up to `halo` steps, or one stage of a super step. Ranks
 * take the same strides, so they agree on k. */
#include "base/clock.h"
#include "solver/coefficients.h"
#include "solver/rank.h"
#include "solver/rkl2.h"

/* An exchange at which all ranks act on a request: late enough that none has passed it, as a rank
 * is at most as many exchanges ahead of rank 0 as there are ranks between them. 0 means none. */
static uint64_t agreed_exchange(const struct rank *rank, uint64_t k)
{
    return k + (uint64_t)rank->plan->ranks + 1;
}

/* Rank 0 turns requests (signals, wall time) into exchange numbers that all ranks will see. A
 * number may be replaced only when no rank can still have to look at it: when rank 0 starts
 * exchange k, a rank that is d blocks away has looked at k - 1 - d at least, or in the middle of a
 * super step at those before it. *asked_for: the last number that a signal was given. */
static void announce_requests(const struct rank *rank, uint64_t k, double *last_checkpoint,
                              uint64_t *asked_for)
{
    struct control *control = rank->run->control;
    const struct input_interval *interval = &rank->plan->input->checkpoint.interval;
    const uint32_t requests = atomic_load_explicit(&control->requests, memory_order_relaxed);
    const bool is_asked = (requests & REQUEST_CHECKPOINT) != 0;
    bool wants_checkpoint = is_asked;
    if (interval->is_wall && interval->seconds > 0.0 &&
        clock_seconds() - *last_checkpoint >= interval->seconds)
        wants_checkpoint = true;
    const uint64_t pending = atomic_load(&control->checkpoint_exchange);
    if (wants_checkpoint &&
        (pending == 0 || pending + (uint64_t)(rank->plan->ranks + rank->plan->stages) <= k)) {
        atomic_fetch_and(&control->requests, ~(uint32_t)REQUEST_CHECKPOINT);
        atomic_store(&control->checkpoint_exchange, agreed_exchange(rank, k));
        *last_checkpoint = clock_seconds();
        *asked_for = is_asked ? agreed_exchange(rank, k) : *asked_for;
    }
    if ((requests & REQUEST_STOP) != 0 && atomic_load(&control->stop_exchange) == 0)
        atomic_store(&control->stop_exchange, agreed_exchange(rank, k));
}

/* What the requests ask for once exchanges before `end` are done, those before `begin` having been
 * looked at: enum item_kind bits. */
static int requested(const struct rank *rank, uint64_t begin, uint64_t end)
{
    const struct control *control = rank->run->control;
    const uint64_t checkpoint = atomic_load(&control->checkpoint_exchange);
    const uint64_t stop = atomic_load(&control->stop_exchange);
    int kinds = 0;
    if (checkpoint > begin && checkpoint <= end)
        kinds |= ITEM_CHECKPOINT;
    if (stop > begin && stop <= end)
        kinds |= ITEM_CHECKPOINT | ITEM_END;
    return kinds;
}

/* Steps until something is due, at most as many as the halo serves. */
static int stride(const struct rank *rank, int64_t step)
{
    const int64_t left = output_next(rank->plan, step) - step;
    if (left >= rank->plan->layout.halo)
        return rank->plan->layout.halo;
    return rank->backend->fitting_steps(&rank->plan->step_case, (int)left);
}

static enum status advance(struct rank *rank, const char *name, struct queue *queue,
                           const struct region *regions, int count, uint64_t k, int steps)
{
    enum status status = STATUS_OK;
    rank->backend->range_begin(name);
    rank->step.from = halo_level(rank->fields, &rank->block, (int)(k % 2));
    rank->step.to = halo_level(rank->fields, &rank->block, (int)((k + 1) % 2));
    rank->step.steps = steps;
    for (int r = 0; r < count && status == STATUS_OK; r++) {
        rank->step.region = regions[r];
        status = rank->backend->step(queue, &rank->step);
    }
    rank->backend->range_end();
    return status;
}

static void show_progress(struct rank *rank, int64_t step)
{
    struct control_rank *line = &rank->run->control->rank[rank->index];
    atomic_store_explicit(&line->step, step, memory_order_relaxed);
    atomic_fetch_add_explicit(&line->beat, 1, memory_order_relaxed);
}

/* A request for a checkpoint that no exchange is left for goes back, for the launcher to tell. */
static void finish(struct rank *rank, bool is_over, bool is_unmet, double elapsed)
{
    struct control *control = rank->run->control;
    if (is_unmet)
        atomic_fetch_or(&control->requests, REQUEST_CHECKPOINT);
    control->rank[rank->index].loop_s = elapsed;
    if (!is_over)
        atomic_store(&control->stopped, 1);
}

/* The same where no cell comes from anywhere else: one queue and no events (14.0 instead of 14.3 us
 * for a step of 2048 x 1024 cells, bench/results/h200-bench.txt). */
static enum status advance_alone(struct rank *rank, uint64_t k, int steps)
{
    TRY(advance(rank, "edges", rank->inner_queue, rank->edges, rank->edge_count, k, steps));
    TRY(advance(rank, "interior", rank->inner_queue, &rank->inner, rank->inner_count, k, steps));
    return halo_pace(rank->halo, k, rank->inner_queue);
}

/* From exchange k to the next: all of the block by `steps` steps or by a stage. */
static enum status advance_block(struct rank *rank, uint64_t k, int steps)
{
    const struct backend *backend = rank->backend;
    TRY(rank_output_free_level(rank, (int)((k + 1) % 2)));
    if (rank->plan->strip_count == 0)
        return advance_alone(rank, k, steps);
    TRY(halo_receive(rank->halo, k, rank->edge_queue));
    TRY(backend->event_wait(rank->edge_queue, rank->inner_done));
    TRY(advance(rank, "edges", rank->edge_queue, rank->edges, rank->edge_count, k, steps));
    TRY(halo_send(rank->halo, k + 1, rank->edge_queue));

    TRY(backend->event_wait(rank->inner_queue, rank->edges_done));
    TRY(advance(rank, "interior", rank->inner_queue, &rank->inner, rank->inner_count, k, steps));
    TRY(backend->event_record(rank->inner_queue, rank->inner_done));
    return backend->event_record(rank->edge_queue, rank->edges_done);
}

enum status timeloop_run(struct rank *rank)
{
    const struct plan *plan = rank->plan;
    const struct backend *backend = rank->backend;
    const int exchanges = plan->stages > 0 ? plan->stages : 1; /* for a stride */
    const double start = clock_seconds();
    double last_checkpoint = start;
    uint64_t k = 0, asked_for = 0;
    int64_t step = rank->run->resume.step;
    int kinds =
        rank->run->resume.is_resumed ? rank->run->resume.redo : output_scheduled(plan, step);
    bool is_steady = rank->run->resume.is_steady;
    if (step >= plan->schedule.steps || is_steady)
        kinds |= ITEM_END;
    TRY(rank_output(rank, kinds, step, 0));
    if (plan->strip_count > 0)
        TRY(halo_send(rank->halo, 0, rank->edge_queue));

    for (; !(kinds & ITEM_END); k += (uint64_t)exchanges) {
        const int steps = stride(rank, step);
        TRY(coefficients_prepare(rank, step, steps));
        if (rank->index == 0)
            announce_requests(rank, k, &last_checkpoint, &asked_for);

        for (int j = 0; j < exchanges; j++) {
            if (plan->stages > 0)
                rkl2_weights(plan->stages, j + 1, &rank->stage);
            TRY(advance_block(rank, k + (uint64_t)j, steps));
        }
        step += steps;
        show_progress(rank, step);
        kinds = output_scheduled(plan, step) | requested(rank, k, k + (uint64_t)exchanges);
        TRY(rank_output(rank, kinds, step, (int)((k + (uint64_t)exchanges) % 2)));
        if (kinds & ITEM_LOOK)
            TRY(rank_output_look(rank, &is_steady));
        if (is_steady)
            kinds |= ITEM_END;
    }

    TRY(backend->queue_drain(rank->inner_queue));
    TRY(backend->queue_drain(rank->edge_queue));
    TRY(rank_output_settle(rank));
    finish(rank, step >= plan->schedule.steps || is_steady, asked_for > k, clock_seconds() - start);
    return rank_output_finish(rank);
}
