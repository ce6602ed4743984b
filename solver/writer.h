/* The writer process's own data, and what it does before its first item and after its last. */
#ifndef ISOTHERM_SOLVER_WRITER_H
#define ISOTHERM_SOLVER_WRITER_H

#include "io/crew.h"
#include "io/pace.h"
#include "io/snapshot.h"
#include "solver/account.h"
#include "solver/balance.h"
#include "solver/derived.h"
#include "solver/guard.h"
#include "solver/run.h"
#include "solver/state.h"
#include "solver/steady.h"
#include "solver/still.h"

enum { WRITER_PATH_BYTES = 4096 };

struct writer {
    struct run *run;
    const struct plan *plan;
    struct snapshot_spec snapshots;
    char snapshot_path[WRITER_PATH_BYTES], view_path[WRITER_PATH_BYTES],
        probe_path[WRITER_PATH_BYTES], source[128];
    const char **probe_names;       /* (probe_count) */
    struct probe_stencil *stencils; /* (probe_count) */
    double *probe_values;           /* (probe_count) */
    unsigned char *no_materials;    /* (ny, nx) zeros where they are wanted and are one */
    struct derived derived;
    struct still still; /* while run.h5 is made */
    struct balance_state balance_state;
    struct account account;
    struct guard guard;
    struct extremes start; /* K: of the start field */
    struct steady steady;  /* of a steady run */
    struct state_counts counts;
    bool has_start; /* balance_state.start and start are known */
    struct pace pace;
    struct crew crew;      /* of the threads that sum and compress */
    struct pack_room room; /* of the chunks of a frame */
    uint64_t index;        /* of the item that is being taken, and what it is: */
    int kinds;
    bool has_disk_room; /* for all snapshots to come without compression */
};

/* What earlier frames left behind is there afterwards. On failure writer_close() may be called. */
enum status writer_open(struct run *run, struct writer *writer) MUST_CHECK;
void writer_close(struct writer *writer);

/* Removes earlier results where that was asked for, makes run.cfg, run.h5, run.vtkhdf and
 * probes.csv, or cuts them to what the checkpoint knows. */
enum status writer_open_files(struct writer *writer) MUST_CHECK;

/* Whether the ranks wait for the present item, or soon will (at looks, and when they have filled
 * the next frame too), or have ended. `writer` is a struct writer. */
bool writer_is_urgent(const void *writer);

/* Likewise, but neither at the end nor when the disk must be spared. */
bool writer_is_late(const void *writer);

#endif
