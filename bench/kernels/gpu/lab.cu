/* The laboratory's main program: lab [SIZE (0: only checks) [PART-OF-NAME[:CASE] [SIDE-WEIGHT
 * [END-WEIGHT] | weigh]]]. With a case only that one is timed, and nothing checked. Prints a table;
 * exits with 1 if a variant gives other bits. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/kernels/gpu/lab.h"

struct lab_variant *lab_variants;
pipeline_weights lab_weights = PIPELINE_WEIGHTS;

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "lab: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(2);
}

__device__ static unsigned long long hash(unsigned long long n)
{
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ull;
    n = (n ^ n >> 27) * 0x94d049bb133111ebull;
    return n ^ n >> 31;
}

/* Full mantissas between -scale and scale. */
template <typename REAL>
__global__ void fill(REAL *out, int64_t count, unsigned long long seed, REAL scale)
{
    const int64_t n = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (n < count)
        out[n] = scale * static_cast<REAL>(
                             static_cast<double>(static_cast<long long>(
                                 hash(static_cast<unsigned long long>(n) * 2654435761ull + seed))) *
                             0x1p-63);
}

__global__ static void fill_fixed(unsigned char *out, int64_t count, int one_in)
{
    const int64_t n = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (n < count)
        out[n] = hash(static_cast<unsigned long long>(n) + 99) %
                     static_cast<unsigned long long>(one_in) ==
                 0;
}

enum { LAB_KIND_COUNT = 9, LAB_KINDS_PLAIN = 3, LAB_KINDS_FIXED = 7 };

/* Plain kinds in stripes of `every` columns; others between them, in every 1000th row and here and
 * there. */
__global__ static void fill_kinds(unsigned char *out, int64_t count, int pitch, int every)
{
    const int64_t n = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (n >= count)
        return;
    const unsigned long long random = hash(static_cast<unsigned long long>(n) + 7);
    const int column = static_cast<int>(n % pitch);
    const bool is_other = column % every == 0 || n / pitch % 1000 == 0 || random % 1000000 == 0;
    const int kind = is_other ? static_cast<int>(random / 1000000 % LAB_KIND_COUNT)
                              : column / every % LAB_KINDS_PLAIN;
    out[n] = static_cast<unsigned char>(kind);
}

/* South and north are as different from west and east as kinds from each other; of plain kinds both
 * are the same, of fixed ones 0. */
template <typename REAL> __global__ void shape_conductances(REAL *table, bool is_equal)
{
    const int kind = static_cast<int>(threadIdx.x);
    REAL *const to = table + 4 * kind;
    for (int face = 0; face < 4; face++)
        to[face] = kind >= LAB_KINDS_FIXED ? 0 : to[face] * to[face];
    if (kind < LAB_KINDS_PLAIN) {
        to[1] = to[0];
        to[3] = to[2];
        if (is_equal)
            to[2] = to[3] = to[0];
    }
}

/* Not a number outside `keep`, which counts from cell (0, 0). */
template <typename REAL> __global__ void poison(REAL *field, block block, region keep)
{
    const int64_t n = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    const int64_t rows = block.ny + 2 * block.halo;
    const int j = static_cast<int>(n / block.pitch) - block.halo;
    const int i = static_cast<int>(n % block.pitch) - block.lead;
    if (n < rows * block.pitch && (i < keep.x0 || i >= keep.x1 || j < keep.y0 || j >= keep.y1))
        field[n] = static_cast<REAL>(NAN);
}

__device__ static double by_kind(double c, double w, double e, double s, double n, const double *r,
                                 double source, bool is_equal, bool has_gain)
{
    return cell_euler_zones_f64(c, w, e, s, n, r[0], r[1], r[2], r[3], source, is_equal, has_gain);
}

__device__ static float by_kind(float c, float w, float e, float s, float n, const float *r,
                                float source, bool is_equal, bool has_gain)
{
    return cell_euler_zones_f32(c, w, e, s, n, r[0], r[1], r[2], r[3], source, is_equal, has_gain);
}

/* One step, one thread a cell. */
template <typename REAL, bool EQUAL>
__global__ void plain(const __grid_constant__ step_args<REAL> args, int level, region counted,
                      bool has_gain)
{
    const int i = args.cells.x0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int j = args.cells.y0 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (i >= args.cells.x1 || j >= args.cells.y1)
        return;
    const REAL *const at = args.from + j * args.pitch + i;
    const REAL c = *at;
    const int kind = args.kind == nullptr ? 0 : args.kind[j * args.pitch + i];
    const bool is_fixed = args.kind == nullptr
                              ? args.fixed != nullptr && args.fixed[j * args.pitch + i] != 0
                              : kind >= args.kind_fixed;
    const bool is_counted =
        !is_fixed && i >= counted.x0 && i < counted.x1 && j >= counted.y0 && j < counted.y1;
    const bool left = args.sides[LEFT].is_boundary && i == 0;
    const bool right = args.sides[RIGHT].is_boundary && i == args.nx - 1;
    const bool bottom = args.sides[BOTTOM].is_boundary && j == 0;
    const bool top = args.sides[TOP].is_boundary && j == args.ny - 1;
    const REAL w = left ? side_ghost(args.sides[LEFT], j, level, c, is_counted) : at[-1];
    const REAL e = right ? side_ghost(args.sides[RIGHT], j, level, c, is_counted) : at[1];
    const REAL s =
        bottom ? side_ghost(args.sides[BOTTOM], i, level, c, is_counted) : at[-args.pitch];
    const REAL n = top ? side_ghost(args.sides[TOP], i, level, c, is_counted) : at[args.pitch];
    const REAL *const r = args.kind_conductance + 4 * kind;
    const REAL next =
        args.kind == nullptr
            ? cell_advance<EQUAL>(c, w, e, s, n, args.rx, args.ry)
            : by_kind(c, w, e, s, n, r, args.source[args.kind_zone[kind]], EQUAL, has_gain);
    args.to[j * args.pitch + i] = is_fixed ? c : next;
}

__global__ static void count_differences(const unsigned *a, const unsigned *b, int64_t words,
                                         unsigned long long *count)
{
    const int64_t n = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (n < words && a[n] != b[n])
        atomicAdd(count, 1ull);
}

static unsigned blocks_for(int64_t count)
{
    return static_cast<unsigned>((count + 255) / 256);
}

struct lab_case {
    const char *name;
    int nx, ny, halo;
    bool boundary[4];
    int inset[4]; /* of the region: left, right, bottom, top */
    bool is_equal;
    int fixed_one_in; /* so many cells is fixed; 0: none */
    int kinds_every;  /* so many columns have a line of other kinds; 0: no kinds */
    bool has_sources;
};

/* Everything of one case in device memory. */
struct lab_data {
    struct block block;
    struct step step;
    size_t bytes;
    int64_t cells;
    void *from, *to, *spare, *expected;
    unsigned char *fixed, *kind, *alike;
    void *conductance, *source;
    unsigned char *kind_zone;
    struct zones zones;
    void *coefficients[8];
    int64_t coefficient_count[4];
    double *heat[4], *heat_expected[4];
};

static void *device_memory(size_t bytes)
{
    void *memory;
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    check(cudaMemset(memory, 0, bytes), "cudaMemset");
    return memory;
}

template <typename REAL>
static void data_sides(lab_data *data, const lab_case *test, int steps, bool is_per_level)
{
    for (int side = 0; side < 4; side++) {
        const int faces = (side < 2 ? test->ny : test->nx) + 2 * test->halo;
        const int64_t count = static_cast<int64_t>(faces) * (is_per_level ? steps : 1);
        struct side_map *map = &data->step.sides[side];
        map->is_boundary = test->boundary[side];
        map->level_stride = is_per_level ? faces : 0;
        for (int k = 0; k < 2; k++) {
            REAL *const values = static_cast<REAL *>(device_memory(count * sizeof(REAL)));
            fill<<<blocks_for(count), 256>>>(values, count, 17ull * side + k + 5,
                                             static_cast<REAL>(0.5));
            data->coefficients[2 * side + k] = values;
            if (map->is_boundary) /* else there are none to read */
                (k == 0 ? map->a : map->b) = values + test->halo;
        }
        const int64_t interior = side < 2 ? test->ny : test->nx;
        data->coefficient_count[side] = interior;
        data->heat[side] = static_cast<double *>(device_memory(interior * sizeof(double)));
        data->heat_expected[side] = static_cast<double *>(device_memory(interior * sizeof(double)));
        map->heat = map->is_boundary ? data->heat[side] : nullptr;
    }
}

/* Made on the host, as the program does. */
static void data_alike(lab_data *data)
{
    const struct block &block = data->block;
    const side_map *const sides = data->step.sides;
    const region known = {
        sides[0].is_boundary ? 0 : -block.halo, block.nx + (sides[1].is_boundary ? 0 : block.halo),
        sides[2].is_boundary ? 0 : -block.halo, block.ny + (sides[3].is_boundary ? 0 : block.halo)};
    std::vector<unsigned char> kind(static_cast<size_t>(data->cells));
    std::vector<unsigned char> alike(alike_bytes(&data->block));
    check(cudaMemcpy(kind.data(), data->kind, kind.size(), cudaMemcpyDeviceToHost), "kinds");
    alike_fill(&data->block, known, LAB_KINDS_PLAIN, kind.data(), alike.data());
    data->alike = static_cast<unsigned char *>(device_memory(alike.size()));
    check(cudaMemcpy(data->alike, alike.data(), alike.size(), cudaMemcpyHostToDevice), "alike");
    data->zones.alike = data->alike;
}

template <typename REAL> static void data_kinds(lab_data *data, const lab_case *test)
{
    constexpr int COUNT = 4 * LAB_KIND_COUNT;
    data->kind = static_cast<unsigned char *>(device_memory(data->cells));
    fill_kinds<<<blocks_for(data->cells), 256>>>(data->kind, data->cells, data->block.pitch,
                                                 test->kinds_every);
    data_alike(data);
    data->conductance = device_memory(COUNT * sizeof(REAL));
    fill<<<1, 256>>>(static_cast<REAL *>(data->conductance), COUNT, 3ull, static_cast<REAL>(0.5));
    shape_conductances<<<1, LAB_KIND_COUNT>>>(static_cast<REAL *>(data->conductance),
                                              test->is_equal);
    struct zones &zones = data->zones;
    zones.count = LAB_KINDS_PLAIN;
    zones.kind = data->kind;
    zones.kind_count = LAB_KIND_COUNT;
    zones.kind_fixed = LAB_KINDS_FIXED;
    zones.kind_conductance = data->conductance;
    data->kind_zone = static_cast<unsigned char *>(device_memory(LAB_KIND_COUNT));
    zones.kind_zone = data->kind_zone;
    data->source = device_memory(LAB_KINDS_PLAIN * sizeof(REAL));
    if (test->has_sources)
        fill<<<1, 256>>>(static_cast<REAL *>(data->source), LAB_KINDS_PLAIN, 4ull,
                         static_cast<REAL>(1));
    zones.is_equal = test->is_equal;
    zones.has_gain = test->has_sources;
    zones.source = data->source;
    data->step.zones = &zones;
}

template <typename REAL>
static void data_open(lab_data *data, const lab_case *test, int steps, bool is_per_level)
{
    *data = {};
    check(pipeline_balance_forget(), "pipeline_balance_forget");
    data->block = block_make(test->nx, test->ny, test->halo, sizeof(REAL) == sizeof(double));
    data->bytes = block_bytes(&data->block);
    data->cells = static_cast<int64_t>(data->bytes / sizeof(REAL));
    data->from = device_memory(data->bytes);
    data->to = device_memory(data->bytes);
    data->spare = device_memory(data->bytes);
    data->expected = device_memory(data->bytes);
    fill<<<blocks_for(data->cells), 256>>>(static_cast<REAL *>(data->from), data->cells, 1ull,
                                           static_cast<REAL>(1));
    if (test->fixed_one_in != 0) {
        data->fixed = static_cast<unsigned char *>(device_memory(data->cells));
        fill_fixed<<<blocks_for(data->cells), 256>>>(data->fixed, data->cells, test->fixed_one_in);
    }
    struct step *step = &data->step;
    step->block = &data->block;
    step->from = data->from;
    step->to = data->to;
    step->region = {test->inset[0], test->nx - test->inset[1], test->inset[2],
                    test->ny - test->inset[3]};
    step->steps = steps;
    step->rx = 0.2371;
    step->ry = test->is_equal ? 0.2371 : 0.1713;
    step->fixed = data->fixed;
    data_sides<REAL>(data, test, steps, is_per_level);
    if (test->kinds_every != 0)
        data_kinds<REAL>(data, test);
}

static void data_close(lab_data *data)
{
    void *const all[] = {data->from,   data->to,       data->spare, data->expected,
                         data->fixed,  data->alike,    data->kind,  data->conductance,
                         data->source, data->kind_zone};
    for (void *each : all)
        check(cudaFree(each), "cudaFree");
    for (void *each : data->coefficients)
        check(cudaFree(each), "cudaFree");
    for (int side = 0; side < 4; side++) {
        check(cudaFree(data->heat[side]), "cudaFree");
        check(cudaFree(data->heat_expected[side]), "cudaFree");
    }
}

static region grown(const lab_case *test, region cells, int steps)
{
    return {test->boundary[0] ? std::max(cells.x0 - steps, 0) : cells.x0 - steps,
            test->boundary[1] ? std::min(cells.x1 + steps, test->nx) : cells.x1 + steps,
            test->boundary[2] ? std::max(cells.y0 - steps, 0) : cells.y0 - steps,
            test->boundary[3] ? std::min(cells.y1 + steps, test->ny) : cells.y1 + steps};
}

/* The reference in data->expected and heat_expected; what a variant must not touch keeps zero. */
template <typename REAL> static void reference(lab_data *data, const lab_case *test)
{
    step_args<REAL> args = step_args_make<REAL>(&data->step);
    const region wanted = data->step.region;
    const int64_t origin = block_index(&data->block, 0, 0);
    REAL *const out[2] = {static_cast<REAL *>(data->spare), static_cast<REAL *>(data->to)};
    for (int side = 0; side < 4; side++)
        args.sides[side].heat = data->heat_expected[side];
    for (int level = 0; level < args.steps; level++) {
        args.cells = grown(test, wanted, args.steps - 1 - level);
        args.to = (level == args.steps - 1 ? static_cast<REAL *>(data->expected) : out[level % 2]) +
                  origin;
        const dim3 grid(static_cast<unsigned>(args.cells.x1 - args.cells.x0 + 63) / 64,
                        static_cast<unsigned>(args.cells.y1 - args.cells.y0 + 3) / 4);
        if (test->is_equal)
            plain<REAL, true><<<grid, dim3(64, 4)>>>(args, level, wanted, test->has_sources);
        else
            plain<REAL, false><<<grid, dim3(64, 4)>>>(args, level, wanted, test->has_sources);
        check(cudaGetLastError(), "plain");
        args.from = args.to;
    }
    check(cudaMemset(data->to, 0, data->bytes), "cudaMemset");
}

static unsigned long long differences(const void *a, const void *b, size_t bytes)
{
    unsigned long long *const count = static_cast<unsigned long long *>(device_memory(8)), result;
    const int64_t words = static_cast<int64_t>(bytes / 4);
    count_differences<<<blocks_for(words), 256>>>(static_cast<const unsigned *>(a),
                                                  static_cast<const unsigned *>(b), words, count);
    check(cudaMemcpy(const_cast<unsigned long long *>(&result), count, 8, cudaMemcpyDeviceToHost),
          "comparison");
    check(cudaFree(count), "cudaFree");
    return result;
}

/* Words that differ in field and heat; -1: not built for this case. */
template <typename REAL> static long long compare(const lab_variant *variant, const lab_case *test)
{
    lab_data data;
    data_open<REAL>(&data, test, variant->steps, true);
    const region needed = grown(test, data.step.region, variant->steps);
    poison<<<blocks_for(data.cells), 256>>>(static_cast<REAL *>(data.from), data.block, needed);
    reference<REAL>(&data, test);
    const cudaError_t error = variant->run(&data.step, nullptr);
    if (error == cudaErrorNotSupported) {
        data_close(&data);
        return -1;
    }
    check(error, variant->name);
    check(cudaDeviceSynchronize(), variant->name);
    unsigned long long count = differences(data.to, data.expected, data.bytes);
    const unsigned long long field = count;
    for (int side = 0; side < 4; side++)
        count += differences(data.heat[side], data.heat_expected[side],
                             static_cast<size_t>(data.coefficient_count[side]) * sizeof(double));
    if (count != 0)
        std::printf("  %s, %s: %llu words of the field, %llu of the heat differ\n", variant->name,
                    test->name, field, count - field);
    data_close(&data);
    return static_cast<long long>(count);
}

static double median(std::vector<float> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* Milliseconds of one call of work, median over rounds of two calls. */
template <typename WORK> static double time_ms(int rounds, WORK work)
{
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    std::vector<float> times;
    for (int n = 0; n <= BALANCE_LAUNCHES; n++)
        work();
    for (int n = 0; n < rounds; n++) {
        float ms;
        check(cudaEventRecord(begin), "cudaEventRecord");
        work();
        work();
        check(cudaEventRecord(end), "cudaEventRecord");
        check(cudaEventSynchronize(end), "the work timed");
        check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
        times.push_back(ms / 2);
    }
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    return median(times);
}

/* Billions of cell updates a second, with boundary conditions on all sides and heat kept. */
template <typename REAL> static void measure(const lab_variant *variant, const lab_case *test)
{
    lab_data data;
    data_open<REAL>(&data, test, variant->steps, false);
    check(cudaMemcpy(data.to, data.from, data.bytes, cudaMemcpyDeviceToDevice), "copy");
    if (variant->run(&data.step, nullptr) == cudaErrorNotSupported) {
        data_close(&data);
        return;
    }
    const double ms = time_ms(9, [&] {
        check(variant->run(&data.step, nullptr), variant->name);
        std::swap(data.step.from, *const_cast<const void **>(&data.step.to));
    });
    const cudaFuncAttributes attributes = variant->attributes();
    const double updates = static_cast<double>(test->nx) * test->ny * variant->steps;
    const double bytes = 2.0 * test->nx * test->ny * sizeof(REAL);
    std::printf("%-26s %-22s %3d %9.1f %8.3f %8.2f %4d %6zu\n", variant->name, test->name,
                variant->steps, updates / ms / 1e6, ms, bytes / ms / 1e9, attributes.numRegs,
                attributes.localSizeBytes);
    std::fflush(stdout);
    data_close(&data);
}

/* GLUPS with boundary conditions on all sides for a number of weights (plan.cuh). */
template <typename REAL> static void weigh(const lab_variant *variant, const lab_case *test)
{
    static const int sides[] = {16, 17, 18, 19, 20, 22, 24, 27, 30, 34};
    lab_data data;
    data_open<REAL>(&data, test, variant->steps, false);
    check(cudaMemcpy(data.to, data.from, data.bytes, cudaMemcpyDeviceToDevice), "copy");
    const bool can_run = variant->run(&data.step, nullptr) != cudaErrorNotSupported;
    for (int end = 0; can_run && end <= 4; end += 2) {
        std::printf("%-26s end %d:", variant->name, end);
        for (const int side : sides) {
            lab_weights = {side, side + 3, end};
            const double ms = time_ms(5, [&] {
                check(variant->run(&data.step, nullptr), variant->name);
                std::swap(data.step.from, *const_cast<const void **>(&data.step.to));
            });
            const double updates = static_cast<double>(test->nx) * test->ny * variant->steps;
            std::printf(" %d %.0f", side, updates / ms / 1e6);
        }
        std::printf("\n");
    }
    lab_weights = PIPELINE_WEIGHTS;
    data_close(&data);
}

/* The yardsticks: device copy, and one launch a step. */
template <typename REAL> static void yardsticks(const lab_case *test)
{
    lab_data data;
    data_open<REAL>(&data, test, 1, false);
    const double copy_ms = time_ms(9, [&] {
        check(cudaMemcpyAsync(data.to, data.from, data.bytes, cudaMemcpyDeviceToDevice), "copy");
    });
    step_args<REAL> args = step_args_make<REAL>(&data.step);
    const dim3 grid(static_cast<unsigned>(test->nx + 63) / 64,
                    static_cast<unsigned>(test->ny + 3) / 4);
    const double plain_ms = time_ms(9, [&] {
        plain<REAL, true><<<grid, dim3(64, 4)>>>(args, 0, data.step.region, false);
        std::swap(args.from, *const_cast<const REAL **>(&args.to));
    });
    check(cudaGetLastError(), "plain");
    const double cells = static_cast<double>(test->nx) * test->ny;
    const double copied = 2.0 * static_cast<double>(data.bytes);
    std::printf("%s: device copy %.2f TB/s, so one step a sweep at most %.1f GLUPS; plain %.1f\n",
                sizeof(REAL) == 8 ? "double" : "float", copied / copy_ms / 1e9,
                copied / copy_ms / 1e6 / (2 * sizeof(REAL)), cells / plain_ms / 1e6);
    data_close(&data);
}

static const lab_case checks[] = {
    {"all sides, odd", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, true, 0},
    {"no side", 2713, 1501, 40, {false, false, false, 0}, {0, 0, 0, 0}, true, 0},
    {"left and top, inset", 2999, 1403, 40, {true, false, false, true}, {0, 37, 5, 0}, true, 0},
    {"right and bottom", 3002, 1603, 40, {false, true, true, 0}, {3, 0, 0, 11}, true, 0},
    {"rx != ry", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, false, 0},
    {"few fixed", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, true, 50000},
    {"fixed", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, true, 7},
    {"rx != ry, fixed", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, false, 7},
    {"kinds", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, true, 0, 700},
    {"kinds, sources", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, true, 0, 700, true},
    {"many kinds", 3002, 1603, 40, {false, true, true, 0}, {3, 0, 0, 11}, true, 0, 23},
    {"kinds, rx != ry", 2713, 1501, 40, {true, true, true, true}, {0, 0, 0, 0}, false, 0, 700},
    {"rx != ry, sources",
     2713,
     1501,
     40,
     {true, true, true, true},
     {0, 0, 0, 0},
     false,
     0,
     23,
     true},
};

int main(int count, char **words)
{
    const int size = count > 1 ? std::atoi(words[1]) : 16384;
    const std::string words_2 = count > 2 ? words[2] : "";
    const size_t colon = words_2.find(':');
    const std::string part_text = words_2.substr(0, colon);
    const std::string wanted = colon == std::string::npos ? "" : words_2.substr(colon + 1);
    const char *const part = part_text.c_str();
    const bool is_weighed = count > 3 && std::strcmp(words[3], "weigh") == 0;
    if (count > 3 && !is_weighed)
        lab_weights = {std::atoi(words[3]), std::atoi(words[3]) + 3, 1};
    if (count > 4)
        lab_weights.end = std::atoi(words[4]);
    const lab_case plain_sizes[] = {
        {"rx = ry", size, size, 16, {true, true, true, true}, {0, 0, 0, 0}, true, 0},
        {"rx = ry, no side", size, size, 40, {false, false, false, 0}, {0, 0, 0, 0}, true, 0},
        {"rx != ry", size, size, 16, {true, true, true, true}, {0, 0, 0, 0}, false, 0},
        {"few fixed cells", size, size, 16, {true, true, true, true}, {0, 0, 0, 0}, true, 1000000},
        {"one in 7 fixed", size, size, 16, {true, true, true, true}, {0, 0, 0, 0}, true, 7},
    };
    const auto kinds = [size](const char *name, bool has_sides, int every) {
        const bool is = has_sides;
        return lab_case{name, size, size, 40, {is, is, is, is}, {0, 0, 0, 0}, true, 0, every};
    };
    std::vector<lab_case> sizes(std::begin(plain_sizes), std::end(plain_sizes));
    sizes.push_back(kinds("one kind, no side", false, 1 << 20));
    sizes.push_back(kinds("one kind", true, 1 << 20));
    sizes.push_back(kinds("kinds, line each 4000", true, 4000));
    sizes.push_back(kinds("kinds, line each 100", true, 100));
    sizes.push_back(kinds("kinds, rx != ry", true, 4000));
    sizes.back().is_equal = false;
    long long wrong = 0;
    std::printf("words that differ (-1: not built) in:");
    for (const lab_case &test : checks)
        std::printf(" %s;", test.name);
    std::printf("\n");
    for (const lab_variant *v = lab_variants; v != nullptr; v = v->next) {
        if (std::strstr(v->name, part) == nullptr || !wanted.empty())
            continue;
        std::printf("%-26s", v->name);
        std::fflush(stdout);
        for (const lab_case &test : checks) {
            const long long found =
                v->is_double ? compare<double>(v, &test) : compare<float>(v, &test);
            wrong += std::max(found, 0ll);
            std::printf(" %lld", found);
            std::fflush(stdout);
        }
        std::printf("\n");
    }
    if (size == 0)
        return wrong == 0 ? 0 : 1;
    yardsticks<double>(&sizes[0]);
    yardsticks<float>(&sizes[0]);
    std::printf("%-26s %-22s %3s %9s %8s %8s %4s %6s\n", "variant", "case", "T", "GLUPS", "ms",
                "TB/s", "regs", "local");
    for (const lab_variant *v = lab_variants; v != nullptr; v = v->next)
        for (const lab_case &test : sizes) {
            if (std::strstr(v->name, part) == nullptr || (!wanted.empty() && wanted != test.name))
                continue;
            if (v->is_double)
                measure<double>(v, &test);
            else
                measure<float>(v, &test);
            if (!is_weighed || (&test != &sizes[0] && std::strcmp(test.name, "one kind") != 0))
                continue;
            if (v->is_double)
                weigh<double>(v, &test);
            else
                weigh<float>(v, &test);
        }
    return wrong == 0 ? 0 : 1;
}
