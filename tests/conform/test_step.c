/* Time steps of the CPU give, bit for bit, what a naive loop gives that computes every level of the
 * whole array cell by cell: for any region, number of steps, choice of boundary sides and fixed
 * cells, in both precisions. Usage: test_step [baseline|avx2|avx512]; exit code 77 (skipped) when
 * this processor does not have the instructions. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cell.h"
#include "kernels/cpu/step.h"

struct shape {
    int nx, ny, halo;
    struct region region;
};

struct trial {
    struct shape shape;
    int steps;
    unsigned sides; /* bit s: side s is a boundary */
    bool is_equal;  /* rx == ry */
    bool has_fixed, has_heat, has_levels;
};

static int failures;

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Around zero, all bits of the mantissa in use. */
static double random_value(void)
{
    return (double)(int64_t)random_bits() * 0x1p-62;
}

static void *checked_alloc(size_t bytes)
{
    void *memory = aligned_alloc(BLOCK_ALIGNMENT, (bytes / BLOCK_ALIGNMENT + 1) * BLOCK_ALIGNMENT);
    if (memory == NULL) {
        fprintf(stderr, "test_step: out of memory\n");
        exit(1);
    }
    return memory;
}

static void complain(const struct trial *trial, const char *precision, const char *what, int i,
                     int j, double is, double should)
{
    const struct region *region = &trial->shape.region;
    if (failures++ < 20)
        fprintf(stderr,
                "%s %dx%d halo %d region %d..%d x %d..%d steps %d sides %x equal %d fixed %d: "
                "%s (%d, %d) is %a, should be %a\n",
                precision, trial->shape.nx, trial->shape.ny, trial->shape.halo, region->x0,
                region->x1, region->y0, region->y1, trial->steps, trial->sides, trial->is_equal,
                trial->has_fixed, what, i, j, is, should);
}

#define REAL    double
#define CELL(x) x##_f64
#include "tests/conform/test_step.inc"
#undef REAL
#undef CELL

#define REAL    float
#define CELL(x) x##_f32
#include "tests/conform/test_step.inc"
#undef REAL
#undef CELL

static void try_both(struct cpu_scratch *scratch, const struct trial *trial)
{
    try_trial_f64(scratch, trial);
    try_trial_f32(scratch, trial);
}

/* All 16 choices of sides and both formulas for a block computed as a whole. */
static void whole_block(struct cpu_scratch *scratch, int nx, int ny, int steps)
{
    for (unsigned sides = 0; sides < 16; sides++)
        for (int equal = 0; equal < 2; equal++) {
            const struct trial trial = {
                .shape = {nx, ny, sides == 15 ? 0 : steps, {0, nx, 0, ny}},
                .steps = steps,
                .sides = sides,
                .is_equal = equal,
                .has_fixed = (random_bits() >> 20 & 3) == 0,
                .has_heat = (random_bits() >> 20 & 1) == 0,
                .has_levels = (random_bits() >> 20 & 1) == 0,
            };
            try_both(scratch, &trial);
        }
}

static int random_below(int n)
{
    return (int)((random_bits() >> 16) % (uint64_t)n);
}

/* A region that is a part of the block, at or off its sides, with just the ghost cells it needs. */
static void random_part(struct cpu_scratch *scratch, int max_nx, int max_ny, int steps)
{
    struct trial trial = {
        .shape = {.nx = 1 + random_below(max_nx), .ny = 1 + random_below(max_ny)},
        .steps = steps,
        .sides = (unsigned)random_below(16),
        .is_equal = random_below(2) == 0,
        .has_fixed = random_below(3) == 0,
        .has_heat = random_below(2) == 0,
        .has_levels = random_below(2) == 0,
    };
    struct shape *shape = &trial.shape;
    struct region *region = &shape->region;
    region->x0 = random_below(3) == 0 ? 0 : random_below(shape->nx);
    region->y0 = random_below(3) == 0 ? 0 : random_below(shape->ny);
    region->x1 =
        random_below(3) == 0 ? shape->nx : region->x0 + 1 + random_below(shape->nx - region->x0);
    region->y1 =
        random_below(3) == 0 ? shape->ny : region->y0 + 1 + random_below(shape->ny - region->y0);
    shape->halo = steps + random_below(3);
    try_both(scratch, &trial);
}

static void tiny_blocks(struct cpu_scratch *scratch)
{
    static const int sizes[][2] = {{1, 1}, {1, 2},  {2, 1},  {2, 2},  {2, 3}, {3, 2},
                                   {1, 9}, {1, 40}, {17, 1}, {70, 1}, {7, 5}, {33, 8}};
    static const int steps[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33, 50};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t t = 0; t < sizeof steps / sizeof steps[0]; t++)
            whole_block(scratch, sizes[s][0], sizes[s][1], steps[t]);
}

/* Around the sizes at which another tile begins: lines of 16 cells, tiles of some hundreds. */
static void tile_edges(struct cpu_scratch *scratch)
{
    static const int widths[] = {63, 64, 65, 127, 129, 255, 256, 257, 383, 449, 513, 700, 1025};
    static const int heights[] = {1, 2, 3, 4, 5, 13, 127, 128, 129};
    static const int steps[] = {1, 2, 3, 4, 5, 8, 12, 16, 33, 50, 56};
    const size_t n_steps = sizeof steps / sizeof steps[0];
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            struct trial trial = {
                .steps = steps[(w + h) % n_steps],
                .sides = (unsigned)random_below(16),
                .is_equal = random_below(2) == 0,
                .has_fixed = random_below(3) == 0,
                .has_heat = true,
                .has_levels = random_below(2) == 0,
            };
            trial.shape =
                (struct shape){widths[w], heights[h], trial.steps, {0, widths[w], 0, heights[h]}};
            try_both(scratch, &trial);
        }
}

/* Fields that do not fit caches, which take another way to memory. */
static void large_field(struct cpu_scratch *scratch)
{
    const struct trial trial = {
        .shape = {2111, 1401, 0, {0, 2111, 0, 1401}},
        .steps = 5,
        .sides = 15,
        .is_equal = true,
        .has_heat = true,
    };
    try_both(scratch, &trial);
}

int main(int count, char **words)
{
    if (count > 1 && setenv("ISOTHERM_CPU_ISA", words[1], 1) != 0)
        return 1;
    struct cpu_scratch *scratch = NULL;
    if (cpu_scratch_open(&scratch) != STATUS_OK) {
        fprintf(stderr, "test_step: %s\n", error_message());
        return 77;
    }
    tiny_blocks(scratch);
    tile_edges(scratch);
    for (int k = 0; k < 400; k++)
        random_part(scratch, 90, 60, 1 + random_below(9));
    for (int k = 0; k < 40; k++)
        random_part(scratch, 800, 150, 1 + random_below(20));
    large_field(scratch);
    cpu_scratch_close(scratch);
    if (failures > 0)
        fprintf(stderr, "test_step: %d values differ\n", failures);
    return failures > 0;
}
