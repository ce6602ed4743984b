/* Runs the pipeline kernel on the host (lanes.h) for small regions, all shapes that the program
 * uses, and compares bits of field and heat with one step after the other. No GPU, no CUDA: it
 * finds errors of the logic, of the barriers and of the reuse of slots, but none of the GPU's
 * memory order. Returns 1 if something differs. */
#include "bench/kernels/gpu/host/lanes.h"

#include <algorithm>

extern "C" {
#include "kernels/alike.h"
}

#include "kernels/cuda/pipeline/run.cuh"

lane *lane_now;
ucontext_t lane_scheduler;
lane_warp lane_warps[32];
race_place lane_places;
void *lane_scheduler_thread;
lane_index blockIdx, gridDim;
int lane_count, lane_arrived;
unsigned lane_rounds;
alignas(128) unsigned char pipeline_memory[HOST_SHARED_BYTES];
host_barrier host_barriers[HOST_BARRIERS];

static uint64_t random_bits()
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double random_value() /* -1 to 1, all bits used */
{
    return static_cast<double>(static_cast<int64_t>(random_bits())) * 0x1p-63;
}

enum { LANE_BEGIN = RACE_PHASES - 2, LANE_END }; /* places of lane_places */

template <typename SHAPE> struct launch {
    static inline step_args<typename SHAPE::real> args;
    static inline pipeline_plan plan;
};

template <typename SHAPE, bool EQUAL, bool FIXED> void lane_main()
{
    race_acquire(lane_places.at(LANE_BEGIN));
    step_pipeline<SHAPE, EQUAL, FIXED>(launch<SHAPE>::args, launch<SHAPE>::plan);
    lane_now->is_done = true;
    race_release(lane_places.at(LANE_END));
    lane_yield();
}

template <typename SHAPE, bool EQUAL, bool FIXED> void block_run(std::vector<lane> &lanes)
{
    std::memset(pipeline_memory, 0xff, sizeof pipeline_memory); /* not a number */
    for (lane_warp &warp : lane_warps)
        warp.arrived = 0, warp.meetings = 0;
    for (size_t n = 0; n < lanes.size(); n++) {
        lane &each = lanes[n];
        each.index.x = static_cast<unsigned>(n);
        each.meetings = 0;
        each.is_done = false;
        each.thread = race_thread();
        each.stack.resize(1 << 17);
        getcontext(&each.context);
        each.context.uc_stack.ss_sp = each.stack.data();
        each.context.uc_stack.ss_size = each.stack.size();
        makecontext(&each.context, lane_main<SHAPE, EQUAL, FIXED>, 0);
    }
    race_release(lane_places.at(LANE_BEGIN));
    size_t left = lanes.size();
    while (left > 0) {
        const race_ignore ignore;
        const size_t warp = random_bits() % (lanes.size() / 32);
        for (size_t n = 32 * warp; n < 32 * warp + 32; n++) {
            if (lanes[n].is_done)
                continue;
            lane_now = &lanes[n];
            race_switch(lane_now->thread);
            swapcontext(&lane_scheduler, &lane_now->context);
            left -= lane_now->is_done ? 1 : 0;
        }
    }
    race_acquire(lane_places.at(LANE_END));
    for (lane &each : lanes) {
        host_require(each.groups.empty() && each.group.empty(), "ended before its bulk stores");
        each.small_groups.clear();
        race_end(each.thread);
    }
}

struct host_case {
    const char *name;
    int more_columns, ny; /* than a strip */
    bool boundary[4];
    int inset[4]; /* of the region: left, right, bottom, top */
    unsigned fixed_one_in;
    int kinds_every; /* columns and rows with cells of other kinds; 0: no kinds */
};

/* One case: the step and its arrays. */
template <typename REAL> struct host_data {
    static constexpr int HALO = 20;
    struct block block;
    struct step step;
    std::vector<REAL> memory[2], expected, coefficients[8];
    std::vector<unsigned char> fixed, kind, alike;
    std::vector<REAL> conductance, source;
    std::vector<unsigned char> kind_zone;
    struct zones zones;
    std::vector<double> heat[4], heat_expected[4];
};

/* The field begins on a multiple of BLOCK_ALIGNMENT. */
template <typename REAL> REAL *aligned(std::vector<REAL> &memory, size_t cells)
{
    memory.assign(cells + BLOCK_ALIGNMENT, 7);
    uintptr_t at = reinterpret_cast<uintptr_t>(memory.data());
    at = (at + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    return reinterpret_cast<REAL *>(at);
}

template <typename REAL> region grown(const host_data<REAL> &data, int steps)
{
    const struct step &step = data.step;
    const region &cells = step.region;
    return {
        step.sides[0].is_boundary ? std::max(cells.x0 - steps, 0) : cells.x0 - steps,
        step.sides[1].is_boundary ? std::min(cells.x1 + steps, data.block.nx) : cells.x1 + steps,
        step.sides[2].is_boundary ? std::max(cells.y0 - steps, 0) : cells.y0 - steps,
        step.sides[3].is_boundary ? std::min(cells.y1 + steps, data.block.ny) : cells.y1 + steps};
}

static bool is_in(const region &cells, int i, int j)
{
    return i >= cells.x0 && i < cells.x1 && j >= cells.y0 && j < cells.y1;
}

template <typename REAL> void data_sides(host_data<REAL> &data, const host_case &test)
{
    constexpr int HALO = host_data<REAL>::HALO;
    for (int side = 0; side < 4; side++) {
        const int faces = (side < 2 ? data.block.ny : data.block.nx) + 2 * HALO;
        struct side_map &map = data.step.sides[side];
        for (int k = 0; k < 2; k++) {
            std::vector<REAL> &values = data.coefficients[2 * side + k];
            values.resize(static_cast<size_t>(faces) * static_cast<size_t>(data.step.steps));
            for (REAL &value : values)
                value = static_cast<REAL>(random_value() / 2);
        }
        data.heat[side].assign(static_cast<size_t>(faces), 0);
        data.heat_expected[side] = data.heat[side];
        map.is_boundary = test.boundary[side];
        if (!map.is_boundary)
            continue; /* whoever asks for its coefficients crashes */
        map.a = data.coefficients[2 * side].data() + HALO;
        map.b = data.coefficients[2 * side + 1].data() + HALO;
        map.level_stride = faces;
        map.heat = data.heat[side].data();
    }
}

enum { KINDS = 9, KINDS_PLAIN = 3, KINDS_FIXED = 7 };

/* The conductance of a face: of kinds below KINDS_PLAIN equal in x and in y, where they are plain
 * on all sides and that of one kind more. */
template <typename REAL> void data_conductances(host_data<REAL> &data, bool is_equal)
{
    data.conductance.resize(4 * KINDS);
    for (int kind = 0; kind < KINDS; kind++)
        for (int face = 0; face < 4; face++) {
            REAL *const to = &data.conductance[static_cast<size_t>(4 * kind + face)];
            *to = static_cast<REAL>(kind >= KINDS_FIXED ? 0 : random_value() / 4);
            if (kind < KINDS_PLAIN && face % 2 == 1)
                *to = to[-1];
            if (is_equal && kind <= KINDS_PLAIN && face > 0)
                *to = to[-1];
        }
}

/* Kinds below KINDS_PLAIN in stripes, others along lines, at the sides and in some cells, NAN where
 * there is none. */
template <typename REAL>
void data_kinds(host_data<REAL> &data, const host_case &test, bool is_equal, bool has_sources)
{
    const size_t cells = data.fixed.size();
    data.kind.assign(cells, 255);
    for (int j = -data.block.halo; j < data.block.ny + data.block.halo; j++)
        for (int i = -data.block.halo; i < data.block.nx + data.block.halo; i++) {
            const int every = test.kinds_every, column = i + 1000, row = j + 1000;
            const bool is_side = i == 0 || i == data.block.nx - 1;
            const bool is_line = column % every == 0 || (row % every == 0 && column % 3 == 0) ||
                                 (is_side && row % 31 == 0) || random_bits() % 5000 == 0;
            const unsigned kind = is_line ? static_cast<unsigned>(random_bits() % KINDS)
                                          : static_cast<unsigned>(column / every % KINDS_PLAIN);
            data.kind[static_cast<size_t>(block_index(&data.block, i, j))] =
                static_cast<unsigned char>(kind);
        }
    data_conductances(data, is_equal);
    data.source.resize(KINDS_PLAIN);
    for (REAL &source : data.source)
        source = static_cast<REAL>(has_sources ? random_value() : 0);
    data.kind_zone.resize(KINDS);
    for (int kind = 0; kind < KINDS; kind++)
        data.kind_zone[static_cast<size_t>(kind)] = static_cast<unsigned char>(kind % KINDS_PLAIN);
    data.zones = {};
    data.zones.kind_zone = data.kind_zone.data();
    data.zones.source = data.source.data();
    data.zones.count = KINDS_PLAIN;
    data.zones.is_equal = is_equal;
    data.zones.has_gain = has_sources;
    data.zones.kind = data.kind.data();
    data.alike.assign(alike_bytes(&data.block) + 4, ALIKE_NOT); /* words are read aligned */
    alike_fill(&data.block, grown(data, data.step.steps - 1), KINDS_PLAIN, data.kind.data(),
               data.alike.data());
    data.zones.alike = data.alike.data();
    data.zones.kind_count = KINDS;
    data.zones.kind_fixed = KINDS_FIXED;
    data.zones.kind_conductance = data.conductance.data();
    data.step.zones = &data.zones;
}

template <typename REAL>
void data_make(host_data<REAL> &data, const host_case &test, int width, int steps, bool is_equal,
               bool has_sources)
{
    data.block = block_make(width + test.more_columns, test.ny, host_data<REAL>::HALO,
                            sizeof(REAL) == sizeof(double));
    const size_t cells = block_bytes(&data.block) / sizeof(REAL);
    REAL *const from = aligned(data.memory[0], cells);
    data.fixed.assign(cells + BLOCK_ALIGNMENT, 0);
    for (size_t n = 0; n < cells; n++) {
        from[n] = static_cast<REAL>(random_value());
        data.fixed[n] = test.fixed_one_in != 0 && random_bits() % test.fixed_one_in == 0 ? 1 : 0;
    }
    struct step &step = data.step;
    step = {};
    step.block = &data.block;
    step.from = from;
    step.to = aligned(data.memory[1], cells);
    step.region = {test.inset[0], data.block.nx - test.inset[1], test.inset[2],
                   data.block.ny - test.inset[3]};
    step.steps = steps;
    step.rx = 0.2371;
    step.ry = is_equal ? 0.2371 : 0.1713;
    step.fixed = test.fixed_one_in != 0 ? data.fixed.data() : nullptr;
    data_sides(data, test);
    if (test.kinds_every != 0)
        data_kinds(data, test, is_equal, has_sources);
    const region needed = grown(data, steps);
    for (size_t n = 0; n < cells; n++) {
        const int pitch = data.block.pitch, at = static_cast<int>(n);
        if (!is_in(needed, at % pitch - data.block.lead, at / pitch - data.block.halo))
            from[n] = static_cast<REAL>(NAN);
    }
}

static double by_kind(double c, double w, double e, double s, double n, const double *r,
                      double source, const zones &zones)
{
    return cell_euler_zones_f64(c, w, e, s, n, r[0], r[1], r[2], r[3], source, zones.is_equal,
                                zones.has_gain);
}

static float by_kind(float c, float w, float e, float s, float n, const float *r, float source,
                     const zones &zones)
{
    return cell_euler_zones_f32(c, w, e, s, n, r[0], r[1], r[2], r[3], source, zones.is_equal,
                                zones.has_gain);
}

/* One step after the other. */
template <typename REAL, bool EQUAL> void reference(host_data<REAL> &data)
{
    const step_args<REAL> args = step_args_make<REAL>(&data.step);
    const size_t cells = block_bytes(&data.block) / sizeof(REAL);
    std::vector<REAL> now(static_cast<const REAL *>(data.step.from),
                          static_cast<const REAL *>(data.step.from) + cells);
    data.expected.assign(cells, 7);
    for (int level = 0; level < args.steps; level++) {
        const region made = grown(data, args.steps - 1 - level);
        std::vector<REAL> next(cells, 7);
        for (int j = made.y0; j < made.y1; j++)
            for (int i = made.x0; i < made.x1; i++) {
                const int64_t at = block_index(&data.block, i, j);
                const REAL *const c = &now[static_cast<size_t>(at)];
                const int kind = args.kind == nullptr ? 0 : data.kind[static_cast<size_t>(at)];
                const bool is_fixed =
                    args.kind == nullptr
                        ? args.fixed != nullptr && data.fixed[static_cast<size_t>(at)] != 0
                        : kind >= args.kind_fixed;
                const auto beyond = [&](int side, int f) {
                    const side_args<REAL> &map = args.sides[side];
                    const int64_t n = f + static_cast<int64_t>(level) * map.level_stride;
                    const REAL ghost = cell_beyond(*c, map.a[n], map.b[n]);
                    if (!is_fixed && is_in(args.cells, i, j))
                        data.heat_expected[side][static_cast<size_t>(f)] +=
                            static_cast<double>(ghost - *c);
                    return ghost;
                };
                const auto has = [&](int side, bool is_there) {
                    return args.sides[side].is_boundary && is_there;
                };
                const REAL w = has(LEFT, i == 0) ? beyond(LEFT, j) : c[-1];
                const REAL e = has(RIGHT, i == args.nx - 1) ? beyond(RIGHT, j) : c[1];
                const REAL s = has(BOTTOM, j == 0) ? beyond(BOTTOM, i) : c[-args.pitch];
                const REAL n = has(TOP, j == args.ny - 1) ? beyond(TOP, i) : c[args.pitch];
                const REAL *const r = &args.kind_conductance[4 * kind];
                const REAL u =
                    args.kind == nullptr
                        ? cell_advance<EQUAL>(*c, w, e, s, n, args.rx, args.ry)
                        : by_kind(*c, w, e, s, n, r, args.source[args.kind_zone[kind]], data.zones);
                next[static_cast<size_t>(at)] = is_fixed ? *c : u;
            }
        now.swap(next);
    }
    for (int j = args.cells.y0; j < args.cells.y1; j++)
        for (int i = args.cells.x0; i < args.cells.x1; i++) {
            const size_t at = static_cast<size_t>(block_index(&data.block, i, j));
            data.expected[at] = now[at];
        }
}

/* Any shares, some of them empty, as measured times might give them. */
pipeline_balance *borders_draw(const pipeline_plan &plan, int blocks)
{
    static pipeline_balance balance;
    balance.total = pipeline_total(plan);
    balance.blocks = blocks;
    balance.border[0] = 0;
    for (int n = 1; n < blocks; n++)
        balance.border[n] = random_bits() % 4 == 0
                                ? balance.border[n - 1]
                                : static_cast<int>(random_bits() % balance.total);
    std::sort(balance.border, balance.border + blocks);
    balance.border[blocks] = balance.total;
    return &balance;
}

template <typename SHAPE, bool EQUAL, bool FIXED> int compare(const host_case &test, int blocks)
{
    using REAL = typename SHAPE::real;
    host_data<REAL> data;
    data_make(data, test, SHAPE::WIDTH, SHAPE::STEPS, EQUAL, SHAPE::HAS_SOURCES);
    reference<REAL, EQUAL>(data);
    launch<SHAPE>::args = step_args_make<REAL>(&data.step);
    host_require(pipeline_plan_make<SHAPE>(launch<SHAPE>::args, data.block, PIPELINE_WEIGHTS,
                                           &launch<SHAPE>::plan),
                 "case that no pipeline takes");
    if (random_bits() % 2 == 0)
        launch<SHAPE>::plan.balance = borders_draw(launch<SHAPE>::plan, blocks);
    std::vector<lane> lanes(SHAPE::THREADS);
    lane_count = SHAPE::THREADS;
    gridDim.x = static_cast<unsigned>(blocks);
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
        block_run<SHAPE, EQUAL, FIXED>(lanes);
    int cells = 0, faces = 0;
    for (size_t n = 0; n < data.expected.size(); n++)
        cells += std::memcmp(static_cast<const REAL *>(data.step.to) + n, &data.expected[n],
                             sizeof(REAL)) != 0
                     ? 1
                     : 0;
    for (int side = 0; side < 4; side++)
        for (size_t f = 0; f < data.heat[side].size(); f++)
            faces += data.heat[side][f] != data.heat_expected[side][f] ? 1 : 0;
    std::printf("%s %2d steps, %-26s %d cells, %d faces differ\n",
                sizeof(REAL) == sizeof(double) ? "double" : "float ", SHAPE::STEPS, test.name,
                cells, faces);
    std::fflush(stdout);
    return cells + faces;
}

template <typename SHAPE> int compare_all()
{
    const host_case all = {"all sides", 113, 90, {true, true, true, true}, {0, 0, 0, 0}, 0};
    const host_case none = {"no side", 77, 70, {false, false, false, false}, {0, 0, 0, 0}, 0};
    const host_case left = {"left and top, inset",      200,           83,
                            {true, false, false, true}, {0, 37, 5, 0}, 0};
    const host_case right = {"rx != ry, right and bottom", 203,           75,
                             {false, true, true, false},   {3, 0, 0, 11}, 0};
    const host_case few = {"few fixed cells",        113,          80,
                           {true, true, true, true}, {0, 0, 0, 0}, 3000};
    const host_case many = {"rx != ry, fixed cells",  114,          71,
                            {true, true, true, true}, {0, 0, 0, 0}, 7};
    return compare<SHAPE, true, false>(all, 3) + compare<SHAPE, true, false>(none, 4) +
           compare<SHAPE, true, false>(left, 5) + compare<SHAPE, false, false>(right, 3) +
           compare<SHAPE, true, true>(few, 3) + compare<SHAPE, false, true>(many, 4);
}

template <typename SHAPE> int compare_kinds()
{
    const host_case all = {"kinds, all sides", 113, 90, {true, true, true, true},
                           {0, 0, 0, 0},       0,   700};
    const host_case odd = {"kinds, odd", 114, 71, {true, true, true, true}, {0, 0, 0, 0}, 0, 23};
    const host_case none = {"kinds, no side", 77, 70, {false, false, false, false},
                            {0, 0, 0, 0},     0,  701};
    const host_case left = {
        "kinds, left and top, inset", 200, 83, {true, false, false, true}, {0, 37, 5, 0}, 0, 201};
    return compare<SHAPE, false, false>(all, 3) + compare<SHAPE, false, false>(left, 5) +
           compare<SHAPE, true, false>(all, 3) + compare<SHAPE, true, false>(odd, 4) +
           compare<SHAPE, true, false>(none, 3) + compare<SHAPE, true, false>(left, 5);
}

/* Under the thread sanitizer a case takes minutes: one of each kind. */
static int compare_few()
{
    const host_case all = {"all sides", 113, 48, {true, true, true, true}, {0, 0, 0, 0}, 0, 0};
    const host_case fixed = {"fixed cells", 113, 48, {true, true, true, true}, {0, 0, 0, 0}, 7, 0};
    const host_case kinds = {"kinds", 114, 48, {true, true, true, true}, {0, 0, 0, 0}, 0, 97};
    return compare<pipeline_shape<double, 4, 10, 4, 2>, true, false>(all, 2) +
           compare<pipeline_shape<double, 4, 10, 4, 2>, false, true>(fixed, 2) +
           compare<pipeline_shape<double, 3, 10, 4, 2, PIPELINE_SOURCES>, true, false>(kinds, 2);
}

int main(int count, char **arguments)
{
    lane_scheduler_thread = race_self();
    if (count > 1 && std::strcmp(arguments[1], "few") == 0)
        return compare_few() == 0 ? 0 : 1;
    int wrong = 0;
    wrong += compare_kinds<pipeline_shape<double, 3, 10, 4, 2, PIPELINE_KINDS>>();
    wrong += compare_kinds<pipeline_shape<double, 2, 14, 4, 2, PIPELINE_SOURCES>>();
    wrong += compare_kinds<pipeline_shape<float, 2, 18, 4, 2, PIPELINE_KINDS>>();
    wrong += compare_kinds<pipeline_shape<float, 3, 10, 6, 2, PIPELINE_SOURCES>>();
    if (count > 1 && std::strcmp(arguments[1], "kinds") == 0)
        return wrong == 0 ? 0 : 1;
    wrong += compare_all<pipeline_shape<double, 4, 10, 4, 2>>();
    wrong += compare_all<pipeline_shape<double, 3, 13, 4, 2>>();
    wrong += compare_all<pipeline_shape<double, 2, 18, 4, 2>>();
    wrong += compare_all<pipeline_shape<double, 1, 22, 4, 2>>();
    wrong += compare_all<pipeline_shape<float, 3, 18, 6, 2>>();
    wrong += compare_all<pipeline_shape<float, 4, 12, 4, 3>>();
    wrong += compare_all<pipeline_shape<float, 3, 20, 4, 2>>();
    wrong += compare_all<pipeline_shape<float, 2, 28, 4, 2>>();
    wrong += compare_all<pipeline_shape<float, 1, 28, 4, 2>>();
    std::printf("%s\n", wrong == 0 ? "the same bits" : "other bits");
    return wrong == 0 ? 0 : 1;
}
