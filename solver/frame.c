#include "solver/frame.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parts.h"

struct frame_work {
    const struct run *run;
    const struct account *account;
    const void *field;
    double reference;
    int parts;
    struct frame_sums *sums; /* (parts) */
};

/* So many lanes that gcc 12 keeps the loop over them and makes vectors of it: it unrolls 8, to
 * scalar code that takes twice as long (bench/results/cpu-output.txt). */
enum { BLOCK_CELLS = 2048, LANES = 32 };

/* A block of cells in doubles: what a frame holds, or a copy of it. */
static const double *get_block(const struct frame_work *work, int64_t first, int64_t count,
                               double copy[BLOCK_CELLS])
{
    const float *narrow = (const float *)work->field + first;
    if (work->run->plan->is_double)
        return (const double *)work->field + first;
    for (int64_t k = 0; k < count; k++)
        copy[k] = (double)narrow[k];
    return copy;
}

/* Least and greatest of held[count]; in lanes, so that a compiler can make vectors of them. False
 * when one is not finite. */
VECTOR_CLONES static bool find_extremes(const double *held, int64_t count, double *least,
                                        double *most)
{
    double low[LANES], high[LANES], faults[LANES] = {0.0}, fault = 0.0;
    for (int lane = 0; lane < LANES; lane++)
        low[lane] = high[lane] = held[0];
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            const double value = held[k + lane];
            low[lane] = value < low[lane] ? value : low[lane];
            high[lane] = value > high[lane] ? value : high[lane];
            faults[lane] += value - value; /* 0, but for those that are not finite */
        }
    for (; k < count; k++) {
        low[0] = held[k] < low[0] ? held[k] : low[0];
        high[0] = held[k] > high[0] ? held[k] : high[0];
        fault += held[k] - held[k];
    }
    for (int lane = 0; lane < LANES; lane++) {
        *least = low[lane] < *least ? low[lane] : *least;
        *most = high[lane] > *most ? high[lane] : *most;
        fault += faults[lane];
    }
    return fault == 0.0;
}

static void add_block(const struct frame_work *work, const double *held, int64_t first,
                      int64_t count, struct exact_sum *sum)
{
    double heat[BLOCK_CELLS];
    for (int64_t k = 0; k < count && work->run->plan->has_zones; k++)
        heat[k] = held[k] * account_capacity(work->account, first + k);
    exact_sum_add_all(sum, work->run->plan->has_zones ? heat : held, count);
}

static void sum_part(void *state, int part)
{
    const struct frame_work *work = state;
    const struct plan *plan = work->run->plan;
    struct frame_sums *sums = &work->sums[part];
    const int64_t cells = plan->layout.nx * plan->layout.ny;
    const int64_t end = parts_begin(cells, part + 1, work->parts);
    double copy[BLOCK_CELLS], least = INFINITY, most = -INFINITY;
    sums->not_finite = -1;
    for (int64_t c = parts_begin(cells, part, work->parts), count = 0; c < end; c += count) {
        count = end - c < BLOCK_CELLS ? end - c : BLOCK_CELLS;
        const double *held = get_block(work, c, count, copy);
        control_beat(work->run->control, CONTROL_WRITER);
        if (!find_extremes(held, count, &least, &most)) {
            while (isfinite(*held))
                held++, c++;
            sums->not_finite = c;
            break;
        }
        add_block(work, held, c, count, &sums->sum);
    }
    sums->minimum = least + work->reference; /* rounding keeps the order */
    sums->maximum = most + work->reference;
}

enum status frame_sum(const struct run *run, const struct account *account, const void *field,
                      double reference, int threads, struct frame_sums *sums)
{
    enum { LEAST_CELLS = 1 << 16 }; /* that are worth a thread */
    const int64_t most = run->plan->layout.nx * run->plan->layout.ny / LEAST_CELLS + 1;
    struct frame_work work = {.run = run,
                              .account = account,
                              .field = field,
                              .reference = reference,
                              .parts = most < threads ? (int)most : threads};
    TRY(memory_alloc(&work.sums, (size_t)work.parts, sizeof *work.sums, "sums"));
    parts_run(work.parts, sum_part, &work);
    *sums = work.sums[0];
    for (int part = 1; part < work.parts; part++) {
        const struct frame_sums *other = &work.sums[part];
        exact_sum_merge(&sums->sum, &other->sum);
        sums->minimum = fmin(sums->minimum, other->minimum);
        sums->maximum = fmax(sums->maximum, other->maximum);
        if (sums->not_finite < 0)
            sums->not_finite = other->not_finite;
    }
    free(work.sums);
    return STATUS_OK;
}
