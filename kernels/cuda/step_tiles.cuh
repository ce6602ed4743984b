/* Several steps at once for any number of steps that fits: a block loads a tile and the cells that
 * it depends on into shared memory, makes one level after the other between two buffers there, and
 * writes its part of the last. What neighbouring tiles share is computed by both. */
#ifndef ISOTHERM_KERNELS_CUDA_STEP_TILES_CUH
#define ISOTHERM_KERNELS_CUDA_STEP_TILES_CUH

#include "kernels/cuda/launch.h"
#include "kernels/cuda/step.cuh"

enum {
    TILE_THREADS = 1024,
    TILE_WARPS = TILE_THREADS / 32,
    TILE_MAX_COLUMNS = 128,
    TILE_TRY_ROWS = 4,        /* between two heights that are considered */
    TILE_BARRIER_CELLS = 2048 /* what could be computed while all wait for each other */
};

struct tile_shape {
    int columns, rows;  /* held in shared memory; columns is a multiple of 32 */
    int x_step, y_step; /* cells that a tile delivers */
    int tiles_x, tiles_y;
};

template <typename REAL> struct tile {
    region cells; /* that this tile delivers */
    int x, y;     /* cell at the start of the buffers */
    int columns;
    REAL *now, *next;
    unsigned char *fixed;
};

template <typename REAL, bool FIXED>
__device__ void tile_load(const step_args<REAL> &args, const tile<REAL> &tile)
{
    const region held = region_grown(args, tile.cells, args.steps);
    const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
    for (int j = held.y0 + warp; j < held.y1; j += TILE_WARPS)
        for (int i = held.x0 + lane; i < held.x1; i += 32) {
            const int at = (j - tile.y) * tile.columns + i - tile.x;
            tile.now[at] = args.from[j * args.pitch + i];
            if (FIXED)
                tile.fixed[at] = args.fixed[j * args.pitch + i];
        }
}

/* One cell of level + 1 from its neighbours in tile.now, where `at` is its place. s and n are
 * passed because the caller has them, except beyond a boundary. */
template <typename REAL, bool EQUAL, bool FIXED, bool EDGE>
__device__ __forceinline__ REAL tile_cell(const step_args<REAL> &args, const tile<REAL> &tile,
                                          int level, int i, int j, int at, REAL s, REAL c)
{
    const bool is_fixed = FIXED && tile.fixed[at] != 0;
    const bool is_left = EDGE && args.sides[LEFT].is_boundary && i == 0;
    const bool is_right = EDGE && args.sides[RIGHT].is_boundary && i == args.nx - 1;
    const bool is_bottom = EDGE && args.sides[BOTTOM].is_boundary && j == 0;
    const bool is_top = EDGE && args.sides[TOP].is_boundary && j == args.ny - 1;
    const bool is_counted = EDGE && !is_fixed && i >= tile.cells.x0 && i < tile.cells.x1 &&
                            j >= tile.cells.y0 && j < tile.cells.y1;
    const REAL w =
        is_left ? side_ghost(args.sides[LEFT], j, level, c, is_counted) : tile.now[at - 1];
    const REAL e =
        is_right ? side_ghost(args.sides[RIGHT], j, level, c, is_counted) : tile.now[at + 1];
    if (is_bottom)
        s = side_ghost(args.sides[BOTTOM], i, level, c, is_counted);
    const REAL n =
        is_top ? side_ghost(args.sides[TOP], i, level, c, is_counted) : tile.now[at + tile.columns];
    const REAL u = cell_advance<EQUAL>(c, w, e, s, n, args.rx, args.ry);
    return is_fixed ? c : u;
}

/* Makes the cells of `made` at level + 1; the last level goes straight to the field. Each warp
 * walks up 32 columns of its share of the rows. */
template <typename REAL, bool EQUAL, bool FIXED, bool EDGE>
__device__ void tile_level(const step_args<REAL> &args, const tile<REAL> &tile, int level,
                           const region &made)
{
    const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
    const int groups = tile.columns / 32, shares = TILE_WARPS / groups;
    const int share = warp / groups, i = tile.x + (warp - share * groups) * 32 + lane;
    const int rows = (made.y1 - made.y0 + shares - 1) / shares;
    const int y0 = made.y0 + share * rows, y1 = min(y0 + rows, made.y1);
    if (i < made.x0 || i >= made.x1 || y0 >= y1)
        return;
    const bool is_last = level == args.steps - 1;
    int at = (y0 - tile.y) * tile.columns + i - tile.x;
    REAL c = tile.now[at], s = c;
    if (!(EDGE && args.sides[BOTTOM].is_boundary && y0 == 0))
        s = tile.now[at - tile.columns];
    for (int j = y0; j < y1; j++) {
        const REAL u = tile_cell<REAL, EQUAL, FIXED, EDGE>(args, tile, level, i, j, at, s, c);
        if (is_last)
            args.to[j * args.pitch + i] = u;
        else
            tile.next[at] = u;
        at += tile.columns;
        s = c;
        c = j + 1 < y1 ? tile.now[at] : c;
    }
}

template <typename REAL, bool EQUAL, bool FIXED>
__global__ void __launch_bounds__(TILE_THREADS)
    step_tiles(const __grid_constant__ step_args<REAL> args, tile_shape shape)
{
    extern __shared__ __align__(16) unsigned char tile_memory[];
    const int tile_y = static_cast<int>(blockIdx.x) / shape.tiles_x;
    const int tile_x = static_cast<int>(blockIdx.x) - tile_y * shape.tiles_x;
    const int x0 = args.cells.x0 + tile_x * shape.x_step;
    const int y0 = args.cells.y0 + tile_y * shape.y_step;
    const int buffer = shape.columns * shape.rows;
    tile<REAL> tile = {};
    tile.cells = {x0, min(x0 + shape.x_step, args.cells.x1), y0,
                  min(y0 + shape.y_step, args.cells.y1)};
    tile.x = x0 - args.steps;
    tile.y = y0 - args.steps;
    tile.columns = shape.columns;
    tile.now = reinterpret_cast<REAL *>(tile_memory);
    tile.next = tile.now + buffer;
    tile.fixed = reinterpret_cast<unsigned char *>(tile.next + buffer);

    tile_load<REAL, FIXED>(args, tile);
    for (int level = 0; level < args.steps; level++) {
        const region made = region_grown(args, tile.cells, args.steps - 1 - level);
        __syncthreads();
        if (touches_boundary(args, made.x0, made.x1, made.y0, made.y1))
            tile_level<REAL, EQUAL, FIXED, true>(args, tile, level, made);
        else
            tile_level<REAL, EQUAL, FIXED, false>(args, tile, level, made);
        REAL *const made_now = tile.next;
        tile.next = tile.now;
        tile.now = made_now;
    }
}

inline int tile_cell_bytes(size_t element_bytes, bool has_fixed)
{
    return 2 * static_cast<int>(element_bytes) + (has_fixed ? 1 : 0);
}

/* Steps for which some tile fits. */
inline int tile_most_steps(int cell_bytes, int shared_bytes)
{
    int most = 1;
    for (int columns = 32; columns <= TILE_MAX_COLUMNS; columns += 32) {
        const int rows = shared_bytes / cell_bytes / columns;
        most = max(most, (min(columns, rows) - 1) / 2);
    }
    return most;
}

/* The shape that is done first, x_step = 0 when none fits: tiles that run together take turns on
 * the multiprocessors, and a tile takes the time of its cells and of its barriers. */
inline tile_shape tile_shape_make(const region &cells, int steps, int cell_bytes,
                                  const launch_limits &limits)
{
    const int width = cells.x1 - cells.x0, height = cells.y1 - cells.y0;
    tile_shape best = {};
    int64_t best_cost = INT64_MAX;
    for (int columns = 32; columns <= TILE_MAX_COLUMNS; columns += 32) {
        const int most_rows = limits.shared_bytes / cell_bytes / columns;
        const int x_step = columns - 2 * steps;
        for (int rows = min(most_rows, height + 2 * steps); rows > 2 * steps && x_step > 0;
             rows -= TILE_TRY_ROWS) {
            const int y_step = rows - 2 * steps;
            const int tiles_x = (width + x_step - 1) / x_step;
            const int tiles_y = (height + y_step - 1) / y_step;
            const int64_t tiles = static_cast<int64_t>(tiles_x) * tiles_y;
            const int64_t turns = (tiles + limits.multiprocessors - 1) / limits.multiprocessors;
            const int64_t cost = turns * (columns * rows + TILE_BARRIER_CELLS);
            if (cost < best_cost) {
                best_cost = cost;
                best = {columns, rows, x_step, y_step, tiles_x, tiles_y};
            }
        }
    }
    return best;
}

template <typename REAL, bool EQUAL, bool FIXED>
cudaError_t launch_tiles(const step_args<REAL> &args, const launch_limits &limits,
                         cudaStream_t stream)
{
    const int cell_bytes = tile_cell_bytes(sizeof(REAL), FIXED);
    const tile_shape shape = tile_shape_make(args.cells, args.steps, cell_bytes, limits);
    if (shape.x_step == 0)
        return cudaErrorInvalidValue;
    const unsigned tiles =
        static_cast<unsigned>(shape.tiles_x) * static_cast<unsigned>(shape.tiles_y);
    const size_t bytes = static_cast<size_t>(shape.columns * shape.rows * cell_bytes);
    step_tiles<REAL, EQUAL, FIXED><<<tiles, TILE_THREADS, bytes, stream>>>(args, shape);
    return cudaGetLastError();
}

#endif
