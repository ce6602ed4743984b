#include "kernels/jitter.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_NS = 2000000 };

static const struct backend *base;
static struct backend jittery;
static uint64_t state;

/* xorshift64 (Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003). */
static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void sleep_ns(void *nanoseconds)
{
    const struct timespec time = {.tv_nsec = (long)(intptr_t)nanoseconds};
    (void)nanosleep(&time, NULL);
}

/* Each process its own sequence, though they start from the same one. */
static void seed_process(void)
{
    static pid_t seeded_for;
    if (seeded_for == getpid())
        return;
    seeded_for = getpid();
    state += (uint64_t)seeded_for * 0x9e3779b97f4a7c15u;
    (void)next_random();
}

/* Nothing, a sleep of the host, or one of the queue. */
static enum status be_late(struct queue *queue)
{
    seed_process();
    const uint64_t random = next_random();
    void *nanoseconds = (void *)(intptr_t)(random / 4 % LONGEST_NS);
    switch (random % 4) {
    case 0:
        sleep_ns(nanoseconds);
        return STATUS_OK;
    case 1:
        return base->queue_call(queue, sleep_ns, nanoseconds);
    default:
        return STATUS_OK;
    }
}

static enum status late_step(struct queue *queue, const struct step *step)
{
    TRY(be_late(queue));
    return base->step(queue, step);
}

static enum status late_copies(struct queue *queue, const struct copy_list *list)
{
    TRY(be_late(queue));
    return base->copy_list_run(queue, list);
}

static enum status late_record(struct queue *queue, struct event *event)
{
    TRY(be_late(queue));
    return base->event_record(queue, event);
}

static enum status late_wait(struct queue *queue, struct event *event)
{
    TRY(be_late(queue));
    return base->event_wait(queue, event);
}

const struct backend *backend_with_jitter(const struct backend *backend)
{
    const char *seed = getenv("ISOTHERM_JITTER");
    if (seed == NULL)
        return backend;
    base = backend;
    jittery = *backend;
    jittery.step = late_step;
    jittery.copy_list_run = late_copies;
    jittery.event_record = late_record;
    jittery.event_wait = late_wait;
    state = strtoull(seed, NULL, 10) + 1;
    return &jittery;
}
