#include "io/crew.h"

#include <math.h>

#include "base/clock.h"

int crew_size(const struct crew_times *times, int most)
{
    static const double part =
        2.0 / 3.0; /* frames do not all take as long, nor come as regularly */
    const double left = part * times->between - times->alone;
    if (!(left > 0.0) || times->shared > left * most)
        return most;
    const int size = (int)ceil(times->shared / left);
    return size > 1 ? size : 1;
}

/* A snapshot ends what the one before began. */
static void set_usual(struct crew *crew)
{
    const double now = clock_seconds(), between = now - crew->begin_s;
    const struct crew_times times = {.shared = crew->shared_s,
                                     .alone = fmax(0.0, between - crew->idle_s - crew->spread_s),
                                     .between = between};
    crew->usual = crew->is_telling ? crew_size(&times, crew->most) : crew->most;
    crew->begin_s = now;
    crew->shared_s = crew->spread_s = crew->idle_s = 0.0;
    crew->is_telling = true;
}

void crew_begin(struct crew *crew, bool is_snapshot)
{
    if (is_snapshot)
        set_usual(crew);
    crew->is_snapshot = is_snapshot;
    crew->is_hurried = false;
    crew->size = crew->usual > 0 ? crew->usual : crew->most;
    (void)crew_hurries(crew);
}

void crew_note(struct crew *crew, double seconds, int threads)
{
    crew->shared_s += seconds;
    crew->spread_s += seconds / threads;
}

void crew_idle(struct crew *crew, double seconds)
{
    crew->idle_s += seconds;
}

/* Chunks made in haste say nothing about others: the next snapshot gets all threads, too. */
bool crew_hurries(struct crew *crew)
{
    if (!crew->is_hurried && crew->is_urgent(crew->state)) {
        crew->is_hurried = true;
        crew->size = crew->most;
        if (crew->is_snapshot)
            crew->is_telling = false;
    }
    return crew->is_hurried;
}
