/* Pieces of a file kept in memory: what HDF5 wanted to write and has not reached the file yet. */
#ifndef ISOTHERM_IO_H5_PATCH_H
#define ISOTHERM_IO_H5_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct h5_patch {
    uint64_t address;
    size_t bytes;
    unsigned char *data; /* owned */
};

/* In the order of writing, which counts where pieces overlap. Starts as zeros. */
struct h5_patches {
    struct h5_patch *list;
    int count, room;
};

/* Keeps a copy of data[bytes]; false when memory is out. */
bool h5_patches_write(struct h5_patches *patches, uint64_t address, size_t bytes,
                      const void *data) MUST_CHECK;
/* Lays what is known of [address, address + bytes) over data. */
void h5_patches_read(const struct h5_patches *patches, uint64_t address, size_t bytes, void *data);
void h5_patches_free(struct h5_patches *patches);

/* Puts them into an order in which a reader who comes in between, or a kill, does least harm:
 * the superblock (the file is longer than it says anyway), values, upper nodes of a chunk index
 * before lower ones (a node that is split keeps its entries until its parent knows the new one),
 * object headers (the shapes), and the object header at `anchor` last of all. With `anchor_first`
 * that one comes first: for a cut. */
void h5_patches_sort(struct h5_patches *patches, uint64_t anchor, bool anchor_first);

/* ---- the journal PATH.journal: patches on their way into the file PATH ---- */

/* Writes them down, so that journal_replay() can finish what a kill interrupts. */
enum status journal_write(const char *path, const struct h5_patches *patches,
                          uint64_t file_bytes) MUST_CHECK;
/* Writes the patches into the file. */
enum status journal_apply(const char *path, int fd, const struct h5_patches *patches) MUST_CHECK;
/* Finishes an interrupted change when there is a whole journal; a torn one means that nothing of
 * the change has reached the file. The journal is gone afterwards. */
enum status journal_replay(const char *path) MUST_CHECK;
enum status journal_remove(const char *path) MUST_CHECK;

#endif
