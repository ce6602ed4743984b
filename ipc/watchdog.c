#include "ipc/watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void watch_clock_start(struct watch_clock *clock, double seconds)
{
    clock->now = 0;
    clock->last = seconds;
}

void watch_clock_advance(struct watch_clock *clock, double seconds, double interval)
{
    const double passed = seconds - clock->last;
    const double most = 2 * interval;
    clock->now += passed < most ? passed : most;
    clock->last = seconds;
}

void watch_start(struct watch *watch, double now)
{
    *watch = (struct watch){.sign_at = now, .step_at = now};
}

void watch_look(struct watch *watch, double now, double interval, struct watch_signs signs)
{
    if (signs.step != watch->seen.step) {
        /* A look sees a step up to one interval late. Taking that off errs to the short side,
         * where the floor of the budget holds. */
        const double gap = now - watch->step_at - interval;
        watch->gaps[watch->gap_count++ % WATCH_GAPS] = gap > 0 ? gap : 0;
        watch->step_at = now;
    }
    if (signs.step != watch->seen.step || signs.beat != watch->seen.beat ||
        signs.phase != watch->seen.phase)
        watch->sign_at = now;
    watch->seen = signs;
}

double watch_silence(const struct watch *watch, double now)
{
    return now - watch->sign_at;
}

static int compare_gaps(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double watch_budget(const struct watch *watch, double floor)
{
    enum { MEDIANS = 20 };
    double sorted[WATCH_GAPS];
    const size_t count = watch->gap_count < WATCH_GAPS ? (size_t)watch->gap_count : WATCH_GAPS;
    if (count == 0)
        return floor;
    memcpy(sorted, watch->gaps, sizeof sorted);
    qsort(sorted, count, sizeof sorted[0], compare_gaps);
    const double budget = MEDIANS * sorted[(count - 1) / 2];
    return budget > floor ? budget : floor;
}

char process_state(pid_t pid)
{
    char path[64], line[256] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return '?';
    const char *read = fgets(line, sizeof line, file);
    (void)fclose(file);
    /* "pid (name) state ...", and the name may hold anything. */
    const char *name_end = read != NULL ? strrchr(line, ')') : NULL;
    return name_end != NULL && name_end[1] == ' ' && name_end[2] != '\0' ? name_end[2] : '?';
}
