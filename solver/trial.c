#include "solver/trial.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"

/* Those that the pipeline kernel has instances for (kernels/cuda/pipeline/f64.cu, f32.cu). */
const int trial_depths[TRIAL_DEPTHS] = {4, 8, 12, 16, 18};

/* Everything on the device. */
struct bench {
    const struct backend *backend;
    struct shared *shared;
    struct device *device;
    struct queue *queue;
    struct block block;
    struct step step;
    void *fields[2], *faces, *fixed;
    double *heat;
};

static void bench_close(struct bench *bench)
{
    const struct backend *backend = bench->backend;
    if (bench->device != NULL) {
        for (int n = 0; n < 2; n++)
            backend->release(bench->device, bench->fields[n]);
        backend->release(bench->device, bench->faces);
        backend->release(bench->device, bench->fixed);
        backend->release(bench->device, bench->heat);
        if (bench->queue != NULL)
            backend->queue_close(bench->queue);
        backend->close(bench->device);
    }
    if (bench->shared != NULL)
        backend->unshare(bench->shared);
}

/* Values with full mantissas: with zeros a GPU takes less power and runs faster than it would. */
static enum status fill(struct bench *bench)
{
    enum { ROWS = 16 };
    const struct block *block = &bench->block;
    const size_t row = (size_t)block->pitch * block->element_bytes;
    const int rows = block->ny + 2 * block->halo;
    uint64_t random = 88172645463325252u;
    void *values = NULL;
    TRY(memory_alloc(&values, ROWS, row, "values to time steps with"));
    for (int n = 0; n < ROWS * block->pitch; n++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const double value = ldexp((double)(random >> 11), -53);
        if (block->element_bytes == sizeof(double))
            ((double *)values)[n] = value;
        else
            ((float *)values)[n] = (float)value;
    }
    enum status status = STATUS_OK;
    for (int j = 0; j < rows && status == STATUS_OK; j += ROWS) {
        const struct copy copy = {values, (unsigned char *)bench->fields[0] + (size_t)j * row,
                                  row,    row,
                                  row,    rows - j < ROWS ? rows - j : ROWS};
        status = bench->backend->copy(bench->queue, &copy);
    }
    if (status == STATUS_OK)
        status = bench->backend->queue_drain(bench->queue);
    free(values);
    return status;
}

/* A ghost cell is 0 everywhere: what it is does not change the time. */
static void set_sides(struct bench *bench, const struct layout *layout)
{
    const size_t halo = (size_t)bench->block.halo;
    const bool is_boundary[4] = {!layout->is_periodic_x, !layout->is_periodic_x && layout->px == 1,
                                 !layout->is_periodic_y, !layout->is_periodic_y && layout->py == 1};
    for (int side = 0; side < 4; side++) {
        const void *map = (unsigned char *)bench->faces + halo * bench->block.element_bytes;
        bench->step.sides[side] = (struct side_map){
            .is_boundary = is_boundary[side], .a = map, .b = map, .heat = bench->heat + halo};
    }
}

static enum status bench_open(struct bench *bench, const struct plan *plan, int ordinal)
{
    const struct backend *backend = bench->backend;
    const struct block *block = &bench->block;
    const size_t cells = block_bytes(block) / block->element_bytes;
    const size_t faces =
        (size_t)(block->nx > block->ny ? block->nx : block->ny) + 2 * (size_t)block->halo;
    void *heat = NULL;
    TRY(backend->share(1, 0, &bench->shared));
    TRY(backend->open(&(struct device_options){.shared = bench->shared, .ordinal = ordinal},
                      &bench->device));
    TRY(backend->queue_open(bench->device, QUEUE_NORMAL, &bench->queue));
    for (int n = 0; n < 2; n++)
        TRY(backend->allocate(bench->device, block_bytes(block), MEMORY_PRIVATE,
                              &bench->fields[n]));
    TRY(backend->allocate(bench->device, faces * block->element_bytes, MEMORY_PRIVATE,
                          &bench->faces));
    TRY(backend->allocate(bench->device, faces * sizeof(double), MEMORY_PRIVATE, &heat));
    bench->heat = heat;
    if (plan->input->fixed_count > 0)
        TRY(backend->allocate(bench->device, cells, MEMORY_PRIVATE, &bench->fixed));
    TRY(fill(bench));
    bench->step = (struct step){
        .block = block, .region = {0, block->nx, 0, block->ny}, .fixed = bench->fixed};
    plan_coefficients(plan, schedule_dt(&plan->schedule, 0), &bench->step.rx, &bench->step.ry);
    set_sides(bench, &plan->layout);
    return STATUS_OK;
}

/* Seconds of `calls` calls, one after the other. */
static enum status time_calls(struct bench *bench, int calls, double *seconds)
{
    const double start = clock_seconds();
    for (int n = 0; n < calls; n++) {
        bench->step.from = bench->fields[n % 2];
        bench->step.to = bench->fields[(n + 1) % 2];
        TRY(bench->backend->step(bench->queue, &bench->step));
    }
    TRY(bench->backend->queue_drain(bench->queue));
    *seconds = clock_seconds() - start;
    return STATUS_OK;
}

/* The best of three rounds of some 15 ms. */
static enum status time_depth(struct bench *bench, int depth, double *rate)
{
    const double cells = (double)bench->block.nx * (double)bench->block.ny;
    double seconds = 0.0;
    bench->step.steps = depth;
    TRY(time_calls(bench, 2, &seconds)); /* loads what is loaded at the first call */
    TRY(time_calls(bench, 2, &seconds));
    const int calls = (int)fmin(fmax(0.015 / (seconds / 2), 2.0), 2000.0);
    for (int round = 0; round < 3; round++) {
        TRY(time_calls(bench, calls, &seconds));
        *rate = fmax(*rate, cells * depth * calls / seconds);
    }
    return STATUS_OK;
}

enum status trial_run(const struct plan *plan, const struct backend *backend, int ordinal,
                      struct trial *trial)
{
    const struct block *first = &plan->blocks[0];
    struct bench bench = {
        .backend = backend,
        .block = block_make(first->nx, first->ny, trial_depths[TRIAL_DEPTHS - 1], plan->is_double)};
    *trial = (struct trial){{0.0}};
    enum status status = bench_open(&bench, plan, ordinal);
    for (int n = 0; n < TRIAL_DEPTHS && status == STATUS_OK; n++)
        if (time_depth(&bench, trial_depths[n], &trial->rates[n]) != STATUS_OK)
            error_clear(); /* so many do not fit */
    bench_close(&bench);
    return status;
}

/* A trial is short. Under load for seconds a GPU reaches its limit of power, and fewer steps, which
 * move more memory, lose more: an H200 ran 12 steps, chosen as the fastest by a trial, at 2,353
 * GLUPS, and 16 at 2,505. */
int trial_choose(const struct trial *trial)
{
    const double hardly = 0.94;
    double best = 0.0;
    int depth = 0;
    for (int n = 0; n < TRIAL_DEPTHS; n++)
        best = fmax(best, trial->rates[n]);
    for (int n = 0; n < TRIAL_DEPTHS; n++)
        if (trial->rates[n] > 0.0 && trial->rates[n] >= hardly * best)
            depth = trial_depths[n];
    return depth;
}
