/* A thread of a rank that copies a frame while the rank computes on: for backends whose queues run
 * their work at once, and so would copy in the time loop's time. One copy at a time. */
#ifndef ISOTHERM_SOLVER_COPIER_H
#define ISOTHERM_SOLVER_COPIER_H

#include "base/error.h"
#include "ipc/futex.h"
#include "kernels/backend.h"

/* What to copy, and what to tell afterwards. */
struct copier_job {
    struct copy copy;
    struct sequence *sequence; /* gets `value` when the copy is there */
    uint64_t value;
    int level; /* of the fields that is copied: must not be written to meanwhile */
};

struct copier;

/* The queue is only lent to the copies. *copier is NULL where there is no further thread. Seconds
 * that callers wait for copies are added to *waited_s. */
enum status copier_open(const struct backend *backend, struct queue *queue, double *waited_s,
                        struct copier **copier) MUST_CHECK;
void copier_close(struct copier *copier); /* finishes the copy; NULL is fine */

/* Waits for the copy before and begins this one. */
enum status copier_begin(struct copier *copier, const struct copier_job *job) MUST_CHECK;

/* Waits until nothing is being copied (NULL is fine), or nothing of a level. */
enum status copier_wait(struct copier *copier) MUST_CHECK;
enum status copier_wait_level(struct copier *copier, int level) MUST_CHECK;

#endif
