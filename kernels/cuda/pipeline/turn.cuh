/* A turn of the pipeline (run.cuh): SETS rows through all levels of a warp, by lane or by cell. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_TURN_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_TURN_CUH

#include "kernels/cuda/pipeline/edge.cuh"

/* How cells are made: by the coefficients of their lane; by these, but with `below` to hold the row
 * afterwards, not sums; each by those of its kind. */
enum pipeline_way { PIPELINE_BY_LANE, PIPELINE_BY_LANE_LAST, PIPELINE_BY_CELL };

/* Row PHASE of a turn, which is in its set, through all levels of this warp. r: of a lane. */
template <typename SHAPE, bool EQUAL, bool FIXED, pipeline_way WAY, pipeline_rows ROWS, int PHASE>
__device__ __forceinline__ void
pipeline_levels(const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
                pipeline_beside<typename SHAPE::real> (&at)[SHAPE::LEVELS],
                const pipeline_coefficients<typename SHAPE::real> &r, pipeline_state<SHAPE> &state)
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
             const pipeline_coefficients<typename SHAPE::real> &r, pipeline_state<SHAPE> &state)
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
__device__ __forceinline__ void pipeline_rows_by_lane(
    const pipeline_job<typename SHAPE::real> &job, const pipeline_warp<SHAPE> &warp,
    const pipeline_coefficients<typename SHAPE::real> &r, pipeline_state<SHAPE> &state)
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
            job, at, pipeline_coefficients_look<SHAPE>(job, state), state);
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
    const auto r = pipeline_coefficients_look<SHAPE>(job, state);
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
            job, warp, pipeline_coefficients_look<SHAPE>(job, state), state);
    }
}

#endif
