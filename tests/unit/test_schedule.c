/* Step counts, times and what is due when. */
#include "solver/schedule.h"

#include <math.h>

#include "tests/check.h"

/* Counts by hand: so many steps of at most `largest` that divide each interval evenly. */
static const struct example {
    double start, end, interval, largest;
    int64_t divisor;
    int64_t full_intervals, full_steps, last_steps;
} examples[] = {
    /* end = 1 with the steps that decimal fractions make awkward */
    {0.0, 1.0, 0.0, 0.1, 1, 1, 10, 0},
    {0.0, 1.0, 0.0, 0.3, 1, 1, 4, 0},
    {0.0, 1.0, 0.0, 0.7, 1, 1, 2, 0},
    {0.0, 0.3, 0.0, 0.1, 1, 1, 3, 0}, /* 0.3 / 0.1 = 2.9999999999999996 */
    {0.0, 0.3, 0.1, 0.1, 1, 3, 1, 0},
    {0.0, 0.7, 0.0, 0.1, 1, 1, 7, 0}, /* 0.7 / 0.1 = 6.999999999999999 */
    {0.0, 1.0, 0.0, 1.0, 1, 1, 1, 0},
    {0.0, 1.0, 0.0, 2.0, 1, 1, 1, 0},
    {0.0, 1.0, 0.0, INFINITY, 1, 1, 1, 0}, /* nothing conducts */
    /* an interval that is no multiple of the step */
    {0.0, 1.0, 0.1, 0.03, 1, 10, 4, 0},
    {0.0, 1.0, 0.25, 0.1, 1, 4, 3, 0},
    {0.0, 2.0, 0.1, 0.1, 1, 20, 1, 0},
    {0.0, 1.0, 0.1, INFINITY, 1, 10, 1, 0},
    /* an end that is no multiple of the interval: the last is shorter, its steps are no longer */
    {0.0, 1.0, 0.3, 0.1, 1, 3, 3, 1},
    {0.0, 1.0, 0.4, 0.07, 1, 2, 6, 3},
    {0.0, 1.85, 1.0, 0.9, 1, 1, 2, 2}, /* steps of 0.5 and 0.425, although 0.85 is below 0.9 */
    {0.0, 1.0, 0.7, 0.7, 1, 1, 1, 1},
    {0.0, 1.0, 0.999, 1.0, 1, 1, 1, 1},
    {0.0, 1.0, 3.0, 0.5, 1, 1, 2, 0}, /* an interval beyond the end */
    {0.0, 1.0, 1.0, 0.5, 1, 1, 2, 0},
    /* probes that want a sample every 1/7 interval */
    {0.0, 1.0, 0.5, 0.1, 7, 2, 7, 0},
    {0.0, 1.0, 0.5, 0.01, 7, 2, 56, 0},
    {0.0, 1.2, 0.5, 0.1, 7, 2, 7, 3}, /* 0.2 in steps of at most 1/14 */
    /* not from 0 */
    {-1.0, 1.0, 0.5, 0.2, 1, 4, 3, 0},
    {-0.3, 0.1, 0.0, 0.1, 1, 1, 4, 0}, /* -0.3 + 0.4 is not 0.1 */
    {100.0, 100.9, 0.3, 0.1, 1, 3, 3, 0},
    {1e6, 1e6 + 1.0, 0.3, 0.1, 1, 3, 3, 1},
    {0.0, 1e-9, 3e-10, 1e-10, 1, 3, 3, 1},
    {0.0, 1e12, 3e11, 1e11, 1, 3, 3, 1},
    /* nothing to do */
    {0.0, 0.0, 0.1, 0.1, 1, 0, 0, 0},
    {5.0, 5.0, 0.0, INFINITY, 1, 0, 0, 0},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static struct schedule schedule_of(const struct example *example)
{
    struct schedule schedule;
    CHECK_OK(schedule_make(&schedule, example->start, example->end, example->interval,
                           example->largest, example->divisor));
    return schedule;
}

static void counts_are_right(const struct example *example, const struct schedule *schedule)
{
    CHECK_EQUAL_INT(schedule->full_intervals, example->full_intervals);
    CHECK_EQUAL_INT(schedule->full_steps, example->full_steps);
    CHECK_EQUAL_INT(schedule->last_steps, example->last_steps);
    CHECK_EQUAL_INT(schedule->steps,
                    example->full_intervals * example->full_steps + example->last_steps);
}

/* Strictly increasing, by the dt of each step, none above the limit, from start to end exactly. */
static void times_run_from_start_to_end(const struct example *example,
                                        const struct schedule *schedule)
{
    const double far = fmax(fabs(example->start), fabs(example->end));
    CHECK_EQUAL_DOUBLE(schedule_time(schedule, 0), example->start);
    CHECK_EQUAL_DOUBLE(schedule_time(schedule, schedule->steps), example->end);
    for (int64_t n = 0; n < schedule->steps; n++) {
        const double dt = schedule_dt(schedule, n);
        const double passed = schedule_time(schedule, n + 1) - schedule_time(schedule, n);
        CHECK(passed > 0.0);
        CHECK_NEAR(passed, dt, 1e-9 * dt + 4e-16 * far);
        CHECK(dt > 0.0 && dt <= example->largest * (1.0 + 1e-9));
        CHECK(dt <= schedule_dt(schedule, 0) * (1.0 + 1e-9));
    }
}

static void outputs_are_hit_exactly(const struct example *example, const struct schedule *schedule)
{
    const int64_t outputs = 1 + example->full_intervals + (example->last_steps > 0);
    CHECK_EQUAL_INT(schedule_outputs(schedule), outputs);
    for (int64_t index = 0; index < outputs; index++) {
        const int64_t step = schedule_output_step(schedule, index);
        const double time = index == outputs - 1
                                ? example->end
                                : example->start + (double)index * example->interval;
        CHECK_EQUAL_DOUBLE(schedule_time(schedule, step), time);
        CHECK_EQUAL_INT(schedule_output_from(schedule, step), index);
        if (step > 0)
            CHECK_EQUAL_INT(schedule_output_from(schedule, step - 1) == index ||
                                schedule_output_step(schedule, index - 1) == step - 1,
                            1);
    }
}

/* What is due every `interval`: by looking at every step, the first at or after each multiple. */
static void due_steps_are_the_first_at_or_after(const struct schedule *schedule, double interval)
{
    const double length = schedule->end - schedule->start;
    const double hair = 1e-8 * schedule_dt(schedule, 0) + 4e-16 * fabs(schedule->start);
    int64_t step = 0, index = 0;
    for (; (double)index * interval <= length && index < 1000; index++) {
        const double due = schedule->start + (double)index * interval;
        while (step < schedule->steps && schedule_time(schedule, step) < due - hair)
            step++;
        CHECK_EQUAL_INT(schedule_due_step(schedule, interval, index), step);
    }
    if (index < 1000)
        CHECK(schedule_due_step(schedule, interval, index + 1) == INT64_MAX);
}

/* For every step, what is due from there: the smallest due step that is not before it. */
static void due_from_a_step_misses_none(const struct schedule *schedule, double interval)
{
    int64_t expected = 0; /* index */
    for (int64_t step = 0; step <= schedule->steps; step++) {
        while (schedule_due_step(schedule, interval, expected) < step)
            expected++;
        const int64_t index = schedule_due_from(schedule, interval, step);
        CHECK_EQUAL_INT(schedule_due_step(schedule, interval, index),
                        schedule_due_step(schedule, interval, expected));
    }
}

static void due_times_are_found(const struct schedule *schedule)
{
    static const double parts[] = {1.0, 0.5, 0.1, 0.3, 0.07, 0.013, 2.0, 0.9999, 1.0 / 3.0};
    const double length = schedule->end - schedule->start;
    for (size_t p = 0; p < sizeof parts / sizeof parts[0] && length > 0.0; p++) {
        due_steps_are_the_first_at_or_after(schedule, parts[p] * length);
        due_from_a_step_misses_none(schedule, parts[p] * length);
    }
    if (length == 0.0) {
        CHECK_EQUAL_INT(schedule_due_step(schedule, 0.1, 0), 0);
        CHECK(schedule_due_step(schedule, 0.1, 1) == INT64_MAX);
        CHECK_EQUAL_INT(schedule_due_from(schedule, 0.1, 0), 0);
    }
}

static void examples_hold(void)
{
    for (int e = 0; e < EXAMPLES; e++) {
        const int before = check_counts.failures;
        const struct schedule schedule = schedule_of(&examples[e]);
        counts_are_right(&examples[e], &schedule);
        times_run_from_start_to_end(&examples[e], &schedule);
        outputs_are_hit_exactly(&examples[e], &schedule);
        due_times_are_found(&schedule);
        if (check_counts.failures > before)
            (void)printf("  in example %d\n", e);
    }
}

/* Probes every 0.05 s between outputs every 0.1 s: with the divisor every one is hit exactly. */
static void probes_are_hit_exactly(void)
{
    struct schedule schedule;
    CHECK_OK(schedule_make(&schedule, 0.0, 1.0, 0.1, 0.013, 2));
    for (int64_t index = 0; index <= 20; index++) {
        const int64_t step = schedule_due_step(&schedule, 0.05, index);
        CHECK_NEAR(schedule_time(&schedule, step), 0.05 * (double)index, 1e-15);
    }
    CHECK(schedule_due_step(&schedule, 0.05, 21) == INT64_MAX);
}

/* 1e12 steps are reached by arithmetic alone, and the way back is found. */
static void long_runs_are_counted(void)
{
    struct schedule schedule;
    CHECK_OK(schedule_make(&schedule, 0.0, 1e6, 1.0, 1e-6, 1));
    CHECK_EQUAL_INT(schedule.steps, 1000000000000);
    CHECK_EQUAL_INT(schedule_output_step(&schedule, 123456), 123456000000);
    CHECK_EQUAL_INT(schedule_output_from(&schedule, 123456000001), 123457);
    CHECK_EQUAL_INT(schedule_due_step(&schedule, 0.25, 3999999), 999999750000);
    CHECK_EQUAL_INT(schedule_due_from(&schedule, 0.25, 999999750001), 4000000);
    CHECK_EQUAL_DOUBLE(schedule_time(&schedule, 500000000000), 500000.0);
}

static void what_cannot_be_counted_is_refused(void)
{
    static const struct {
        double end, interval, largest;
    } cases[] = {
        {1e30, 0.0, 1e-30}, {1.0, 0.0, 1e-17},     {1.0, 1e-17, 1.0},
        {1.0, 1e-300, 1.0}, {1e30, 1.0, INFINITY}, {1.0, 0.0, 0.0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct schedule schedule;
        CHECK_FAILS(
            schedule_make(&schedule, 0.0, cases[c].end, cases[c].interval, cases[c].largest, 1),
            STATUS_INPUT);
        CHECK_CONTAINS(error_message(), "more than can be counted");
        error_clear();
    }
}

/* At 1e9 s doubles are 1.2e-7 s apart. */
static void steps_below_the_resolution_of_time_are_refused(void)
{
    struct schedule schedule;
    CHECK_FAILS(schedule_make(&schedule, 1e9, 1e9 + 1.0, 0.0, 1e-8, 1), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "cannot be told apart");
    error_clear();
    CHECK_OK(schedule_make(&schedule, 1e9, 1e9 + 1.0, 0.0, 1e-6, 1));
}

/* By looking at every step. */
static bool are_the_same_before(const struct schedule *a, const struct schedule *b, int64_t step)
{
    for (int64_t n = 0; n < step; n++)
        if (schedule_dt(a, n) != schedule_dt(b, n) || schedule_time(a, n) != schedule_time(b, n) ||
            schedule_output_from(a, n) != schedule_output_from(b, n))
            return false;
    return true;
}

/* With one interval and step and two ends: how far the runs are the same. */
static void runs_to_two_ends_agree_as_far_as_they_are_equal(void)
{
    static const struct {
        double interval, largest, end, later;
        bool all; /* the first run is wholly the beginning of the second */
    } cases[] = {
        {0.1, 0.03, 0.3, 0.6, true},
        {0.1, 0.03, 0.3, 0.65, true},
        {0.1, 0.03, 0.32, 0.6, false}, /* a step of 0.02 in the last interval, then 0.025 */
        {0.0, 0.1, 0.3, 0.5, true},    /* 0.3 / 3 is not 0.1, but the step is as it was given */
        {0.3, 0.1, 1.0, 2.0, true},    /* 1 - 3 x 0.3 is not 0.1 */
        {0.0, 0.3, 1.0, 2.0, false},   /* 4 steps of 0.25, 7 of 0.2857 */
        {0.0, INFINITY, 1.0, 2.0, false},
        {1.0, 0.1, 0.5, 2.0, true}, /* an interval beyond the first end */
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct schedule a, b;
        CHECK_OK(schedule_make(&a, 0.0, cases[c].end, cases[c].interval, cases[c].largest, 1));
        CHECK_OK(schedule_make(&b, 0.0, cases[c].later, cases[c].interval, cases[c].largest, 1));
        if (!CHECK_EQUAL_INT(schedule_agrees(&a, &b, a.steps), cases[c].all))
            (void)printf("  in case %zu\n", c);
        for (int64_t step = 1; step <= a.steps; step++) {
            CHECK_EQUAL_INT(schedule_agrees(&a, &b, step), are_the_same_before(&a, &b, step));
            CHECK_EQUAL_INT(schedule_agrees(&b, &a, step), schedule_agrees(&a, &b, step));
        }
        CHECK(!schedule_agrees(&a, &b, a.steps + 1));
    }
    struct schedule often, seldom;
    CHECK_OK(schedule_make(&often, 0.0, 1.0, 0.125, 0.125, 1));
    CHECK_OK(schedule_make(&seldom, 0.0, 1.0, 0.25, 0.125, 1));
    CHECK(schedule_agrees(&often, &seldom, 1));
    CHECK(!schedule_agrees(&often, &seldom, 2)); /* an output at step 1 */
}

int main(void)
{
    examples_hold();
    runs_to_two_ends_agree_as_far_as_they_are_equal();
    probes_are_hit_exactly();
    long_runs_are_counted();
    what_cannot_be_counted_is_refused();
    steps_below_the_resolution_of_time_are_refused();
    return check_result();
}
