/* HDF5 with checks: nothing is printed by the library, its deepest message goes into our one line;
 * plug-ins and file locks are off; files from elsewhere are read with care. */
#ifndef ISOTHERM_IO_H5_H
#define ISOTHERM_IO_H5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Must come before every other use of HDF5 in a process; all functions of io/ that use HDF5 call
 * it themselves. Sets the environment variable HDF5_USE_FILE_LOCKING: readers and the writer work
 * on a file at the same time by design. */
enum status h5_start(void) MUST_CHECK;

/* Passes a result of HDF5 on: STATUS_FILE "PATH: WHAT: deepest message of HDF5" when negative. */
enum status h5_check(int64_t result, const char *path, const char *what) MUST_CHECK;

/* Whether the call that failed last found a file with fewer bytes than it says. */
bool h5_is_cut(void);

/* Close what is open; H5I_INVALID_HID is fine. */
void h5_close_file(hid_t file);
void h5_close_dataset(hid_t dataset);
void h5_close_space(hid_t space);
void h5_close_type(hid_t type);
void h5_close_list(hid_t list);
void h5_close_attribute(hid_t attribute);

/* ---- attributes ---- */

/* Text is stored with fixed length in UTF-8, as every tool of the netCDF family expects it. */
enum status h5_write_text(hid_t object, const char *path, const char *name,
                          const char *text) MUST_CHECK;
/* One value in the memory type `type`, stored in the same. */
enum status h5_write_value(hid_t object, const char *path, const char *name, hid_t type,
                           const void *value) MUST_CHECK;
/* A copy owned by the caller; "" when there is no such attribute or it is no text. */
enum status h5_read_text(hid_t object, const char *path, const char *name, char **text) MUST_CHECK;

/* ---- files from elsewhere ---- */

struct h5_source {
    const char *path; /* not owned */
    hid_t file;
    int fd;         /* holds a shared lock, so that no run changes the file meanwhile; -1: closed */
    uint64_t bytes; /* of the file */
};

/* Opens for reading; while a run is writing a frame it waits. STATUS_FILE when it is no regular
 * file or no HDF5 file. */
enum status h5_source_open(const char *path, struct h5_source *source) MUST_CHECK;
void h5_source_close(struct h5_source *source);

enum { H5_MAX_RANK = 4 };

struct h5_array {
    hid_t dataset;
    int rank;
    hsize_t shape[H5_MAX_RANK];
    bool may_be_bare;
};

/* Opens the dataset at `name` ("/a/b"). Refused: links other than hard ones on the way, external
 * storage, virtual datasets, filters that are not HDF5's own, elements that are no numbers of at
 * most 8 bytes, ranks beyond H5_MAX_RANK, and shapes that hold more than can be stored in a file
 * of this size. */
enum status h5_array_open(const struct h5_source *source, const char *name,
                          struct h5_array *array) MUST_CHECK;
/* The same, but takes a dataset in chunks of which none is stored when it has a fill value of its
 * own: for callers that compare the shape with one they know before they take memory for it. */
enum status h5_array_open_bare(const struct h5_source *source, const char *name,
                               struct h5_array *array) MUST_CHECK;
bool h5_array_exists(const struct h5_source *source, const char *name);
void h5_array_close(struct h5_array *array);

/* Reads count[rank] elements from start[rank] on, converted to `memory_type`. */
enum status h5_array_read(const struct h5_source *source, const struct h5_array *array,
                          const hsize_t *start, const hsize_t *count, hid_t memory_type,
                          void *values) MUST_CHECK;

#endif
