#include "solver/schedule.h"

#include <float.h>
#include <math.h>

/* Quotients of two decimal numbers such as 0.3 / 0.1 miss the integer they mean by rounding; a
 * relative 1e-9 is far above that and far below what anyone means. */
static const double FUZZ = 1e-9;

static const double MOST_STEPS = 9e15; /* below 2^53, so that doubles count them */

/* The least integer not below x, to rounding. */
static double ceil_fuzzy(double x)
{
    const double nearest = round(x);
    return fabs(x - nearest) <= FUZZ * fmax(1.0, fabs(x)) ? nearest : ceil(x);
}

static double floor_fuzzy(double x)
{
    const double nearest = round(x);
    return fabs(x - nearest) <= FUZZ * fmax(1.0, fabs(x)) ? nearest : floor(x);
}

int64_t schedule_fraction(double x, int64_t most, int64_t *denominator)
{
    enum { MOST_DENOMINATOR = 1000 };
    double before = 1.0, number = floor(x), below_before = 0.0, below = 1.0, rest = x - floor(x);
    /* The fractions that a continued one breaks off to, from short to long. */
    while (number <= (double)most && below <= MOST_DENOMINATOR) {
        if (number >= 1.0 && fabs(x - number / below) <= FUZZ * x) {
            *denominator = (int64_t)below;
            return (int64_t)number;
        }
        const double part = floor(1.0 / rest), last = number, below_last = below;
        rest = 1.0 / rest - part;
        number = part * number + before;
        below = part * below + below_before;
        before = last;
        below_before = below_last;
    }
    return 0;
}

static bool has_last_interval(const struct schedule *schedule)
{
    return schedule->last_steps > 0;
}

/* How many steps of at most largest_dt make `length`, a multiple of divisor. */
static double steps_of(double length, double largest_dt, int64_t divisor)
{
    const double steps = fmax(1.0, ceil_fuzzy(length / largest_dt));
    return ceil(steps / (double)divisor) * (double)divisor;
}

/* Of a shorter interval at the end: steps no longer than those before, and at the multiples of the
 * full interval's part 1/divisor where that takes at most twice as many. */
static double last_steps_of(double rest, const struct schedule *schedule, double full_steps,
                            int64_t divisor)
{
    const double full_dt = schedule->interval / full_steps;
    const double even = steps_of(rest, full_dt, 1);
    const double parts = rest / schedule->interval * (double)divisor;
    int64_t below = 1, count = 0;
    if (divisor > 1)
        count = schedule_fraction(parts, (int64_t)fmin(even, 1e9), &below);
    return count > 1 ? steps_of(rest, full_dt, count) : even;
}

/* dt of `steps` steps in `length`: where that is `dt` but for rounding, just `dt`, so that a step
 * which divides every interval is the same in runs of any length. */
static double dt_of(double length, double steps, double dt)
{
    static const double ROUNDING = 1e-12; /* a length is a difference of times */
    const double even = length / steps;
    return isfinite(dt) && fabs(even - dt) <= ROUNDING * dt ? dt : even;
}

/* Times are doubles: a short step far from time 0 would not change them. */
static enum status check_resolution(const struct schedule *schedule)
{
    const double dt = has_last_interval(schedule) ? fmin(schedule->full_dt, schedule->last_dt)
                                                  : schedule->full_dt;
    const double furthest = fmax(fabs(schedule->start), fabs(schedule->end));
    if (dt >= 2.0 * DBL_EPSILON * furthest)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "time: steps of %.3g s cannot be told apart at a time of %.9g s; let time.start be "
                "nearer to 0 or choose a larger step",
                dt, furthest);
}

enum status schedule_make(struct schedule *schedule, double start, double end, double interval,
                          double largest_dt, int64_t divisor)
{
    *schedule = (struct schedule){.start = start, .end = end};
    const double length = end - start;
    if (length <= 0.0)
        return STATUS_OK;
    schedule->interval = interval > 0.0 && interval < length ? interval : length;
    const double full = floor_fuzzy(length / schedule->interval);
    const double rest = length - full * schedule->interval;
    const bool has_last = rest > FUZZ * length;
    const double full_steps = steps_of(schedule->interval, largest_dt, divisor);
    const double last_steps = has_last ? last_steps_of(rest, schedule, full_steps, divisor) : 0.0;
    if (!(full * full_steps + last_steps < MOST_STEPS))
        return fail(STATUS_INPUT,
                    "time: %.3g steps of at most %.3g s are more than can be counted; choose a "
                    "larger step or a shorter end",
                    length / largest_dt, largest_dt);
    schedule->full_intervals = (int64_t)full;
    schedule->full_steps = (int64_t)full_steps;
    schedule->full_dt = dt_of(schedule->interval, full_steps, largest_dt);
    schedule->last_steps = (int64_t)last_steps;
    schedule->last_dt = has_last ? dt_of(rest, last_steps, schedule->full_dt) : 0.0;
    schedule->steps = schedule->full_intervals * schedule->full_steps + schedule->last_steps;
    return check_resolution(schedule);
}

static int64_t full_end(const struct schedule *schedule)
{
    return schedule->full_intervals * schedule->full_steps;
}

/* Whether all steps before `step` are of the length full_dt. */
static bool is_even_until(const struct schedule *schedule, int64_t step)
{
    return step <= full_end(schedule) ||
           (step <= schedule->steps && schedule->last_dt == schedule->full_dt);
}

bool schedule_agrees(const struct schedule *a, const struct schedule *b, int64_t step)
{
    if (a->start != b->start || a->full_dt != b->full_dt || !is_even_until(a, step) ||
        !is_even_until(b, step))
        return false;
    return (a->interval == b->interval && a->full_steps == b->full_steps) ||
           (step <= a->full_steps && step <= b->full_steps);
}

static double elapsed(const struct schedule *schedule, int64_t step)
{
    if (step >= schedule->steps)
        return schedule->end - schedule->start;
    if (step >= full_end(schedule))
        return (double)schedule->full_intervals * schedule->interval +
               (double)(step - full_end(schedule)) * schedule->last_dt;
    const int64_t interval = step / schedule->full_steps, within = step % schedule->full_steps;
    return (double)interval * schedule->interval + (double)within * schedule->full_dt;
}

double schedule_time(const struct schedule *schedule, int64_t step)
{
    return step >= schedule->steps ? schedule->end : schedule->start + elapsed(schedule, step);
}

double schedule_dt(const struct schedule *schedule, int64_t step)
{
    return step < full_end(schedule) ? schedule->full_dt : schedule->last_dt;
}

int64_t schedule_outputs(const struct schedule *schedule)
{
    return 1 + schedule->full_intervals + (has_last_interval(schedule) ? 1 : 0);
}

int64_t schedule_output_step(const struct schedule *schedule, int64_t index)
{
    return index > schedule->full_intervals ? schedule->steps : index * schedule->full_steps;
}

int64_t schedule_output_from(const struct schedule *schedule, int64_t step)
{
    if (step > full_end(schedule))
        return schedule->full_intervals + 1;
    return schedule->full_steps > 0 ? (step + schedule->full_steps - 1) / schedule->full_steps : 0;
}

static int64_t smaller(double a, int64_t b)
{
    return a < (double)b ? (int64_t)a : b;
}

int64_t schedule_due_step(const struct schedule *schedule, double interval, int64_t index)
{
    if (schedule->steps == 0)
        return index == 0 ? 0 : INT64_MAX;
    const double offset = (double)index * interval;
    const double full_length = (double)schedule->full_intervals * schedule->interval;
    if (offset <= full_length * (1.0 + FUZZ))
        return smaller(ceil_fuzzy(offset / schedule->full_dt), full_end(schedule));
    const double length = schedule->end - schedule->start;
    if (!has_last_interval(schedule) || offset > length * (1.0 + FUZZ))
        return INT64_MAX;
    const double within = ceil_fuzzy((offset - full_length) / schedule->last_dt);
    return full_end(schedule) + smaller(within, schedule->last_steps);
}

int64_t schedule_due_from(const struct schedule *schedule, double interval, int64_t step)
{
    int64_t index = (int64_t)floor(elapsed(schedule, step) / interval);
    index = index > 1 ? index - 1 : 0;
    while (schedule_due_step(schedule, interval, index) < step)
        index++;
    return index;
}
