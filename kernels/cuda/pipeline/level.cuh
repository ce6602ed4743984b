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

__device__ __forceinline__ double cell_flows(double w, double e, double s, double n, double rw,
                                             double re, double rs, double rn, double gain)
{
    return cell_change_flows_f64(w, e, s, n, rw, re, rs, rn, gain);
}

__device__ __forceinline__ float cell_flows(float w, float e, float s, float n, float rw, float re,
                                            float rs, float rn, float gain)
{
    return cell_change_flows_f32(w, e, s, n, rw, re, rs, rn, gain);
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

__device__ __forceinline__ double marked(double)
{
    return __hiloint2double(0x7fffffff, -1);
}

__device__ __forceinline__ float marked(float)
{
    return __int_as_float(0x7fffffff);
}

__device__ __forceinline__ bool is_marked(double north)
{
    return __double2hiint(north) == 0x7fffffff;
}

__device__ __forceinline__ bool is_marked(float north)
{
    return __float_as_int(north) == 0x7fffffff;
}

/* A row's units of a lane are LANE_UNITS words apart. */
enum { LANE_UNITS = 32 };

/* The units of the row that came in `rows` rows before that of slot PHASE. */
template <typename SHAPE, int PHASE>
__device__ __forceinline__ const unsigned *pipeline_units_of(const pipeline_warp<SHAPE> &warp,
                                                             int rows)
{
    return warp.units + (SHAPE::LEVELS + PHASE - rows) * SHAPE::UNITS * LANE_UNITS;
}

/* The kinds of a lane's cells in a row, four to a word. */
template <typename SHAPE> struct pipeline_kinds {
    static constexpr int WORDS = (SHAPE::COLUMNS + 3) / 4;
    unsigned word[WORDS];
};

template <typename SHAPE>
__device__ __forceinline__ pipeline_kinds<SHAPE> pipeline_kinds_of(const pipeline_warp<SHAPE> &warp,
                                                                   const unsigned *units)
{
    const unsigned shift = static_cast<unsigned>(warp.column & 3) * 8;
    pipeline_kinds<SHAPE> kinds;
#pragma unroll
    for (int k = 0; k < kinds.WORDS; k++)
        kinds.word[k] = __funnelshift_r(
            units[k * LANE_UNITS], k + 1 < SHAPE::UNITS ? units[(k + 1) * LANE_UNITS] : 0, shift);
    return kinds;
}

/* The kind of one cell. */
template <typename SHAPE>
__device__ __forceinline__ int pipeline_kind_of(const pipeline_warp<SHAPE> &warp,
                                                const unsigned *units, int column)
{
    const unsigned at = static_cast<unsigned>((warp.column & 3) + column);
    return static_cast<int>(units[at / 4 * LANE_UNITS] >> at % 4 * 8 & 255);
}

/* Coefficients where all cells of a lane have the same. */
template <typename REAL> struct pipeline_alike {
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

/* Makes sums of the rows below, before row 0 of a turn. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_sums_make(pipeline_state<SHAPE> &state)
{
#pragma unroll
    for (int l = 0; l < SHAPE::LEVELS; l++) {
        const auto &u = state.u[SHAPE::SETS - 1 - l];
        auto &below = state.below[l];
        const typename SHAPE::real west = __shfl_up_sync(~0u, below[SHAPE::COLUMNS - 1], 1);
#pragma unroll
        for (int c = SHAPE::COLUMNS - 1; c > 0; c--)
            below[c] = below[(c + SHAPE::COLUMNS - 1) % SHAPE::COLUMNS] + u[c];
        below[0] = west + u[0];
    }
}

/* With kinds: of a turn that goes by lane. */
template <typename SHAPE>
__device__ __forceinline__ pipeline_alike<typename SHAPE::real>
pipeline_alike_look(const pipeline_job<typename SHAPE::real> &job,
                    const pipeline_state<SHAPE> &state)
{
    if constexpr (SHAPE::HAS_KINDS)
        return {job.kinds[state.seen.kind].west, job.kinds[state.seen.kind].south,
                SHAPE::HAS_SOURCES ? job.sources[state.seen.kind] : 0};
    else
        return {job.args.rx, job.args.ry, 0};
}

/* pipeline_level with conduction by kind: `below` keeps v - u. coefficients_of(c, &source): those
 * of the cell in column c. */
template <typename SHAPE, typename COEFFICIENTS>
__device__ __forceinline__ void pipeline_level_flows(
    typename SHAPE::real (&u)[SHAPE::COLUMNS], const typename SHAPE::real (&v)[SHAPE::COLUMNS],
    typename SHAPE::real (&below)[SHAPE::COLUMNS], const pipeline_beside<typename SHAPE::real> &at,
    const COEFFICIENTS &coefficients_of)
{
    using REAL = typename SHAPE::real;
    constexpr int COLUMNS = SHAPE::COLUMNS;
    REAL west = at.west - u[0];
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const REAL centre = u[c];
        const REAL east = (c + 1 < COLUMNS ? u[(c + 1) % COLUMNS] : at.east) - centre;
        const REAL north = v[c] - centre;
        REAL source;
        const pipeline_kind<REAL> r = coefficients_of(c, &source);
        u[c] = centre +
               cell_flows(west, east, -below[c], north, r.west, r.east, r.south, r.north, source);
        below[c] = north;
        west = -east;
    }
}

/* A row of any kinds; `units` are those of u. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_level_any(typename SHAPE::real (&u)[SHAPE::COLUMNS],
                                                   const typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                                   typename SHAPE::real (&below)[SHAPE::COLUMNS],
                                                   const pipeline_beside<typename SHAPE::real> &at,
                                                   const pipeline_warp<SHAPE> &warp,
                                                   const unsigned *units,
                                                   const pipeline_job<typename SHAPE::real> &job)
{
    using REAL = typename SHAPE::real;
    const pipeline_kinds<SHAPE> kinds = pipeline_kinds_of<SHAPE>(warp, units);
    pipeline_level_flows<SHAPE>(u, v, below, at, [&](int c, REAL *source) {
        const unsigned kind = kinds.word[c / 4] >> c % 4 * 8 & 255;
        const pipeline_kind<REAL> r = job.kinds[kind];
        *source = SHAPE::HAS_SOURCES ? job.sources[kind] : 0;
        return r;
    });
}

/* The bits of pipeline_mixed_words for the row that came in `rows` rows before that of slot PHASE.
 */
template <typename SHAPE, int PHASE>
__device__ __forceinline__ unsigned pipeline_mixed_of(const pipeline_warp<SHAPE> &warp, int rows)
{
    return warp.mixed >> (SHAPE::LEVELS + PHASE - rows) * pipeline_kinds<SHAPE>::WORDS;
}

/* Which words of kinds, of the rows that a turn looks at and in any lane of the warp, have a cell
 * that is not plain: bit row * WORDS + word. */
template <typename SHAPE>
__device__ __forceinline__ unsigned pipeline_mixed_words(const pipeline_warp<SHAPE> &warp,
                                                         int kind_plain)
{
    constexpr int WORDS = pipeline_kinds<SHAPE>::WORDS;
    constexpr unsigned LAST = ~0u >> (4 * WORDS - SHAPE::COLUMNS) * 8;
    static_assert(SHAPE::UNIT_ROWS * WORDS <= 32, "a bit for each word");
    const unsigned plain = static_cast<unsigned>(kind_plain) * 0x01010101u;
    unsigned mixed = 0;
#pragma unroll
    for (int n = 0; n < SHAPE::UNIT_ROWS; n++) {
        const pipeline_kinds<SHAPE> kinds =
            pipeline_kinds_of<SHAPE>(warp, warp.units + n * SHAPE::UNITS * LANE_UNITS);
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            const unsigned others = __vcmpgeu4(kinds.word[k], plain);
            mixed |= (others & (k + 1 < WORDS ? ~0u : LAST)) != 0 ? 1u << (n * WORDS + k) : 0;
        }
    }
    return __reduce_or_sync(~0u, mixed);
}

/* Columns [begin, begin + PART) of pipeline_level_mixed; `west`: the cell to the west, as it was.
 * With MIXED both ways are computed and one is taken, so that lanes stay together. */
template <typename SHAPE, bool MIXED, int PART>
__device__ __forceinline__ void pipeline_part_mixed(typename SHAPE::real (&u)[SHAPE::COLUMNS],
                                                    const typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                                    typename SHAPE::real (&below)[SHAPE::COLUMNS],
                                                    const pipeline_beside<typename SHAPE::real> &at,
                                                    const pipeline_kinds<SHAPE> &kinds, int begin,
                                                    const pipeline_job<typename SHAPE::real> &job,
                                                    typename SHAPE::real &west)
{
    using REAL = typename SHAPE::real;
    constexpr int COLUMNS = SHAPE::COLUMNS;
    REAL to_west = west - u[begin];
#pragma unroll
    for (int c = begin; c < begin + PART && c < COLUMNS; c++) {
        const unsigned kind = kinds.word[c / 4] >> c % 4 * 8 & 255;
        const REAL source = SHAPE::HAS_SOURCES ? job.sources[kind] : 0;
        const REAL centre = u[c], south = below[c];
        const REAL east = c + 1 < COLUMNS ? u[(c + 1) % COLUMNS] : at.east;
        const pipeline_kind<REAL> r = job.kinds[kind];
        u[c] = cell_sum_gain<SHAPE::HAS_SOURCES>(centre, west + v[c], east + south, r.west, source);
        if (MIXED) {
            const REAL to_east = east - centre;
            const REAL by_flows =
                centre + cell_flows(to_west, to_east, south - centre, v[c] - centre, r.west, r.east,
                                    r.south, r.north, source);
            u[c] = is_marked(r.north) ? u[c] : by_flows;
            to_west = -to_east;
        }
        below[c] = centre;
        west = centre;
    }
}

/* A row of any kinds where plain ones go by sums (cell_euler_zones); `below` is the row below. With
 * BY_WORDS words of kinds without any other cell go by sums alone: bit k of `mixed` is 0 for word
 * k.
 */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_level_mixed(
    typename SHAPE::real (&u)[SHAPE::COLUMNS], const typename SHAPE::real (&v)[SHAPE::COLUMNS],
    typename SHAPE::real (&below)[SHAPE::COLUMNS], const pipeline_beside<typename SHAPE::real> &at,
    const pipeline_warp<SHAPE> &warp, const unsigned *units, unsigned mixed,
    const pipeline_job<typename SHAPE::real> &job)
{
    constexpr int PART = SHAPE::BY_WORDS ? 4 : SHAPE::COLUMNS;
    const pipeline_kinds<SHAPE> kinds = pipeline_kinds_of<SHAPE>(warp, units);
    typename SHAPE::real west = at.west;
#pragma unroll
    for (int begin = 0; begin < SHAPE::COLUMNS; begin += PART)
        if (!SHAPE::BY_WORDS || (mixed >> begin / 4 & 1) != 0)
            pipeline_part_mixed<SHAPE, true, PART>(u, v, below, at, kinds, begin, job, west);
        else
            pipeline_part_mixed<SHAPE, false, PART>(u, v, below, at, kinds, begin, job, west);
}

/* One level: with v the row above u, u becomes its next level and `below` serves the next row: sums
 * where EQUAL, but with KEEPS_ROW the row itself. Bit c of `fixed`: the cell keeps its value. */
template <typename SHAPE, bool EQUAL, bool FIXED, bool KEEPS_ROW = !EQUAL>
__device__ __forceinline__ void pipeline_level(typename SHAPE::real (&u)[SHAPE::COLUMNS],
                                               const typename SHAPE::real (&v)[SHAPE::COLUMNS],
                                               typename SHAPE::real (&below)[SHAPE::COLUMNS],
                                               const pipeline_beside<typename SHAPE::real> &at,
                                               const pipeline_alike<typename SHAPE::real> &r,
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
