/* What a lane of the pipeline (run.cuh) keeps in registers, and the arithmetic on it. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_LEVEL_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_LEVEL_CUH

#include "kernels/cuda/pipeline/move.cuh"

/* What the rows in hand may have: no ghost cells; one at the left or right end, on the right at the
 * start of a 16-byte unit; one anywhere in that unit; these and the first or last row of the block.
 */
enum pipeline_rows { PIPELINE_INNER, PIPELINE_SIDES, PIPELINE_ODD, PIPELINE_ENDS };

/* What a warp knows of the kinds of cells in its rows. */
template <bool HAS_KINDS> struct pipeline_seen {
};
template <> struct pipeline_seen<true> {
    bool is_by_lane; /* all cells that a lane looks at in this turn are of one plain kind */
    unsigned kind;   /* which one, of this lane */
    bool has_sums;   /* `below` holds sums */
};

/* What a lane keeps in registers. As row k comes in, set (k - 1 - l) mod SETS holds row u of level
 * l. Row k goes to set k mod SETS, and each level leaves its result in place of its u, where the
 * next level finds it: no value is moved when the rows are unrolled SETS times. */
template <typename SHAPE> struct pipeline_state {
    typename SHAPE::real u[SHAPE::SETS][SHAPE::COLUMNS];
    typename SHAPE::real below[SHAPE::LEVELS][SHAPE::COLUMNS];
    unsigned fixed[SHAPE::SETS]; /* of the row in that set, bit c: cell c keeps its value */
    int free_rows;               /* that came in since one with such a cell in this warp */
    pipeline_seen<SHAPE::HAS_KINDS> seen;
};

/* The coefficients of a face. */
template <typename REAL> struct alignas(2 * sizeof(REAL)) pipeline_face {
    REAL a, b;
};

/* A warp's part of a piece. */
template <typename SHAPE> struct pipeline_warp {
    int lane, stage, group;
    bool stores_first, stores_last;             /* its first or last SKIP columns, too */
    int column;                                 /* this lane's first */
    bool is_left, is_right;                     /* this lane has the ghost cell of that side */
    double *heat;                               /* of that side */
    unsigned heat_rows;                         /* that this lane counts; 0: none */
    int row;                                    /* that comes in at slot 0 of the turn */
    pipeline_ring<SHAPE> in, out;               /* of the turn; slots of this lane's columns */
    pipeline_face<typename SHAPE::real> *faces; /* of the turn, [row * LEVELS + level] */
    const unsigned *units; /* of this lane in this turn, see pipeline_units_of */
    unsigned mixed;        /* see pipeline_mixed_words */
    bool stays;            /* by lane in the next turn of this part of the piece, too */
};

/* Conductances of a kind; where plain cells go by sums and all are the same, north is NaN instead:
 * a test that takes nothing from the pipe of the arithmetic. */
template <typename REAL> struct alignas(4 * sizeof(REAL)) pipeline_kind {
    REAL west, south, east, north;
};

/* What all rows of a piece need. */
template <typename REAL> struct pipeline_job {
    const step_args<REAL> &args;
    const pipeline_plan &plan;
    const pipeline_kind<REAL> *kinds; /* in shared memory */
    const REAL *sources;              /* of kinds: what a step adds; in shared memory */
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

/* A cell by its sums; gain is 0 without HAS_GAIN. */
template <bool HAS_GAIN>
__device__ __forceinline__ double cell_sum_gain(double c, double wn, double es, double r,
                                                double gain)
{
    return HAS_GAIN ? c + cell_change_equal_f64(c, wn, es, r, gain)
                    : cell_euler_equal_f64(c, wn, es, r);
}

template <bool HAS_GAIN>
__device__ __forceinline__ float cell_sum_gain(float c, float wn, float es, float r, float gain)
{
    return HAS_GAIN ? c + cell_change_equal_f32(c, wn, es, r, gain)
                    : cell_euler_equal_f32(c, wn, es, r);
}

/* Coefficients where all cells of a lane have the same. */
template <typename REAL> struct pipeline_coefficients {
    REAL rx, ry, source;
};

/* Values of the lanes to the left and right. */
template <typename REAL> struct pipeline_beside {
    REAL west, east;
};

/* Of row u at level l as row PHASE of a turn comes in. HAS_SUMS: what `below` holds. */
template <typename SHAPE, bool HAS_SUMS, int PHASE>
__device__ __forceinline__ pipeline_beside<typename SHAPE::real>
pipeline_look(const pipeline_state<SHAPE> &state, int l)
{
    const auto &u = state.u[(PHASE + 2 * SHAPE::SETS - 1 - l) % SHAPE::SETS];
    pipeline_beside<typename SHAPE::real> at;
    at.west = __shfl_up_sync(~0u, u[SHAPE::COLUMNS - 1], 1);
    at.east = __shfl_down_sync(~0u, HAS_SUMS ? state.below[l][0] : u[0], 1);
    return at;
}

/* With kinds: of a turn that goes by lane. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_coefficients<typename SHAPE::real>
pipeline_coefficients_look(const pipeline_job<typename SHAPE::real> &job,
                           const pipeline_state<SHAPE> &state)
{
    if constexpr (SHAPE::HAS_KINDS)
        return {job.kinds[state.seen.kind].west, job.kinds[state.seen.kind].south,
                SHAPE::HAS_SOURCES ? job.sources[state.seen.kind] : 0};
    else
        return {job.args.rx, job.args.ry, 0};
}

/* One level: with v the row above u, u becomes its next level and `below` serves the next row: sums
 * where EQUAL, but with KEEPS_ROW the row itself. Bit c of `fixed`: the cell keeps its value. */
template <typename SHAPE, bool EQUAL, bool FIXED, bool KEEPS_ROW = !EQUAL>
__device__ __forceinline__ void pipeline_level(typename SHAPE::real (&u)[SHAPE::COLUMNS],
                                               const typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                               typename SHAPE::real (&below)[SHAPE::COLUMNS],
                                               const pipeline_beside<typename SHAPE::real> &at,
                                               const pipeline_coefficients<typename SHAPE::real> &r,
                                               unsigned fixed)
{
    using REAL = typename SHAPE::real;
    constexpr int COLUMNS = SHAPE::COLUMNS;
    REAL west = at.west;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const bool is_inner = c + 1 < COLUMNS;
        const REAL centre = u[c];
        REAL next, keep = centre;
        if (EQUAL) {
            const REAL sum = west + v[c];
            next = cell_sum_gain<SHAPE::HAS_SOURCES>(
                centre, sum, is_inner ? below[(c + 1) % COLUMNS] : at.east, r.rx, r.source);
            keep = KEEPS_ROW ? centre : sum;
        } else {
            next = cell_advance<false>(centre, west, is_inner ? u[(c + 1) % COLUMNS] : at.east,
                                       below[c], v[c], r.rx, r.ry);
        }
        u[c] = FIXED && (fixed >> c & 1) != 0 ? centre : next;
        below[c] = keep;
        west = centre;
    }
}

#endif
