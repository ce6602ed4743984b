/* Steps where coefficients go by zone or, with FACES, conduction by cell, for any number of steps:
 * tiles in shared memory as in step_tiles.cuh, with the zone of every cell beside it. */
#ifndef ISOTHERM_KERNELS_CUDA_STEP_ZONES_CUH
#define ISOTHERM_KERNELS_CUDA_STEP_ZONES_CUH

#include "kernels/cuda/step_tiles.cuh"

/* struct zones with types; fields in the field's layout at cell (0, 0). */
template <typename REAL> struct zone_args {
    bool is_radiating[4]; /* of each side */
    bool is_equal, has_gain;
    REAL reference; /* of those */
    const unsigned char *zone;
    const REAL *rx, *ry, *loss, *source, *unit, *factor, *spot_x, *spot_y;
    const REAL *fields[ZONES_FIELDS];
    const uint16_t *patch;
    const REAL *patch_density;
    int patch_stride;
    const REAL *west, *below, *rate; /* of faces and cells, where conduction goes by cell */
    REAL ambient, dt, loss_density;
    struct stage stage; /* index 0: forward Euler */
    REAL *start, *start_change;
    int count, source_stride, field_count, factor_stride, spot_count;
    int spot_x_pitch, spot_y_pitch, spot_x_stride, spot_y_stride;
};

template <typename REAL> zone_args<REAL> zone_args_make(const struct step *step)
{
    const struct zones &zones = *step->zones;
    const int64_t origin = block_index(step->block, 0, 0);
    zone_args<REAL> args = {};
    for (int n = 0; n < 4; n++) {
        const side_map &side = step->sides[n];
        args.is_radiating[n] = side.is_boundary && side.is_radiating;
        if (args.is_radiating[n])
            args.reference = static_cast<REAL>(side.reference);
    }
    args.is_equal = zones.is_equal;
    args.has_gain = zones.has_gain;
    args.zone = zones.zone + origin;
    args.rx = static_cast<const REAL *>(zones.conductance[0]);
    args.ry = static_cast<const REAL *>(zones.conductance[1]);
    args.loss = static_cast<const REAL *>(zones.loss);
    args.source = static_cast<const REAL *>(zones.source);
    args.unit = static_cast<const REAL *>(zones.unit);
    args.factor = static_cast<const REAL *>(zones.factor);
    args.spot_x = static_cast<const REAL *>(zones.spot_x);
    args.spot_y = static_cast<const REAL *>(zones.spot_y);
    for (int f = 0; f < zones.field_count; f++)
        args.fields[f] = static_cast<const REAL *>(zones.fields[f]) + origin;
    if (step->stage != nullptr) {
        args.stage = *step->stage;
        args.start = static_cast<REAL *>(step->stage->start) + origin;
        args.start_change = static_cast<REAL *>(step->stage->start_change) + origin;
    }
    if (zones.patch != nullptr) {
        args.patch = zones.patch + origin;
        args.patch_density = static_cast<const REAL *>(zones.patch_density);
        args.patch_stride = zones.patch_stride;
    }
    if (zones.rate != nullptr) {
        args.west = static_cast<const REAL *>(zones.faces[0]) + origin;
        args.below = static_cast<const REAL *>(zones.faces[1]) + origin;
        args.rate = static_cast<const REAL *>(zones.rate) + origin;
        args.dt = static_cast<REAL>(zones.dt);
        args.loss_density = static_cast<REAL>(zones.loss_density);
    }
    args.ambient = static_cast<REAL>(zones.ambient);
    args.count = zones.count;
    args.source_stride = zones.source_stride;
    args.field_count = zones.field_count;
    args.factor_stride = zones.factor_stride;
    args.spot_count = zones.spot_count;
    args.spot_x_pitch = zones.spot_x_pitch;
    args.spot_y_pitch = zones.spot_y_pitch;
    args.spot_x_stride = zones.spot_x_stride;
    args.spot_y_stride = zones.spot_y_stride;
    return args;
}

__device__ __forceinline__ double zone_add(double factor, double term, double sum)
{
    return cell_add_f64(factor, term, sum);
}

__device__ __forceinline__ float zone_add(float factor, float term, float sum)
{
    return cell_add_f32(factor, term, sum);
}

__device__ __forceinline__ double zone_lose(double c, double source, double loss, double ambient)
{
    return cell_gain_f64(c, source, loss, ambient);
}

__device__ __forceinline__ float zone_lose(float c, float source, float loss, float ambient)
{
    return cell_gain_f32(c, source, loss, ambient);
}

__device__ __forceinline__ double zone_change(double c, double w, double e, double s, double n,
                                              double rw, double re, double rs, double rn,
                                              double gain)
{
    return cell_change_zones_f64(c, w, e, s, n, rw, re, rs, rn, gain);
}

__device__ __forceinline__ float zone_change(float c, float w, float e, float s, float n, float rw,
                                             float re, float rs, float rn, float gain)
{
    return cell_change_zones_f32(c, w, e, s, n, rw, re, rs, rn, gain);
}

__device__ __forceinline__ double zone_euler(double c, double w, double e, double s, double n,
                                             double rw, double re, double rs, double rn,
                                             double gain, bool is_equal, bool has_gain)
{
    return cell_euler_zones_f64(c, w, e, s, n, rw, re, rs, rn, gain, is_equal, has_gain);
}

__device__ __forceinline__ float zone_euler(float c, float w, float e, float s, float n, float rw,
                                            float re, float rs, float rn, float gain, bool is_equal,
                                            bool has_gain)
{
    return cell_euler_zones_f32(c, w, e, s, n, rw, re, rs, rn, gain, is_equal, has_gain);
}

__device__ __forceinline__ double face_change(double c, double w, double e, double s, double n,
                                              double gw, double ge, double gs, double gn,
                                              double unit, double density, double loss,
                                              double ambient)
{
    return cell_change_faces_f64(c, w, e, s, n, gw, ge, gs, gn, unit, density, loss, ambient);
}

__device__ __forceinline__ float face_change(float c, float w, float e, float s, float n, float gw,
                                             float ge, float gs, float gn, float unit,
                                             float density, float loss, float ambient)
{
    return cell_change_faces_f32(c, w, e, s, n, gw, ge, gs, gn, unit, density, loss, ambient);
}

__device__ __forceinline__ double zone_combine(double start, double c, double before, double change,
                                               double first, const stage &stage)
{
    return cell_stage_f64(start, c, before, change, first, stage.mu, stage.nu, stage.change,
                          stage.rate);
}

__device__ __forceinline__ float zone_combine(float start, float c, float before, float change,
                                              float first, const stage &stage)
{
    return cell_stage_f32(start, c, before, change, first, static_cast<float>(stage.mu),
                          static_cast<float>(stage.nu), static_cast<float>(stage.change),
                          static_cast<float>(stage.rate));
}

__device__ __forceinline__ double zone_radiate(double c, double strength, double ambient,
                                               double reference)
{
    return cell_radiate_f64(c, strength, ambient, reference);
}

__device__ __forceinline__ float zone_radiate(float c, float strength, float ambient,
                                              float reference)
{
    return cell_radiate_f32(c, strength, ambient, reference);
}

/* The new value of a cell in a stage; `at` is its place in the field. */
template <typename REAL>
__device__ REAL zone_stage(const step_args<REAL> &args, const zone_args<REAL> &zones, int64_t at,
                           REAL c, REAL change)
{
    REAL *const start = zones.start + at, *const first = zones.start_change + at;
    if (zones.stage.index == 1) {
        *start = c;
        *first = change;
        return zone_add(static_cast<REAL>(zones.stage.change), change, c);
    }
    return zone_combine(*start, c, args.to[at], change, *first, zones.stage);
}

/* The cell beyond a face, as side_ghost or radiating; in a super step the heat of a face goes
 * through the same stages as the cells. */
template <typename REAL, bool RADIATES>
__device__ REAL zone_ghost(const step_args<REAL> &args, const zone_args<REAL> &zones, int side,
                           int f, int level, REAL c, bool is_counted)
{
    const stage &stage = zones.stage;
    const side_args<REAL> &map = args.sides[side];
    REAL ghost;
    if (RADIATES && zones.is_radiating[side]) {
        const int64_t at = f + static_cast<int64_t>(level) * map.level_stride;
        ghost = zone_radiate(c, map.a[at], map.b[at], zones.reference);
        if (is_counted && stage.index == 0 && map.heat != nullptr)
            map.heat[f] += static_cast<double>(ghost - c);
    } else {
        ghost = side_ghost(map, f, level, c, is_counted && stage.index == 0);
    }
    if (!is_counted || stage.index == 0 || map.heat == nullptr)
        return ghost;
    const double heat = static_cast<double>(ghost - c);
    double *const first = stage.heat[side] + f;
    double *const now = first + (1 + stage.index % 2) * stage.heat_pitch;
    double *const last = first + (2 - stage.index % 2) * stage.heat_pitch;
    if (stage.index == 1) {
        *first = heat;
        *last = 0.0;
        *now = stage.change * heat;
    } else {
        *now = zone_combine(0.0, *last, *now, heat, *first, stage);
    }
    if (stage.is_last)
        args.sides[side].heat[f] += *now;
    return ghost;
}

/* The heat density of cell (i, j) beyond `density`, that of its zone. */
template <typename REAL>
__device__ __forceinline__ REAL zone_density(const step_args<REAL> &args,
                                             const zone_args<REAL> &zones, int level, int i, int j,
                                             REAL density)
{
    if (zones.patch != nullptr)
        density += zones.patch_density[static_cast<int64_t>(level) * zones.patch_stride +
                                       zones.patch[j * args.pitch + i]];
    const REAL *const factor = zones.factor + static_cast<int64_t>(level) * zones.factor_stride;
    for (int f = 0; f < zones.field_count; f++)
        density = zone_add(factor[f], zones.fields[f][j * args.pitch + i], density);
    const REAL *const x = zones.spot_x + static_cast<int64_t>(level) * zones.spot_x_stride + i;
    const REAL *const y = zones.spot_y + static_cast<int64_t>(level) * zones.spot_y_stride + j;
    for (int p = 0; p < zones.spot_count; p++)
        density = zone_add(x[p * zones.spot_x_pitch], y[p * zones.spot_y_pitch], density);
    return density;
}

/* What a level adds to cell (i, j) of zone z with value c. */
template <typename REAL>
__device__ __forceinline__ REAL zone_gain(const step_args<REAL> &args, const zone_args<REAL> &zones,
                                          int level, int i, int j, int z, REAL c)
{
    const REAL density = zone_density(args, zones, level, i, j, static_cast<REAL>(0));
    const REAL *const source = zones.source + static_cast<int64_t>(level) * zones.source_stride;
    return zone_lose(c, zone_add(zones.unit[z], density, source[z]), zones.loss[z], zones.ambient);
}

/* The change of cell (i, j) of zone z where conduction goes by cell. */
template <typename REAL>
__device__ __forceinline__ REAL zone_face_change(const step_args<REAL> &args,
                                                 const zone_args<REAL> &zones, int level, int i,
                                                 int j, int z, REAL c, REAL w, REAL e, REAL s,
                                                 REAL n)
{
    const int64_t at = j * args.pitch + i;
    const REAL *const source = zones.source + static_cast<int64_t>(level) * zones.source_stride;
    return face_change(c, w, e, s, n, zones.west[at], zones.west[at + 1], zones.below[at],
                       zones.below[at + args.pitch], zones.dt * zones.rate[at],
                       zone_density(args, zones, level, i, j, source[z]), zones.loss_density,
                       zones.ambient);
}

template <typename REAL>
__device__ void zone_load(const step_args<REAL> &args, const zone_args<REAL> &zones,
                          const tile<REAL> &tile, unsigned char *zone)
{
    const region held = region_grown(args, tile.cells, args.steps);
    const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
    for (int j = held.y0 + warp; j < held.y1; j += TILE_WARPS)
        for (int i = held.x0 + lane; i < held.x1; i += 32) {
            const int at = (j - tile.y) * tile.columns + i - tile.x;
            tile.now[at] = args.from[j * args.pitch + i];
            zone[at] = zones.zone[j * args.pitch + i];
        }
}

/* Cell (i, j) of level + 1; `at` is its place in the tile. */
template <typename REAL, bool FACES, bool RADIATES>
__device__ __forceinline__ REAL zone_cell(const step_args<REAL> &args, const zone_args<REAL> &zones,
                                          const tile<REAL> &tile, const unsigned char *zone,
                                          int level, int i, int j, int at)
{
    const REAL c = tile.now[at];
    const int z = zone[at];
    const bool is_fixed = args.fixed != nullptr && args.fixed[j * args.pitch + i] != 0;
    const bool is_left = args.sides[LEFT].is_boundary && i == 0;
    const bool is_right = args.sides[RIGHT].is_boundary && i == args.nx - 1;
    const bool is_bottom = args.sides[BOTTOM].is_boundary && j == 0;
    const bool is_top = args.sides[TOP].is_boundary && j == args.ny - 1;
    const bool is_counted = !is_fixed && i >= tile.cells.x0 && i < tile.cells.x1 &&
                            j >= tile.cells.y0 && j < tile.cells.y1;
    const int south = at - tile.columns, north = at + tile.columns;
    const REAL w = is_left ? zone_ghost<REAL, RADIATES>(args, zones, LEFT, j, level, c, is_counted)
                           : tile.now[at - 1];
    const REAL e = is_right
                       ? zone_ghost<REAL, RADIATES>(args, zones, RIGHT, j, level, c, is_counted)
                       : tile.now[at + 1];
    const REAL s = is_bottom
                       ? zone_ghost<REAL, RADIATES>(args, zones, BOTTOM, i, level, c, is_counted)
                       : tile.now[south];
    const REAL n = is_top ? zone_ghost<REAL, RADIATES>(args, zones, TOP, i, level, c, is_counted)
                          : tile.now[north];
    if (is_fixed)
        return c;
    REAL change;
    if (FACES) {
        change = zone_face_change(args, zones, level, i, j, z, c, w, e, s, n);
        if (zones.stage.index == 0)
            return c + change;
    } else {
        const REAL *const rx = zones.rx + z * zones.count, *const ry = zones.ry + z * zones.count;
        const REAL rw = rx[is_left ? z : zone[at - 1]], re = rx[is_right ? z : zone[at + 1]];
        const REAL rs = ry[is_bottom ? z : zone[south]], rn = ry[is_top ? z : zone[north]];
        const REAL gain = zone_gain(args, zones, level, i, j, z, c);
        if (zones.stage.index == 0)
            return zone_euler(c, w, e, s, n, rw, re, rs, rn, gain, zones.is_equal, zones.has_gain);
        change = zone_change(c, w, e, s, n, rw, re, rs, rn, gain);
    }
    return zone_stage(args, zones, j * args.pitch + i, c, change);
}

template <typename REAL, bool FACES, bool RADIATES>
__global__ void __launch_bounds__(TILE_THREADS)
    step_zones(const __grid_constant__ step_args<REAL> args,
               const __grid_constant__ zone_args<REAL> zones, tile_shape shape)
{
    extern __shared__ __align__(16) unsigned char tile_memory[];
    const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
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
    unsigned char *const zone = reinterpret_cast<unsigned char *>(tile.next + buffer);

    zone_load(args, zones, tile, zone);
    for (int level = 0; level < args.steps; level++) {
        const region made = region_grown(args, tile.cells, args.steps - 1 - level);
        const bool is_last = level == args.steps - 1;
        __syncthreads();
        for (int j = made.y0 + warp; j < made.y1; j += TILE_WARPS)
            for (int i = made.x0 + lane; i < made.x1; i += 32) {
                const int at = (j - tile.y) * tile.columns + i - tile.x;
                const REAL u =
                    zone_cell<REAL, FACES, RADIATES>(args, zones, tile, zone, level, i, j, at);
                if (is_last)
                    args.to[j * args.pitch + i] = u;
                else
                    tile.next[at] = u;
            }
        REAL *const made_now = tile.next;
        tile.next = tile.now;
        tile.now = made_now;
    }
}

template <typename REAL>
cudaError_t launch_zones(const struct step *step, const launch_limits &limits, cudaStream_t stream)
{
    const step_args<REAL> args = step_args_make<REAL>(step);
    const int cell_bytes = tile_cell_bytes(sizeof(REAL), true);
    const tile_shape shape = tile_shape_make(args.cells, args.steps, cell_bytes, limits);
    if (shape.x_step == 0)
        return cudaErrorInvalidValue;
    const unsigned tiles =
        static_cast<unsigned>(shape.tiles_x) * static_cast<unsigned>(shape.tiles_y);
    const size_t bytes = static_cast<size_t>(shape.columns * shape.rows * cell_bytes);
    const zone_args<REAL> zones = zone_args_make<REAL>(step);
    bool radiates = false;
    for (const bool is_radiating : zones.is_radiating)
        radiates = radiates || is_radiating;
    if (zones.rate != nullptr && radiates)
        step_zones<REAL, true, true><<<tiles, TILE_THREADS, bytes, stream>>>(args, zones, shape);
    else if (zones.rate != nullptr)
        step_zones<REAL, true, false><<<tiles, TILE_THREADS, bytes, stream>>>(args, zones, shape);
    else if (radiates)
        step_zones<REAL, false, true><<<tiles, TILE_THREADS, bytes, stream>>>(args, zones, shape);
    else
        step_zones<REAL, false, false><<<tiles, TILE_THREADS, bytes, stream>>>(args, zones, shape);
    return cudaGetLastError();
}

#endif
