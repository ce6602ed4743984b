#include "io/pace.h"

#include "base/clock.h"
#include "io/disk.h"

/* Every so many chunks one is compressed although it is late, so that the means keep up with the
 * field and the disk. */
enum { LOOK_EVERY = 256 };

bool pace_is_plain(const struct pace *pace, int makers, size_t chunk_bytes)
{
    if (pace->is_late == NULL || pace->chunks % LOOK_EVERY == 0 || !pace->is_late(pace->state))
        return false;
    const double saved_s = (pace->packed_s - pace->plain_s) / (makers > 1 ? makers : 1);
    const double more_s = ((double)chunk_bytes - pace->packed_bytes) * pace->byte_s;
    return saved_s > more_s;
}

static void mix(double *mean, double value)
{
    const double share = 1.0 / 16;
    *mean = *mean == 0.0 ? value : *mean + share * (value - *mean);
}

void pace_note(struct pace *pace, const struct pace_chunk *chunk)
{
    pace->chunks++;
    pace->plain += chunk->is_plain ? 1 : 0;
    mix(chunk->is_plain ? &pace->plain_s : &pace->packed_s, chunk->make_s);
    mix(&pace->byte_s, chunk->write_s / (double)chunk->bytes);
    if (!chunk->is_plain)
        mix(&pace->packed_bytes, (double)chunk->bytes);
}

void pace_end_frame(struct pace *pace, const char *path, uint64_t begin, uint64_t end)
{
    enum { LEAST_BYTES = 16 << 20 };
    static const double longest_s = 1e-9; /* a byte; a slow disk is better left to the system */
    for (int k = PACE_FRAMES - 1; k > 0; k--)
        pace->begins[k] = pace->begins[k - 1];
    pace->begins[0] = begin;
    if (pace->keeps_memory || pace->is_late == NULL || end < begin + LEAST_BYTES ||
        !pace->is_late(pace->state))
        return;
    const double start = clock_seconds();
    disk_let_go(path, pace->begins[PACE_FRAMES - 1], end);
    pace->keeps_memory = clock_seconds() - start > longest_s * (double)(end - begin);
}
