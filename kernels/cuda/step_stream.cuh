/* One step: every field is read once and written once, so memory bandwidth is the limit.
 *
 * A warp owns a strip of 32 x PACK columns and walks up some rows of it, with three rows in
 * registers; left and right neighbours come from the next lane. All its rows are on their way
 * before the first is used. On an H200 this makes 99 % (double) and 96 % (float) of what a copy
 * allows, see bench/results/h200-one-step.txt. */
#ifndef ISOTHERM_KERNELS_CUDA_STEP_STREAM_CUH
#define ISOTHERM_KERNELS_CUDA_STEP_STREAM_CUH

#include "kernels/cuda/step.cuh"

enum {
    STREAM_THREADS = 128,
    STREAM_WARPS = STREAM_THREADS / 32,
    STREAM_ROWS = 8,      /* of a warp, all under way at once; more rows are slower */
    STREAM_EDGE_BATCH = 4 /* of these at once at boundaries, where more would cost registers: four
                             sides, single precision 94 % of a copy with 1, 86 % with 2, 96 % with
                             4, 92 % with 8 (bench/results/h200-one-step.txt) */
};

struct stream_shape {
    int first; /* column of the first strip, on a cache line */
    int strips;
    int tasks;
};

/* The cells of one thread in one row: one 16-byte access. */
template <typename REAL> struct alignas(16) stream_pack {
    static constexpr int CELLS = 16 / sizeof(REAL);
    REAL cell[CELLS];
};

/* The bytes of its cells in the mask of fixed cells, the first one lowest. */
template <typename REAL> __device__ __forceinline__ unsigned stream_mask(const unsigned char *fixed)
{
    if (stream_pack<REAL>::CELLS == 4)
        return *reinterpret_cast<const unsigned *>(fixed);
    return *reinterpret_cast<const unsigned short *>(fixed);
}

/* Where a thread stands. */
template <typename REAL> struct stream_place {
    int i; /* its first column */
    int lane;
    int y0, y1;   /* rows of its warp */
    bool is_read; /* some of its cells are in the region or next to it */
    int outer;    /* the column it needs that no lane holds, relative to i; 0: none */
};

template <typename REAL, bool EDGE>
__device__ stream_place<REAL> stream_place_make(const step_args<REAL> &args, int i, int y0, int y1)
{
    constexpr int PACK = stream_pack<REAL>::CELLS;
    const region &cells = args.cells;
    stream_place<REAL> place = {i, static_cast<int>(threadIdx.x % 32), y0, y1, false, 0};
    place.is_read = i <= cells.x1 && i + PACK >= cells.x0;
    if (place.lane == 0 && i >= cells.x0)
        place.outer = -1;
    if (place.lane == 31 && i + PACK <= cells.x1)
        place.outer = PACK;
    if (EDGE && i == 0 && args.sides[LEFT].is_boundary)
        place.outer = 0; /* there may be no memory beyond */
    return place;
}

template <typename REAL, bool EDGE>
__device__ __forceinline__ stream_pack<REAL> stream_load(const step_args<REAL> &args,
                                                         const stream_place<REAL> &place, int j)
{
    stream_pack<REAL> pack = {};
    const bool is_beyond = EDGE && ((args.sides[BOTTOM].is_boundary && j < 0) ||
                                    (args.sides[TOP].is_boundary && j >= args.ny));
    if (place.is_read && !is_beyond)
        pack = *reinterpret_cast<const stream_pack<REAL> *>(args.from + j * args.pitch + place.i);
    return pack;
}

/* The new values of a thread's cells in row j; what lies outside the region is not used. */
template <typename REAL, bool EQUAL, bool EDGE>
__device__ __forceinline__ stream_pack<REAL>
stream_advance(const step_args<REAL> &args, const stream_place<REAL> &place, int j,
               const stream_pack<REAL> &south, const stream_pack<REAL> &row,
               const stream_pack<REAL> &north, REAL outer, unsigned mask)
{
    constexpr int PACK = stream_pack<REAL>::CELLS;
    REAL west = __shfl_up_sync(~0u, row.cell[PACK - 1], 1);
    REAL east = __shfl_down_sync(~0u, row.cell[0], 1);
    west = place.lane == 0 ? outer : west;
    east = place.lane == 31 ? outer : east;
    stream_pack<REAL> result;
#pragma unroll
    for (int k = 0; k < PACK; k++) {
        const int i = place.i + k;
        const bool is_fixed = (mask >> (8 * k) & 0xff) != 0;
        const REAL c = row.cell[k];
        REAL w = k > 0 ? row.cell[k > 0 ? k - 1 : 0] : west;
        REAL e = k < PACK - 1 ? row.cell[k < PACK - 1 ? k + 1 : 0] : east;
        REAL s = south.cell[k], n = north.cell[k];
        if (EDGE && i >= args.cells.x0 && i < args.cells.x1) {
            const bool is_counted = !is_fixed;
            if (args.sides[LEFT].is_boundary && i == 0)
                w = side_ghost(args.sides[LEFT], j, 0, c, is_counted);
            if (args.sides[RIGHT].is_boundary && i == args.nx - 1)
                e = side_ghost(args.sides[RIGHT], j, 0, c, is_counted);
            if (args.sides[BOTTOM].is_boundary && j == 0)
                s = side_ghost(args.sides[BOTTOM], i, 0, c, is_counted);
            if (args.sides[TOP].is_boundary && j == args.ny - 1)
                n = side_ghost(args.sides[TOP], i, 0, c, is_counted);
        }
        const REAL u = cell_advance<EQUAL>(c, w, e, s, n, args.rx, args.ry);
        result.cell[k] = is_fixed ? c : u;
    }
    return result;
}

template <typename REAL>
__device__ __forceinline__ void stream_store(const step_args<REAL> &args,
                                             const stream_place<REAL> &place, int j,
                                             const stream_pack<REAL> &pack)
{
    constexpr int PACK = stream_pack<REAL>::CELLS;
    const region &cells = args.cells;
    REAL *const to = args.to + j * args.pitch + place.i;
    if (place.i >= cells.x0 && place.i + PACK <= cells.x1) {
        *reinterpret_cast<stream_pack<REAL> *>(to) = pack;
        return;
    }
#pragma unroll
    for (int k = 0; k < PACK; k++)
        if (place.i + k >= cells.x0 && place.i + k < cells.x1)
            to[k] = pack.cell[k];
}

template <typename REAL, bool EQUAL, bool FIXED, bool EDGE>
__device__ void stream_rows(const step_args<REAL> &args, const stream_place<REAL> &place)
{
    constexpr int BATCH = EDGE ? STREAM_EDGE_BATCH : STREAM_ROWS;
    stream_pack<REAL> south = stream_load<REAL, EDGE>(args, place, place.y0 - 1);
    stream_pack<REAL> row = stream_load<REAL, EDGE>(args, place, place.y0);
    for (int y = place.y0; y < place.y1; y += BATCH) {
        stream_pack<REAL> north[BATCH];
        unsigned mask[BATCH] = {};
        REAL outer[BATCH] = {};
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const int j = y + k;
            if (j >= place.y1)
                continue;
            const int64_t at = j * args.pitch + place.i;
            north[k] = stream_load<REAL, EDGE>(args, place, j + 1);
            if (place.outer != 0)
                outer[k] = args.from[at + place.outer];
            if (FIXED && place.is_read)
                mask[k] = stream_mask<REAL>(args.fixed + at);
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            if (y + k >= place.y1)
                continue;
            stream_store(args, place, y + k,
                         stream_advance<REAL, EQUAL, EDGE>(args, place, y + k, south, row, north[k],
                                                           outer[k], mask[k]));
            south = row;
            row = north[k];
        }
    }
}

template <typename REAL, bool EQUAL, bool FIXED>
__global__ void __launch_bounds__(STREAM_THREADS)
    step_stream(const __grid_constant__ step_args<REAL> args, stream_shape shape)
{
    constexpr int PACK = stream_pack<REAL>::CELLS, WIDTH = 32 * PACK;
    const int task = static_cast<int>(blockIdx.x * STREAM_WARPS + threadIdx.x / 32);
    if (task >= shape.tasks)
        return;
    const int segment = task / shape.strips, strip = task - segment * shape.strips;
    const int x = shape.first + strip * WIDTH, i = x + static_cast<int>(threadIdx.x % 32) * PACK;
    const int y0 = args.cells.y0 + segment * STREAM_ROWS, y1 = min(y0 + STREAM_ROWS, args.cells.y1);
    if (touches_boundary(args, x, x + WIDTH, y0, y1))
        stream_rows<REAL, EQUAL, FIXED, true>(args, stream_place_make<REAL, true>(args, i, y0, y1));
    else
        stream_rows<REAL, EQUAL, FIXED, false>(args,
                                               stream_place_make<REAL, false>(args, i, y0, y1));
}

template <typename REAL> stream_shape stream_shape_make(const region &cells)
{
    constexpr int LINE = BLOCK_ALIGNMENT / sizeof(REAL);
    constexpr int WIDTH = 32 * stream_pack<REAL>::CELLS;
    stream_shape shape = {};
    shape.first = cells.x0 & ~(LINE - 1);
    shape.strips = (cells.x1 - shape.first + WIDTH - 1) / WIDTH;
    shape.tasks = shape.strips * ((cells.y1 - cells.y0 + STREAM_ROWS - 1) / STREAM_ROWS);
    return shape;
}

template <typename REAL, bool EQUAL, bool FIXED>
cudaError_t launch_stream(const step_args<REAL> &args, cudaStream_t stream)
{
    const stream_shape shape = stream_shape_make<REAL>(args.cells);
    const unsigned blocks = static_cast<unsigned>((shape.tasks + STREAM_WARPS - 1) / STREAM_WARPS);
    step_stream<REAL, EQUAL, FIXED><<<blocks, STREAM_THREADS, 0, stream>>>(args, shape);
    return cudaGetLastError();
}

#endif
