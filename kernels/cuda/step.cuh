/* What the kernels of the time step share: their arguments, and the cell with its boundaries. */
#ifndef ISOTHERM_KERNELS_CUDA_STEP_CUH
#define ISOTHERM_KERNELS_CUDA_STEP_CUH

#include "kernels/alike.h"
#include "kernels/backend.h"
#include "kernels/cell.h"

enum { LEFT, RIGHT, BOTTOM, TOP };

/* struct side_map with types. */
template <typename REAL> struct side_args {
    const REAL *a, *b;
    double *heat;
    int level_stride;
    bool is_boundary;
};

/* struct step as the kernels see it: passed by value, field pointers at cell (0, 0). */
template <typename REAL> struct step_args {
    const REAL *from;
    REAL *to;
    const unsigned char *fixed;
    int64_t pitch;
    region cells; /* to advance */
    int nx, ny;
    int steps;
    REAL rx, ry;
    side_args<REAL> sides[4];
    const unsigned char *kind; /* of cells, see struct zones; nullptr: none */
    const REAL *kind_conductance;
    const unsigned char *kind_zone;
    const unsigned char *alike;             /* at the entry of cell (0, 0) */
    const REAL *source;                     /* of zones */
    int kind_count, kind_plain, kind_fixed; /* all; below: plain; from: fixed */
};

template <typename REAL> step_args<REAL> step_args_make(const step *step)
{
    step_args<REAL> args = {};
    const block *const block = step->block;
    const int64_t origin = block_index(block, 0, 0);
    args.from = static_cast<const REAL *>(step->from) + origin;
    args.to = static_cast<REAL *>(step->to) + origin;
    args.fixed = step->fixed == nullptr ? nullptr : step->fixed + origin;
    args.pitch = block->pitch;
    args.cells = step->region;
    args.nx = block->nx;
    args.ny = block->ny;
    args.steps = step->steps;
    args.rx = static_cast<REAL>(step->rx);
    args.ry = static_cast<REAL>(step->ry);
    for (int n = 0; n < 4; n++) {
        const side_map &map = step->sides[n];
        args.sides[n] = {static_cast<const REAL *>(map.a), static_cast<const REAL *>(map.b),
                         map.heat, map.level_stride, map.is_boundary};
    }
    if (step->zones != nullptr && step->zones->kind != nullptr) {
        args.kind = step->zones->kind + origin;
        args.kind_conductance = static_cast<const REAL *>(step->zones->kind_conductance);
        args.kind_zone = step->zones->kind_zone;
        args.alike = step->zones->alike + origin / ALIKE_COLUMNS;
        args.source = static_cast<const REAL *>(step->zones->source);
        args.kind_count = step->zones->kind_count;
        args.kind_plain = step->zones->count;
        args.kind_fixed = step->zones->kind_fixed;
    }
    return args;
}

template <bool EQUAL>
__device__ __forceinline__ double cell_advance(double c, double w, double e, double s, double n,
                                               double rx, double ry)
{
    return EQUAL ? cell_euler_equal_f64(c, w + n, e + s, rx)
                 : cell_euler_f64(c, w, e, s, n, rx, ry);
}

template <bool EQUAL>
__device__ __forceinline__ float cell_advance(float c, float w, float e, float s, float n, float rx,
                                              float ry)
{
    return EQUAL ? cell_euler_equal_f32(c, w + n, e + s, rx)
                 : cell_euler_f32(c, w, e, s, n, rx, ry);
}

__device__ __forceinline__ double cell_beyond(double c, double a, double b)
{
    return cell_ghost_f64(c, a, b);
}

__device__ __forceinline__ float cell_beyond(float c, float a, float b)
{
    return cell_ghost_f32(c, a, b);
}

/* The cell beyond face f of a side at a level, where c is the cell inside. One thread of all sees a
 * face with is_counted at a level, so the heat needs no atomics and its order is fixed. */
template <typename REAL>
__device__ REAL side_ghost(const side_args<REAL> &side, int f, int level, REAL c, bool is_counted)
{
    const int64_t at = f + static_cast<int64_t>(level) * side.level_stride;
    const REAL ghost = cell_beyond(c, side.a[at], side.b[at]);
    if (is_counted && side.heat != nullptr)
        side.heat[f] += static_cast<double>(ghost - c);
    return ghost;
}

/* Whether cells x0 <= i < x1, y0 <= j < y1 include one at a boundary. */
template <typename REAL>
__device__ bool touches_boundary(const step_args<REAL> &args, int x0, int x1, int y0, int y1)
{
    return (args.sides[LEFT].is_boundary && x0 <= 0) ||
           (args.sides[RIGHT].is_boundary && x1 >= args.nx) ||
           (args.sides[BOTTOM].is_boundary && y0 <= 0) ||
           (args.sides[TOP].is_boundary && y1 >= args.ny);
}

/* The cells on which `cells` depend `steps` steps earlier: grown, but not past a boundary. */
template <typename REAL>
__device__ region region_grown(const step_args<REAL> &args, const region &cells, int steps)
{
    region grown = {cells.x0 - steps, cells.x1 + steps, cells.y0 - steps, cells.y1 + steps};
    if (args.sides[LEFT].is_boundary)
        grown.x0 = max(grown.x0, 0);
    if (args.sides[RIGHT].is_boundary)
        grown.x1 = min(grown.x1, args.nx);
    if (args.sides[BOTTOM].is_boundary)
        grown.y0 = max(grown.y0, 0);
    if (args.sides[TOP].is_boundary)
        grown.y1 = min(grown.y1, args.ny);
    return grown;
}

#endif
