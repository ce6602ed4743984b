/* The way of results from the ranks to the writer process: a ring of items and a few frames in
 * shared memory. The time loop never waits for a file, only for room.
 *
 * Every rank meets the same items in the same order (they follow from the schedule and from the
 * requests that all ranks act on at the same exchange). For an item a rank queues copies of its
 * part and then a host function that raises its own count; the writer takes an item when all ranks
 * have given it. Room for an item comes back when the writer's count says so. */
#ifndef ISOTHERM_SOLVER_OUTPUT_H
#define ISOTHERM_SOLVER_OUTPUT_H

#include "base/error.h"
#include "ipc/control.h"
#include "solver/plan.h"
#include "solver/steady.h"

enum { OUTPUT_ITEMS = 256, OUTPUT_FRAMES = 2, PROBE_CORNERS = 4 };

enum item_kind {
    ITEM_SNAPSHOT = 1,
    ITEM_CHECKPOINT = 2,
    ITEM_PROBES = 4,
    ITEM_END = 8,
    ITEM_LOOK = 16, /* is this the steady state? */
    ITEM_WITH_FRAME = ITEM_SNAPSHOT | ITEM_CHECKPOINT | ITEM_LOOK
};

struct output_item {
    int kinds; /* enum item_kind bits */
    int64_t step;
    double time;
    uint64_t frame; /* number of the frame, when it has one; slot = frame % OUTPUT_FRAMES */
};

/* What the writer knows at the end, for the launcher to print. */
struct output_totals {
    int64_t frames, probe_rows, checkpoints;
    double checkpoint_time;       /* s, of the newest checkpoint that was written */
    int64_t chunks, plain_chunks; /* of snapshots, and of these not compressed to be in time */
    int64_t bytes;                /* written, files as they are at the end */
    double time;                  /* s, of the last frame */
    int64_t step;
    double energy;                /* J/m, relative to 0 K */
    double stored;                /* J/m: energy now minus energy at the start */
    double side_heat[SIDE_COUNT]; /* J/m */
    double fixed_heat;            /* J/m, by difference; 0 without fixed cells */
    double source_heat;           /* J/m */
    double loss_heat;             /* J/m, by difference, see balance.h */
    double residual;              /* J/m, NAN with fixed cells or loss */
    double scale;                 /* J/m, what the residual is a share of */
    double minimum, maximum;      /* K, of the last frame */
    double reference;            /* K, to be added to the values of a frame; known with the first */
    struct steady_record steady; /* of a steady run */
};

struct output_shared {
    struct sequence done;        /* items the writer has finished */
    struct sequence frames_done; /* frames likewise */
    struct sequence given[CONTROL_MAX_RANKS];
    struct output_item items[OUTPUT_ITEMS]; /* filled by rank 0 */
    struct output_totals totals;            /* filled by the writer */
    _Atomic double still_to_come; /* of a steady run, as share: by the writer at every look */
    _Atomic int is_steady;        /* by the writer before it is done with the look's item */
};

/* A process's view of the shared memory; made before the fork, so addresses agree. */
struct output {
    const struct plan *plan; /* not owned */
    struct control *control; /* not owned */
    void *memory;
    size_t bytes;
    struct output_shared *shared;
};

/* Bytes of shared memory for the output of a run. */
size_t output_bytes(const struct plan *plan);

enum status output_open(const struct plan *plan, struct control *control,
                        struct output *output) MUST_CHECK;
void output_close(struct output *output);

/* In slot frame % OUTPUT_FRAMES: the field (ny, nx) of the run's precision, as the ranks hold it
 * (deviation from the reference temperature), and the sums of (ghost - cell) of every face of a
 * side, doubles: left and right (ny), bottom and top (nx). */
void *output_frame_field(const struct output *output, uint64_t frame);
double *output_frame_side(const struct output *output, uint64_t frame, enum side side);

/* In the ring: PROBE_CORNERS values of the run's precision for every probe, 8 bytes apart. */
void *output_probe_value(const struct output *output, uint64_t item, int probe, int corner);

/* The four cells around a probe and their weights: bilinear between cell centres, constant beyond
 * the outermost ones. Cells in domain indices. */
struct probe_stencil {
    int64_t i[PROBE_CORNERS], j[PROBE_CORNERS];
    double weight[PROBE_CORNERS];
};
struct probe_stencil output_probe_stencil(const struct plan *plan, int probe);

/* What the schedule asks for at a step, without requests: bits, 0 for nothing. */
int output_scheduled(const struct plan *plan, int64_t step);
/* The first step after `step` at which the schedule asks for something. */
int64_t output_next(const struct plan *plan, int64_t step);

#endif
