#include "solver/rank.h"

#include "base/text.h"
#include "solver/coefficients.h"
#include "solver/initial.h"
#include "solver/need.h"
#include "solver/rkl2.h"
#include "solver/setup.h"

/* How wide a strip along a side neighbours need of this block; 0 where there is none. */
static int edge_width(const struct rank *rank, enum side side)
{
    const int n = side == SIDE_LEFT || side == SIDE_RIGHT ? rank->block.nx : rank->block.ny;
    if (rank_side_is_boundary(rank, side))
        return 0;
    return rank->block.halo < n ? rank->block.halo : n;
}

static void add_edge(struct rank *rank, struct region region)
{
    if (!region_is_empty(region))
        rank->edges[rank->edge_count++] = region;
}

/* Cuts the block into the edges that neighbours wait for and the interior, which hides the
 * exchange; without overlap the whole block is one edge. */
static void split_block(struct rank *rank)
{
    const int nx = rank->block.nx, ny = rank->block.ny;
    if (!rank->run->has_overlap) {
        add_edge(rank, (struct region){0, nx, 0, ny});
        return;
    }
    const int left = edge_width(rank, SIDE_LEFT), bottom = edge_width(rank, SIDE_BOTTOM);
    const int right = nx - edge_width(rank, SIDE_RIGHT), top = ny - edge_width(rank, SIDE_TOP);
    rank->inner =
        (struct region){left, right > left ? right : left, bottom, top > bottom ? top : bottom};
    rank->inner_count = region_is_empty(rank->inner) ? 0 : 1;
    add_edge(rank, (struct region){0, nx, 0, rank->inner.y0});
    add_edge(rank, (struct region){0, nx, rank->inner.y1, ny});
    add_edge(rank, (struct region){0, rank->inner.x0, rank->inner.y0, rank->inner.y1});
    add_edge(rank, (struct region){rank->inner.x1, nx, rank->inner.y0, rank->inner.y1});
}

/* Before anything is allocated, so that the message can say what the run would need. */
static enum status check_memory(const struct rank *rank)
{
    char wanted[64], available[64];
    const size_t need = need_device_bytes(rank->plan, &rank->block);
    size_t bytes = 0;
    TRY(rank->backend->free_memory(rank->device, &bytes));
    if (need <= bytes)
        return STATUS_OK;
    text_bytes(wanted, sizeof wanted, (double)need);
    text_bytes(available, sizeof available, (double)bytes);
    return fail(STATUS_MEMORY,
                "rank %d needs %s on device %d for %d x %d cells, %s are free there; use more "
                "devices, run.precision = \"single\" or fewer cells",
                rank->index, wanted, rank->run->ordinals[rank->index], rank->block.nx,
                rank->block.ny, available);
}

static enum status open_device(struct rank *rank)
{
    const struct backend *backend = rank->backend;
    const struct device_options options = {.shared = rank->run->shared,
                                           .rank = rank->index,
                                           .ordinal = rank->run->ordinals[rank->index]};
    TRY(backend->open(&options, &rank->device));
    TRY(backend->queue_open(rank->device, QUEUE_HIGH, &rank->edge_queue));
    TRY(backend->queue_open(rank->device, QUEUE_NORMAL, &rank->inner_queue));
    TRY(backend->event_open(rank->device, false, &rank->edges_done));
    return backend->event_open(rank->device, false, &rank->inner_done);
}

static enum status open_halo(struct rank *rank)
{
    const struct plan *plan = rank->plan;
    const struct halo_options options = {
        .backend = rank->backend,
        .device = rank->device,
        .control = rank->run->control,
        .rank = rank->index,
        .transport = rank->run->transport,
        .blocks = plan->blocks,
        .strips = plan->strips,
        .strip_count = plan->strip_count,
        .fields = rank->fields,
        .staging = rank->run->staging,
    };
    return halo_open(&options, &rank->halo);
}

/* One line for the whole run when pairs of ranks could not be connected as was wanted. */
static void warn_of_host_transport(const struct rank *rank)
{
    struct run *run = rank->run;
    if (run->transport == HALO_DIRECT && halo_staged_neighbours(rank->halo) > 0 &&
        atomic_exchange(&run->control->host_transport_warned, 1) == 0)
        run->notice(
            "some ranks cannot store into each other's memory and exchange through the host, "
            "which is slower; isotherm devices says why");
}

enum status rank_open(struct run *run, int index, struct rank *rank)
{
    *rank = (struct rank){
        .run = run,
        .plan = run->plan,
        .backend = run->backend,
        .index = index,
        .extent = layout_extent(&run->plan->layout, index),
        .block = run->plan->blocks[index],
        .reference = run->resume.reference,
    };
    split_block(rank);
    TRY(open_device(rank));
    TRY(check_memory(rank));
    if (!run->resume.is_resumed)
        TRY(initial_reference(run->plan, &rank->reference));
    TRY(setup_state(rank));
    TRY(rank_output_open(rank));
    TRY(open_halo(rank));
    warn_of_host_transport(rank);
    return STATUS_OK;
}

/* Releases everything but the device itself. */
static void release(struct rank *rank)
{
    const struct backend *backend = rank->backend;
    halo_close(rank->halo);
    rank_output_close(rank);
    coefficients_close(rank);
    rkl2_close(rank);
    backend->release(rank->device, rank->face_sums);
    backend->release(rank->device, rank->fixed);
    backend->release(rank->device, rank->fields);
    backend->event_close(rank->edges_done);
    backend->event_close(rank->inner_done);
    backend->queue_close(rank->edge_queue);
    backend->queue_close(rank->inner_queue);
}

enum status rank_close(struct rank *rank)
{
    if (rank->device == NULL)
        return STATUS_OK;
    release(rank);
    const struct device_counts left = rank->backend->counts(rank->device);
    rank->backend->close(rank->device);
    if (left.allocations != 0 || left.events != 0 || left.mappings != 0 || left.queues != 0 ||
        left.copy_lists != 0)
        return fail(STATUS_BUG,
                    "rank %d leaves %d allocations, %d events, %d mappings, %d queues, %d copy "
                    "lists on its device; please report it",
                    rank->index, left.allocations, left.events, left.mappings, left.queues,
                    left.copy_lists);
    return STATUS_OK;
}

static void set_phase(struct rank *rank, enum phase phase)
{
    atomic_store_explicit(&rank->run->control->rank[rank->index].phase, (uint32_t)phase,
                          memory_order_relaxed);
}

enum status rank_run(struct run *run, int index)
{
    struct rank rank;
    enum status status = rank_open(run, index, &rank);
    if (status == STATUS_OK) {
        set_phase(&rank, PHASE_STEP);
        status = timeloop_run(&rank);
    }
    if (status == STATUS_OK) {
        set_phase(&rank, PHASE_CLOSE);
        status = halo_finish(rank.halo);
    }
    /* Told before memory goes that neighbours still write to: their failures come second. */
    if (status != STATUS_OK)
        (void)control_fail(run->control, index, status, error_message());
    const enum status closed = rank_close(&rank);
    return status == STATUS_OK ? closed : status;
}
