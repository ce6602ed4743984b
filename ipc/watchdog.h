/* Finds a process that neither computes nor waits properly. It sees three numbers of a process
 * change; what stays silent longer than its budget is hung. */
#ifndef ISOTHERM_IPC_WATCHDOG_H
#define ISOTHERM_IPC_WATCHDOG_H

#include <stdint.h>
#include <sys/types.h>

/* The watchdog's own time. It advances only while the launcher gets to look: when that was stopped
 * itself, or the machine is too busy for it, the silence of others proves nothing. */
struct watch_clock {
    double now;  /* s */
    double last; /* clock_seconds() of the last look */
};

void watch_clock_start(struct watch_clock *clock, double seconds);

/* `seconds` is clock_seconds(), `interval` the time planned between two looks. */
void watch_clock_advance(struct watch_clock *clock, double seconds, double interval);

/* What a process shows of itself. */
struct watch_signs {
    int64_t beat, step;
    uint32_t phase;
};

enum { WATCH_GAPS = 15 };

struct watch {
    struct watch_signs seen;
    double sign_at, step_at;
    double gaps[WATCH_GAPS]; /* the last times from one step to the next, s */
    int64_t gap_count;       /* ever */
};

void watch_start(struct watch *watch, double now);
void watch_look(struct watch *watch, double now, double interval, struct watch_signs signs);

double watch_silence(const struct watch *watch, double now);

/* The larger of `floor` and 20 times the running median between two steps: a step that takes long
 * by nature is no hang. */
double watch_budget(const struct watch *watch, double floor);

/* The kernel's letter for what a process does: 'R' runs, 'S' sleeps, 'D' waits for a disk, 'T' is
 * stopped, 't' is held by a debugger; '?' when it cannot be told. */
char process_state(pid_t pid);

#endif
