/* Chunks of a frame on their way into the file: filled, and compressed as HDF5's filters would, by
 * several threads; handed out in order. The threads live as long as the work does and hold a few
 * chunks each; their memory can be kept for the next frame. */
#ifndef ISOTHERM_IO_PACK_H
#define ISOTHERM_IO_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum pack_kind {
    PACK_BARE,    /* as filled */
    PACK_CHECKED, /* with the checksum of the filter fletcher32 */
    PACK_DEFLATED /* filters shuffle, deflate, fletcher32: only where deflate_is_built() */
};

struct pack_slot; /* memory for a chunk */

/* Memory that outlives a frame: new pages for each one cost more than all else that is done to a
 * chunk without compression. Starts as {0}. */
struct pack_room {
    struct pack_slot *slots; /* (slot_count) */
    int slot_count;
    size_t chunk_bytes, scratch_bytes, element_bytes;
    enum pack_kind kind;
    int level;
};
void pack_room_free(struct pack_room *room);

struct pack_work {
    /* Fills chunk[chunk_bytes] number `index`; scratch[scratch_bytes] is the caller's meanwhile.
     * Called in any thread, by several at a time. */
    void (*fill)(const void *state, int64_t index, void *chunk, void *scratch);
    const void *state;
    int64_t count; /* of chunks */
    size_t chunk_bytes, scratch_bytes, element_bytes;
    enum pack_kind kind;
    int level;              /* of PACK_DEFLATED, 1 to 12 */
    int threads;            /* at most; 1: all is done by who takes */
    int threads_at_first;   /* 0: all */
    struct pack_room *room; /* for one frame at a time, not owned; NULL: nothing is kept */
};

struct pack;

/* Starts. `work` is copied; work->state must stay until pack_close(). */
enum status pack_open(const struct pack_work *work, struct pack **pack) MUST_CHECK;

/* What became of a chunk. */
enum pack_form {
    PACK_AS_ASKED,
    PACK_SHUFFLED, /* it did not shrink, so it is not deflated */
    PACK_PLAIN     /* no filter but the checksum */
};

struct pack_chunk {
    const void *data; /* [bytes], which stays until the next call */
    size_t bytes;
    enum pack_form form;
    double seconds; /* that it took to fill and compress */
    int threads;    /* that were at work when it was begun */
};

/* The next chunk, waiting for it. */
void pack_take(struct pack *pack, struct pack_chunk *chunk);

/* Chunks that nobody has begun are made plain from now on, or as they were asked for again. */
void pack_set_plain(struct pack *pack, bool is_plain);

/* Has all threads work from now on. For who takes. */
void pack_use_all(struct pack *pack);

/* May come before everything was taken. */
void pack_close(struct pack *pack);

#endif
