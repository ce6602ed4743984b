/* The control block: the one piece of host memory that all processes of a run share. It lies in a
 * sealed memfd mapped before the fork, so nothing is left behind whoever dies. */
#ifndef ISOTHERM_IPC_CONTROL_H
#define ISOTHERM_IPC_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ipc/futex.h"
#include "kernels/backend.h"

enum {
    CONTROL_MAX_RANKS = 256,
    CONTROL_WINDOW = 6,                  /* exchanges that a host may be ahead of its device */
    CONTROL_EVENTS = CONTROL_WINDOW + 2, /* per rank, see halo.h */
    CONTROL_WRITER = -1,                 /* process numbers besides ranks 0, 1, ... */
    CONTROL_LAUNCHER = -2
};

enum phase {
    PHASE_START,
    PHASE_CONNECT,
    PHASE_STEP,
    PHASE_OUTPUT,
    PHASE_CLOSE,
    PHASE_DONE,
    PHASE_COUNT
};
extern const char *const phase_names[PHASE_COUNT];

/* What signals and limits ask of the run; bits, set by the launcher, read by rank 0. */
enum request { REQUEST_CHECKPOINT = 1, REQUEST_STOP = 2 };

struct control_rank {
    struct sequence exchange;          /* k + 1 once the record of exchange k was issued */
    struct sequence start;             /* stages of start-up and close that others wait for */
    _Alignas(64) _Atomic int64_t step; /* for progress and the watchdog */
    _Atomic uint32_t phase;
    _Atomic int64_t beat; /* any sign of life: raised at every wait that ended and every exchange */
    double waited_s;      /* for output, of the whole run */
    double loop_s;        /* of the time loop, written at its end */
    unsigned char direct[CONTROL_MAX_RANKS]; /* to other ranks: storing into their memory works */
    struct memory_handle memory;
    struct event_handle events[CONTROL_EVENTS];
};

struct control {
    _Alignas(64) _Atomic uint32_t abort; /* != 0: every wait ends */
    _Atomic uint32_t failure_claimed;    /* set by the first that fails, who then fills: */
    int failure_process;                 /* rank, CONTROL_WRITER or CONTROL_LAUNCHER */
    enum status failure_status;
    char failure_message[ERROR_MESSAGE_BYTES];
    _Atomic uint32_t failure_complete;

    _Alignas(64) _Atomic uint32_t requests; /* enum request bits */
    _Atomic uint64_t stop_exchange;       /* set by rank 0: all ranks act on it at this exchange */
    _Atomic uint64_t checkpoint_exchange; /* likewise */
    _Atomic uint32_t stopped; /* set by whoever acts on stop_exchange: the run ended early */

    _Atomic uint32_t host_transport_warned; /* by the rank that was first, see solver/rank.c */

    int ranks;
    int spins;                  /* for sequence_wait: chosen from ranks and cores */
    struct control_rank writer; /* step, phase, beat and waited_s as for a rank */
    struct control_rank rank[CONTROL_MAX_RANKS];
};

/* Maps a sealed, zeroed memfd of `bytes` that children inherit; nothing to clean up but unmap.
 * Pages come into being when they are first touched: reserving them (posix_fallocate) would drive a
 * machine that is short of memory to kill other programs instead of failing. */
enum status shared_map(const char *name, size_t bytes, void **memory) MUST_CHECK;
void shared_unmap(void *memory, size_t bytes); /* NULL is fine */

enum status control_open(int ranks, struct control **control) MUST_CHECK;
void control_close(struct control *control); /* NULL is fine */

/* The part of a rank or of the writer; NULL for CONTROL_LAUNCHER. */
struct control_rank *control_part(struct control *control, int process);

/* "rank 3", "writer", "launcher". */
enum { PROCESS_NAME_BYTES = 24 };
void process_name(char *name, size_t bytes, int process);

/* The first failure of the run wins: records process, status and message, raises `abort` and wakes
 * all waiters. Safe from any process; returns `status`. STATUS_ABORTED is never recorded and does
 * not raise `abort`. */
enum status control_fail(struct control *control, int process, enum status status,
                         const char *message);

/* STATUS_ABORTED once the run is failing; it carries no message. */
enum status control_check(const struct control *control) MUST_CHECK;

/* A sign of life for the watchdog, from any process. */
void control_beat(struct control *control, int process);

/* sequence_wait with the block's abort word; STATUS_ABORTED. For what another process raises: while
 * it waits the process shows signs of life, so that of a chain of waiting processes only the one
 * they all wait for looks hung. */
enum status control_wait(struct control *control, int process, struct sequence *sequence,
                         uint64_t wanted) MUST_CHECK;

/* The same for what this process's own device raises: no sign of life until it came, so that a
 * device which never finishes is found. */
enum status control_wait_own(struct control *control, int process, struct sequence *sequence,
                             uint64_t wanted) MUST_CHECK;

#endif
