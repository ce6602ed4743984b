/* The warps of the pipeline (run.cuh) that move rows: one for each group fills ring 0 from
 * memory, one empties the last ring into memory. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_MOVE_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_MOVE_CUH

#include "kernels/cuda/pipeline/copy.cuh"
#include "kernels/cuda/pipeline/plan.cuh"

/* Where a warp finds slot 0 of the SETS slots it uses in a turn of its block, and their barriers,
 * which are 8 bytes each. */
template <typename SHAPE> struct pipeline_ring {
    typename SHAPE::real *slot; /* of the group's first column */
    unsigned full, empty;
    unsigned parity; /* of full when the slot has been filled, and of empty when it was emptied */
};

template <typename SHAPE>
__device__ __forceinline__ pipeline_ring<SHAPE> pipeline_ring_at(unsigned char *memory, int number,
                                                                 int group, unsigned turn)
{
    using REAL = typename SHAPE::real;
    REAL *const slots = reinterpret_cast<REAL *>(memory + SHAPE::BARRIER_BYTES);
    const int half = number == 0 ? static_cast<int>(turn & 1) : 1;
    const int column = group * (number == 0 ? SHAPE::GROUP_WIDTH : SHAPE::GROUP_STEP);
    const int barrier = number == 0 ? (2 * group + half) * SHAPE::SETS
                                    : SHAPE::BARRIERS_IN + (number - 1) * SHAPE::SETS;
    pipeline_ring<SHAPE> ring;
    ring.slot = slots + (number + half) * SHAPE::SETS * SHAPE::SLOT + column;
    ring.full = shared_address(memory) + static_cast<unsigned>(barrier) * 8;
    ring.empty = ring.full + SHAPE::BARRIERS * 8;
    ring.parity = number == 0 ? turn >> 1 & 1 : turn & 1;
    return ring;
}

/* Whoever computes arrives with all lanes, whoever moves with one. */
template <typename SHAPE> __device__ void pipeline_barriers_init(unsigned char *memory)
{
    constexpr int LAST = SHAPE::BARRIERS - SHAPE::SETS; /* of the last ring: one warp empties it */
    constexpr int ALL_GROUPS = SHAPE::GROUPS * 32;
    for (int n = 0; n < SHAPE::BARRIERS; n++) {
        const bool is_in = n < SHAPE::BARRIERS_IN;
        const unsigned full = shared_address(memory) + static_cast<unsigned>(n) * 8;
        barrier_init(full, is_in ? 1 : ALL_GROUPS);
        barrier_init(full + SHAPE::BARRIERS * 8, is_in ? 32 : n >= LAST ? 1 : ALL_GROUPS);
    }
    bulk_fence();
}

/* One lane: a group's columns of all rows of a piece. Rows and columns that are not in
 * memory are not used; their slots keep what they had. */
template <typename SHAPE>
__device__ __forceinline__ void
pipeline_load(const step_args<typename SHAPE::real> &args, const pipeline_plan &plan,
              const pipeline_piece &piece, unsigned char *memory, int group, unsigned turn)
{
    using REAL = typename SHAPE::real;
    const int column = piece.x + group * SHAPE::GROUP_STEP;
    const int x0 = max(column, plan.column_begin);
    const int cells = min(column + SHAPE::GROUP_WIDTH, plan.column_end) - x0;
    const unsigned bytes = cells * static_cast<unsigned>(sizeof(REAL));
    int row = piece.first_row;
    for (int n = 0; n < piece.turns; n++) {
        const pipeline_ring<SHAPE> ring = pipeline_ring_at<SHAPE>(memory, 0, group, turn + n);
        for (unsigned slot = 0; slot < SHAPE::SETS; slot++, row++) {
            const int j = min(max(row, plan.row_begin), plan.row_end - 1);
            barrier_wait(ring.empty + slot * 8, ring.parity ^ 1);
            if (cells > 0)
                bulk_load(shared_address(ring.slot + slot * SHAPE::SLOT + x0 - column),
                          args.from + j * args.pitch + x0, bytes, ring.full + slot * 8);
            else
                barrier_arrive(ring.full + slot * 8);
        }
    }
}

/* Columns of a row that go to memory: whole lines by bulk copy, the rest one by one. */
struct pipeline_span {
    int x0, line_x0, line_x1, x1;
};

template <typename SHAPE>
__device__ __forceinline__ void pipeline_store_row(typename SHAPE::real *to,
                                                   const typename SHAPE::real *from,
                                                   const pipeline_span &span, int lane)
{
    constexpr int LINE = SHAPE::LINE;
    if (lane == 0 && span.line_x0 < span.line_x1) {
        bulk_fence();
        bulk_store(to + span.line_x0, shared_address(from + span.line_x0),
                   static_cast<unsigned>((span.line_x1 - span.line_x0) *
                                         static_cast<int>(sizeof(typename SHAPE::real))));
    }
    const int i = lane < LINE ? span.x0 + lane : span.line_x1 + lane - LINE;
    if (lane < 2 * LINE && i < (lane < LINE ? span.line_x0 : span.x1))
        to[i] = from[i];
}

/* One warp: all rows of a piece; *rows counts those of the block. A slot is free when the bulk copy
 * of its row has read it, which is waited for some rows later. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_store(const step_args<typename SHAPE::real> &args,
                                               const pipeline_piece &piece, unsigned char *memory,
                                               int lane, unsigned turn, unsigned *rows)
{
    constexpr int LINE = SHAPE::LINE, LATER = SHAPE::SETS > 3 ? 2 : 1;
    pipeline_span span = {piece.cells.x0, 0, 0, piece.cells.x1};
    span.line_x0 = min((span.x0 + LINE - 1) & ~(LINE - 1), span.x1);
    span.line_x1 = max(span.x1 & ~(LINE - 1), span.line_x0);
    int row = piece.first_row - SHAPE::STEPS;
    for (int n = 0; n < piece.turns; n++) {
        const pipeline_ring<SHAPE> ring =
            pipeline_ring_at<SHAPE>(memory, SHAPE::STAGES, 0, turn + n);
#pragma unroll
        for (int slot = 0; slot < SHAPE::SETS; slot++, row++) {
            barrier_wait(ring.full + slot * 8, ring.parity);
            if (row >= piece.cells.y0 && row < piece.cells.y1)
                pipeline_store_row<SHAPE>(args.to + row * args.pitch,
                                          ring.slot + slot * SHAPE::SLOT - piece.x, span, lane);
            __syncwarp();
            if (lane == 0) {
                bulk_commit();
                bulk_wait_read<LATER>();
                if (*rows >= LATER)
                    barrier_arrive(ring.empty + (slot + SHAPE::SETS - LATER) % SHAPE::SETS * 8);
            }
            *rows += 1;
        }
    }
}

/* All pieces of the block. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_move(const step_args<typename SHAPE::real> &args,
                                              const pipeline_plan &plan, unsigned char *memory,
                                              int warp, int lane)
{
    int cost = pipeline_border(plan, blockIdx.x);
    const int end = pipeline_border(plan, blockIdx.x + 1);
    unsigned turn = 0, rows = 0;
    const bool is_timing = warp == 3 && lane == 0 && plan.balance != nullptr;
    if (is_timing)
        plan.balance->cycles[blockIdx.x] = cycle_count();
    while (cost < end) {
        const pipeline_piece piece = pipeline_piece_next<SHAPE>(args, plan, &cost, end);
        if (warp < SHAPE::GROUPS && lane == 0)
            pipeline_load<SHAPE>(args, plan, piece, memory, warp, turn);
        if (warp == 3)
            pipeline_store<SHAPE>(args, piece, memory, lane, turn, &rows);
        turn += static_cast<unsigned>(piece.turns);
    }
    if (warp == 3 && lane == 0)
        bulk_wait_read<0>(); /* shared memory goes when the block ends */
    if (is_timing)
        plan.balance->cycles[blockIdx.x] = cycle_count() - plan.balance->cycles[blockIdx.x];
}

#endif
