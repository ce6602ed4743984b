/* Starts the processes of a run and watches them until the last is gone. The caller is
 * single-threaded, has not opened CUDA and holds nothing of HDF5 open: files that the plan is made
 * from are read and closed before. */
#ifndef ISOTHERM_IPC_LAUNCH_H
#define ISOTHERM_IPC_LAUNCH_H

#include <stdbool.h>

#include "base/error.h"
#include "ipc/control.h"

struct launch {
    struct control *control;
    int ranks;
    bool has_writer;
    /* The body of a process: rank 0, 1, ... or CONTROL_WRITER. Its status becomes the first failure
     * when it is one (message from error_message()); STATUS_STOPPED sets control->stopped. Runs in
     * the child, which then leaves by _exit (streams flushed). */
    enum status (*body)(int process, void *argument);
    void *argument;
    /* Called in the launcher about every `tick_s` seconds and once after the end; may be NULL. */
    void (*tick)(void *argument, bool is_last);
    double tick_s;
    /* Called once all are gone, when a process was lost or the run interrupted: what can be done
     * now, which ends the message. May be NULL. */
    void (*prospects)(void *argument, char *text, size_t bytes);
    double wall_time_s; /* 0: none; REQUEST_STOP comes max(10 s, 5 %), at most half, before it */
    double started_s;   /* clock_seconds() from which wall_time_s counts; 0: the call */
    /* A process without sign of life (beat, step or phase changed) for this long, or for 20 times
     * its running median between two steps, is ended and named; 0: off. Time in which the launcher
     * itself was stopped or starved does not count. */
    double hang_time_s;
    double patience_s; /* added for the writer, and for ranks that have not begun to step: they
                          handle whole frames at once, which takes as long as those are large */
};

/* Forks, watches, reaps. Everything the children print goes to their own stdout and stderr, which
 * are the launcher's. Returns when no child is left:
 *   STATUS_OK          all came to their end, whatever was asked for
 *   STATUS_STOPPED     all came to their end and control->stopped was set
 *   STATUS_INTERRUPTED second SIGINT
 *   otherwise          the first failure; its message was recorded with fail(), with the rank in
 *                      front when there are several. A child that died by a signal, left other than
 *                      by returning from its body, or hung is STATUS_PROCESS.
 * SIGTERM, SIGUSR1, SIGHUP, the first SIGINT and the wall-time limit set REQUEST_STOP, SIGUSR2 sets
 * REQUEST_CHECKPOINT. After a failure all others get SIGKILL when they have not left within a grace
 * of 0.5 s. Children die with the launcher (PR_SET_PDEATHSIG), also when it gets SIGKILL. They
 * ignore SIGPIPE and the signals above. The caller's own handling of signals is as before when this
 * returns. Reads ISOTHERM_FAULT, see ipc/fault.h. */
enum status launch_run(const struct launch *launch) MUST_CHECK;

#endif
