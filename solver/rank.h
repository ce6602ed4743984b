/* One rank of a run: its device, its block and everything the time loop uses, from open to close.
 */
#ifndef ISOTHERM_SOLVER_RANK_H
#define ISOTHERM_SOLVER_RANK_H

#include "base/error.h"
#include "ipc/halo.h"
#include "kernels/backend.h"
#include "solver/run.h"

enum { RANK_EDGES = 4 };

struct rank {
    struct run *run;
    const struct plan *plan;
    const struct backend *backend;
    int index;
    struct extent extent; /* of the domain's cells */
    struct block block;
    double reference; /* K, fields hold the deviation from it */

    struct device *device;
    struct queue *edge_queue; /* edges and exchange, ahead of the interior where both are ready */
    struct queue *inner_queue;
    struct event *edges_done, *inner_done;
    struct halo *halo;

    void *fields;                      /* both levels, see halo.h */
    unsigned char *fixed;              /* in the field's layout; NULL without fixed cells */
    struct coefficients *coefficients; /* of step: coefficients.c */
    double *face_sums;                 /* of the four sides: left, right (ny), bottom, top (nx) */
    struct stage stage;                /* rkl2.c */
    struct step step;                  /* what does not change from step to step */
    struct region edges[RANK_EDGES];   /* (edge_count): what neighbours wait for */
    int edge_count;
    struct region inner; /* the rest (inner_count 1 or 0): needs no ghost cell */
    int inner_count;

    struct rank_output *output; /* rank_output.c */
};

/* Builds the rank and its start state (from the input or the checkpoint); returns with every
 * neighbour connected. On failure rank_close() may still be called. */
enum status rank_open(struct run *run, int index, struct rank *rank) MUST_CHECK;
/* STATUS_BUG when something was left on the device. */
enum status rank_close(struct rank *rank) MUST_CHECK;

/* First face sum of a side, on the device. */
double *rank_face_sums(const struct rank *rank, enum side side);

/* Whether a side of the block is a side of the domain with a boundary condition. */
bool rank_side_is_boundary(const struct rank *rank, enum side side);

/* The time loop: from the start or the checkpoint to the end or to a request to stop. */
enum status timeloop_run(struct rank *rank) MUST_CHECK;

/* rank_output.c: gives the writer what is due. */
enum status rank_output_open(struct rank *rank) MUST_CHECK;
void rank_output_close(struct rank *rank);
/* Queues everything in `kinds` (enum item_kind bits, 0: nothing) for the state in `level`, after
 * both queues' work up to here and before what they do next. */
enum status rank_output(struct rank *rank, int kinds, int64_t step, int level) MUST_CHECK;
/* Before anything is written to `level`: waits until no frame is being copied from there. */
enum status rank_output_free_level(struct rank *rank, int level) MUST_CHECK;
/* Waits until nothing is being copied any more. */
enum status rank_output_settle(struct rank *rank) MUST_CHECK;
/* After an item with ITEM_LOOK: waits for what the writer found, the same for all ranks. */
enum status rank_output_look(struct rank *rank, bool *is_steady) MUST_CHECK;
/* Waits until the writer has everything. */
enum status rank_output_finish(struct rank *rank) MUST_CHECK;

#endif
