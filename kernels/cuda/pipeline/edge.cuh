/* Ghost cells and fixed cells in the pipeline (run.cuh). */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_EDGE_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_EDGE_CUH

#include "kernels/cuda/pipeline/kinds.cuh"

/* Where a warp has the coefficients of the faces of a turn. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_face<typename SHAPE::real> *
pipeline_faces_at(unsigned char *memory, const pipeline_warp<SHAPE> &warp, int turn)
{
    using FACE = pipeline_face<typename SHAPE::real>;
    FACE *const all = reinterpret_cast<FACE *>(memory + SHAPE::FACES_AT);
    return all + ((warp.stage * SHAPE::GROUPS + warp.group) * 2 + (turn & 1)) * 32;
}

/* Begins to load the coefficients for the SETS rows from `row` on: lane n has those of level n mod
 * LEVELS as row n / LEVELS comes in. They come while another turn runs: waiting for them here made
 * each turn a quarter longer. */
template <typename SHAPE>
__device__ __forceinline__ void
pipeline_faces_ask(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
                   pipeline_face<typename SHAPE::real> *faces, int row)
{
    constexpr int BYTES = sizeof(typename SHAPE::real);
    if (job.piece.is_left || job.piece.is_right) {
        const auto &side = job.args.sides[job.piece.is_left ? LEFT : RIGHT];
        const int l = warp.lane % SHAPE::LEVELS;
        row += min(warp.lane / SHAPE::LEVELS, SHAPE::SETS - 1) - l;
        const int f = min(max(row, job.plan.face_y0), job.plan.face_y1 - 1);
        const int64_t at =
            f + static_cast<int64_t>(warp.stage * SHAPE::LEVELS + l) * side.level_stride;
        const unsigned to = shared_address(faces + warp.lane);
        small_load<BYTES>(to, side.a + at);
        small_load<BYTES>(to + BYTES, side.b + at);
    }
}

/* The row of ghost cells `beyond` the first or last row of the block, `inside`, at a level, and the
 * heat through its faces. */
template <typename SHAPE>
__device__ __forceinline__ void
pipeline_end(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
             bool is_bottom, int level, const typename SHAPE::real (&inside)[SHAPE::COLUMNS],
             typename SHAPE::real (&beyond)[SHAPE::COLUMNS], unsigned fixed)
{
    using REAL = typename SHAPE::real;
    constexpr int AT_ONCE = 4; /* loads under way: more cost registers */
    const side_args<REAL> &side = job.args.sides[is_bottom ? BOTTOM : TOP];
    const region &cells = job.piece.cells;
    const int row = is_bottom ? 0 : job.args.ny - 1;
    const int first = max(cells.x0, warp.column + (warp.stores_first ? 0 : SHAPE::SKIP));
    const int last =
        min(cells.x1, warp.column + SHAPE::COLUMNS - (warp.stores_last ? 0 : SHAPE::SKIP));
    const bool is_counted = side.heat != nullptr && row >= cells.y0 && row < cells.y1;
    const unsigned counted = is_counted && first < last ? static_cast<unsigned>(last - first) : 0;
    const unsigned faces = static_cast<unsigned>(job.plan.face_x1 - job.plan.face_x0);
    const int64_t at = warp.column + static_cast<int64_t>(level) * side.level_stride;
    const REAL *const a = side.a + at, *const b = side.b + at;
#pragma unroll
    for (int begin = 0; begin < SHAPE::COLUMNS; begin += AT_ONCE) {
        REAL as[AT_ONCE], bs[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE && begin + k < SHAPE::COLUMNS; k++) {
            const int c = begin + k;
            const bool is_there = static_cast<unsigned>(warp.column + c - job.plan.face_x0) < faces;
            as[k] = is_there ? a[c] : 0;
            bs[k] = is_there ? b[c] : 0;
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE && begin + k < SHAPE::COLUMNS; k++) {
            const int c = begin + k;
            beyond[c] = cell_beyond(inside[c], as[k], bs[k]);
            global_add_if(static_cast<unsigned>(warp.column + c - first) < counted &&
                              (fixed >> c & 1) == 0,
                          side.heat + warp.column + c, static_cast<double>(beyond[c] - inside[c]));
        }
        asm volatile("" ::: "memory");
    }
}

/* The mask of fixed cells, PACK bytes of memory in each word. */
template <typename SHAPE> struct pipeline_mask {
    static constexpr int WORDS = SHAPE::COLUMNS / SHAPE::PACK;
    unsigned word[WORDS];
};

__device__ __forceinline__ unsigned pipeline_mask_word(const unsigned char *bytes, int count)
{
    return count == 4   ? *reinterpret_cast<const unsigned *>(bytes)
           : count == 2 ? *reinterpret_cast<const unsigned short *>(bytes)
                        : *bytes;
}

/* A lane with columns that are not in memory makes nothing that is used. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_mask<SHAPE>
pipeline_mask_load(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
                   int row)
{
    const bool is_there =
        warp.column >= job.plan.column_begin && warp.column + SHAPE::COLUMNS <= job.plan.column_end;
    row = min(max(row, job.plan.row_begin), job.plan.row_end - 1);
    const unsigned char *const bytes =
        job.args.fixed + row * job.args.pitch + (is_there ? warp.column : 0);
    pipeline_mask<SHAPE> mask;
#pragma unroll
    for (int k = 0; k < mask.WORDS; k++)
        mask.word[k] = pipeline_mask_word(bytes + k * SHAPE::PACK, SHAPE::PACK);
    return mask;
}

/* Notes in the state which cells of row PHASE of the turn are fixed. The words are looked at here
 * and not before: the compiler would take them apart as soon as they are asked for, and each row
 * would wait for memory (3 to 4 times as long). */
template <typename SHAPE, int PHASE>
__device__ __forceinline__ void pipeline_mask_note(const pipeline_mask<SHAPE> &mask,
                                                   pipeline_state<SHAPE> &state)
{
    unsigned bits = 0;
#pragma unroll
    for (int k = 0; k < mask.WORDS; k++) {
        const unsigned word = word_hidden(mask.word[k]);
#pragma unroll
        for (int c = 0; c < SHAPE::PACK; c++)
            bits |= ((word >> 8 * c & 255) != 0 ? 1u : 0u) << (k * SHAPE::PACK + c);
    }
    state.fixed[PHASE] = bits;
    state.free_rows = __any_sync(~0u, bits != 0) ? 0 : state.free_rows + 1;
}

/* Which cells keep their value of the row in `set`, which came in `rows` rows before slot PHASE. */
template <typename SHAPE, int PHASE>
__device__ __forceinline__ unsigned
pipeline_fixed(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
               const pipeline_state<SHAPE> &state, int set, int rows)
{
    if constexpr (SHAPE::HAS_KINDS) {
        const pipeline_kinds<SHAPE> kinds =
            pipeline_kinds_of<SHAPE>(warp, pipeline_units_of<SHAPE, PHASE>(warp, rows));
        unsigned bits = 0;
#pragma unroll
        for (int c = 0; c < SHAPE::COLUMNS; c++) {
            const unsigned kind = kinds.word[c / 4] >> c % 4 * 8 & 255;
            bits |= (static_cast<int>(kind) >= job.args.kind_fixed ? 1u : 0u) << c;
        }
        return bits;
    } else {
        return state.fixed[set];
    }
}

/* Whether the cell in `column` of that row does. */
template <typename SHAPE, int PHASE>
__device__ __forceinline__ bool
pipeline_is_fixed(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
                  const pipeline_state<SHAPE> &state, int set, int rows, int column)
{
    if constexpr (SHAPE::HAS_KINDS)
        return pipeline_kind_of<SHAPE>(warp, pipeline_units_of<SHAPE, PHASE>(warp, rows), column) >=
               job.args.kind_fixed;
    else
        return (state.fixed[set] >> column & 1) != 0;
}

/* The ghost cell at the left or right of row v, and the heat through its face. Stages get to a face
 * in the order of their levels, with a barrier between them, so its heat is added in that order. */
template <typename SHAPE, bool FIXED, pipeline_rows ROWS, int PHASE>
__device__ __forceinline__ void pipeline_sides(const pipeline_job<typename SHAPE::real> &job,
                                               const pipeline_warp<SHAPE> &warp, int l,
                                               pipeline_state<SHAPE> &state)
{
    using REAL = typename SHAPE::real;
    constexpr int SETS = SHAPE::SETS, LAST = SHAPE::COLUMNS - 1, LINE = SHAPE::LINE;
    constexpr bool IS_ODD = ROWS != PIPELINE_SIDES;
    const int set = (PHASE + SETS - l) % SETS;
    auto &v = state.u[set];
    const auto &face = warp.faces[PHASE * SHAPE::LEVELS + l];
    const int right_ghost = IS_ODD ? job.plan.right_ghost : LINE - 1;
    REAL right = v[LAST - LINE];
#pragma unroll
    for (int k = 0; IS_ODD && k + 1 < LINE; k++)
        right = right_ghost == k ? v[LAST - 1 - k] : right;
    const REAL inner = warp.is_left ? v[LINE] : right;
    const REAL ghost = cell_beyond(inner, face.a, face.b);
    v[LINE - 1] = warp.is_left ? ghost : v[LINE - 1];
#pragma unroll
    for (int k = IS_ODD ? 0 : LINE - 1; k < LINE; k++)
        v[LAST - k] = warp.is_right && right_ghost == k ? ghost : v[LAST - k];
    const int row = warp.row + PHASE - l;
    bool is_counted = static_cast<unsigned>(row - job.piece.cells.y0) < warp.heat_rows;
    if (FIXED)
        is_counted = is_counted &&
                     !pipeline_is_fixed<SHAPE, PHASE>(job, warp, state, set, l,
                                                      warp.is_left ? LINE : LAST - 1 - right_ghost);
    global_add_if(is_counted, warp.heat + row, static_cast<double>(ghost - inner));
}

/* All ghost cells for level l as row PHASE of a turn comes in: v, above u. */
template <typename SHAPE, bool FIXED, pipeline_rows ROWS, int PHASE>
__device__ __forceinline__ void pipeline_edge(const pipeline_job<typename SHAPE::real> &job,
                                              const pipeline_warp<SHAPE> &warp, int l,
                                              pipeline_state<SHAPE> &state)
{
    constexpr int SETS = SHAPE::SETS, BEFORE = PHASE + 2 * SETS - 1;
    const int v_set = (PHASE + SETS - l) % SETS, u_set = (BEFORE - l) % SETS;
    pipeline_sides<SHAPE, FIXED, ROWS, PHASE>(job, warp, l, state);
    if (ROWS != PIPELINE_ENDS)
        return;
    const int row = warp.row + PHASE - l, level = warp.stage * SHAPE::LEVELS + l;
    if (job.args.sides[BOTTOM].is_boundary && row == 0)
        pipeline_end<SHAPE>(job, warp, true, level, state.u[v_set], state.u[u_set],
                            pipeline_fixed<SHAPE, PHASE>(job, warp, state, v_set, l));
    if (job.args.sides[TOP].is_boundary && row == job.args.ny)
        pipeline_end<SHAPE>(job, warp, false, level, state.u[u_set], state.u[v_set],
                            pipeline_fixed<SHAPE, PHASE>(job, warp, state, u_set, l + 1));
}

#endif
