/* Laboratory of the CPU kernels with several materials: cell updates per second of one core for
 * interfaces of several shapes, against one material in the same run. All four sides are
 * boundaries. Each is compared bit for bit with the plain loop over single steps. Set
 * ISOTHERM_CPU_ISA to measure another instruction set.
 *
 * Usage: cpu_zones [N [ROUNDS [ASPECT]]]     N x N cells, default 8192, 3 rounds; the best counts
 * ASPECT: conductance in x by that in y, default 1 */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "bench/kernels/cpu_lab.h"
#include "kernels/cpu/step.h"
#include "solver/kinds.h"

enum { ZONES = 3 };

struct lab {
    struct block block;
    struct cpu_scratch *scratch;
    void *fields[4]; /* two to run, two for the check */
    void *a, *b;     /* of all sides */
    unsigned char *zone, *kind;
    struct kinds kinds;
    unsigned char kind_zone[KINDS_MOST];
    void *tables[5]; /* conductance in x, y, loss, source, unit */
    void *kind_conductance;
    bool is_double, has_gain;
    double aspect;
    int rounds;
};

/* Which zone cell (i, j) of n x n is in. */
typedef int shape_function(int i, int j, int n);

static int nowhere(int i, int j, int n)
{
    (void)i, (void)j, (void)n;
    return 0;
}

static int right_half(int i, int j, int n)
{
    (void)j;
    return i >= n / 2 + 5;
}

static int upper_half(int i, int j, int n)
{
    (void)i;
    return j >= n / 2 + 5;
}

static int slanted(int i, int j, int n)
{
    return 3 * i + 7 * j > 5 * n;
}

static int circles(int i, int j, int n)
{
    const double x = i - 0.37 * n, y = j - 0.55 * n, r2 = (x * x + y * y) / ((double)n * n);
    return r2 < 0.04 ? 2 : r2 < 0.09;
}

static int stripes(int i, int j, int n)
{
    (void)j, (void)n;
    return i / 50 % 3;
}

static int board(int i, int j, int n)
{
    (void)n;
    return (i / 20 + j / 20) % 2;
}

static int noise(int i, int j, int n)
{
    (void)n;
    return (int)(((unsigned)i * 2654435761u ^ (unsigned)j * 40503u) >> 13) % 2;
}

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
            for (int f = 0; f < 4; f++)
                set(lab, lab->fields[f], block_index(block, i, j), 300 + (double)random * 0x1p-26);
        }
}

static double conductance(const struct lab *lab, int axis, int zone, int beside)
{
    return 0.2 / (axis == 0 ? 1 : lab->aspect) / (1 + zone) / (1 + 0.3 * (zone != beside));
}

static void open_lab(struct lab *lab, int n, bool is_double)
{
    lab->is_double = is_double;
    lab->block = block_make(n, n, 0, is_double);
    if (cpu_scratch_open(&lab->scratch) != STATUS_OK) {
        fprintf(stderr, "cpu_zones: %s\n", error_message());
        exit(2);
    }
    for (int f = 0; f < 4; f++)
        lab->fields[f] = must_alloc(block_bytes(&lab->block));
    for (int t = 0; t < 5; t++)
        lab->tables[t] = must_alloc(1);
    lab->kind_conductance = must_alloc(1);
    lab->zone = must_alloc(block_bytes(&lab->block));
    lab->kind = must_alloc(block_bytes(&lab->block));
    lab->a = must_alloc((size_t)n * sizeof(double));
    lab->b = must_alloc((size_t)n * sizeof(double));
    for (int f = 0; f < n; f++) {
        set(lab, lab->a, f, 31);
        set(lab, lab->b, f, 0.9);
    }
    for (int z = 0; z < ZONES; z++) {
        for (int other = 0; other < ZONES; other++)
            for (int axis = 0; axis < 2; axis++)
                set(lab, lab->tables[axis], z * ZONES + other, conductance(lab, axis, z, other));
        set(lab, lab->tables[2], z, 0.001 * (z + 1));
        set(lab, lab->tables[3], z, 0.3 * z);
        set(lab, lab->tables[4], z, 1);
    }
}

static void close_lab(struct lab *lab)
{
    cpu_scratch_close(lab->scratch);
    for (int f = 0; f < 4; f++)
        free(lab->fields[f]);
    for (int t = 0; t < 5; t++)
        free(lab->tables[t]);
    free(lab->kind_conductance);
    free(lab->zone);
    free(lab->kind);
    free(lab->a);
    free(lab->b);
}

static void set_shape(struct lab *lab, shape_function *shape)
{
    const struct block *block = &lab->block;
    const int material[ZONES] = {0, 1, 2};
    for (int j = 0; j < block->ny; j++)
        for (int i = 0; i < block->nx; i++)
            lab->zone[block_index(block, i, j)] = (unsigned char)shape(i, j, block->nx);
    kinds_find(&(struct kinds_cells){.block = block,
                                     .is_boundary = {true, true, true, true},
                                     .zone_count = ZONES,
                                     .material = material,
                                     .zone = lab->zone},
               &lab->kinds, lab->kind);
    for (int k = 0; k < lab->kinds.count; k++) {
        const struct kind *kind = &lab->kinds.list[k];
        lab->kind_zone[k] = kind->zone;
        for (int n = 0; n < 4; n++)
            set(lab, lab->kind_conductance, 4 * k + n,
                conductance(lab, n / 2, kind->zone, kind->beside[n]));
    }
}

static struct zones zones_of(const struct lab *lab, bool has_kinds)
{
    struct zones zones = {
        .zone = lab->zone,
        .count = ZONES,
        .conductance = {lab->tables[0], lab->tables[1]},
        .loss = lab->tables[2],
        .ambient = 293,
        .source = lab->tables[3],
        .unit = lab->tables[4],
        .has_gain = lab->has_gain,
        .is_equal = lab->aspect == 1,
        .kind = has_kinds ? lab->kind : NULL,
        .kind_count = lab->kinds.count,
        .kind_fixed = lab->kinds.fixed,
        .kind_conductance = lab->kind_conductance,
        .kind_zone = lab->kind_zone,
    };
    return zones;
}

enum way { ONE_MATERIAL, PLAIN, KINDS };

/* `steps` steps in calls of `per_call`, from pair[0]; the result is in pair[0] again. */
static void advance(const struct lab *lab, void *pair[2], enum way way, int steps, int per_call)
{
    static const double none[ZONES];
    struct zones zones = zones_of(lab, way == KINDS);
    if (!lab->has_gain)
        zones.loss = zones.source = none;
    struct step step = {
        .block = &lab->block,
        .region = {0, lab->block.nx, 0, lab->block.ny},
        .rx = 0.2,
        .ry = 0.2,
        .zones = way == ONE_MATERIAL ? NULL : &zones,
    };
    for (int side = 0; side < 4; side++)
        step.sides[side] = (struct side_map){.is_boundary = true, .a = lab->a, .b = lab->b};
    for (int done = 0; done < steps; done += step.steps) {
        step.steps = per_call < steps - done ? per_call : steps - done;
        step.from = pair[0];
        step.to = pair[1];
        if (cpu_step(lab->scratch, &step) != STATUS_OK) {
            fprintf(stderr, "cpu_zones: %s\n", error_message());
            exit(1);
        }
        void *old = pair[0];
        pair[0] = pair[1];
        pair[1] = old;
    }
}

static double rate(struct lab *lab, enum way way, int per_call)
{
    const double cells = (double)lab->block.nx * lab->block.ny;
    double best = 1e30;
    for (int r = 0; r < lab->rounds; r++) {
        const double start = cpu_seconds();
        advance(lab, lab->fields, way, per_call, per_call);
        const double seconds = cpu_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return cells * per_call / best * 1e-9;
}

static bool is_same(struct lab *lab, int per_call)
{
    const struct block *block = &lab->block;
    fill(lab);
    advance(lab, lab->fields, KINDS, per_call, per_call);
    advance(lab, lab->fields + 2, PLAIN, per_call, 1);
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
    static const struct {
        const char *name;
        shape_function *shape;
    } shapes[] = {{"one zone", nowhere},      {"right half", right_half},
                  {"upper half", upper_half}, {"slanted line", slanted},
                  {"two circles", circles},   {"stripes of 50", stripes},
                  {"board of 20", board},     {"noise", noise}};
    static const int depths[] = {8, 16, 24, 32};
    bool all_same = true;
    fill(lab);
    printf("%s %s, %d x %d%s; GLUPS at\n%-22s", cpu_step_instruction_set(),
           lab->is_double ? "fp64" : "fp32", lab->block.nx, lab->block.ny,
           lab->has_gain ? ", with loss and sources" : "", "steps per call:");
    for (int d = 0; d < 4; d++)
        printf("%8d", depths[d]);
    printf("\n%-22s", "one material");
    for (int d = 0; d < 4; d++)
        printf("%8.2f", rate(lab, ONE_MATERIAL, depths[d]));
    set_shape(lab, right_half);
    printf("\n%-22s%8.2f\n", "right half, plain path", rate(lab, PLAIN, 8));
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        set_shape(lab, shapes[s].shape);
        const bool same = is_same(lab, 7);
        all_same = all_same && same;
        printf("%-22s", shapes[s].name);
        for (int d = 0; d < 4; d++)
            printf("%8.2f", rate(lab, KINDS, depths[d]));
        printf("  %d kinds, %s\n", lab->kinds.count, same ? "same bits" : "OTHER BITS");
        (void)fflush(stdout);
    }
    return all_same;
}

int main(int count, char **words)
{
    const int n = count > 1 ? atoi(words[1]) : 8192, rounds = count > 2 ? atoi(words[2]) : 3;
    const double aspect = count > 3 ? atof(words[3]) : 1;
    if (n < 1 || rounds < 1 || !(aspect > 0)) {
        fprintf(stderr, "usage: cpu_zones [N [ROUNDS [ASPECT]]]\n");
        return 2;
    }
    bool all_same = true;
    for (int k = 0; k < 4; k++) {
        struct lab lab = {.has_gain = k % 2 == 1, .aspect = aspect, .rounds = rounds};
        open_lab(&lab, n, k < 2);
        all_same = measure(&lab) && all_same;
        close_lab(&lab);
    }
    return all_same ? 0 : 1;
}
