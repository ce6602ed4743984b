#include "solver/probing.h"

#include <math.h>

enum { LARGEST = 100000 };

/* The least common multiple; a when it would be more than `most`. */
static int64_t common_multiple(int64_t a, int64_t b, int64_t most)
{
    int64_t divisor = a, rest = b;
    while (rest != 0) {
        const int64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    const int64_t multiple = a / divisor * b;
    return multiple <= most ? multiple : a;
}

int64_t probing_divisor(const struct input *input, double interval, double largest_dt)
{
    const double steps = ceil(interval / largest_dt * (1.0 - 1e-9));
    const int64_t most = (int64_t)fmin(fmax(steps, 1.0), LARGEST);
    int64_t divisor = 1;
    for (int pass = 0; pass < 2; pass++) /* those that divide the interval come first */
        for (int p = 0; p < input->output.probe_count; p++) {
            const double samples = interval / input->output.probes[p].interval;
            int64_t beside = 1;
            const int64_t count = schedule_fraction(samples, LARGEST, &beside);
            if (count > 0 && (beside == 1) == (pass == 0))
                divisor = common_multiple(divisor, count, pass == 0 ? LARGEST : most);
        }
    return divisor;
}

static bool is_whole(double x)
{
    return fabs(x - round(x)) <= 1e-9 * fmax(1.0, fabs(x));
}

double probing_lateness(const struct plan *plan, int probe)
{
    const struct schedule *schedule = &plan->schedule;
    const double interval = plan->input->output.probes[probe].interval;
    const double full = (double)schedule->full_intervals * schedule->interval;
    const double length = schedule->end - schedule->start;
    if (schedule->steps == 0)
        return 0.0;
    if (interval <= full * (1.0 + 1e-9) && !is_whole(interval / schedule->full_dt))
        return schedule->full_dt;
    const double first = (floor(full / interval * (1.0 + 1e-12)) + 1.0) * interval;
    if (schedule->last_steps == 0 || first > length * (1.0 + 1e-9))
        return 0.0;
    const bool has_more = first + interval <= length * (1.0 + 1e-9);
    const bool is_exact = is_whole((first - full) / schedule->last_dt) &&
                          (!has_more || is_whole(interval / schedule->last_dt));
    return is_exact ? 0.0 : schedule->last_dt;
}
