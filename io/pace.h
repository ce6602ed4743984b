/* Whether the chunks of a frame are compressed or, so that nobody has to wait for the frame, stored
 * as they are. Every reader tells one from the other by the filter mask that HDF5 keeps for each
 * chunk. */
#ifndef ISOTHERM_IO_PACE_H
#define ISOTHERM_IO_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PACE_FRAMES = 3 };

/* Starts as zeros but for the first two, which stay the caller's; lives as long as the series is
 * written. */
struct pace {
    bool (*is_late)(const void *state); /* whether somebody waits; NULL: nobody ever does */
    const void *state;

    int64_t chunks, plain; /* written, and without compression of these, where it was asked for */

    /* Running means of what was met: s to make a chunk compressed or plain, bytes of a compressed
     * one, s to write a byte. 0 before the first. */
    double packed_s, plain_s, packed_bytes, byte_s;

    uint64_t begins[PACE_FRAMES]; /* of the last frames in the file, the latest first */
    bool keeps_memory;            /* letting go of it takes too long */
};

/* What happened to a chunk. */
struct pace_chunk {
    bool is_plain;
    double make_s, write_s;
    size_t bytes; /* in the file */
};

/* Whether the next chunk should be plain: somebody waits, and it is done sooner that way. Storing
 * more bytes is not sooner on a slow disk. `makers`: threads that make chunks side by side. */
bool pace_is_plain(const struct pace *pace, int makers, size_t chunk_bytes);

void pace_note(struct pace *pace, const struct pace_chunk *chunk);

/* After a frame that lies in bytes [begin, end) of the file. Where somebody waits, memory for the
 * next large frame is the one of the frames before, which then are on the disk alone: where memory
 * is scarce, or the host of a virtual machine has to find it first, new memory takes far longer. */
void pace_end_frame(struct pace *pace, const char *path, uint64_t begin, uint64_t end);

#endif
