/* The time step of a backend gives bit for bit what the obvious loop on the host gives, and touches
 * nothing else. Usage: test_backend_step cpu|cuda [short]; "short" is for tools that watch every
 * access.
 *
 * All that a step reads and writes lies in one piece of memory, an arena. The same bytes are made
 * on the host and on the device, the reference works on the one and the backend on the other, and
 * the whole arenas are compared: fields, what lies around them, heat. Cells that a step must not
 * look at are NaN. Values fill the mantissa and are around zero, so that a fused or reordered
 * operation shows. */
#include "kernels/cpu/step.h"
#include "tests/conform/fill_arena.h"
#include "tests/conform/fill_kinds.h"

static void report(const struct trial *trial, const struct parts *parts, size_t at)
{
    const char *place = at < parts->to ? "from" : at < parts->fixed ? "to" : "fixed, sides or heat";
    (void)printf(
        "%s %dx%d halo %d, region x %d..%d y %d..%d, %d steps, boundaries %x (%x), equal %d, "
        "fixed %d, heat %d, levels %d, zones %d (%d, alike %d), kinds %d, gain %d, fields %d, "
        "spots %d, "
        "stage %d: "
        "differs first at byte %zu (%s)\n",
        trial->is_double ? "double" : "float", trial->nx, trial->ny, trial->halo, trial->region.x0,
        trial->region.x1, trial->region.y0, trial->region.y1, trial->steps, trial->boundaries,
        trial->radiating, trial->is_equal, trial->has_fixed, trial->has_heat, trial->has_levels,
        trial->zones, (int)trial->shape, trial->is_alike, trial->has_kinds, trial->has_gain,
        trial->fields, trial->spots, trial->stage, at, place);
}

static void compare(const struct trial *trial, const struct parts *parts,
                    const unsigned char *expected, const unsigned char *found)
{
    if (CHECK(memcmp(expected, found, parts->bytes) == 0))
        return;
    size_t at = 0;
    while (expected[at] == found[at])
        at++;
    report(trial, parts, at);
}

/* `memory` has the kinds that were made. */
static void point_kinds(const struct made_kinds *made, const struct parts *parts,
                        unsigned char *memory, struct zones *zones)
{
    if (made->count == 0)
        return;
    zones->kind = memory + parts->kind;
    zones->alike = memory + parts->alike;
    zones->kind_count = made->count;
    zones->kind_fixed = made->fixed;
    zones->kind_zone = memory + parts->kind_zone;
    zones->kind_conductance = memory + parts->kind_conductance;
}

static struct made_kinds make_kinds(uint64_t *state, const struct trial *trial,
                                    const struct step *step, const struct parts *parts,
                                    unsigned char *memory)
{
    if (trial->zones == 0 || !trial->has_kinds)
        return (struct made_kinds){0};
    const struct made_kinds made =
        fill_kinds(state, step, memory + parts->kind, memory + parts->kind_zone,
                   memory + parts->kind_conductance);
    if (made.count > 0)
        alike_fill(step->block, reference_grown(step, step->steps - 1), trial->zones,
                   memory + parts->kind, memory + parts->alike);
    return made;
}

/* Steps from the same start `again` times more: a backend may learn from the first ones. */
static void step_repeats(const struct fixture *fixture, const struct trial *trial,
                         const struct parts *parts, const struct step *step, void *memory,
                         const unsigned char *start, const unsigned char *expected)
{
    unsigned char *const found = test_alloc(parts->bytes);
    for (int n = 0; n <= trial->again; n++)
        if (move(fixture, memory, start, parts->bytes) &&
            CHECK_OK(fixture->backend->step(fixture->queue, step)) &&
            move(fixture, found, memory, parts->bytes))
            compare(trial, parts, expected, found);
    free(found);
}

static void step_agrees(const struct fixture *fixture, uint64_t *state, const struct trial *trial)
{
    const struct backend *const backend = fixture->backend;
    const struct block block = block_make(trial->nx, trial->ny, trial->halo, trial->is_double);
    const struct parts parts = parts_make(trial, &block);
    unsigned char *const expected = test_alloc(parts.bytes), *const start = test_alloc(parts.bytes);
    struct zones host_zones, device_zones;
    struct stage host_stage, device_stage;
    const struct step on_host =
        step_make(trial, &block, &parts, expected, &host_zones, &host_stage);
    arena_fill(state, trial, &on_host, &parts, expected);
    const struct made_kinds made = make_kinds(state, trial, &on_host, &parts, expected);
    void *memory = NULL;
    if (CHECK_OK(backend->allocate(fixture->device, parts.bytes, MEMORY_PRIVATE, &memory))) {
        const struct step on_device =
            step_make(trial, &block, &parts, memory, &device_zones, &device_stage);
        point_kinds(&made, &parts, memory, &device_zones);
        memcpy(start, expected, parts.bytes);
        reference_step(&on_host);
        step_repeats(fixture, trial, &parts, &on_device, memory, start, expected);
    }
    backend->release(fixture->device, memory);
    free(expected);
    free(start);
}

/* What a trial does not fix is drawn. */
static void step_agrees_both(const struct fixture *fixture, uint64_t *state, struct trial trial)
{
    trial.has_fixed = random_below(state, 2) == 0;
    trial.has_heat = random_below(state, 3) != 0;
    trial.has_levels = random_below(state, 2) == 0;
    const unsigned radiating = random_below(state, 3) == 0 ? (unsigned)random_below(state, 16) : 0;
    for (int n = 0; n < 6; n++) {
        trial.is_double = (n & 1) != 0;
        trial.is_equal = n < 4 ? (n & 2) != 0 : random_below(state, 2) == 0;
        trial.zones = n < 4 ? 0 : 1 + random_below(state, 6);
        trial.has_kinds = random_below(state, 4) != 0;
        trial.has_gain = random_below(state, 2) == 0;
        trial.has_loss = random_below(state, 2) == 0;
        const bool has_densities = trial.has_gain && random_below(state, 2) == 0;
        trial.fields = n < 4 || !has_densities ? 0 : random_below(state, 3);
        trial.spots = n < 4 || !has_densities ? 0 : random_below(state, 3);
        trial.stage = n < 4 || trial.steps > 1 ? 0 : random_below(state, STAGES + 1);
        /* Random conductances let the field grow, and its fourth power would overflow. */
        trial.radiating = trial.zones == 0 || trial.steps > 6 ? 0 : radiating;
        step_agrees(fixture, state, &trial);
    }
}

static void any_step_count_on_tiny_blocks(const struct fixture *fixture, uint64_t *state)
{
    static const int sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 5}, {1, 40}, {41, 1}};
    static const int steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t t = 0; t < sizeof steps / sizeof steps[0]; t++)
            for (unsigned k = 0; k < 3; k++)
                step_agrees_both(fixture, state,
                                 (struct trial){.nx = sizes[s][0],
                                                .ny = sizes[s][1],
                                                .halo = steps[t],
                                                .region = {0, sizes[s][0], 0, sizes[s][1]},
                                                .steps = steps[t],
                                                .boundaries = (unsigned)random_below(state, 16)});
}

/* Closed on all sides a block needs no ghost cells, so there may be no memory for any. */
static void closed_blocks_need_no_halo(const struct fixture *fixture, uint64_t *state)
{
    for (int steps = 1; steps <= 9; steps += 4)
        for (int n = 0; n < 6; n++) {
            const int nx = 1 + random_below(state, 150), ny = 1 + random_below(state, 60);
            step_agrees_both(fixture, state,
                             (struct trial){.nx = nx,
                                            .ny = ny,
                                            .region = {0, nx, 0, ny},
                                            .steps = steps,
                                            .boundaries = 15});
        }
}

/* Regions at and off the sides of blocks of up to nx x ny cells. */
static void any_part_of_a_block(const struct fixture *fixture, uint64_t *state, int nx, int ny,
                                int most_steps, int count)
{
    for (int n = 0; n < count; n++) {
        struct trial trial = {.nx = 1 + random_below(state, nx), .ny = 1 + random_below(state, ny)};
        trial.steps = 1 + random_below(state, most_steps);
        trial.halo = trial.steps + random_below(state, 4);
        trial.boundaries = (unsigned)random_below(state, 16);
        struct region *const region = &trial.region;
        region->x0 = random_below(state, 2) == 0 ? 0 : random_below(state, trial.nx);
        region->y0 = random_below(state, 2) == 0 ? 0 : random_below(state, trial.ny);
        region->x1 = region->x0 + 1 + random_below(state, trial.nx - region->x0);
        region->y1 = region->y0 + 1 + random_below(state, trial.ny - region->y0);
        if (random_below(state, 2) == 0)
            region->x1 = trial.nx;
        if (random_below(state, 2) == 0)
            region->y1 = trial.ny;
        step_agrees_both(fixture, state, trial);
    }
}

/* Some tiles in each direction whatever the backend's tiles are. */
static void blocks_of_many_tiles(const struct fixture *fixture, uint64_t *state)
{
    static const int steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32};
    for (size_t t = 0; t < sizeof steps / sizeof steps[0]; t++)
        step_agrees_both(fixture, state,
                         (struct trial){.nx = 431,
                                        .ny = 275,
                                        .halo = steps[t],
                                        .region = {0, 431, 0, 275},
                                        .steps = steps[t],
                                        .boundaries = (unsigned)random_below(state, 16)});
}

/* Interfaces of all shapes across tiles that are just filled, or begun. */
static void zones_of_any_shape(const struct fixture *fixture, uint64_t *state)
{
    static const int widths[] = {19, 64, 65, 130, 255, 511, 512, 513, 783, 1025};
    static const int steps[] = {2, 3, 5, 8, 17, 32};
    static const enum shape shapes[] = {PATCHES, UPRIGHT, LEVEL, SLANTED,
                                        CIRCLES, STRIPES, BOARD, THIN};
    for (int n = 0; n < 240; n++) {
        struct trial trial = {.nx = widths[n % 10],
                              .ny = 1 + random_below(state, 60),
                              .steps = steps[n / 3 % 6],
                              .boundaries = n % 3 == 0 ? 15 : (unsigned)random_below(state, 16),
                              .is_double = n % 2 == 0,
                              .is_equal = random_below(state, 3) != 0,
                              .has_fixed = random_below(state, 3) == 0,
                              .has_heat = true,
                              .has_levels = random_below(state, 2) == 0,
                              .zones = 1 + random_below(state, 4),
                              .has_kinds = true,
                              .has_gain = random_below(state, 2) == 0,
                              .has_loss = random_below(state, 2) == 0,
                              .is_alike = random_below(state, 3) == 0};
        trial.shape = shapes[n / 2 % 8];
        trial.halo = trial.steps + random_below(state, 2);
        trial.region = (struct region){0, trial.nx, 0, trial.ny};
        step_agrees(fixture, state, &trial);
    }
}

/* Blocks that a GPU's kernel of many steps takes (kernels/cuda/pipeline/plan.cuh: some rows for
 * each of up to 148 multiprocessors), whose last column ends a 16-byte unit or lies within one.
 * Again, because its blocks change their shares of the rows in the first 12 launches. */
static void blocks_for_a_whole_gpu(const struct fixture *fixture, uint64_t *state)
{
    enum { CASES = 9 };
    static const int steps[CASES] = {4, 8, 8, 8, 12, 12, 16, 18, 18};
    static const bool has_zones[CASES] = {[2] = true, [3] = true, [5] = true, [8] = true};
    for (int n = 0; n < CASES * 4; n++) {
        const int zones = has_zones[n / 4] ? 1 + random_below(state, 3) : 0;
        struct trial trial = {.nx = 2100 + random_below(state, 6),
                              .ny = steps[n / 4] > 8 ? 2760 : 1380,
                              .steps = steps[n / 4],
                              .boundaries = n % 4 < 2 ? 15 : (unsigned)random_below(state, 16),
                              .is_double = n % 2 == 0,
                              .is_equal = n % 4 < 2,
                              .has_fixed = random_below(state, 2) == 0,
                              .has_heat = true,
                              .zones = zones,
                              .has_kinds = true,
                              .has_gain = random_below(state, 2) == 0,
                              .shape = random_below(state, 2) == 0 ? CIRCLES : SLANTED,
                              .again = n % 4 == 0 ? 13 : 2};
        trial.halo = trial.steps;
        trial.region = (struct region){0, trial.nx, 0, trial.ny};
        step_agrees(fixture, state, &trial);
    }
}

/* An empty region is a step that does nothing. */
static void an_empty_region_writes_nothing(const struct fixture *fixture, uint64_t *state)
{
    const struct trial trial = {
        .nx = 9, .ny = 9, .halo = 1, .region = {4, 4, 0, 9}, .steps = 1, .is_double = true};
    step_agrees(fixture, state, &trial);
}

static void run_all(struct fixture *fixture, bool is_short)
{
    uint64_t state = 20250117;
    (void)printf("seed %llu\n", (unsigned long long)state);
    if (fixture_open(fixture, 0)) {
        an_empty_region_writes_nothing(fixture, &state);
        closed_blocks_need_no_halo(fixture, &state);
        any_part_of_a_block(fixture, &state, 200, 70, 9, is_short ? 12 : 150);
        if (!is_short) {
            any_step_count_on_tiny_blocks(fixture, &state);
            any_part_of_a_block(fixture, &state, 700, 150, 32, 40);
            blocks_of_many_tiles(fixture, &state);
            zones_of_any_shape(fixture, &state);
            if (!fixture->backend->is_synchronous)
                blocks_for_a_whole_gpu(fixture, &state);
        }
    }
    fixture_close(fixture);
}

int main(int count, char **words)
{
    const bool is_short = count == 3 && strcmp(words[2], "short") == 0;
    struct fixture fixture = {.backend = backend_of(count, words)};
    const char *const instructions = getenv("ISOTHERM_CPU_ISA");
    if (instructions != NULL && strcmp(instructions, cpu_step_instruction_set()) != 0)
        check_skip("this processor does not have the instructions of ISOTHERM_CPU_ISA");
    if (CHECK_OK(fixture.backend->share(1, 0, &fixture.shared)))
        run_all(&fixture, is_short);
    fixture.backend->unshare(fixture.shared);
    return check_result();
}
