/* Checkpoints: the full state, crash-safe. A file is an HDF5 file of its own with a trailer behind
 * its end (HDF5 ignores it): section table, CRC32C of every MiB and of the whole. A resume needs no
 * HDF5: the trailer says where each section lies. docs/output.md has the layout byte by byte. */
#ifndef ISOTHERM_IO_CHECKPOINT_H
#define ISOTHERM_IO_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The section that holds the text of input_write(). */
#define CHECKPOINT_SETTINGS "settings"

enum section_type { SECTION_F64, SECTION_F32, SECTION_I64, SECTION_U8 };
enum { CHECKPOINT_MAX_SECTIONS = 32, CHECKPOINT_NAME_BYTES = 48 };

struct checkpoint_section {
    char name[CHECKPOINT_NAME_BYTES];
    enum section_type type;
    int64_t rows, columns; /* (rows, columns), columns fastest */
    const void *data;      /* when writing; NULL when read */
    int64_t offset;        /* in the file, set when written or read */
};

struct checkpoint {
    char path[4096];
    int64_t step;    /* names the file: checkpoint-STEP.h5 */
    double time;     /* s */
    uint64_t run_id; /* the same for all checkpoints of one run and its resumes */
    int section_count;
    struct checkpoint_section sections[CHECKPOINT_MAX_SECTIONS];
    int fd; /* open for reading after checkpoint_find, else -1 */
};

/* Writes DIRECTORY/checkpoint-STEP.h5 (free space checked, temporary name, fsync, rename, fsync of
 * the directory) and then removes what it makes superfluous: checkpoints of later steps, which a
 * resume from an earlier one has left behind, and the oldest beyond `keep` (>= 1) in all. Fills in
 * path and offsets. On failure nothing of the new file is left and the others are as they were; a
 * file of the same step may have been replaced by the new one. */
enum status checkpoint_write(const char *directory, struct checkpoint *checkpoint,
                             int keep) MUST_CHECK;

/* Everything below works without HDF5, so that the launcher may use it. */

/* Removes what a killed checkpoint_write() has left in the directory; only for who holds the
 * directory. checkpoint_write() does it too. A directory that is not there is fine. */
enum status checkpoint_clean(const char *directory) MUST_CHECK;

/* Opens the newest checkpoint of the directory whose trailer and every block verify. *found is
 * false when there is none at all; STATUS_FILE when there are some and all are damaged. For each
 * damaged one passed over, `passed_over` (may be NULL) gets one line. */
enum status checkpoint_find(const char *directory, struct checkpoint *checkpoint, bool *found,
                            void (*passed_over)(const char *line)) MUST_CHECK;

/* The same for one file by name: STATUS_FILE says what is damaged. */
enum status checkpoint_open(const char *path, struct checkpoint *checkpoint) MUST_CHECK;

/* STATUS_FILE where the file is not checkpoint-STEP.h5 of the step it holds: it was renamed, and
 * checkpoint_find() passes over it. */
enum status checkpoint_check_name(const struct checkpoint *checkpoint) MUST_CHECK;

/* Whether the file is a checkpoint by its name or its end, intact or not. */
bool checkpoint_is(const char *path);

/* NULL when there is no such section. */
const struct checkpoint_section *checkpoint_section(const struct checkpoint *checkpoint,
                                                    const char *name);

/* Reads bytes [from, from + bytes) of a section by pread on the descriptor that was verified. */
enum status checkpoint_read(const struct checkpoint *checkpoint,
                            const struct checkpoint_section *section, int64_t from, size_t bytes,
                            void *to) MUST_CHECK;

void checkpoint_close(struct checkpoint *checkpoint);

#endif
