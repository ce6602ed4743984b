/* The output directory of a run: made, locked against a second run, and its log. */
#ifndef ISOTHERM_IO_RUNDIR_H
#define ISOTHERM_IO_RUNDIR_H

#include <stdbool.h>

#include "base/error.h"

enum rundir_mode {
    RUNDIR_NEW,       /* results of an earlier run are an error */
    RUNDIR_OVERWRITE, /* they are kept until rundir_clear() */
    RUNDIR_RESUME     /* they are kept */
};

struct rundir {
    const char *path; /* not owned */
    int log_fd;       /* run.log, for appending; -1 when not open */
};

/* Makes the directory with its parents, takes the lock (on run.log; it goes with the process) and
 * looks for earlier results. STATUS_INPUT when another run holds the directory (its process is
 * named) or results are in the way; STATUS_FILE when it cannot be made or written, or
 * rundir_clear() would fail. */
enum status rundir_open(const char *path, enum rundir_mode mode, struct rundir *rundir) MUST_CHECK;
/* Removes earlier results, as late as a run can: whatever refuses it before leaves them. For any
 * process of the run that holds the directory. */
enum status rundir_clear(const char *path) MUST_CHECK;

/* Whether rundir_open() would succeed now; makes and changes nothing. Not for a process that holds
 * the directory, as it would lose the lock. */
enum status rundir_check(const char *path, enum rundir_mode mode) MUST_CHECK;
/* Bytes that are free where the directory is, or would be made. */
enum status rundir_room(const char *path, double *bytes) MUST_CHECK;
void rundir_close(struct rundir *rundir);

/* Appends a line with date and time (UTC); what cannot be logged is dropped. Safe in any process.
 */
void rundir_log(const struct rundir *rundir, const char *line);

/* "PATH/NAME" into `to`; STATUS_INPUT when it is too long. */
enum status rundir_file(const char *path, const char *name, char *to, size_t bytes) MUST_CHECK;

#endif
