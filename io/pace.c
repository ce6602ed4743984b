#include "io/pace.h"

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
