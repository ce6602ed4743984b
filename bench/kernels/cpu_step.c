/* Laboratory of the CPU kernels: cell updates per second of one core for 1 and more steps per call,
 * against the plain loop and the copy bandwidth of the same run. All four sides are boundaries
 * (temperature, flux, convection, insulated). Before it is timed, each number of steps is compared
 * bit for bit with single steps. Set ISOTHERM_CPU_ISA to measure another instruction set.
 *
 * Usage: cpu_step [NX NY [ROUNDS]]     default: 8192 8192 3; the best round counts */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "bench/kernels/cpu_lab.h"
#include "kernels/cpu/step.h"

enum { CHECKED_STEPS = 96 };

struct lab {
    struct block block;
    struct cpu_scratch *scratch;
    void *fields[4]; /* two to run, two for the check */
    void *maps[8];   /* a and b by side */
    bool is_double, is_equal;
    int rounds;
};

static void set(const struct lab *lab, void *array, int64_t at, double value)
{
    if (lab->is_double)
        ((double *)array)[at] = value;
    else
        ((float *)array)[at] = (float)value;
}

static void fill(struct lab *lab)
{
    const struct block *block = &lab->block;
    unsigned random = 1;
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++) {
            random = random * 1664525u + 1013904223u;
            const double value = 300 + (double)random * 0x1p-26;
            for (int f = 0; f < 4; f++)
                set(lab, lab->fields[f], block_index(block, i, j), value);
        }
    static const double a[4] = {700, 0.4, 31, 0}, b[4] = {-1, 1, 0.9, 1};
    const int faces = block->nx > block->ny ? block->nx : block->ny;
    for (int side = 0; side < 4; side++)
        for (int f = 0; f < faces; f++) {
            set(lab, lab->maps[2 * side], f, a[side]);
            set(lab, lab->maps[2 * side + 1], f, b[side]);
        }
}

static void open_lab(struct lab *lab, int nx, int ny, bool is_double)
{
    lab->block = block_make(nx, ny, 0, is_double);
    lab->is_double = is_double;
    if (cpu_scratch_open(&lab->scratch) != STATUS_OK) {
        fprintf(stderr, "cpu_step: %s\n", error_message());
        exit(2);
    }
    for (int f = 0; f < 4; f++)
        lab->fields[f] = must_alloc(block_bytes(&lab->block));
    const int faces = nx > ny ? nx : ny;
    for (int m = 0; m < 8; m++)
        lab->maps[m] = must_alloc((size_t)faces * sizeof(double));
    fill(lab);
}

static void close_lab(struct lab *lab)
{
    cpu_scratch_close(lab->scratch);
    for (int f = 0; f < 4; f++)
        free(lab->fields[f]);
    for (int m = 0; m < 8; m++)
        free(lab->maps[m]);
}

/* `steps` steps in calls of `per_call`, from pair[0]; the result is in pair[0] again. */
static void advance(const struct lab *lab, void *pair[2], int steps, int per_call)
{
    struct step step = {
        .block = &lab->block,
        .region = {0, lab->block.nx, 0, lab->block.ny},
        .rx = 0.2,
        .ry = lab->is_equal ? 0.2 : 0.15,
    };
    for (int side = 0; side < 4; side++)
        step.sides[side] = (struct side_map){
            .is_boundary = true, .a = lab->maps[2 * side], .b = lab->maps[2 * side + 1]};
    for (int done = 0; done < steps; done += step.steps) {
        step.steps = per_call < steps - done ? per_call : steps - done;
        step.from = pair[0];
        step.to = pair[1];
        if (cpu_step(lab->scratch, &step) != STATUS_OK) {
            fprintf(stderr, "cpu_step: %s\n", error_message());
            exit(1);
        }
        void *old = pair[0];
        pair[0] = pair[1];
        pair[1] = old;
    }
}

static double best_seconds(struct lab *lab, int steps, int per_call)
{
    double best = 1e30;
    for (int r = 0; r < lab->rounds; r++) {
        const double start = cpu_seconds();
        advance(lab, lab->fields, steps, per_call);
        const double seconds = cpu_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* Bytes read and written per second by a copy of a field. */
static double copy_rate(struct lab *lab)
{
    const size_t bytes = block_bytes(&lab->block);
    double best = 1e30;
    for (int r = 0; r < lab->rounds + 1; r++) {
        const double start = cpu_seconds();
        memcpy(lab->fields[3], lab->fields[2], bytes);
        const double seconds = cpu_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return 2 * (double)bytes / best;
}

static bool is_same(struct lab *lab, int per_call, int steps)
{
    fill(lab);
    advance(lab, lab->fields, steps, per_call);
    advance(lab, lab->fields + 2, steps, 1);
    const struct block *block = &lab->block;
    for (int j = 0; j < block->ny; j++) {
        const size_t at = (size_t)block_index(block, 0, j) * block->element_bytes;
        if (memcmp((char *)lab->fields[0] + at, (char *)lab->fields[2] + at,
                   (size_t)block->nx * block->element_bytes) != 0)
            return false;
    }
    return true;
}

static bool measure(struct lab *lab)
{
    static const int per_call[] = {1, 2, 4, 8, 12, 16, 24, 32};
    const double cells = (double)lab->block.nx * lab->block.ny;
    const int small = 1 + (int)(1e8 / cells) / CHECKED_STEPS; /* small fields: longer runs */
    double plain = 0;
    bool all_same = true;
    const double copied = copy_rate(lab);
    printf("%s %s, %d x %d, %s; copy %.1f GB/s, so one step per pass at most %.2f GLUPS\n",
           cpu_step_instruction_set(), lab->is_double ? "fp64" : "fp32", lab->block.nx,
           lab->block.ny, lab->is_equal ? "rx = ry" : "rx != ry", copied * 1e-9,
           copied / 2e9 / (double)lab->block.element_bytes);
    for (size_t t = 0; t < sizeof per_call / sizeof per_call[0]; t++) {
        const int steps = (per_call[t] == 1 ? 4 : per_call[t]) * small;
        const bool same = is_same(lab, per_call[t], per_call[t] + 1);
        const double rate = cells * steps / best_seconds(lab, steps, per_call[t]) * 1e-9;
        plain = t == 0 ? rate : plain;
        all_same = all_same && same;
        printf("  %2d steps per call: %7.2f GLUPS, %5.2f times 1 step, %s\n", per_call[t], rate,
               rate / plain, same ? "same bits" : "OTHER BITS");
    }
    return all_same;
}

int main(int count, char **words)
{
    const int nx = count > 2 ? atoi(words[1]) : 8192, ny = count > 2 ? atoi(words[2]) : 8192;
    const int rounds = count > 3 ? atoi(words[3]) : 3;
    if (nx < 1 || ny < 1 || rounds < 1) {
        fprintf(stderr, "usage: cpu_step [NX NY [ROUNDS]]\n");
        return 2;
    }
    bool all_same = true;
    for (int k = 0; k < 4; k++) {
        struct lab lab = {.is_equal = k % 2 == 0, .rounds = rounds};
        open_lab(&lab, nx, ny, k < 2);
        all_same = measure(&lab) && all_same;
        close_lab(&lab);
    }
    return all_same ? 0 : 1;
}
