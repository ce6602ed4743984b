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

void crew_begin(struct crew *crew)
{
    const double now = clock_seconds();
    crew->last.between = now - crew->begin_s;
    crew->begin_s = now;
    crew->shared_s = 0.0;
    crew->is_hurried = false;
    crew->size = crew->is_known ? crew_size(&crew->last, crew->most) : crew->most;
    (void)crew_hurries(crew);
}

void crew_note(struct crew *crew, double seconds)
{
    crew->shared_s += seconds;
}

bool crew_hurries(struct crew *crew)
{
    if (!crew->is_hurried && crew->is_urgent(crew->state)) {
        crew->is_hurried = true;
        crew->size = crew->most;
    }
    return crew->is_hurried;
}

/* Chunks made in haste say nothing about others: the next frame gets all threads, too. */
void crew_end(struct crew *crew)
{
    crew->is_known = !crew->is_hurried;
    crew->last.shared = crew->shared_s;
    crew->last.alone = fmax(0.0, clock_seconds() - crew->begin_s - crew->shared_s / crew->size);
}
