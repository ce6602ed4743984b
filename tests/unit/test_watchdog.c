/* The watchdog's arithmetic, with times made up here. */
#include "ipc/watchdog.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

static void its_time_stands_still_while_nobody_looks(void)
{
    struct watch_clock clock;
    watch_clock_start(&clock, 1000.0);
    watch_clock_advance(&clock, 1000.125, 0.125);
    CHECK_EQUAL_DOUBLE(clock.now, 0.125);
    watch_clock_advance(&clock, 1000.25, 0.125);
    CHECK_EQUAL_DOUBLE(clock.now, 0.25);
    watch_clock_advance(&clock, 1060.25, 0.125); /* stopped for a minute: two intervals count */
    CHECK_EQUAL_DOUBLE(clock.now, 0.5);
    watch_clock_advance(&clock, 1060.375, 0.125);
    CHECK_EQUAL_DOUBLE(clock.now, 0.625);
}

static void each_sign_ends_the_silence(void)
{
    struct watch watch;
    struct watch_signs signs = {0};
    watch_start(&watch, 10);
    watch_look(&watch, 11, 0.1, signs);
    CHECK_EQUAL_DOUBLE(watch_silence(&watch, 11), 1);
    signs.beat = 1;
    watch_look(&watch, 12, 0.1, signs);
    CHECK_EQUAL_DOUBLE(watch_silence(&watch, 12.5), 0.5);
    signs.step = 1;
    watch_look(&watch, 13, 0.1, signs);
    CHECK_EQUAL_DOUBLE(watch_silence(&watch, 13.5), 0.5);
    signs.phase = 1;
    watch_look(&watch, 14, 0.1, signs);
    CHECK_EQUAL_DOUBLE(watch_silence(&watch, 14.5), 0.5);
    watch_look(&watch, 20, 0.1, signs);
    CHECK_EQUAL_DOUBLE(watch_silence(&watch, 20), 6);
}

/* One step every `gap` seconds, looked at every 0.1 s. */
static double budget_after(int steps, double gap, double floor)
{
    struct watch watch;
    struct watch_signs signs = {0};
    double now = 0;
    watch_start(&watch, now);
    for (int i = 0; i < steps; i++) {
        now += gap;
        signs.step++;
        watch_look(&watch, now, 0.1, signs);
    }
    return watch_budget(&watch, floor);
}

static void slow_steps_have_a_larger_budget(void)
{
    CHECK_EQUAL_DOUBLE(budget_after(0, 30, 60), 60);
    CHECK_EQUAL_DOUBLE(budget_after(50, 0.1, 5), 5);
    CHECK_NEAR(budget_after(1, 30, 60), 598, 1e-9); /* 20 * (30 - 0.1) */
    CHECK_NEAR(budget_after(15, 30, 60), 598, 1e-9);
    CHECK_NEAR(budget_after(100, 10, 60), 198, 1e-9);
}

/* A single outlier, as a checkpoint makes it, moves the budget neither up nor down. */
static void the_budget_follows_the_median(void)
{
    struct watch watch;
    struct watch_signs signs = {0};
    double now = 0;
    watch_start(&watch, now);
    for (int i = 0; i < 40; i++) {
        now += i % 10 == 0 ? 500 : 4.1;
        signs.step++;
        watch_look(&watch, now, 0.1, signs);
    }
    CHECK_NEAR(watch_budget(&watch, 1), 80, 1e-9);
}

static char state_of_child(int number)
{
    const pid_t child = fork();
    if (child == 0)
        for (;;)
            (void)pause();
    int status = 0;
    char state = '?';
    (void)kill(child, number);
    if (number == SIGSTOP && waitpid(child, &status, WUNTRACED) == child)
        state = process_state(child);
    if (number == 0)
        while ((state = process_state(child)) == 'R')
            continue;
    (void)kill(child, SIGKILL);
    (void)waitpid(child, &status, 0);
    CHECK_EQUAL_INT(process_state(child), '?');
    return state;
}

static void the_state_of_a_process_can_be_seen(void)
{
    CHECK_EQUAL_INT(process_state(getpid()), 'R');
    CHECK_EQUAL_INT(state_of_child(SIGSTOP), 'T');
    CHECK_EQUAL_INT(state_of_child(0), 'S');
}

int main(void)
{
    (void)alarm(100);
    its_time_stands_still_while_nobody_looks();
    each_sign_ends_the_silence();
    slow_steps_have_a_larger_budget();
    the_budget_follows_the_median();
    the_state_of_a_process_can_be_seen();
    return check_result();
}
