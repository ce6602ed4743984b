#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail with this clock */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
