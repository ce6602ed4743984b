#include "solver/frame.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parts.h"

enum { BEAT_CELLS = 1 << 20 /* between signs of life */ };

struct frame_work {
    const struct run *run;
    const struct account *account;
    const void *field;
    double reference;
    int parts;
    struct frame_sums *sums; /* (parts) */
};

static void sum_part(void *state, int part)
{
    const struct frame_work *work = state;
    const struct plan *plan = work->run->plan;
    struct frame_sums *sums = &work->sums[part];
    const int64_t cells = plan->layout.nx * plan->layout.ny;
    const int64_t end = parts_begin(cells, part + 1, work->parts);
    const float *deviations = work->field;
    const double *values = work->field;
    double least = INFINITY, most = -INFINITY;
    sums->not_finite = -1;
    for (int64_t c = parts_begin(cells, part, work->parts); c < end; c++) {
        if (c % BEAT_CELLS == 0)
            control_beat(work->run->control, CONTROL_WRITER);
        const double held = plan->is_double ? values[c] : (double)deviations[c];
        if (!isfinite(held)) {
            sums->not_finite = c;
            break;
        }
        exact_sum_add(&sums->sum,
                      plan->has_zones ? held * account_capacity(work->account, c) : held);
        const double kelvin = held + work->reference;
        least = kelvin < least ? kelvin : least;
        most = kelvin > most ? kelvin : most;
    }
    sums->minimum = least;
    sums->maximum = most;
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
