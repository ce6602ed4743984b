/* Which step is at which time, and when something is due. Times are start + n dt with an integer n;
 * every interval between two outputs is divided evenly, so nothing overshoots. Only the last
 * interval may be shorter than the others and then has a step of its own, not larger. */
#ifndef ISOTHERM_SOLVER_SCHEDULE_H
#define ISOTHERM_SOLVER_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct schedule {
    double start, end;      /* s */
    double interval;        /* s between outputs */
    int64_t full_intervals; /* of that length */
    int64_t full_steps;     /* in each */
    double full_dt;         /* s */
    int64_t last_steps;     /* in the shorter one at the end; 0: there is none */
    double last_dt;         /* s */
    int64_t steps;          /* in all */
};

/* x as a fraction in lowest terms, to rounding: returns the numerator, 0 when that would be more
 * than `most` or the denominator more than 1000. */
int64_t schedule_fraction(double x, int64_t most, int64_t *denominator);

/* Divides start..end for steps of at most `largest_dt` (INFINITY: one step an interval). interval 0
 * means one interval. `divisor`: the steps of a full interval become a multiple of it, so that
 * probes that sample at multiples of that part of it are hit exactly, in a shorter last one too
 * where that takes at most twice the steps; 1 otherwise. STATUS_INPUT when there would be more
 * steps than can be counted, or when times near `end` cannot tell one step from the next. */
enum status schedule_make(struct schedule *schedule, double start, double end, double interval,
                          double largest_dt, int64_t divisor) MUST_CHECK;

/* Whether two schedules have the same steps, times and outputs before `step` to the last bit. The
 * time of `step` itself may differ by rounding where it is the end of one of them. */
bool schedule_agrees(const struct schedule *a, const struct schedule *b, int64_t step);

double schedule_time(const struct schedule *schedule, int64_t step);

/* dt of the step that leads from `step` to the next. */
double schedule_dt(const struct schedule *schedule, int64_t step);

/* Output `index` = 0, 1, ... is at this step: the start, the end of each interval. */
int64_t schedule_outputs(const struct schedule *schedule);
int64_t schedule_output_step(const struct schedule *schedule, int64_t index);
/* Index of the first output at or after `step`. */
int64_t schedule_output_from(const struct schedule *schedule, int64_t step);

/* For what is due every `interval` seconds beside the outputs (probes, checkpoints): the first step
 * at or after time start + index * interval, to rounding. */
int64_t schedule_due_step(const struct schedule *schedule, double interval, int64_t index);
/* An index whose due step is the first at or after `step`. */
int64_t schedule_due_from(const struct schedule *schedule, double interval, int64_t step);

#endif
