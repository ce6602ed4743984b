/* A rank's side of the output: queues copies of what is due into shared memory and tells the writer
 * when they are done. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solver/copier.h"
#include "solver/rank.h"

/* What the host function at the end of an item does. */
struct publish {
    struct sequence *sequence;
    uint64_t value;
};

/* A value of the field that this rank owns and a probe needs. */
struct probe_part {
    int probe, corner;
    int i, j; /* of the block */
};

enum { ASIDE_BYTES = 1 << 20 }; /* a smaller block is copied sooner than a thread wakes up */

struct rank_output {
    struct copier *copier; /* NULL: the queue copies */
    bool is_registered;
    uint64_t items, frames;           /* given so far */
    uint64_t items_at[OUTPUT_FRAMES]; /* `items` with the frame in that slot among them */
    struct publish publish[OUTPUT_ITEMS];
    int part_count;
    struct probe_part *parts; /* (part_count) */
};

static enum status find_probe_parts(struct rank *rank)
{
    struct rank_output *output = rank->output;
    const int probes = rank->plan->input->output.probe_count;
    const struct extent *extent = &rank->extent;
    TRY(memory_alloc(&output->parts, (size_t)probes * PROBE_CORNERS, sizeof *output->parts,
                     "probes"));
    for (int probe = 0; probe < probes; probe++) {
        const struct probe_stencil stencil = output_probe_stencil(rank->plan, probe);
        for (int corner = 0; corner < PROBE_CORNERS; corner++) {
            const int64_t i = stencil.i[corner], j = stencil.j[corner];
            if (i < extent->x0 || i >= extent->x1 || j < extent->y0 || j >= extent->y1)
                continue;
            output->parts[output->part_count++] =
                (struct probe_part){probe, corner, (int)(i - extent->x0), (int)(j - extent->y0)};
        }
    }
    return STATUS_OK;
}

/* Writes into the block's places in all frames: memory that is shared has no pages before, and 128
 * MiB of them took the time loop's first copies 0.13 s instead of 0.01 s. */
static void touch_frames(struct rank *rank)
{
    const size_t nx = (size_t)rank->plan->layout.nx, element = rank->block.element_bytes;
    const size_t first = (size_t)rank->extent.y0 * nx + (size_t)rank->extent.x0;
    for (uint64_t frame = 0; frame < OUTPUT_FRAMES; frame++) {
        unsigned char *to = output_frame_field(&rank->run->output, frame);
        for (int j = 0; j < rank->block.ny; j++)
            memset(to + (first + (size_t)j * nx) * element, 0, (size_t)rank->block.nx * element);
        control_beat(rank->run->control, rank->index);
    }
}

enum status rank_output_open(struct rank *rank)
{
    const struct output *shared = &rank->run->output;
    void *mapped = NULL;
    TRY(memory_alloc(&rank->output, 1, sizeof *rank->output, "output"));
    TRY(find_probe_parts(rank));
    if (rank->run->has_writer)
        touch_frames(rank);
    if (rank->run->has_writer && rank->run->has_free_core && rank->backend->is_synchronous &&
        (size_t)rank->block.nx * (size_t)rank->block.ny * rank->block.element_bytes >= ASIDE_BYTES)
        TRY(copier_open(rank->backend, rank->inner_queue,
                        &rank->run->control->rank[rank->index].waited_s, &rank->output->copier));
    TRY(rank->backend->register_host(rank->device, shared->memory, shared->bytes, &mapped));
    rank->output->is_registered = true;
    return STATUS_OK;
}

void rank_output_close(struct rank *rank)
{
    if (rank->output == NULL)
        return;
    copier_close(rank->output->copier);
    if (rank->output->is_registered)
        rank->backend->unregister_host(rank->device, rank->run->output.memory);
    free(rank->output->parts);
    free(rank->output);
    rank->output = NULL;
}

static void publish(void *argument)
{
    const struct publish *publish = argument;
    sequence_publish(publish->sequence, publish->value);
}

static const unsigned char *cell(const struct rank *rank, int level, int i, int j)
{
    const struct block *block = &rank->block;
    return (const unsigned char *)halo_level(rank->fields, block, level) +
           (size_t)block_index(block, i, j) * block->element_bytes;
}

/* The block's cells into their place in the frame, which is the whole domain's. */
static struct copy field_copy(const struct rank *rank, uint64_t frame, int level)
{
    const struct block *block = &rank->block;
    const size_t nx = (size_t)rank->plan->layout.nx;
    const size_t first = (size_t)rank->extent.y0 * nx + (size_t)rank->extent.x0;
    return (struct copy){
        .from = cell(rank, level, 0, 0),
        .to = (unsigned char *)output_frame_field(&rank->run->output, frame) +
              first * block->element_bytes,
        .from_pitch = (size_t)block->pitch * block->element_bytes,
        .to_pitch = nx * block->element_bytes,
        .row_bytes = (size_t)block->nx * block->element_bytes,
        .rows = block->ny,
    };
}

static enum status copy_face_sums(struct rank *rank, struct queue *queue, uint64_t frame)
{
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!rank_side_is_boundary(rank, (enum side)side))
            continue;
        const bool is_along_y = side == SIDE_LEFT || side == SIDE_RIGHT;
        const size_t bytes =
            (size_t)(is_along_y ? rank->block.ny : rank->block.nx) * sizeof(double);
        const struct copy copy = {
            .from = rank_face_sums(rank, (enum side)side),
            .to = output_frame_side(&rank->run->output, frame, (enum side)side) +
                  (is_along_y ? rank->extent.y0 : rank->extent.x0),
            .from_pitch = bytes,
            .to_pitch = bytes,
            .row_bytes = bytes,
            .rows = 1,
        };
        TRY(rank->backend->copy(queue, &copy));
    }
    return STATUS_OK;
}

static enum status copy_probes(struct rank *rank, struct queue *queue, int level)
{
    const struct rank_output *output = rank->output;
    for (int p = 0; p < output->part_count; p++) {
        const struct probe_part *part = &output->parts[p];
        const size_t bytes = rank->block.element_bytes;
        const struct copy copy = {
            .from = cell(rank, level, part->i, part->j),
            .to = output_probe_value(&rank->run->output, output->items, part->probe, part->corner),
            .from_pitch = bytes,
            .to_pitch = bytes,
            .row_bytes = bytes,
            .rows = 1,
        };
        TRY(rank->backend->copy(queue, &copy));
    }
    return STATUS_OK;
}

/* Waits until at most `room - 1` of the things counted by `sequence` are still with the writer. The
 * writer needs the first `items` items for that: as long as this rank's own device has not given
 * them, it is the one that is waited for. */
static enum status wait_for_room(struct rank *rank, struct sequence *sequence, uint64_t given,
                                 uint64_t room, uint64_t items)
{
    if (given < room)
        return STATUS_OK;
    struct control *control = rank->run->control;
    struct output_shared *shared = rank->run->output.shared;
    TRY(control_wait_own(control, rank->index, &shared->given[rank->index], items));
    const double start = clock_seconds();
    const enum status status = control_wait(control, rank->index, sequence, given - room + 1);
    control->rank[rank->index].waited_s += clock_seconds() - start;
    return status;
}

/* The writer hears of the item when all that was queued for it is done, and all items before. The
 * field comes last. */
static enum status publish_item(struct rank *rank, struct queue *queue, bool has_frame, int level)
{
    struct rank_output *output = rank->output;
    struct sequence *given = &rank->run->output.shared->given[rank->index];
    const struct copy copy = field_copy(rank, output->frames, level);
    if (has_frame && output->copier != NULL)
        return copier_begin(output->copier, &(struct copier_job){.copy = copy,
                                                                 .sequence = given,
                                                                 .value = output->items + 1,
                                                                 .level = level});
    TRY(copier_wait(output->copier));
    if (has_frame)
        TRY(rank->backend->copy(queue, &copy));
    struct publish *note = &output->publish[output->items % OUTPUT_ITEMS];
    *note = (struct publish){given, output->items + 1};
    return rank->backend->queue_call(queue, publish, note);
}

static enum status give(struct rank *rank, struct queue *queue, int kinds, int64_t step, int level)
{
    struct rank_output *output = rank->output;
    struct output_shared *shared = rank->run->output.shared;
    const uint64_t item = output->items, frame = output->frames;
    const bool has_frame = (kinds & ITEM_WITH_FRAME) != 0;
    TRY(wait_for_room(rank, &shared->done, item, OUTPUT_ITEMS, item - OUTPUT_ITEMS + 1));
    if (has_frame) {
        uint64_t *items_at = &output->items_at[frame % OUTPUT_FRAMES];
        TRY(wait_for_room(rank, &shared->frames_done, frame, OUTPUT_FRAMES, *items_at));
        TRY(copy_face_sums(rank, queue, frame));
        *items_at = item + 1;
    }
    if (kinds & ITEM_PROBES)
        TRY(copy_probes(rank, queue, level));
    if (rank->index == 0)
        shared->items[item % OUTPUT_ITEMS] =
            (struct output_item){.kinds = kinds,
                                 .step = step,
                                 .time = schedule_time(&rank->plan->schedule, step),
                                 .frame = frame};
    TRY(publish_item(rank, queue, has_frame, level));
    output->items++;
    output->frames += has_frame ? 1 : 0;
    return STATUS_OK;
}

enum status rank_output_free_level(struct rank *rank, int level)
{
    return copier_wait_level(rank->output->copier, level);
}

enum status rank_output_settle(struct rank *rank)
{
    return copier_wait(rank->output->copier);
}

enum status rank_output(struct rank *rank, int kinds, int64_t step, int level)
{
    if (kinds == 0 || !rank->run->has_writer)
        return STATUS_OK;
    const struct backend *backend = rank->backend;
    TRY(backend->event_wait(rank->inner_queue, rank->edges_done));
    backend->range_begin("output");
    const enum status status = give(rank, rank->inner_queue, kinds, step, level);
    backend->range_end();
    TRY(status);
    /* The next edges wait for this record: they write the face sums that are being copied. */
    return backend->event_record(rank->inner_queue, rank->inner_done);
}

enum status rank_output_look(struct rank *rank, bool *is_steady)
{
    struct output_shared *shared = rank->run->output.shared;
    struct control *control = rank->run->control;
    const uint64_t items = rank->output->items;
    if (!rank->run->has_writer)
        return STATUS_OK;
    TRY(control_wait_own(control, rank->index, &shared->given[rank->index], items));
    const double start = clock_seconds();
    TRY(control_wait(control, rank->index, &shared->done, items));
    control->rank[rank->index].waited_s += clock_seconds() - start;
    *is_steady = atomic_load(&shared->is_steady) != 0;
    return STATUS_OK;
}

enum status rank_output_finish(struct rank *rank)
{
    if (!rank->run->has_writer)
        return STATUS_OK;
    return control_wait(rank->run->control, rank->index, &rank->run->output.shared->done,
                        rank->output->items);
}
