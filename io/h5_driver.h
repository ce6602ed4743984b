/* The way of this program's HDF5 writes to the disk. The library has no transactions: a kill
 * between two of its writes, at the moment a node of a chunk index splits, leaves a file in which
 * no frame can be read any more (2 of 16 write positions at every 32nd chunk, HDF5 1.10.8), and a
 * full disk makes it crash at exit. So all its writes go through a file driver of our own:
 *
 * - what lies behind the old end of the file is written at once, where nobody looks yet;
 * - what lies inside is kept in memory and written at the end, noted in a journal first and in an
 *   order that leaves a readable file wherever it stops;
 * - a write that fails is remembered, and HDF5 told that all is well; the file is then put back as
 *   it was and the failure reported. */
#ifndef ISOTHERM_IO_H5_DRIVER_H
#define ISOTHERM_IO_H5_DRIVER_H

#include <hdf5.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "io/h5_patch.h"

/* What the driver works on. */
struct h5_medium {
    const char *path;    /* for messages; not owned */
    int fd;              /* -1: everything is kept */
    uint64_t kept_below; /* addresses below are kept */
    uint64_t stored;     /* bytes of the file on disk */
    uint64_t end;        /* bytes of the file as HDF5 sees it */
    int error;           /* errno of the first failure, 0 when there was none */
    struct h5_patches patches;
};

/* ---- a change of a file, wholly done or not at all ---- */

struct h5_update {
    const char *path;             /* not owned */
    char new_path[PATH_MAX + 16]; /* while a new file is made, else "" */
    uint64_t old_bytes;
    hid_t file; /* for HDF5 calls between open and commit; objects in it must be closed before */
    struct h5_medium medium;
    bool is_begun; /* patches are on their way into the file */
};

/* A new file that will replace the one at `path`; `creation` is its creation property list. */
enum status h5_update_create(const char *path, hid_t creation, struct h5_update *update) MUST_CHECK;
/* A change of the file at `path`. An interrupted one is finished first. */
enum status h5_update_open(const char *path, struct h5_update *update) MUST_CHECK;
/* Closes `file` and makes the change. `anchor`, `anchor_first`: see h5_patches_sort(). */
enum status h5_update_commit(struct h5_update *update, uint64_t anchor,
                             bool anchor_first) MUST_CHECK;
/* Always at the end; takes back what was not committed. */
void h5_update_close(struct h5_update *update);

/* ---- a file in memory without its big contents ---- */

/* Starts a file of which only what HDF5 writes is kept, in medium->patches; space that is allocated
 * but never written takes no memory. After H5Fclose() of *file medium->end is the size of the file.
 * The patches are the caller's, also after a failure: h5_patches_free(). */
enum status h5_image_create(struct h5_medium *medium, hid_t *file) MUST_CHECK;

#endif
