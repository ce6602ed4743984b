/* An even sample of the indices 0 .. n - 1 that holds the first and the last. */
#ifndef ISOTHERM_SOLVER_SAMPLE_H
#define ISOTHERM_SOLVER_SAMPLE_H

#include <math.h>
#include <stdint.h>

/* How many of n where `most` are allowed: all, or some and at least both ends. */
static inline int64_t sample_count(int64_t n, double most)
{
    if ((double)n <= most)
        return n;
    return (int64_t)fmax(most, n < 2 ? 1.0 : 2.0);
}

/* Which one number k of `count` is. */
static inline int64_t sample_at(int64_t n, int64_t count, int64_t k)
{
    if (count < 2)
        return 0;
    const int64_t apart = (n - 1) / (count - 1), rest = (n - 1) % (count - 1);
    return k * apart + k * rest / (count - 1);
}

/* counts[2] of n[2], in all `most` pairs at most where that leaves both ends: the same share of
 * both, or more of the fewer ones where that would be less than both ends. */
static inline void sample_pairs(const int64_t n[2], double most, int64_t counts[2])
{
    const int fewer = n[0] <= n[1] ? 0 : 1;
    const double share = most / ((double)n[0] * (double)n[1]);
    counts[fewer] = sample_count(n[fewer], (double)n[fewer] * sqrt(share));
    counts[1 - fewer] = sample_count(n[1 - fewer], most / (double)counts[fewer]);
}

#endif
