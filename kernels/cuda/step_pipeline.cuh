/* Many steps in one sweep of memory, for regions much larger than the GPU's shared memory.
 *
 * A block walks up a strip of columns. Its warps form a pipeline: each of STAGES stages advances the
 * rows that pass by LEVELS steps and hands them to the next stage through a ring of rows in shared
 * memory; GROUPS warps side by side make a stage. A warp holds two rows a level in registers: the
 * newest row u of the level and, of the row below it, what the update still needs (for rx == ry the
 * sum w + n, which is e + s of the cell one up and to the left; otherwise the row itself). When row
 * j of level l comes in, row j - 1 of level l + 1 is made.
 *
 * Rows come from memory by bulk copies and leave by bulk copies. All waiting is by barriers of one
 * row of a ring each, so that warps may run a few rows apart.
 *
 * A ghost cell at a boundary is a cell of the row like any other, made anew from its neighbour at
 * every level. The code for it runs only in warps and for rows that have one. */
#ifndef ISOTHERM_KERNELS_CUDA_STEP_PIPELINE_CUH
#define ISOTHERM_KERNELS_CUDA_STEP_PIPELINE_CUH

#include "kernels/cuda/pipeline_copy.cuh"
#include "kernels/cuda/pipeline_plan.cuh"
#include "kernels/cuda/step.cuh"

/* What the rows in hand have: none of the below; ghost cells at their ends (or fixed cells); or
 * they may be the first or last row of the block. */
__device__ __forceinline__ double cell_sum(double c, double wn, double es, double r)
{
    return cell_euler_equal_f64(c, wn, es, r);
}

__device__ __forceinline__ float cell_sum(float c, float wn, float es, float r)
{
    return cell_euler_equal_f32(c, wn, es, r);
}

enum pipeline_rows { PIPELINE_INNER, PIPELINE_SIDES, PIPELINE_ENDS };

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

/* A warp's part of a piece, and where it stands: addresses of slot 0 of SETS, renewed for every
 * SETS rows. Barriers are 8 bytes each. */
template <typename SHAPE> struct pipeline_warp {
    using REAL = typename SHAPE::real;
    int lane, stage, group;
    bool stores_first, stores_last; /* its first or last SKIP columns, too */
    int column;                     /* this lane's first */
    int load_x0, load_bytes;        /* what comes in from memory: first column, length */
    int x0, line_x0, line_x1, x1;   /* what goes out: columns, those of whole lines inside */
    bool is_left, is_right;         /* this lane has the ghost cell of that side */
    double *heat;                   /* of that side, if this piece counts it */
    int row;                        /* that comes in at slot 0 */
    bool is_loading;                /* a row for every slot that becomes free */
    const REAL *in;
    REAL *out;
    unsigned in_full, in_empty, in_parity;
    unsigned out_full, out_empty, out_parity;
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

/* One level: with v the row above u, u becomes its next level and `below` serves the next row. Bit
 * c of `fixed`: the cell keeps its value. */
template <typename SHAPE, bool EQUAL, bool FIXED>
__device__ __forceinline__ void pipeline_level(typename SHAPE::real (&u)[SHAPE::COLUMNS],
                                               const typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                               typename SHAPE::real (&below)[SHAPE::COLUMNS],
                                               typename SHAPE::real rx, typename SHAPE::real ry,
                                               unsigned fixed)
{
    using REAL = typename SHAPE::real;
    constexpr int COLUMNS = SHAPE::COLUMNS;
    REAL west = __shfl_up_sync(~0u, u[COLUMNS - 1], 1);
    const REAL beyond = __shfl_down_sync(~0u, EQUAL ? below[0] : u[0], 1);
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const bool is_inner = c + 1 < COLUMNS;
        const REAL centre = u[c];
        REAL next, keep;
        if (EQUAL) {
            keep = west + v[c];
            next = cell_sum(centre, keep, is_inner ? below[(c + 1) % COLUMNS] : beyond, rx);
        } else {
            keep = centre;
            next = cell_advance<false>(centre, west, is_inner ? u[(c + 1) % COLUMNS] : beyond,
                                       below[c], v[c], rx, ry);
        }
        u[c] = FIXED && (fixed >> c & 1) != 0 ? centre : next;
        below[c] = keep;
        west = centre;
    }
}

/* What all rows of a piece need. */
template <typename REAL> struct pipeline_job {
    const step_args<REAL> &args;
    const pipeline_plan &plan;
    pipeline_piece piece;
};

/* Coefficients of the side that this warp has, for the rows from warp.row on. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_faces<typename SHAPE::real>
pipeline_faces_load(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp)
{
    static_assert(SHAPE::SETS * SHAPE::LEVELS <= 32, "one lane for each row and level");
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

/* The ghost row beyond row `inside` at the bottom or top, and the heat through their faces. */
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
        asm volatile("" ::: "memory"); /* one after the other: few registers */
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

/* One lane: the row that comes into a slot from memory. Rows that are not there are not used. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_load(const pipeline_job<typename SHAPE::real> &job,
                                              const pipeline_warp<SHAPE> &warp, int row,
                                              const typename SHAPE::real *slot, unsigned full)
{
    row = min(max(row, job.plan.row_begin), job.plan.row_end - 1);
    bulk_load(shared_address(slot - warp.column + warp.load_x0),
              job.args.from + row * job.args.pitch + warp.load_x0,
              static_cast<unsigned>(warp.load_bytes), full);
}

/* The row that the last stage has left in a slot goes to memory. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_store(const pipeline_job<typename SHAPE::real> &job,
                                               const pipeline_warp<SHAPE> &warp, int row,
                                               const typename SHAPE::real *slot)
{
    using REAL = typename SHAPE::real;
    constexpr int LINE = SHAPE::LINE;
    if (row < job.piece.cells.y0 || row >= job.piece.cells.y1)
        return;
    const REAL *const from = slot - warp.column;
    REAL *const to = job.args.to + row * job.args.pitch;
    if (warp.lane == 0 && warp.line_x0 < warp.line_x1)
        bulk_store(to + warp.line_x0, shared_address(from + warp.line_x0),
                   static_cast<unsigned>((warp.line_x1 - warp.line_x0) * sizeof(REAL)));
    if (warp.x0 < warp.line_x0 || warp.line_x1 < warp.x1) {
        const int i = warp.lane < LINE ? warp.x0 + warp.lane : warp.line_x1 + warp.lane - LINE;
        if (warp.lane < 2 * LINE && i < (warp.lane < LINE ? warp.line_x0 : warp.x1))
            to[i] = from[i];
    }
}

/* Gives row v, made by this warp, to the next stage or to memory, and frees the slot of the row
 * that it was made from. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_hand_over(const pipeline_job<typename SHAPE::real> &job,
                                                   const pipeline_warp<SHAPE> &warp, int slot,
                                                   const typename SHAPE::real (&v)[SHAPE::COLUMNS])
{
    const unsigned barrier = static_cast<unsigned>(slot) * 8;
    const bool is_last = warp.stage == SHAPE::STAGES - 1;
    typename SHAPE::real *const row = warp.out + slot * SHAPE::ROW;
    if (is_last) {
        if (warp.lane == 0)
            bulk_wait_read<SHAPE::SETS - 1>();
        __syncwarp();
    } else {
        barrier_wait(warp.out_empty + barrier, warp.out_parity);
    }
    pipeline_write(warp, row, v);
    if (is_last)
        bulk_fence();
    __syncwarp();
    if (is_last)
        pipeline_store(job, warp, warp.row + slot - SHAPE::LEVELS, row);
    if (warp.lane == 0) {
        if (is_last)
            bulk_commit();
        else
            barrier_arrive(warp.out_full + barrier);
        if (warp.stage > 0)
            barrier_arrive(warp.in_empty + barrier);
        else if (warp.is_loading)
            pipeline_load(job, warp, warp.row + slot + 2 * SHAPE::SETS,
                          warp.in + slot * SHAPE::ROW, warp.in_full + barrier);
    }
}

/* One row through all levels of this warp; PHASE is the row's number mod SETS. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_rows ROWS, int PHASE>
__device__ __forceinline__ void pipeline_row(const pipeline_job<typename SHAPE::real> &job,
                                             const pipeline_warp<SHAPE> &warp,
                                             const pipeline_faces<typename SHAPE::real> &faces,
                                             int slot, pipeline_state<SHAPE> &state)
{
    constexpr int SETS = SHAPE::SETS, LEVELS = SHAPE::LEVELS;
    state.fixed[PHASE] = FIXED ? pipeline_fixed(job, warp, warp.row + slot) : 0;
    barrier_wait(warp.in_full + static_cast<unsigned>(slot) * 8, warp.in_parity);
    pipeline_read<SHAPE>(warp.in + slot * SHAPE::ROW, state.u[PHASE]);
#pragma unroll
    for (int l = 0; l < LEVELS; l++) {
        constexpr int BEFORE = PHASE + 2 * SETS - 1;
        auto &v = state.u[(PHASE + SETS - l) % SETS], &u = state.u[(BEFORE - l) % SETS];
        const unsigned v_fixed = state.fixed[(PHASE + SETS - l) % SETS];
        const unsigned u_fixed = state.fixed[(BEFORE - l) % SETS];
        const int row = warp.row + slot - l, level = warp.stage * LEVELS + l;
        if (ROWS != PIPELINE_INNER)
            pipeline_sides<SHAPE>(job, warp, row, __shfl_sync(~0u, faces.a, slot * LEVELS + l),
                                  __shfl_sync(~0u, faces.b, slot * LEVELS + l), v, v_fixed);
        if (ROWS == PIPELINE_ENDS && job.args.sides[BOTTOM].is_boundary && row == 0)
            pipeline_end<SHAPE>(job, warp, BOTTOM, level, v, u, v_fixed);
        if (ROWS == PIPELINE_ENDS && job.args.sides[TOP].is_boundary && row == job.args.ny)
            pipeline_end<SHAPE>(job, warp, TOP, level, u, v, u_fixed);
        pipeline_level<SHAPE, EQUAL, FIXED>(u, v, state.below[l], job.args.rx, job.args.ry,
                                            u_fixed);
    }
    pipeline_hand_over(job, warp, slot, state.u[(PHASE + SETS - LEVELS) % SETS]);
}

/* SETS rows, unrolled. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_rows ROWS, int PHASE = 0>
__device__ __forceinline__ void pipeline_turn(const pipeline_job<typename SHAPE::real> &job,
                                              const pipeline_warp<SHAPE> &warp,
                                              const pipeline_faces<typename SHAPE::real> &faces,
                                              pipeline_state<SHAPE> &state)
{
    pipeline_row<SHAPE, EQUAL, FIXED, ROWS, PHASE>(job, warp, faces, PHASE, state);
    if constexpr (PHASE + 1 < SHAPE::SETS)
        pipeline_turn<SHAPE, EQUAL, FIXED, ROWS, PHASE + 1>(job, warp, faces, state);
}

/* Columns of a warp in a piece. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_warp_place(const pipeline_job<typename SHAPE::real> &job,
                                                    pipeline_warp<SHAPE> &warp)
{
    constexpr int LINE = SHAPE::LINE;
    const pipeline_piece &piece = job.piece;
    const int first = piece.x + warp.group * SHAPE::GROUP_STEP;
    warp.column = first + warp.lane * SHAPE::COLUMNS;
    warp.is_left = piece.is_left && warp.group == 0 && warp.lane == 0;
    warp.is_right = piece.is_right && warp.group == SHAPE::GROUPS - 1 && warp.lane == 31;
    warp.heat = nullptr;
    if (warp.is_left && piece.cells.x0 == 0)
        warp.heat = job.args.sides[LEFT].heat;
    if (warp.is_right && piece.cells.x1 == job.args.nx)
        warp.heat = job.args.sides[RIGHT].heat;
    warp.load_x0 = max(first, job.plan.column_begin);
    warp.load_bytes = (min(first + SHAPE::GROUP_WIDTH, job.plan.column_end) - warp.load_x0) *
                      static_cast<int>(sizeof(typename SHAPE::real));
    const int own_x0 = first + (warp.group > 0 ? SHAPE::SKIP : 0);
    const int own_x1 = first + SHAPE::GROUP_WIDTH -
                       (warp.group < SHAPE::GROUPS - 1 ? SHAPE::SKIP : 0);
    warp.x0 = max(piece.cells.x0, own_x0);
    warp.x1 = max(min(piece.cells.x1, own_x1), warp.x0);
    warp.line_x0 = min((warp.x0 + LINE - 1) & ~(LINE - 1), warp.x1);
    warp.line_x1 = max(warp.x1 & ~(LINE - 1), warp.line_x0);
}

/* Addresses for the turn-th SETS rows of this block. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_warp_turn(unsigned char *memory, unsigned turn,
                                                   pipeline_warp<SHAPE> &warp)
{
    using REAL = typename SHAPE::real;
    REAL *const rings = reinterpret_cast<REAL *>(memory + SHAPE::BARRIER_BYTES);
    const unsigned barriers = shared_address(memory);
    const int lane_column = warp.lane * SHAPE::COLUMNS, half = static_cast<int>(turn & 1);
    const int before = SHAPE::RING_MID + (warp.stage - 1) * SHAPE::SETS;
    const int pair = (warp.stage - 1) * SHAPE::SETS;
    if (warp.stage == 0) {
        warp.in = rings + half * SHAPE::SETS * SHAPE::ROW + warp.group * SHAPE::GROUP_WIDTH;
        warp.in_full = barriers + static_cast<unsigned>((warp.group * 2 + half) * SHAPE::SETS) * 8;
        warp.in_parity = turn >> 1 & 1;
    } else {
        warp.in = rings + before * SHAPE::ROW + warp.group * SHAPE::GROUP_STEP;
        warp.in_full = barriers + static_cast<unsigned>(SHAPE::BARRIERS_FULL + pair) * 8;
        warp.in_parity = turn & 1;
    }
    warp.in += lane_column;
    warp.in_empty = barriers + static_cast<unsigned>(SHAPE::BARRIERS_EMPTY + pair) * 8;
    warp.out = rings + (before + SHAPE::SETS) * SHAPE::ROW + warp.group * SHAPE::GROUP_STEP +
               lane_column;
    warp.out_full = barriers + static_cast<unsigned>(SHAPE::BARRIERS_FULL + pair + SHAPE::SETS) * 8;
    warp.out_empty =
        barriers + static_cast<unsigned>(SHAPE::BARRIERS_EMPTY + pair + SHAPE::SETS) * 8;
    warp.out_parity = (turn & 1) ^ 1;
}

/* Sets the warp to turn n of a piece that began with turn `turn` of the block. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_begin(const pipeline_job<typename SHAPE::real> &job,
                                               unsigned char *memory, unsigned turn, int n,
                                               pipeline_warp<SHAPE> &warp)
{
    warp.row = job.piece.first_row + n * SHAPE::SETS - warp.stage * SHAPE::LEVELS;
    warp.is_loading = n + 2 < job.piece.turns;
    pipeline_warp_turn<SHAPE>(memory, turn + static_cast<unsigned>(n), warp);
}

/* The first rows of a piece, as many as fit. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_fill(const pipeline_job<typename SHAPE::real> &job, unsigned char *memory,
                              unsigned turn, pipeline_warp<SHAPE> &warp)
{
    for (int n = 0; n < min(job.piece.turns, 2); n++) {
        pipeline_warp_turn<SHAPE>(memory, turn + static_cast<unsigned>(n), warp);
        for (int slot = 0; slot < SHAPE::SETS; slot++)
            pipeline_load<SHAPE>(job, warp, job.piece.first_row + n * SHAPE::SETS + slot,
                                 warp.in + slot * SHAPE::ROW,
                                 warp.in_full + static_cast<unsigned>(slot) * 8);
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
#pragma unroll 1
    for (int part = 0; part < 2; part++) {
        const int begin = part == 0 ? 0 : piece.inner_end;
        const int middle = part == 0 ? piece.inner_begin : piece.turns;
        const int end = part == 0 ? piece.inner_end : piece.turns;
#pragma unroll 1
        for (int n = begin; n < middle; n++) {
            pipeline_begin<SHAPE>(job, memory, turn, n, warp);
            pipeline_turn<SHAPE, EQUAL, FIXED, PIPELINE_ENDS>(
                job, warp, pipeline_faces_load<SHAPE>(job, warp), state);
        }
        if (has_side) {
#pragma unroll 1
            for (int n = middle; n < end; n++) {
                pipeline_begin<SHAPE>(job, memory, turn, n, warp);
                pipeline_turn<SHAPE, EQUAL, FIXED, PIPELINE_SIDES>(
                    job, warp, pipeline_faces_load<SHAPE>(job, warp), state);
            }
        } else {
#pragma unroll 1
            for (int n = middle; n < end; n++) {
                pipeline_begin<SHAPE>(job, memory, turn, n, warp);
                pipeline_turn<SHAPE, EQUAL, FIXED, PIPELINE_INNER>(job, warp, {}, state);
            }
        }
    }
}

/* An initialiser would become a loop, and the array would not be kept in registers. */
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

template <typename SHAPE> __device__ void pipeline_barriers_init(unsigned char *memory)
{
    if (threadIdx.x == 0) {
        for (int n = 0; n < SHAPE::BARRIERS; n++)
            barrier_init(shared_address(memory) + static_cast<unsigned>(n) * 8,
                         n < SHAPE::BARRIERS_FULL ? 1 : SHAPE::GROUPS);
        bulk_fence();
    }
    __syncthreads();
}

template <typename SHAPE, bool EQUAL, bool FIXED>
__global__ void __launch_bounds__(SHAPE::THREADS, 1)
    step_pipeline(const __grid_constant__ step_args<typename SHAPE::real> args,
                  const __grid_constant__ pipeline_plan plan)
{
    extern __shared__ __align__(128) unsigned char pipeline_memory[];
    pipeline_barriers_init<SHAPE>(pipeline_memory);
    pipeline_warp<SHAPE> warp = {};
    warp.lane = static_cast<int>(threadIdx.x % 32);
    /* Told this way, the compiler knows that all lanes have the same and take the same branches. */
    const int number = __shfl_sync(~0u, static_cast<int>(threadIdx.x / 32), 0);
    warp.stage = number / SHAPE::GROUPS;
    warp.group = number % SHAPE::GROUPS;
    warp.stores_first = warp.group == 0 || warp.lane != 0;
    warp.stores_last = warp.group == SHAPE::GROUPS - 1 || warp.lane != 31;

    pipeline_state<SHAPE> state;
    pipeline_state_clear(state);
    const int64_t total = plan.first_cost + (plan.strips - 2) * plan.middle_cost + plan.last_cost;
    int64_t cost = total * blockIdx.x / gridDim.x;
    const int64_t end = total * (blockIdx.x + 1) / gridDim.x;
    unsigned turn = 0;
    while (cost < end) {
        const pipeline_job<typename SHAPE::real> job = {
            args, plan, pipeline_piece_next<SHAPE>(args, plan, &cost, end)};
        if (job.piece.cells.y0 >= job.piece.cells.y1)
            continue;
        pipeline_warp_place(job, warp);
        if (warp.stage == 0 && warp.lane == 0)
            pipeline_fill<SHAPE>(job, pipeline_memory, turn, warp);
        __syncwarp();
        pipeline_run<SHAPE, EQUAL, FIXED>(job, pipeline_memory, turn, warp, state);
        turn += static_cast<unsigned>(job.piece.turns);
    }
    if (warp.stage == SHAPE::STAGES - 1 && warp.lane == 0)
        bulk_wait_read<0>(); /* shared memory goes when the block ends */
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
