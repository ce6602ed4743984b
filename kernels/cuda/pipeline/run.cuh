/* Many steps in one sweep of memory, for regions much larger than the GPU's shared memory.
 *
 * A block walks up a strip of columns. Its warps form a pipeline: each of STAGES stages advances
 * the rows that pass by LEVELS steps and hands them to the next stage through a ring of rows in
 * shared memory; GROUPS warps side by side make a stage. A warp holds two rows a level in
 * registers: the newest row u of the level and, of the row below it, what the update still needs
 * (for rx == ry the sum w + n, which is e + s of the cell one up and to the left; otherwise the row
 * itself). When row j of level l comes in, row j - 1 of level l + 1 is made.
 *
 * Where conduction goes by kind of cell (struct zones) and the last rows of a warp were alike, all
 * cells of a lane have the same coefficients; else each cell looks up its own. Where plain cells go
 * by sums (EQUAL), a row by cell needs the row below itself: sums are made of it at the first row
 * by lane, and at the last one the row is kept again. Elsewhere the difference to the row above
 * stays in both. Which of the two, and the kinds where they are needed, come to shared memory a
 * turn ahead.
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

#include "kernels/cuda/pipeline/edge.cuh"

/* How cells are made: by the coefficients of their lane; by these, but with `below` to hold the row
 * afterwards, not sums; each by those of its kind. */
enum pipeline_way { PIPELINE_BY_LANE, PIPELINE_BY_LANE_LAST, PIPELINE_BY_CELL };

/* Row PHASE of a turn, which is in its set, through all levels of this warp. r: of a lane. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_way WAY, pipeline_rows ROWS, int PHASE>
__device__ __forceinline__ void
pipeline_levels(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
                pipeline_beside<typename SHAPE::real> (&at)[SHAPE::LEVELS],
                const pipeline_alike<typename SHAPE::real> &r, pipeline_state<SHAPE> &state)
{
    using REAL = typename SHAPE::real;
    constexpr int SETS = SHAPE::SETS, BEFORE = PHASE + 2 * SETS - 1;
    constexpr bool HAS_SUMS = EQUAL && WAY != PIPELINE_BY_CELL;
    constexpr bool HAS_FIXED = SHAPE::HAS_KINDS ? WAY == PIPELINE_BY_CELL : FIXED;
#pragma unroll
    for (int l = 0; l < SHAPE::LEVELS; l++) {
        auto &v = state.u[(PHASE + SETS - l) % SETS], &u = state.u[(BEFORE - l) % SETS];
        auto &below = state.below[l];
        if (ROWS != PIPELINE_INNER) {
            pipeline_edge<SHAPE, HAS_FIXED, ROWS, PHASE>(job, warp, l, state);
            if (ROWS == PIPELINE_ENDS) /* u may have been made here */
                at[l] = pipeline_look<SHAPE, HAS_SUMS, PHASE>(state, l);
        }
        if constexpr (!SHAPE::HAS_KINDS)
            pipeline_level<SHAPE, EQUAL, FIXED>(u, v, below, at[l], r,
                                                state.fixed[(BEFORE - l) % SETS]);
        else if constexpr (HAS_SUMS)
            pipeline_level<SHAPE, true, false, WAY == PIPELINE_BY_LANE_LAST>(u, v, below, at[l], r,
                                                                             0);
        else if constexpr (WAY != PIPELINE_BY_CELL)
            pipeline_level_flows<SHAPE>(u, v, below, at[l], [&](int, REAL *source) {
                *source = r.source;
                return pipeline_kind<REAL>{r.rx, r.ry, r.rx, r.ry};
            });
        else if constexpr (EQUAL)
            pipeline_level_mixed<SHAPE>(u, v, below, at[l], warp,
                                        pipeline_units_of<SHAPE, PHASE>(warp, l + 1),
                                        pipeline_mixed_of<SHAPE, PHASE>(warp, l + 1), job);
        else
            pipeline_level_any<SHAPE>(u, v, below, at[l], warp,
                                      pipeline_units_of<SHAPE, PHASE>(warp, l + 1), job);
    }
}

/* Row PHASE of a turn, from one ring to the next. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_way WAY, pipeline_rows ROWS, int PHASE>
__device__ __forceinline__ void
pipeline_row(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
             const pipeline_alike<typename SHAPE::real> &r, pipeline_state<SHAPE> &state)
{
    constexpr int SETS = SHAPE::SETS, LEVELS = SHAPE::LEVELS;
    constexpr bool IS_INNER = ROWS == PIPELINE_INNER;
    constexpr bool HAS_SUMS = EQUAL && WAY != PIPELINE_BY_CELL;
    pipeline_beside<typename SHAPE::real> at[LEVELS];
    if (ROWS != PIPELINE_ENDS) /* now, while the row is waited for */
#pragma unroll
        for (int l = 0; l < LEVELS; l++)
            at[l] = pipeline_look<SHAPE, HAS_SUMS, PHASE>(state, l);
    pipeline_mask<SHAPE> mask;
    if (FIXED)
        mask = pipeline_mask_load(job, warp, warp.row + PHASE);
    if (FIXED && !IS_INNER) /* an inner row is masked when the next one comes in */
        pipeline_mask_note<SHAPE, PHASE>(mask, state);
    barrier_wait(warp.in.full + PHASE * 8, warp.in.parity);
    pipeline_read<SHAPE>(warp.in.slot + PHASE * SHAPE::SLOT, state.u[PHASE]);
    if (FIXED && IS_INNER && state.free_rows >= LEVELS)
        pipeline_levels<SHAPE, EQUAL, false, WAY, ROWS, PHASE>(job, warp, at, r, state);
    else
        pipeline_levels<SHAPE, EQUAL, FIXED, WAY, ROWS, PHASE>(job, warp, at, r, state);
    barrier_wait(warp.out.empty + PHASE * 8, warp.out.parity ^ 1);
    pipeline_write(warp, warp.out.slot + PHASE * SHAPE::SLOT,
                   state.u[(PHASE + SETS - LEVELS) % SETS]);
    if (FIXED && IS_INNER)
        pipeline_mask_note<SHAPE, PHASE>(mask, state);
    /* Each lane for itself: one lane for all, after __syncwarp, is no faster, and race detectors do
     * not follow it. */
    barrier_arrive(warp.out.full + PHASE * 8);
    barrier_arrive(warp.in.empty + PHASE * 8);
}

/* Rows PHASE to END of a turn, unrolled. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_rows ROWS, int END, int PHASE = 0>
__device__ __forceinline__ void pipeline_rows_by_lane(const pipeline_job<typename SHAPE::real> &job,
                                                      const pipeline_warp<SHAPE> &warp,
                                                      const pipeline_alike<typename SHAPE::real> &r,
                                                      pipeline_state<SHAPE> &state)
{
    pipeline_row<SHAPE, EQUAL, FIXED, PIPELINE_BY_LANE, ROWS, PHASE>(job, warp, r, state);
    if constexpr (PHASE + 1 < END)
        pipeline_rows_by_lane<SHAPE, EQUAL, FIXED, ROWS, END, PHASE + 1>(job, warp, r, state);
}

/* Set k becomes set k - 1. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_rotate(pipeline_state<SHAPE> &state)
{
    constexpr int SETS = SHAPE::SETS;
    const unsigned fixed = state.fixed[0];
#pragma unroll
    for (int set = 0; set < SETS; set++)
        state.fixed[set] = set + 1 < SETS ? state.fixed[(set + 1) % SETS] : fixed;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c++) {
        const typename SHAPE::real u = state.u[0][c];
#pragma unroll
        for (int set = 0; set < SETS; set++)
            state.u[set][c] = set + 1 < SETS ? state.u[(set + 1) % SETS][c] : u;
    }
}

/* SETS rows in a loop, with moves: unrolled, the long code for the ends of a strip did not fit the
 * instruction cache (200 KB), and the few rows that need it took as long as all others. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_rows ROWS>
__device__ __forceinline__ void
pipeline_turn_of_moves(const pipeline_job<typename SHAPE::real> &job,
                       const pipeline_warp<SHAPE> &warp, pipeline_state<SHAPE> &state)
{
    constexpr pipeline_way WAY = SHAPE::HAS_KINDS ? PIPELINE_BY_CELL : PIPELINE_BY_LANE;
    pipeline_warp<SHAPE> at = warp;
    if constexpr (SHAPE::BY_WORDS && EQUAL)
        at.mixed = pipeline_mixed_words(warp, job.args.kind_plain);
#pragma unroll 1
    for (int phase = 0; phase < SHAPE::SETS; phase++) {
        pipeline_row<SHAPE, EQUAL, FIXED, WAY, ROWS, 0>(
            job, at, pipeline_alike_look<SHAPE>(job, state), state);
        pipeline_rotate(state);
        at.row++;
        at.faces += SHAPE::LEVELS;
        at.units += SHAPE::UNITS * LANE_UNITS;
        at.mixed >>= pipeline_kinds<SHAPE>::WORDS;
        at.in.slot += SHAPE::SLOT;
        at.out.slot += SHAPE::SLOT;
        at.in.full += 8;
        at.in.empty += 8;
        at.out.full += 8;
        at.out.empty += 8;
    }
}

/* A turn where cells have kinds. By lane it is unrolled as where all cells are alike, without a
 * branch: chosen row by row, the jumps took as long as the arithmetic that by lane saves. By cell
 * it is a loop, so that both together fit the instruction cache. */
template <typename SHAPE, bool EQUAL, pipeline_rows ROWS>
__device__ __forceinline__ void pipeline_turn_kinds(const pipeline_job<typename SHAPE::real> &job,
                                                    const pipeline_warp<SHAPE> &warp,
                                                    pipeline_state<SHAPE> &state)
{
    constexpr int LAST = SHAPE::SETS - 1;
    if (!state.seen.is_by_lane) {
        pipeline_turn_of_moves<SHAPE, EQUAL, false, ROWS>(job, warp, state);
        return;
    }
    if (EQUAL && !state.seen.has_sums)
        pipeline_sums_make(state);
    state.seen.has_sums = warp.stays;
    const auto r = pipeline_alike_look<SHAPE>(job, state);
    pipeline_rows_by_lane<SHAPE, EQUAL, false, ROWS, LAST>(job, warp, r, state);
    if (!EQUAL || warp.stays)
        pipeline_row<SHAPE, EQUAL, false, PIPELINE_BY_LANE, ROWS, LAST>(job, warp, r, state);
    else
        pipeline_row<SHAPE, EQUAL, false, PIPELINE_BY_LANE_LAST, ROWS, LAST>(job, warp, r, state);
}

template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_rows ROWS>
__device__ __forceinline__ void pipeline_turn(const pipeline_job<typename SHAPE::real> &job,
                                              const pipeline_warp<SHAPE> &warp,
                                              pipeline_state<SHAPE> &state)
{
    if constexpr (ROWS == PIPELINE_ENDS) {
        pipeline_turn_of_moves<SHAPE, EQUAL, FIXED, ROWS>(job, warp, state);
    } else if constexpr (SHAPE::HAS_KINDS) {
        pipeline_turn_kinds<SHAPE, EQUAL, ROWS>(job, warp, state);
    } else {
        pipeline_rows_by_lane<SHAPE, EQUAL, FIXED, ROWS, SHAPE::SETS>(
            job, warp, pipeline_alike_look<SHAPE>(job, state), state);
    }
}

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

/* What was asked for in the turn before is here, of all lanes, and none needs what was there. */
template <pipeline_rows ROWS> __device__ __forceinline__ void pipeline_await()
{
    small_wait<0>();
    if (ROWS != PIPELINE_INNER) /* lanes look at faces that others loaded */
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

template <typename SHAPE>
__device__ __forceinline__ pipeline_kind<typename SHAPE::real> *
pipeline_kinds_at(unsigned char *memory)
{
    return reinterpret_cast<pipeline_kind<typename SHAPE::real> *>(memory + SHAPE::KINDS_AT);
}

template <typename SHAPE>
__device__ __forceinline__ typename SHAPE::real *pipeline_sources_at(unsigned char *memory)
{
    return reinterpret_cast<typename SHAPE::real *>(memory + SHAPE::SOURCES_AT);
}

/* Coefficients of all kinds, for the block. There may be cells of kinds that are none, but nothing
 * that is made of them is used. */
template <typename SHAPE, bool EQUAL>
__device__ __forceinline__ void pipeline_kinds_fill(const step_args<typename SHAPE::real> &args,
                                                    unsigned char *memory)
{
    using REAL = typename SHAPE::real;
    for (int n = static_cast<int>(threadIdx.x); n < SHAPE::KINDS; n += SHAPE::THREADS) {
        const bool is_there = n < args.kind_count;
        const REAL *const r = args.kind_conductance + (is_there ? 4 * n : 0);
        const bool is_plain = EQUAL && r[0] == r[1] && r[2] == r[3] && r[0] == r[2];
        pipeline_kinds_at<SHAPE>(memory)[n] = {r[0], r[2], r[1], is_plain ? marked(r[3]) : r[3]};
        if (SHAPE::HAS_SOURCES) {
            /* As zones see it where nothing else heats; cells that keep their value get nothing. */
            const REAL source = args.source[args.kind_zone[is_there ? n : 0]];
            pipeline_sources_at<SHAPE>(memory)[n] =
                n < args.kind_fixed ? source + static_cast<REAL>(0) : 0;
        }
    }
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
