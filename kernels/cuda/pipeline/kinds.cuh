/* Conduction by kind of cell in the pipeline (run.cuh): what warps load of kinds, and the
 * arithmetic of rows by cell. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_KINDS_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_KINDS_CUH

#include "kernels/cuda/pipeline/level.cuh"

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

/* Where a lane has the kinds of a turn. */
template <typename SHAPE>
__device__ __forceinline__ unsigned *pipeline_units_at(unsigned char *memory,
                                                       const pipeline_warp<SHAPE> &warp, int turn)
{
    const int number = (warp.stage * SHAPE::GROUPS + warp.group) * 2 + (turn & 1);
    return reinterpret_cast<unsigned *>(memory + SHAPE::UNITS_AT) +
           number * SHAPE::UNIT_ROWS * SHAPE::UNITS * LANE_UNITS + warp.lane;
}

/* Begins to load the kinds that the turn whose first row is `row` looks at: from LEVELS rows below
 * that one on, and from the last 4-byte unit at or before the lane's first column. Cells that are
 * not in memory get some kind: nothing that is made of them is used. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_units_ask(const pipeline_job<typename SHAPE::real> &job,
                                                   const pipeline_warp<SHAPE> &warp,
                                                   unsigned *units, int row)
{
    const unsigned to = shared_address(units);
#pragma unroll
    for (int n = 0; n < SHAPE::UNIT_ROWS; n++) {
        const int j = min(max(row - SHAPE::LEVELS + n, job.plan.row_begin), job.plan.row_end - 1);
        const unsigned char *const kinds = job.args.kind + j * job.args.pitch;
#pragma unroll
        for (int k = 0; k < SHAPE::UNITS; k++) {
            const int column = min(max((warp.column & ~3) + 4 * k, job.plan.column_begin),
                                   job.plan.column_end - 4);
            small_load<4>(to + (n * SHAPE::UNITS + k) * LANE_UNITS * 4, kinds + column);
        }
    }
}

/* Columns whose entries of `alike` are in a word. */
enum { ALIKE_WORD = 4 * ALIKE_COLUMNS };

/* Where a lane has the entries of `alike` for a turn. */
template <typename SHAPE>
__device__ __forceinline__ unsigned *pipeline_alike_at(unsigned char *memory,
                                                       const pipeline_warp<SHAPE> &warp, int turn)
{
    const int number = (warp.stage * SHAPE::GROUPS + warp.group) * 2 + (turn & 1);
    return reinterpret_cast<unsigned *>(memory + SHAPE::ALIKE_AT) +
           number * SHAPE::ALIKE_WORDS * LANE_UNITS + warp.lane;
}

/* Begins to load the entries for the turn whose first row is `row`, from the last word at or before
 * the lane's first column. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_alike_ask(const pipeline_job<typename SHAPE::real> &job,
                                                   const pipeline_warp<SHAPE> &warp,
                                                   unsigned *alike, int row)
{
    const unsigned to = shared_address(alike);
    const int j = min(max(row, job.plan.row_begin), job.plan.row_end - 1);
    const unsigned char *const entries = job.args.alike + j * (job.args.pitch / ALIKE_COLUMNS);
#pragma unroll
    for (int k = 0; k < SHAPE::ALIKE_WORDS; k++) {
        const int column =
            min(max((warp.column & ~(ALIKE_WORD - 1)) + k * ALIKE_WORD, job.plan.column_begin),
                job.plan.column_end - ALIKE_WORD);
        small_load<4>(to + k * LANE_UNITS * 4, entries + column / ALIKE_COLUMNS);
    }
}

/* Whether a turn goes by lane, whose entries are here. */
template <typename SHAPE>
__device__ __forceinline__ void pipeline_alike_note(const pipeline_warp<SHAPE> &warp,
                                                    const unsigned *alike,
                                                    pipeline_seen<true> &seen)
{
    constexpr int WORDS = (SHAPE::UNITS + 3) / 4;
    constexpr unsigned LAST = ~0u >> (4 * WORDS - SHAPE::UNITS) * 8;
    const unsigned shift =
        static_cast<unsigned>(warp.column & (ALIKE_WORD - 1)) / ALIKE_COLUMNS * 8;
    unsigned others = 0;
#pragma unroll
    for (int k = 0; k < WORDS; k++) {
        const unsigned above = k + 1 < SHAPE::ALIKE_WORDS ? alike[(k + 1) * LANE_UNITS] : 0;
        const unsigned word = __funnelshift_r(alike[k * LANE_UNITS], above, shift);
        if (k == 0)
            seen.kind = word & 255;
        others |= (word ^ seen.kind * 0x01010101u) & (k + 1 < WORDS ? ~0u : LAST);
    }
    seen.is_by_lane = __all_sync(~0u, others == 0 && seen.kind != ALIKE_NOT);
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
 * BY_WORDS words of kinds without any other cell go by sums alone, bit k of `mixed` is 0 for word
 * k. */
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

#endif
