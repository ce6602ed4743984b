/* Cell updates per second of a backend's step for a closed block (all sides are boundaries), next
 * to the copy bandwidth of the same device in the same run and the limit of one sweep of memory per
 * step that follows from it. Median of ROUNDS timings by the host's clock around many queued steps.
 *
 * Usage: backend_step cpu|cuda [NX NY [STEPS...]]     default: 8192 8192 1 2 4 8 16 32 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "kernels/backend.h"

enum { ROUNDS = 5 };

struct lab {
    const struct backend *backend;
    struct shared *shared;
    struct device *device;
    struct queue *queue;
    struct block block;
    void *fields[2];
    void *fixed, *map, *heat; /* mask without a fixed cell; a = b = 0 of all sides */
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Random bits as a field: values between 1 and 2. */
static enum status fill(struct lab *lab)
{
    const size_t bytes = block_bytes(&lab->block);
    unsigned char *host = NULL;
    TRY(memory_alloc(&host, bytes, 1, "start field"));
    uint64_t state = 1;
    for (size_t n = 0; n < bytes / lab->block.element_bytes; n++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        const double value = 1 + (double)(state >> 12) * 0x1p-52;
        if (lab->block.element_bytes == sizeof(double))
            ((double *)(void *)host)[n] = value;
        else
            ((float *)(void *)host)[n] = (float)value;
    }
    const struct copy copy = {.from = host, .to = lab->fields[0], .row_bytes = bytes, .rows = 1};
    TRY(lab->backend->copy(lab->queue, &copy));
    TRY(lab->backend->queue_drain(lab->queue));
    free(host);
    return STATUS_OK;
}

static enum status prepare(struct lab *lab, int nx, int ny, bool is_double)
{
    const struct backend *const backend = lab->backend;
    const size_t faces = (size_t)(nx > ny ? nx : ny);
    lab->block = block_make(nx, ny, 32, is_double);
    const size_t bytes = block_bytes(&lab->block);
    for (int n = 0; n < 2; n++)
        TRY(backend->allocate(lab->device, bytes, MEMORY_PRIVATE, &lab->fields[n]));
    TRY(backend->allocate(lab->device, bytes / lab->block.element_bytes, MEMORY_PRIVATE,
                          &lab->fixed));
    TRY(backend->allocate(lab->device, faces * sizeof(double), MEMORY_PRIVATE, &lab->map));
    TRY(backend->allocate(lab->device, 4 * faces * sizeof(double), MEMORY_PRIVATE, &lab->heat));
    return fill(lab);
}

static void release(struct lab *lab)
{
    void **const memory[] = {&lab->fields[0], &lab->fields[1], &lab->fixed, &lab->map, &lab->heat};
    for (size_t n = 0; n < sizeof memory / sizeof memory[0]; n++) {
        lab->backend->release(lab->device, *memory[n]);
        *memory[n] = NULL;
    }
}

static enum status work(struct lab *lab, const struct step *step, const struct copy_list *list,
                        int times)
{
    for (int n = 0; n < times; n++) {
        if (list != NULL) {
            TRY(lab->backend->copy_list_run(lab->queue, list));
            continue;
        }
        struct step now = *step;
        now.from = lab->fields[n % 2];
        now.to = lab->fields[1 - n % 2];
        TRY(lab->backend->step(lab->queue, &now));
    }
    return lab->backend->queue_drain(lab->queue);
}

/* Seconds of one step or one run of the list. */
static enum status measure(struct lab *lab, const struct step *step, const struct copy_list *list,
                           double *seconds)
{
    double rounds[ROUNDS];
    double start = clock_seconds();
    TRY(work(lab, step, list, 2));
    const double rough = (clock_seconds() - start) / 2;
    const int times = rough > 0.05 ? 2 : rough < 0.0002 ? 500 : 2 * (int)(0.05 / rough);
    for (int n = 0; n < ROUNDS; n++) {
        start = clock_seconds();
        TRY(work(lab, step, list, times));
        rounds[n] = (clock_seconds() - start) / times;
    }
    qsort(rounds, ROUNDS, sizeof rounds[0], compare);
    *seconds = rounds[ROUNDS / 2];
    return STATUS_OK;
}

static enum status measure_copy(struct lab *lab, double *bytes_per_s)
{
    const size_t bytes = block_bytes(&lab->block);
    struct copy_list *list = NULL;
    double seconds = 0;
    const struct copy copy = {
        .from = lab->fields[0], .to = lab->fields[1], .row_bytes = bytes, .rows = 1};
    TRY(lab->backend->copy_list_open(lab->device, &copy, 1, &list));
    const enum status status = measure(lab, NULL, list, &seconds);
    lab->backend->copy_list_close(list);
    *bytes_per_s = 2 * (double)bytes / seconds;
    return status;
}

static struct step step_make(const struct lab *lab, int steps, bool is_equal, bool has_fixed)
{
    struct step step = {
        .block = &lab->block,
        .region = {0, lab->block.nx, 0, lab->block.ny},
        .steps = steps,
        .rx = 0.2,
        .ry = is_equal ? 0.2 : 0.15,
        .fixed = has_fixed ? lab->fixed : NULL,
    };
    const size_t faces = (size_t)(lab->block.nx > lab->block.ny ? lab->block.nx : lab->block.ny);
    for (int s = 0; s < 4; s++)
        step.sides[s] = (struct side_map){.is_boundary = true,
                                          .a = lab->map,
                                          .b = lab->map,
                                          .heat = (double *)lab->heat + (size_t)s * faces};
    return step;
}

static enum status table(struct lab *lab, int count, const int *steps)
{
    const double cells = (double)lab->block.nx * lab->block.ny;
    const double word = (double)lab->block.element_bytes;
    double copy = 0;
    TRY(measure_copy(lab, &copy));
    printf("\n%s, %d x %d, %s; copy %.3f TB/s, one sweep per step at most %.1f GLUPS\n",
           lab->backend->name, lab->block.nx, lab->block.ny,
           lab->block.element_bytes == sizeof(double) ? "double" : "float", copy * 1e-12,
           copy / (2 * word) * 1e-9);
    printf("steps   rx = ry   rx != ry   fixed cells, rx = ry   [GLUPS]   (first: of the sweep "
           "limit)\n");
    for (int n = 0; n < count; n++) {
        double rate[3];
        for (int kind = 0; kind < 3; kind++) {
            const struct step step = step_make(lab, steps[n], kind != 1, kind == 2);
            double seconds = 0;
            TRY(measure(lab, &step, NULL, &seconds));
            rate[kind] = cells * steps[n] / seconds;
        }
        printf("%5d  %8.1f  %8.1f  %8.1f   %6.1f %%\n", steps[n], rate[0] * 1e-9, rate[1] * 1e-9,
               rate[2] * 1e-9, 100 * rate[0] * 2 * word / copy);
    }
    return STATUS_OK;
}

static enum status run(struct lab *lab, int nx, int ny, int count, const int *steps)
{
    TRY(lab->backend->share(1, 0, &lab->shared));
    TRY(lab->backend->open(&(struct device_options){.shared = lab->shared}, &lab->device));
    TRY(lab->backend->queue_open(lab->device, QUEUE_NORMAL, &lab->queue));
    for (int is_double = 1; is_double >= 0; is_double--) {
        TRY(prepare(lab, nx, ny, is_double != 0));
        TRY(table(lab, count, steps));
        release(lab);
    }
    lab->backend->queue_close(lab->queue);
    lab->backend->close(lab->device);
    lab->backend->unshare(lab->shared);
    return STATUS_OK;
}

int main(int count, char **words)
{
    int steps[16] = {1, 2, 4, 8, 16, 32}, step_count = 6;
    const int nx = count > 3 ? atoi(words[2]) : 8192, ny = count > 3 ? atoi(words[3]) : 8192;
    for (int n = 4; n < count && n < 4 + 16; n++) {
        steps[n - 4] = atoi(words[n]);
        step_count = n - 3;
    }
    struct lab lab = {.backend = count > 1 && strcmp(words[1], "cuda") == 0 ? &backend_cuda
                                                                            : &backend_cpu};
    if (run(&lab, nx, ny, step_count, steps) == STATUS_OK)
        return EXIT_SUCCESS;
    fprintf(stderr, "backend_step: %s\n", error_message());
    return EXIT_FAILURE;
}
