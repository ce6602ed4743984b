#include "solver/setup.h"

#include <stdlib.h>

#include "base/memory.h"
#include "solver/coefficients.h"
#include "solver/initial.h"
#include "solver/rkl2.h"
#include "solver/state.h"

/* Number of faces along a side of the block. */
static int faces(const struct block *block, enum side side)
{
    return side == SIDE_LEFT || side == SIDE_RIGHT ? block->ny : block->nx;
}

double *rank_face_sums(const struct rank *rank, enum side side)
{
    double *sums = rank->face_sums;
    for (int before = 0; before < (int)side; before++)
        sums += faces(&rank->block, (enum side)before);
    return sums;
}

bool rank_side_is_boundary(const struct rank *rank, enum side side)
{
    const struct layout *layout = &rank->plan->layout;
    const struct extent *extent = &rank->extent;
    switch (side) {
    case SIDE_LEFT:
        return !layout->is_periodic_x && extent->x0 == 0;
    case SIDE_RIGHT:
        return !layout->is_periodic_x && extent->x1 == layout->nx;
    case SIDE_BOTTOM:
        return !layout->is_periodic_y && extent->y0 == 0;
    default:
        return !layout->is_periodic_y && extent->y1 == layout->ny;
    }
}

/* Copies tightly packed host rows to the device and waits, so that `from` may go. */
static enum status upload(struct rank *rank, const void *from, void *to, size_t to_pitch,
                          size_t row_bytes, int rows)
{
    const struct copy copy = {.from = from,
                              .to = to,
                              .from_pitch = row_bytes,
                              .to_pitch = to_pitch,
                              .row_bytes = row_bytes,
                              .rows = rows};
    TRY(rank->backend->copy(rank->edge_queue, &copy));
    return rank->backend->queue_drain(rank->edge_queue);
}

/* The rows of `extent` from the input, in the run's precision; scratch[cells of extent], in single
 * precision. */
static enum status evaluate_rows(struct rank *rank, struct extent extent, double *scratch,
                                 void *cells)
{
    const size_t count = (size_t)(extent.x1 - extent.x0) * (size_t)(extent.y1 - extent.y0);
    if (rank->plan->is_double)
        return initial_temperature(rank->plan, extent, cells);
    TRY(initial_temperature(rank->plan, extent, scratch));
    float *deviation = cells;
    for (size_t c = 0; c < count; c++)
        deviation[c] = (float)(scratch[c] - rank->reference);
    return STATUS_OK;
}

/* Band by band, as expressions on a large grid take minutes and the launcher wants signs of life; a
 * file is read in one go. */
static enum status evaluate_cells(struct rank *rank, unsigned char *cells)
{
    enum { BAND = 64 };
    const struct block *block = &rank->block;
    const bool is_file = rank->plan->input->initial_temperature.kind == FIELD_FILE;
    const int band = is_file || block->ny < BAND ? block->ny : BAND;
    const size_t narrowed = rank->plan->is_double ? 0 : (size_t)block->nx * (size_t)band;
    double *scratch = NULL;
    TRY(memory_alloc(&scratch, narrowed, sizeof *scratch, "initial temperature"));
    enum status status = STATUS_OK;
    for (int row = 0; row < block->ny && status == STATUS_OK; row += band) {
        struct extent rows = rank->extent;
        rows.y0 += row;
        if (rows.y0 + band < rows.y1)
            rows.y1 = rows.y0 + band;
        status = evaluate_rows(rank, rows, scratch,
                               cells + (size_t)row * (size_t)block->nx * block->element_bytes);
        control_beat(rank->run->control, rank->index);
    }
    free(scratch);
    return status;
}

/* The cells of the block as the input or the checkpoint has them, in the run's precision. */
static enum status read_cells(struct rank *rank, void *cells)
{
    const struct block *block = &rank->block;
    const struct resume *resume = &rank->run->resume;
    if (!resume->is_resumed)
        return evaluate_cells(rank, cells);
    return state_read_block(&resume->checkpoint, state_field_name(rank->plan->is_double),
                            rank->extent.x0, block->nx, rank->extent.y0, block->ny,
                            block->element_bytes, cells);
}

enum status setup_upload(struct rank *rank, const void *from, void *to, size_t bytes)
{
    return upload(rank, from, to, bytes, bytes, 1);
}

static enum status setup_fields(struct rank *rank)
{
    const struct block *block = &rank->block;
    const enum memory_kind kind =
        rank->run->transport == HALO_DIRECT ? MEMORY_EXPORTED : MEMORY_PRIVATE;
    TRY(rank->backend->allocate(rank->device, halo_field_bytes(block), kind, &rank->fields));
    void *cells = NULL;
    TRY(memory_alloc(&cells, (size_t)block->nx * (size_t)block->ny, block->element_bytes,
                     "start field"));
    enum status status = read_cells(rank, cells);
    if (status == STATUS_OK) {
        /* Cells alone: a neighbour that is ahead may already have stored into the ghost cells. */
        unsigned char *level = halo_level(rank->fields, block, 0);
        status =
            upload(rank, cells, level + (size_t)block_index(block, 0, 0) * block->element_bytes,
                   (size_t)block->pitch * block->element_bytes,
                   (size_t)block->nx * block->element_bytes, block->ny);
    }
    free(cells);
    return status;
}

static enum status setup_fixed(struct rank *rank)
{
    if (rank->plan->input->fixed_count == 0)
        return STATUS_OK;
    const size_t cells = block_bytes(&rank->block) / rank->block.element_bytes;
    unsigned char *mask = NULL;
    void *memory = NULL;
    TRY(memory_alloc(&mask, cells, 1, "fixed cells"));
    initial_fixed_mask(rank->plan, &rank->block, rank->extent, mask);
    enum status status = rank->backend->allocate(rank->device, cells, MEMORY_PRIVATE, &memory);
    rank->fixed = memory;
    if (status == STATUS_OK)
        status = upload(rank, mask, memory, cells, cells, 1);
    free(mask);
    return status;
}

/* The sums of (ghost - cell) of the block's faces at the boundary: zero, or from the checkpoint. */
static enum status setup_face_sums(struct rank *rank)
{
    const struct block *block = &rank->block;
    const struct resume *resume = &rank->run->resume;
    const size_t count = 2 * (size_t)(block->nx + block->ny);
    const size_t bytes = count * sizeof(double);
    void *memory = NULL;
    TRY(rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, &memory));
    rank->face_sums = memory;
    if (!resume->is_resumed)
        return STATUS_OK;
    double *sums = NULL;
    TRY(memory_alloc(&sums, count, sizeof *sums, "face sums"));
    enum status status = STATUS_OK;
    double *to = sums;
    for (int side = 0; side < SIDE_COUNT && status == STATUS_OK; side++) {
        const int n = faces(block, (enum side)side);
        if (rank_side_is_boundary(rank, (enum side)side))
            status = state_read_block(&resume->checkpoint, state_side_name((enum side)side),
                                      side < SIDE_BOTTOM ? rank->extent.y0 : rank->extent.x0, n, 0,
                                      1, sizeof(double), to);
        to += n;
    }
    if (status == STATUS_OK)
        status = upload(rank, sums, rank->face_sums, bytes, bytes, 1);
    free(sums);
    return status;
}

enum status setup_state(struct rank *rank)
{
    TRY(setup_fields(rank));
    TRY(setup_fixed(rank));
    TRY(setup_face_sums(rank));
    TRY(coefficients_open(rank));
    TRY(rkl2_open(rank));
    rank->step.block = &rank->block;
    rank->step.fixed = rank->fixed;
    return STATUS_OK;
}
