/* The halo exchange between the ranks of a run: no barrier, and no host waits for a device.
 *
 * Before the steps of exchange k every rank needs, around its block, ghost cells that hold the
 * state of its neighbours. Each rank keeps two field buffers ("levels"); the state of exchange k
 * lies in level k mod 2. For every exchange a rank, in the order of one queue,
 *
 *   halo_receive(k)   for each neighbour: waits (host) until it has published k + 1, queues a wait
 *                     for its event k mod K, then, if staged, copies slots to ghost cells
 *   edges(k)          the caller's kernel: reads the ghosts of level k mod 2
 *   halo_send(k + 1)  copies its edges into the neighbours' ghost cells (or slots) of the other
 *                     level, records its own event (k + 1) mod K, publishes k + 2 (release)
 *
 * Publishing follows the record in the host's program, so a neighbour that has seen the number
 * calls its wait when the record is issued: the wait cannot mean an older one or none.
 *
 * Why the number and event of one direction are enough (no "free" event): what halo_send(k + 1)
 * overwrites is what the neighbour's edges(k - 1) read. The neighbour records for exchange k after
 * its edges(k - 1), in the same queue, and halo_receive(k) has waited for that record before. The
 * relation "is neighbour of" is symmetric, so each rank has waited for everyone it writes to.
 *
 * Why an event may be recorded again: event k mod K is next recorded for exchange k + K. By then
 * this host has seen each neighbour publish k + K, and a neighbour that published k + 2 has called
 * its wait for k. So K >= 2 is enough where a wait means the latest record at its call. As that is
 * not documented for imported events, hosts also stay at most W exchanges ahead of their own device
 * and K = W + 2; then it is also safe where a wait means the latest record when it is reached.
 *
 * Why it cannot deadlock: order the host waits by k. A host at exchange k waits only for hosts that
 * have not published k + 1; the host with the smallest k waits for none that is behind it.
 *
 * tests/model/exchange.pml is the same in Promela, with the waits removed one by one. */
#ifndef ISOTHERM_IPC_HALO_H
#define ISOTHERM_IPC_HALO_H

#include "base/error.h"
#include "ipc/control.h"
#include "kernels/backend.h"

/* One rectangle of ghost cells: region `to` of to_rank's block (outside its cells) shows region
 * `from` of from_rank's cells; both have the same extent. from_rank == to_rank where the domain is
 * periodic around one rank. */
struct halo_strip {
    int from_rank, to_rank;
    struct region from, to;
};

enum transport {
    HALO_DIRECT, /* senders store into the receivers' ghost cells through mapped memory, but for
                    pairs of ranks where that does not work */
    HALO_STAGED  /* through slots in host memory that all processes share, for all pairs */
};

struct halo_options {
    const struct backend *backend;
    struct device *device;
    struct control *control;
    int rank;
    enum transport transport;
    const struct block *blocks; /* (ranks) */
    const struct halo_strip
        *strips; /* (strip_count), the whole domain's, same order in all ranks */
    int strip_count;
    void *fields;  /* both levels of this rank, one allocation, exported when direct */
    void *staging; /* halo_staging_bytes() of host memory that all processes share */
};

struct halo;

/* Bytes of an allocation that holds both levels of a block; level l starts at halo_level(). */
size_t halo_field_bytes(const struct block *block);
void *halo_level(void *fields, const struct block *block, int level);

/* Bytes of host memory for the slots of all strips, both levels. */
size_t halo_staging_bytes(const struct block *blocks, const struct halo_strip *strips,
                          int strip_count);

/* All ranks call it together: handles are exchanged, neighbours' memory and events opened once, and
 * a pattern is sent over every way that halos will take. */
enum status halo_open(const struct halo_options *options, struct halo **result) MUST_CHECK;

/* Neighbours that are reached through host memory. */
int halo_staged_neighbours(const struct halo *halo);

enum status halo_send(struct halo *halo, uint64_t exchange, struct queue *queue) MUST_CHECK;
enum status halo_receive(struct halo *halo, uint64_t exchange, struct queue *queue) MUST_CHECK;

/* In place of both where there are no strips at all: the steps need no other queue and no event, so
 * this only keeps the host at most 2 W exchanges ahead of its device. */
enum status halo_pace(struct halo *halo, uint64_t exchange, struct queue *queue) MUST_CHECK;

/* All ranks call it together after their last exchange, with their queues drained: nobody unmaps
 * what a neighbour still writes, nobody frees what a neighbour still maps. */
enum status halo_finish(struct halo *halo) MUST_CHECK;

void halo_close(struct halo *halo); /* NULL and half-open are fine */

#endif
