/* Many steps in one sweep of memory, for regions much larger than the GPU's shared memory.
 *
 * A block walks up a strip of columns. Its warps form a pipeline: each of STAGES stages advances the
 * rows that pass by LEVELS steps and hands them to the next stage through a ring of rows in shared
 * memory; GROUPS warps side by side make a stage. A warp holds two rows a level in registers: the
 * newest row u of the level and, of the row below it, what the update still needs (for rx == ry the
 * sum w + n, which is e + s of the cell one up and to the left; otherwise the row itself). When row
 * j of level l comes in, row j - 1 of level l + 1 is made.
 *
 * Two more warps move rows from and to memory by bulk copies, so that all others run the same
 * straight code. All waiting is by barriers of one row of a ring each: warps may run a few rows
 * apart.
 *
 * A ghost cell at a boundary is a cell of the row like any other, made anew from its neighbour at
 * every level. The code for it runs only in warps and for rows that have one. */
#ifndef ISOTHERM_KERNELS_CUDA_STEP_PIPELINE_CUH
#define ISOTHERM_KERNELS_CUDA_STEP_PIPELINE_CUH

#include "kernels/cuda/pipeline_copy.cuh"
#include "kernels/cuda/pipeline_move.cuh"
#include "kernels/cuda/pipeline_plan.cuh"
#include "kernels/cuda/step.cuh"

/* What a lane keeps in registers. As row k comes in, set (k - 1 - l) mod SETS holds row u of level
 * l. Row k goes to set k mod SETS, and each level leaves its result in place of its u, where the
 * next level finds it: no value is moved when the rows are unrolled SETS times. */
template <typename SHAPE> struct pipeline_state {
    typename SHAPE::real u[SHAPE::SETS][SHAPE::COLUMNS];
    typename SHAPE::real below[SHAPE::LEVELS][SHAPE::COLUMNS];
    unsigned fixed[SHAPE::SETS]; /* of the row in that set, bit c: cell c keeps its value */
};

/* The coefficients of a side for SETS rows at the levels of a warp: lane n has those of level n mod
 * LEVELS as row n / LEVELS comes in. */
template <typename REAL> struct pipeline_faces {
    REAL a, b;
};

/* A warp's part of a piece. */
template <typename SHAPE> struct pipeline_warp {
    int lane, stage, group;
    bool stores_first, stores_last; /* its first or last SKIP columns, too */
    int column;                     /* this lane's first */
    bool is_left, is_right;         /* this lane has the ghost cell of that side */
    double *heat;                   /* of that side, if this piece counts it */
    int row;                        /* that comes in at slot 0 of the turn */
    pipeline_ring<SHAPE> in, out;   /* of the turn; slots of this lane's columns */
};

/* What all rows of a piece need. */
template <typename REAL> struct pipeline_job {
    const step_args<REAL> &args;
    const pipeline_plan &plan;
    pipeline_piece piece;
};

template <typename SHAPE>
__device__ __forceinline__ void pipeline_read(const typename SHAPE::real *row,
                                              typename SHAPE::real (&v)[SHAPE::COLUMNS])
{
    using PACK = pipeline_pack<typename SHAPE::real, SHAPE::PACK>;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c += SHAPE::PACK) {
        const PACK pack = *reinterpret_cast<const PACK *>(row + c);
#pragma unroll
        for (int k = 0; k < SHAPE::PACK; k++)
            v[c + k] = pack.cell[k];
    }
}

template <typename SHAPE>
__device__ __forceinline__ bool pipeline_owns(const pipeline_warp<SHAPE> &warp, int c)
{
    return (c >= SHAPE::SKIP || warp.stores_first) &&
           (c < SHAPE::COLUMNS - SHAPE::SKIP || warp.stores_last);
}

template <typename SHAPE>
__device__ __forceinline__ void pipeline_write(const pipeline_warp<SHAPE> &warp,
                                               typename SHAPE::real *row,
                                               const typename SHAPE::real (&v)[SHAPE::COLUMNS])
{
    using PACK = pipeline_pack<typename SHAPE::real, SHAPE::PACK>;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c += SHAPE::PACK) {
        PACK pack;
#pragma unroll
        for (int k = 0; k < SHAPE::PACK; k++)
            pack.cell[k] = v[c + k];
        if (pipeline_owns(warp, c))
            *reinterpret_cast<PACK *>(row + c) = pack;
    }
}

__device__ __forceinline__ double cell_sum(double c, double wn, double es, double r)
{
    return cell_euler_equal_f64(c, wn, es, r);
}

__device__ __forceinline__ float cell_sum(float c, float wn, float es, float r)
{
    return cell_euler_equal_f32(c, wn, es, r);
}

/* What a level needs of the lanes to the left and right. */
template <typename REAL> struct pipeline_neighbours {
    REAL west, east;
};

template <typename SHAPE, bool EQUAL>
__device__ __forceinline__ pipeline_neighbours<typename SHAPE::real>
pipeline_look(const typename SHAPE::real (&u)[SHAPE::COLUMNS],
              const typename SHAPE::real (&below)[SHAPE::COLUMNS])
{
    return {__shfl_up_sync(~0u, u[SHAPE::COLUMNS - 1], 1),
            __shfl_down_sync(~0u, EQUAL ? below[0] : u[0], 1)};
}

/* One level: with v the row above u, u becomes its next level and `below` serves the next row. Bit
 * c of `fixed`: the cell keeps its value. */
template <typename SHAPE, bool EQUAL, bool FIXED>
__device__ __forceinline__ void pipeline_level(typename SHAPE::real (&u)[SHAPE::COLUMNS],
                                               const typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                               typename SHAPE::real (&below)[SHAPE::COLUMNS],
                                               const pipeline_neighbours<typename SHAPE::real> &at,
                                               typename SHAPE::real rx, typename SHAPE::real ry,
                                               unsigned fixed)
{
    using REAL = typename SHAPE::real;
    constexpr int COLUMNS = SHAPE::COLUMNS;
    REAL west = at.west;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const bool is_inner = c + 1 < COLUMNS;
        const REAL centre = u[c];
        REAL next, keep;
        if (EQUAL) {
            keep = west + v[c];
            next = cell_sum(centre, keep, is_inner ? below[(c + 1) % COLUMNS] : at.east, rx);
        } else {
            keep = centre;
            next = cell_advance<false>(centre, west, is_inner ? u[(c + 1) % COLUMNS] : at.east,
                                       below[c], v[c], rx, ry);
        }
        u[c] = FIXED && (fixed >> c & 1) != 0 ? centre : next;
        below[c] = keep;
        west = centre;
    }
}

/* Coefficients of the side that this warp has, for the rows from warp.row on. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_faces<typename SHAPE::real>
pipeline_faces_load(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp)
{
    const side_args<typename SHAPE::real> &side = job.args.sides[job.piece.is_left ? LEFT : RIGHT];
    const int l = warp.lane % SHAPE::LEVELS;
    const int row = warp.row + min(warp.lane / SHAPE::LEVELS, SHAPE::SETS - 1) - l;
    const int f = min(max(row, job.plan.face_y0), job.plan.face_y1 - 1);
    const int64_t at = f + static_cast<int64_t>(warp.stage * SHAPE::LEVELS + l) * side.level_stride;
    return {side.a[at], side.b[at]};
}

/* The ghost cells of row v at the left or right, and the heat through their faces. Stages get to a
 * face in the order of their levels, with a barrier between them, so its heat is added in that
 * order. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_sides(const pipeline_job<typename SHAPE::real> &job,
                                               const pipeline_warp<SHAPE> &warp, int row,
                                               typename SHAPE::real a, typename SHAPE::real b,
                                               typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                               unsigned fixed)
{
    constexpr int LAST = SHAPE::COLUMNS - 1, LINE = SHAPE::LINE;
    const int right_ghost = job.plan.right_ghost;
    typename SHAPE::real right = v[LAST - 1];
#pragma unroll
    for (int k = 1; k < LINE; k++)
        right = right_ghost == k ? v[LAST - 1 - k] : right;
    const typename SHAPE::real inner = warp.is_left ? v[LINE] : right;
    const typename SHAPE::real ghost = cell_beyond(inner, a, b);
    v[LINE - 1] = warp.is_left ? ghost : v[LINE - 1];
#pragma unroll
    for (int k = 0; k < LINE; k++)
        v[LAST - k] = warp.is_right && right_ghost == k ? ghost : v[LAST - k];
    const bool is_fixed = (fixed >> (warp.is_left ? LINE : LAST - 1 - right_ghost) & 1) != 0;
    if (warp.heat != nullptr && row >= job.piece.cells.y0 && row < job.piece.cells.y1 && !is_fixed)
        atomicAdd(warp.heat + row, static_cast<double>(ghost - inner));
}

/* The ghost row beyond row `inside` at the bottom or top, and the heat through its faces. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_end(const pipeline_job<typename SHAPE::real> &job,
                                             const pipeline_warp<SHAPE> &warp, int end, int level,
                                             const typename SHAPE::real (&inside)[SHAPE::COLUMNS],
                                             typename SHAPE::real (&ghost)[SHAPE::COLUMNS],
                                             unsigned fixed)
{
    const side_args<typename SHAPE::real> &side = job.args.sides[end];
    const region &cells = job.piece.cells;
    const int row = end == BOTTOM ? 0 : job.args.ny - 1;
    const bool is_counted = side.heat != nullptr && row >= cells.y0 && row < cells.y1;
    const int64_t at = warp.column + static_cast<int64_t>(level) * side.level_stride;
    const typename SHAPE::real *const a = side.a + at, *const b = side.b + at;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c++) {
        const int i = warp.column + c;
        if (i >= job.plan.face_x0 && i < job.plan.face_x1)
            ghost[c] = cell_beyond(inside[c], a[c], b[c]);
        if (is_counted && pipeline_owns(warp, c) && i >= cells.x0 && i < cells.x1 &&
            (fixed >> c & 1) == 0)
            atomicAdd(side.heat + i, static_cast<double>(ghost[c] - inside[c]));
        asm volatile("" ::: "memory"); /* one cell after the other: few registers */
    }
}

/* Bit c: cell c of the row is fixed. A lane with columns that are not in memory makes nothing that
 * is used. */
template <typename SHAPE>
__device__ __forceinline__ unsigned pipeline_fixed(const pipeline_job<typename SHAPE::real> &job,
                                                   const pipeline_warp<SHAPE> &warp, int row)
{
    using PACK = pipeline_pack<unsigned char, SHAPE::PACK>;
    unsigned bits = 0;
    if (warp.column < job.plan.column_begin ||
        warp.column + SHAPE::COLUMNS > job.plan.column_end)
        return bits;
    row = min(max(row, job.plan.row_begin), job.plan.row_end - 1);
    const unsigned char *const bytes = job.args.fixed + row * job.args.pitch + warp.column;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c += SHAPE::PACK) {
        const PACK pack = *reinterpret_cast<const PACK *>(bytes + c);
#pragma unroll
        for (int k = 0; k < SHAPE::PACK; k++)
            bits |= (pack.cell[k] != 0 ? 1u : 0u) << (c + k);
    }
    return bits;
}

/* All ghost cells for level l as row PHASE of a turn comes in. */
template <typename SHAPE, int PHASE>
__device__ __forceinline__ void pipeline_edge(const pipeline_job<typename SHAPE::real> &job,
                                              const pipeline_warp<SHAPE> &warp,
                                              const pipeline_faces<typename SHAPE::real> &faces,
                                              int l, typename SHAPE::real (&u)[SHAPE::COLUMNS],
                                              typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                              unsigned u_fixed, unsigned v_fixed)
{
    const int row = warp.row + PHASE - l, level = warp.stage * SHAPE::LEVELS + l;
    const int face = PHASE * SHAPE::LEVELS + l;
    pipeline_sides<SHAPE>(job, warp, row, __shfl_sync(~0u, faces.a, face),
                          __shfl_sync(~0u, faces.b, face), v, v_fixed);
    if (job.args.sides[BOTTOM].is_boundary && row == 0)
        pipeline_end<SHAPE>(job, warp, BOTTOM, level, v, u, v_fixed);
    if (job.args.sides[TOP].is_boundary && row == job.args.ny)
        pipeline_end<SHAPE>(job, warp, TOP, level, u, v, u_fixed);
}

/* One row, number PHASE of a turn, through all levels of this warp. */
template <typename SHAPE, bool EQUAL, bool FIXED, bool EDGE, int PHASE>
__device__ __forceinline__ void pipeline_row(const pipeline_job<typename SHAPE::real> &job,
                                             const pipeline_warp<SHAPE> &warp,
                                             const pipeline_faces<typename SHAPE::real> &faces,
                                             pipeline_state<SHAPE> &state)
{
    constexpr int SETS = SHAPE::SETS, LEVELS = SHAPE::LEVELS, BEFORE = PHASE + 2 * SETS - 1;
    pipeline_neighbours<typename SHAPE::real> at[LEVELS];
    if (!EDGE) /* now, while the row is waited for */
#pragma unroll
        for (int l = 0; l < LEVELS; l++)
            at[l] = pipeline_look<SHAPE, EQUAL>(state.u[(BEFORE - l) % SETS], state.below[l]);
    state.fixed[PHASE] = FIXED ? pipeline_fixed(job, warp, warp.row + PHASE) : 0;
    barrier_wait(warp.in.full + PHASE * 8, warp.in.parity);
    pipeline_read<SHAPE>(warp.in.slot + PHASE * SHAPE::SLOT, state.u[PHASE]);
#pragma unroll
    for (int l = 0; l < LEVELS; l++) {
        auto &v = state.u[(PHASE + SETS - l) % SETS], &u = state.u[(BEFORE - l) % SETS];
        const unsigned u_fixed = state.fixed[(BEFORE - l) % SETS];
        if (EDGE) {
            pipeline_edge<SHAPE, PHASE>(job, warp, faces, l, u, v, u_fixed,
                                        state.fixed[(PHASE + SETS - l) % SETS]);
            at[l] = pipeline_look<SHAPE, EQUAL>(u, state.below[l]);
        }
        pipeline_level<SHAPE, EQUAL, FIXED>(u, v, state.below[l], at[l], job.args.rx, job.args.ry,
                                            u_fixed);
    }
    barrier_wait(warp.out.empty + PHASE * 8, warp.out.parity ^ 1);
    pipeline_write(warp, warp.out.slot + PHASE * SHAPE::SLOT,
                   state.u[(PHASE + SETS - LEVELS) % SETS]);
    __syncwarp();
    barrier_arrive_warp(warp.out.full + PHASE * 8, warp.in.empty + PHASE * 8);
}

/* SETS rows, unrolled. */
template <typename SHAPE, bool EQUAL, bool FIXED, bool EDGE, int PHASE = 0>
__device__ __forceinline__ void pipeline_turn(const pipeline_job<typename SHAPE::real> &job,
                                              const pipeline_warp<SHAPE> &warp,
                                              const pipeline_faces<typename SHAPE::real> &faces,
                                              pipeline_state<SHAPE> &state)
{
    pipeline_row<SHAPE, EQUAL, FIXED, EDGE, PHASE>(job, warp, faces, state);
    if constexpr (PHASE + 1 < SHAPE::SETS)
        pipeline_turn<SHAPE, EQUAL, FIXED, EDGE, PHASE + 1>(job, warp, faces, state);
}

template <typename SHAPE>
__device__ __forceinline__ void pipeline_warp_piece(const pipeline_job<typename SHAPE::real> &job,
                                                    pipeline_warp<SHAPE> &warp)
{
    const pipeline_piece &piece = job.piece;
    warp.column = piece.x + warp.group * SHAPE::GROUP_STEP + warp.lane * SHAPE::COLUMNS;
    warp.is_left = piece.is_left && warp.group == 0 && warp.lane == 0;
    warp.is_right = piece.is_right && warp.group == SHAPE::GROUPS - 1 && warp.lane == 31;
    warp.heat = nullptr;
    if (warp.is_left && piece.cells.x0 == 0)
        warp.heat = job.args.sides[LEFT].heat;
    if (warp.is_right && piece.cells.x1 == job.args.nx)
        warp.heat = job.args.sides[RIGHT].heat;
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

/* Turns [begin, end) of a piece that began with turn `turn` of the block. */
template <typename SHAPE, bool EQUAL, bool FIXED, bool EDGE>
__device__ __forceinline__ void pipeline_turns(const pipeline_job<typename SHAPE::real> &job,
                                               unsigned char *memory, unsigned turn, int begin,
                                               int end, pipeline_warp<SHAPE> &warp,
                                               pipeline_state<SHAPE> &state)
{
#pragma unroll 1
    for (int n = begin; n < end; n++) {
        warp.row = job.piece.first_row + n * SHAPE::SETS - warp.stage * SHAPE::LEVELS;
        warp.in = pipeline_ring_at<SHAPE>(memory, warp.stage, warp.group, turn + n);
        warp.out = pipeline_ring_at<SHAPE>(memory, warp.stage + 1, warp.group, turn + n);
        warp.in.slot += warp.lane * SHAPE::COLUMNS;
        warp.out.slot += warp.lane * SHAPE::COLUMNS;
        if (EDGE) {
            const pipeline_warp<SHAPE> here = pipeline_warp_hidden(warp);
            pipeline_turn<SHAPE, EQUAL, FIXED, true>(
                job, here, pipeline_faces_load<SHAPE>(job, here), state);
        } else {
            pipeline_turn<SHAPE, EQUAL, FIXED, false>(job, warp, {}, state);
        }
    }
}

/* All rows of a piece: those at the start of the block, those between, those at its end. Counted
 * loops whose bounds are the same for all warps, one for each kind of rows: otherwise the compiler
 * moves the state about, or no longer knows that lanes run together. */
template <typename SHAPE, bool EQUAL, bool FIXED>
__device__ __forceinline__ void pipeline_run(const pipeline_job<typename SHAPE::real> &job,
                                             unsigned char *memory, unsigned turn,
                                             pipeline_warp<SHAPE> &warp,
                                             pipeline_state<SHAPE> &state)
{
    const pipeline_piece &piece = job.piece;
    const bool has_side = (piece.is_left && warp.group == 0) ||
                          (piece.is_right && warp.group == SHAPE::GROUPS - 1);
    pipeline_warp_piece(job, warp);
#pragma unroll 1
    for (int part = 0; part < 3; part++) {
        const int begin = part == 0 ? 0 : part == 1 ? piece.inner_begin : piece.inner_end;
        const int end = part == 0 ? piece.inner_begin : part == 1 ? piece.inner_end : piece.turns;
        if (part != 1 || has_side)
            pipeline_turns<SHAPE, EQUAL, FIXED, true>(job, memory, turn, begin, end, warp, state);
        else
            pipeline_turns<SHAPE, EQUAL, FIXED, false>(job, memory, turn, begin, end, warp, state);
    }
}

/* An initialiser would become a loop, and the arrays would not be kept in registers. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_state_clear(pipeline_state<SHAPE> &state)
{
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

/* All pieces of the block. */
template <typename SHAPE, bool EQUAL, bool FIXED>
__device__ __forceinline__ void pipeline_compute(const step_args<typename SHAPE::real> &args,
                                                 const pipeline_plan &plan, unsigned char *memory,
                                                 int number, int lane)
{
    pipeline_warp<SHAPE> warp;
    warp.lane = lane;
    warp.stage = number / SHAPE::GROUPS;
    warp.group = number % SHAPE::GROUPS;
    warp.stores_first = warp.group == 0 || lane != 0;
    warp.stores_last = warp.group == SHAPE::GROUPS - 1 || lane != 31;
    pipeline_state<SHAPE> state;
    pipeline_state_clear(state);
    int cost;
    const int end = pipeline_share(plan, &cost);
    unsigned turn = 0;
    while (cost < end) {
        const pipeline_job<typename SHAPE::real> job = {
            args, plan, pipeline_piece_next<SHAPE>(args, plan, &cost, end)};
        pipeline_run<SHAPE, EQUAL, FIXED>(job, memory, turn, warp, state);
        turn += static_cast<unsigned>(job.piece.turns);
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
    __syncthreads();
    const int lane = static_cast<int>(threadIdx.x % 32);
    /* Told this way, the compiler knows that all lanes have the same and take the same branches. */
    const int warp = __shfl_sync(~0u, static_cast<int>(threadIdx.x / 32), 0);
    if (warp >= SHAPE::WARPS) {
        registers_give<SHAPE::MOVER_REGISTERS>();
        pipeline_move<SHAPE>(args, plan, pipeline_memory, warp - SHAPE::WARPS, lane);
    } else {
        registers_take<SHAPE::REGISTERS>();
        pipeline_compute<SHAPE, EQUAL, FIXED>(args, plan, pipeline_memory, warp, lane);
    }
}

template <typename SHAPE, bool EQUAL, bool FIXED> cudaError_t prepare_pipeline()
{
    return cudaFuncSetAttribute(step_pipeline<SHAPE, EQUAL, FIXED>,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, SHAPE::SHARED_BYTES);
}

template <typename SHAPE, bool EQUAL, bool FIXED>
cudaError_t launch_pipeline(const step_args<typename SHAPE::real> &args, const pipeline_plan &plan,
                            int blocks, cudaStream_t stream)
{
    step_pipeline<SHAPE, EQUAL, FIXED>
        <<<static_cast<unsigned>(blocks), SHAPE::THREADS, SHAPE::SHARED_BYTES, stream>>>(args, plan);
    return cudaGetLastError();
}

#endif
