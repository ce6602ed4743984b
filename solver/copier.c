#include "solver/copier.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"

struct copier {
    const struct backend *backend;
    struct queue *queue;
    double *waited_s;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* any of these has changed: */
    struct copier_job job;
    bool is_busy, is_stopped;
    enum status status; /* of the first copy that failed */
};

static void *work_on(void *argument)
{
    struct copier *copier = argument;
    (void)pthread_mutex_lock(&copier->lock);
    for (;;) {
        while (!copier->is_busy && !copier->is_stopped)
            (void)pthread_cond_wait(&copier->moved, &copier->lock);
        if (!copier->is_busy)
            break;
        (void)pthread_mutex_unlock(&copier->lock);
        const enum status status = copier->backend->copy(copier->queue, &copier->job.copy);
        if (status == STATUS_OK)
            sequence_publish(copier->job.sequence, copier->job.value);
        (void)pthread_mutex_lock(&copier->lock);
        copier->status = copier->status == STATUS_OK ? status : copier->status;
        copier->is_busy = false;
        (void)pthread_cond_broadcast(&copier->moved);
    }
    (void)pthread_mutex_unlock(&copier->lock);
    return NULL;
}

enum status copier_open(const struct backend *backend, struct queue *queue, double *waited_s,
                        struct copier **copier)
{
    TRY(memory_alloc(copier, 1, sizeof **copier, "output"));
    struct copier *c = *copier;
    c->backend = backend;
    c->queue = queue;
    c->waited_s = waited_s;
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->moved, NULL);
    if (pthread_create(&c->thread, NULL, work_on, c) != 0) {
        (void)pthread_cond_destroy(&c->moved);
        (void)pthread_mutex_destroy(&c->lock);
        free(c);
        *copier = NULL;
    }
    return STATUS_OK;
}

void copier_close(struct copier *copier)
{
    if (copier == NULL)
        return;
    (void)pthread_mutex_lock(&copier->lock);
    copier->is_stopped = true;
    (void)pthread_cond_broadcast(&copier->moved);
    (void)pthread_mutex_unlock(&copier->lock);
    (void)pthread_join(copier->thread, NULL);
    (void)pthread_cond_destroy(&copier->moved);
    (void)pthread_mutex_destroy(&copier->lock);
    free(copier);
}

/* With the lock held. */
static enum status wait_idle(struct copier *copier)
{
    const double start = copier->is_busy ? clock_seconds() : 0.0;
    const bool is_waiting = copier->is_busy;
    while (copier->is_busy)
        (void)pthread_cond_wait(&copier->moved, &copier->lock);
    if (is_waiting)
        *copier->waited_s += clock_seconds() - start;
    return copier->status;
}

enum status copier_begin(struct copier *copier, const struct copier_job *job)
{
    (void)pthread_mutex_lock(&copier->lock);
    const enum status status = wait_idle(copier);
    if (status == STATUS_OK) {
        copier->job = *job;
        copier->is_busy = true;
        (void)pthread_cond_broadcast(&copier->moved);
    }
    (void)pthread_mutex_unlock(&copier->lock);
    return status;
}

enum status copier_wait(struct copier *copier)
{
    if (copier == NULL)
        return STATUS_OK;
    (void)pthread_mutex_lock(&copier->lock);
    const enum status status = wait_idle(copier);
    (void)pthread_mutex_unlock(&copier->lock);
    return status;
}

enum status copier_wait_level(struct copier *copier, int level)
{
    if (copier == NULL)
        return STATUS_OK;
    (void)pthread_mutex_lock(&copier->lock);
    const enum status status = copier->job.level == level ? wait_idle(copier) : copier->status;
    (void)pthread_mutex_unlock(&copier->lock);
    return status;
}
