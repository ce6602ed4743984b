/* Many steps in one sweep of memory, for regions much larger than the GPU's shared memory.
 *
 * A block walks up a strip of columns. Its warps form a pipeline: each of STAGES stages advances
 * the rows that pass by LEVELS steps and hands them to the next stage through a ring of rows in
 * shared memory; GROUPS warps side by side make a stage. A warp holds two rows a level in
 * registers: the newest row u of the level and, of the row below it, what the update still needs
 * (for rx == ry the sum w + n, which is e + s of the cell one up and to the left; otherwise the row
 * itself). When row j of level l comes in, row j - 1 of level l + 1 is made.
 *
 * Where conduction goes by kind of cell (struct zones) and all cells that a lane looks at in a turn
 * of SETS rows are of one plain kind, for all lanes of the warp, the turn goes by lane: all cells
 * of a lane have the same coefficients. Else it goes by cell, and each looks up its own. Where
 * plain cells go by sums (EQUAL), a row by cell needs the row below itself: sums are made of it at
 * the first row by lane, and at the last one the row is kept again. Elsewhere the difference to the
 * row above stays in both. How a turn goes comes from the map `alike`, whose entries are loaded two
 * turns ahead, so that the kinds of a turn by cell can be loaded one turn ahead.
 *
 * A few more warps move rows from and to memory by bulk copies, so that all others run the same
 * straight code. All waiting is by barriers of one row of a ring each: warps may run a few rows
 * apart.
 *
 * A ghost cell at a boundary is a cell of the row like any other, made anew from its neighbour at
 * every level. The code for it runs only in strips and for rows that have one, in loops of their
 * own. From loop to loop the state goes through memory: kept in registers, the loop that needs most
 * of them made all others spill (20 to 50 local accesses a turn in the inner one, a third of its
 * time). */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_RUN_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_RUN_CUH

#include "kernels/cuda/pipeline/turn.cuh"

/* A warp of a piece. Made anew for each part of a piece, from nothing but the thread's number: what
 * lives across the loop over rows takes registers from it. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_warp<SHAPE>
pipeline_warp_make(const pipeline_job<typename SHAPE::real> &job)
{
    const pipeline_piece &piece = job.piece;
    pipeline_warp<SHAPE> warp = {};
    const int thread = thread_number();
    /* Told this way, the compiler knows that all lanes have the same and take the same branches. */
    const int number = __shfl_sync(~0u, thread / 32, 0);
    warp.lane = thread % 32;
    warp.stage = number / SHAPE::GROUPS;
    /* Warps 4 apart share a scheduler; those of an edge, which have more to do, shall not. */
    warp.group = (number + warp.stage * SHAPE::GROUPS / 4) % SHAPE::GROUPS;
    warp.stores_first = warp.group == 0 || warp.lane != 0;
    warp.stores_last = warp.group == SHAPE::GROUPS - 1 || warp.lane != 31;
    warp.column = piece.x + warp.group * SHAPE::GROUP_STEP + warp.lane * SHAPE::COLUMNS;
    warp.is_left = piece.is_left && warp.group == 0 && warp.lane == 0;
    warp.is_right = piece.is_right && warp.group == SHAPE::GROUPS - 1 && warp.lane == 31;
    warp.heat = job.args.sides[piece.is_left ? LEFT : RIGHT].heat;
    const bool is_counted =
        (warp.is_left && piece.cells.x0 == 0) || (warp.is_right && piece.cells.x1 == job.args.nx);
    warp.heat_rows = is_counted && warp.heat != nullptr
                         ? static_cast<unsigned>(piece.cells.y1 - piece.cells.y0)
                         : 0;
    return warp;
}

/* The same warp, but the compiler does not know: what it derives from this one for edges it cannot
 * keep in registers while other rows pass. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_warp<SHAPE>
pipeline_warp_hidden(const pipeline_warp<SHAPE> &warp)
{
    pipeline_warp<SHAPE> hidden = warp;
    asm volatile("" : "+r"(hidden.lane), "+r"(hidden.column), "+l"(hidden.heat));
    return hidden;
}

/* An initialiser would become a loop, and the arrays would not be kept in registers. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_state_clear(pipeline_state<SHAPE> &state)
{
    state.free_rows = 0;
    state.seen = {};
#pragma unroll
    for (int set = 0; set < SHAPE::SETS; set++)
        state.fixed[set] = 0;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c++) {
#pragma unroll
        for (int set = 0; set < SHAPE::SETS; set++)
            state.u[set][c] = 0;
#pragma unroll
        for (int l = 0; l < SHAPE::LEVELS; l++)
            state.below[l][c] = 0;
    }
}

/* Notes how turn `turn` goes, whose entries of `alike` are here. */
template <typename SHAPE, pipeline_rows ROWS>
__device__ __forceinline__ void pipeline_note(const pipeline_warp<SHAPE> &warp,
                                              unsigned char *memory, int turn,
                                              pipeline_seen<SHAPE::HAS_KINDS> &seen)
{
    if constexpr (SHAPE::HAS_KINDS) {
        pipeline_alike_note<SHAPE>(warp, pipeline_alike_at<SHAPE>(memory, warp, turn), seen);
        if (ROWS == PIPELINE_ENDS)
            seen.is_by_lane = false;
    }
}

/* Begins to load what turn `turn` needs besides its rows, of which the first is `row`, and how the
 * turn after that one goes. */
template <typename SHAPE, pipeline_rows ROWS>
__device__ __forceinline__ void
pipeline_ask(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
             unsigned char *memory, int turn, int row, const pipeline_seen<SHAPE::HAS_KINDS> &seen)
{
    if (ROWS != PIPELINE_INNER)
        pipeline_faces_ask<SHAPE>(job, warp, pipeline_faces_at<SHAPE>(memory, warp, turn), row);
    if constexpr (SHAPE::HAS_KINDS) {
        if (!seen.is_by_lane)
            pipeline_units_ask<SHAPE>(job, warp, pipeline_units_at<SHAPE>(memory, warp, turn), row);
        pipeline_alike_ask<SHAPE>(job, warp, pipeline_alike_at<SHAPE>(memory, warp, turn + 1),
                                  row + SHAPE::SETS);
    }
    small_commit();
}

/* What this lane asked for in the turn before is here, and what it looked at there may go: all that
 * matters with PIPELINE_INNER, as a lane looks at none but its own units and entries. */
template <pipeline_rows ROWS> __device__ __forceinline__ void pipeline_await()
{
    small_wait<0>();
    if (ROWS != PIPELINE_INNER) /* the same of all lanes: they look at faces that others loaded */
        __syncwarp();
}

/* Before turn `begin` of a part of a piece, whose first row is `row`. */
template <typename SHAPE, pipeline_rows ROWS>
__device__ __forceinline__ void
pipeline_prepare_turns(const pipeline_job<typename SHAPE::real> &job,
                       const pipeline_warp<SHAPE> &warp, unsigned char *memory, int begin, int row,
                       pipeline_state<SHAPE> &state)
{
    pipeline_await<ROWS>(); /* for what nobody needed */
    if constexpr (SHAPE::HAS_KINDS) {
        pipeline_alike_ask<SHAPE>(job, warp, pipeline_alike_at<SHAPE>(memory, warp, begin), row);
        small_commit();
        small_wait<0>();
        state.seen.has_sums = false;
    }
    pipeline_note<SHAPE, ROWS>(warp, memory, begin, state.seen);
    pipeline_ask<SHAPE, ROWS>(job, warp, memory, begin, row, state.seen);
}

/* Turns [begin, end) of a piece that began with turn `turn` of the block. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_rows ROWS>
__device__ __forceinline__ void
pipeline_turns(const pipeline_job<typename SHAPE::real> &job, unsigned char *memory, unsigned turn,
               int begin, int end, pipeline_warp<SHAPE> &warp, pipeline_state<SHAPE> *kept)
{
    if (begin >= end)
        return;
    pipeline_state<SHAPE> state;
    pipeline_state_clear(state);
    if (begin > 0)
        state = *memory_hidden(kept);
    const int first_row = job.piece.first_row - warp.stage * SHAPE::LEVELS;
    constexpr bool IS_ASKING = ROWS != PIPELINE_INNER || SHAPE::HAS_KINDS;
    if (IS_ASKING)
        pipeline_prepare_turns<SHAPE, ROWS>(job, warp, memory, begin,
                                            first_row + begin * SHAPE::SETS, state);
#pragma unroll 1
    for (int n = begin; n < end; n++) {
        warp.row = first_row + n * SHAPE::SETS;
        warp.in = pipeline_ring_at<SHAPE>(memory, warp.stage, warp.group, turn + n);
        warp.out = pipeline_ring_at<SHAPE>(memory, warp.stage + 1, warp.group, turn + n);
        warp.in.slot += warp.lane * SHAPE::COLUMNS;
        warp.out.slot += warp.lane * SHAPE::COLUMNS;
        if (!IS_ASKING) {
            pipeline_turn<SHAPE, EQUAL, FIXED, ROWS>(job, warp, state);
            continue;
        }
        pipeline_warp<SHAPE> here = pipeline_warp_hidden(warp);
        here.faces = pipeline_faces_at<SHAPE>(memory, here, n);
        here.units = pipeline_units_at<SHAPE>(memory, here, n);
        pipeline_seen<SHAPE::HAS_KINDS> next = {};
        pipeline_await<ROWS>();
        pipeline_note<SHAPE, ROWS>(here, memory, n + 1, next);
        pipeline_ask<SHAPE, ROWS>(job, here, memory, n + 1, here.row + SHAPE::SETS, next);
        if constexpr (SHAPE::HAS_KINDS)
            here.stays = next.is_by_lane && n + 1 < end;
        pipeline_turn<SHAPE, EQUAL, FIXED, ROWS>(job, here, state);
        if constexpr (SHAPE::HAS_KINDS) {
            state.seen.is_by_lane = next.is_by_lane;
            state.seen.kind = next.kind;
        }
    }
    if (end < job.piece.turns)
        *memory_hidden(kept) = state;
}

/* One part of the rows of a piece: those at the start of the block, those between, or those at its
 * end. Counted loops whose bounds are the same for all warps, one for each kind of rows: otherwise
 * the compiler moves the state about, or no longer knows that lanes run together. */
template <typename SHAPE, bool EQUAL, bool FIXED>
__device__ __forceinline__ void pipeline_run(const pipeline_job<typename SHAPE::real> &job,
                                             unsigned char *memory, unsigned turn, int part,
                                             pipeline_state<SHAPE> *kept)
{
    const pipeline_piece &piece = job.piece;
    /* For all groups of the strip: two loops at a time do not fit the instruction cache. */
    const bool has_side = piece.is_left || piece.is_right;
    const bool is_odd = piece.is_right && job.plan.right_ghost != SHAPE::LINE - 1;
    pipeline_warp<SHAPE> warp = pipeline_warp_make<SHAPE>(job);
    const int begin = part == 0 ? 0 : part == 1 ? piece.inner_begin : piece.inner_end;
    const int end = part == 0 ? piece.inner_begin : part == 1 ? piece.inner_end : piece.turns;
    if (part != 1)
        pipeline_turns<SHAPE, EQUAL, FIXED, PIPELINE_ENDS>(job, memory, turn, begin, end, warp,
                                                           kept);
    else if (is_odd)
        pipeline_turns<SHAPE, EQUAL, FIXED, PIPELINE_ODD>(job, memory, turn, begin, end, warp,
                                                          kept);
    else if (has_side)
        pipeline_turns<SHAPE, EQUAL, FIXED, PIPELINE_SIDES>(job, memory, turn, begin, end, warp,
                                                            kept);
    else
        pipeline_turns<SHAPE, EQUAL, FIXED, PIPELINE_INNER>(job, memory, turn, begin, end, warp,
                                                            kept);
}

/* All pieces of the block. The piece is found again for each part, from a cost that the compiler
 * cannot know to be the same: kept, it would take registers from the loops over rows, which then
 * had 50 local loads and stores a turn. */
template <typename SHAPE, bool EQUAL, bool FIXED>
__device__ __forceinline__ void pipeline_compute(const step_args<typename SHAPE::real> &args,
                                                 const pipeline_plan &plan, unsigned char *memory)
{
    pipeline_state<SHAPE> kept; /* from part to part of a piece */
    int cost = pipeline_border(plan, blockIdx.x);
    unsigned turn = 0;
    while (cost < pipeline_border(plan, blockIdx.x + 1)) {
        int next = cost, turns = 0;
#pragma unroll 1
        for (int part = 0; part < 3; part++) {
            next = number_hidden(cost);
            const pipeline_job<typename SHAPE::real> job = {
                args, plan, pipeline_kinds_at<SHAPE>(memory), pipeline_sources_at<SHAPE>(memory),
                pipeline_piece_next<SHAPE>(args, plan, &next,
                                           pipeline_border(plan, blockIdx.x + 1))};
            turns = job.piece.turns;
            pipeline_run<SHAPE, EQUAL, FIXED>(job, memory, turn, part, &kept);
        }
        cost = next;
        turn += static_cast<unsigned>(turns);
    }
}

template <typename SHAPE, bool EQUAL, bool FIXED>
__global__ void __launch_bounds__(SHAPE::THREADS, 1)
    step_pipeline(const __grid_constant__ step_args<typename SHAPE::real> args,
                  const __grid_constant__ pipeline_plan plan)
{
    extern __shared__ __align__(128) unsigned char pipeline_memory[];
    if (threadIdx.x == 0)
        pipeline_barriers_init<SHAPE>(pipeline_memory);
    pipeline_kinds_fill<SHAPE, EQUAL>(args, pipeline_memory);
    __syncthreads();
    const int lane = static_cast<int>(threadIdx.x % 32);
    /* Told this way, the compiler knows that all lanes have the same and take the same branches. */
    const int warp = __shfl_sync(~0u, static_cast<int>(threadIdx.x / 32), 0);
    if (warp >= SHAPE::WARPS) {
        registers_give<SHAPE::MOVER_REGISTERS>();
        pipeline_move<SHAPE>(args, plan, pipeline_memory, warp - SHAPE::WARPS, lane);
    } else {
        registers_take<SHAPE::REGISTERS>();
        pipeline_compute<SHAPE, EQUAL, FIXED>(args, plan, pipeline_memory);
    }
}

#endif
