/* A whole run: what all its processes share, from the launcher's preparations to the end. */
#ifndef ISOTHERM_SOLVER_RUN_H
#define ISOTHERM_SOLVER_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "io/checkpoint.h"
#include "ipc/control.h"
#include "kernels/backend.h"
#include "solver/output.h"
#include "solver/plan.h"

/* Where a resumed run goes on; read from a verified checkpoint before the fork. */
struct resume {
    bool is_resumed;
    struct checkpoint checkpoint; /* its descriptor is inherited by all processes */
    int64_t step;
    double reference; /* K, see rank.h */
    int redo;         /* see extend.h */
    bool is_steady;   /* the steady state had been reached */
};

/* Everything a process of the run needs; filled by the launcher before the fork. */
struct run {
    const struct plan *plan;
    const struct backend *backend;
    enum transport transport;
    bool has_writer;       /* false: no output at all, for timing */
    int writer_threads;    /* that sum and compress */
    bool has_free_core;    /* besides those of the ranks */
    bool has_overlap;      /* edges first, the interior hides the exchange; see rank.c */
    const int *ordinals;   /* (ranks): which device each rank opens */
    struct shared *shared; /* of the backend */
    struct control *control;
    struct output output;
    void *staging; /* plan->staging_bytes of shared memory */
    struct resume resume;
    uint64_t run_id;
    bool is_overwrite;    /* earlier results go when the files are opened */
    const char *settings; /* text of input_write(): goes into run.cfg and checkpoints */
    const char *files;    /* text of input_files_write(): likewise */
    const char *history;  /* time and command line: goes into run.h5 */
    /* One line for people, from any process; prints and logs. */
    void (*notice)(const char *line);
};

/* Maps what the processes share. On failure run_close() may still be called. */
enum status run_open(struct run *run) MUST_CHECK;
void run_close(struct run *run);

/* Finds and checks the newest checkpoint of the output directory against the settings.
 * resume->is_resumed is false when there is none. STATUS_INPUT when it belongs to another problem
 * or time.end differs and asks for other steps. */
enum status run_find_checkpoint(struct run *run) MUST_CHECK;

/* The bodies of the processes. */
enum status rank_run(struct run *run, int index) MUST_CHECK;
enum status writer_run(struct run *run) MUST_CHECK;

#endif
