/* Ghost cells and fixed cells in the pipeline (run.cuh). */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_EDGE_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_EDGE_CUH

#include "kernels/cuda/pipeline/level.cuh"

/* Coefficients of the side that this warp has, for the rows from warp.row on. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_faces<typename SHAPE::real>
pipeline_faces_load(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp)
{
    if (!job.piece.is_left && !job.piece.is_right)
        return {}; /* rows at the end of the block, but no side */
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
__device__ __forceinline__ void
pipeline_sides(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
               int row, typename SHAPE::real a, typename SHAPE::real b,
               typename SHAPE::real (&v)[SHAPE::COLUMNS], unsigned fixed)
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
        global_add(warp.heat + row, static_cast<double>(ghost - inner));
}

/* The ghost row below v, the first row of the block, or above u, the last one; and the heat through
 * its faces. One code for both: it is long, and there is a copy for each row and level of a turn.
 */
template <typename SHAPE>
__device__ __forceinline__ void
pipeline_end(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
             bool is_bottom, int level, typename SHAPE::real (&u)[SHAPE::COLUMNS],
             typename SHAPE::real (&v)[SHAPE::COLUMNS], unsigned fixed)
{
    using REAL = typename SHAPE::real;
    const side_args<REAL> &side = job.args.sides[is_bottom ? BOTTOM : TOP];
    const region &cells = job.piece.cells;
    const int row = is_bottom ? 0 : job.args.ny - 1;
    const bool is_counted = side.heat != nullptr && row >= cells.y0 && row < cells.y1;
    const int64_t at = warp.column + static_cast<int64_t>(level) * side.level_stride;
    const REAL *const a = side.a + at, *const b = side.b + at;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c++) {
        const int i = warp.column + c;
        const REAL inside = is_bottom ? v[c] : u[c];
        if (i < job.plan.face_x0 || i >= job.plan.face_x1)
            continue;
        const REAL ghost = cell_beyond(inside, a[c], b[c]);
        u[c] = is_bottom ? ghost : u[c];
        v[c] = is_bottom ? v[c] : ghost;
        if (is_counted && pipeline_owns(warp, c) && i >= cells.x0 && i < cells.x1 &&
            (fixed >> c & 1) == 0)
            global_add(side.heat + i, static_cast<double>(ghost - inside));
        asm volatile("" ::: "memory"); /* one cell after the other: few registers */
    }
}

/* The mask of fixed cells, as it lies in memory. */
template <typename SHAPE> struct pipeline_mask {
    pipeline_pack<unsigned char, SHAPE::PACK> pack[SHAPE::COLUMNS / SHAPE::PACK];
};

/* A lane with columns that are not in memory makes nothing that is used. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_mask<SHAPE>
pipeline_mask_load(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
                   int row)
{
    using PACK = pipeline_pack<unsigned char, SHAPE::PACK>;
    const bool is_there =
        warp.column >= job.plan.column_begin && warp.column + SHAPE::COLUMNS <= job.plan.column_end;
    row = min(max(row, job.plan.row_begin), job.plan.row_end - 1);
    const unsigned char *const bytes =
        job.args.fixed + row * job.args.pitch + (is_there ? warp.column : 0);
    pipeline_mask<SHAPE> mask;
#pragma unroll
    for (int k = 0; k < SHAPE::COLUMNS / SHAPE::PACK; k++)
        mask.pack[k] = *reinterpret_cast<const PACK *>(bytes + k * SHAPE::PACK);
    return mask;
}

/* Notes in the state which cells of row PHASE of the turn are fixed. */
template <typename SHAPE, int PHASE>
__device__ __forceinline__ void pipeline_mask_note(const pipeline_mask<SHAPE> &mask,
                                                   pipeline_state<SHAPE> &state)
{
    unsigned bits = 0;
#pragma unroll
    for (int c = 0; c < SHAPE::COLUMNS; c++)
        bits |= (mask.pack[c / SHAPE::PACK].cell[c % SHAPE::PACK] != 0 ? 1u : 0u) << c;
    state.fixed[PHASE] = bits;
    state.free_rows = __any_sync(~0u, bits != 0) ? 0 : state.free_rows + 1;
}

/* All ghost cells for level l as row PHASE of a turn comes in. */
template <typename SHAPE, pipeline_rows ROWS, int PHASE>
__device__ __forceinline__ void
pipeline_edge(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
              const pipeline_faces<typename SHAPE::real> &faces, int l,
              typename SHAPE::real (&u)[SHAPE::COLUMNS], typename SHAPE::real (&v)[SHAPE::COLUMNS],
              unsigned u_fixed, unsigned v_fixed)
{
    const int row = warp.row + PHASE - l, level = warp.stage * SHAPE::LEVELS + l;
    const int face = PHASE * SHAPE::LEVELS + l;
    pipeline_sides<SHAPE>(job, warp, row, __shfl_sync(~0u, faces.a, face),
                          __shfl_sync(~0u, faces.b, face), v, v_fixed);
    const bool is_bottom = job.args.sides[BOTTOM].is_boundary && row == 0;
    if (ROWS == PIPELINE_ENDS &&
        (is_bottom || (job.args.sides[TOP].is_boundary && row == job.args.ny)))
        pipeline_end<SHAPE>(job, warp, is_bottom, level, u, v, is_bottom ? v_fixed : u_fixed);
}

#endif
