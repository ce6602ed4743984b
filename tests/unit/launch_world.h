/* A small run for the tests of the launcher: ranks in a ring that wait for both neighbours in every
 * exchange, as real ranks do, and a writer that waits for rank 0. What each should do wrong is in
 * shared memory, and so is what they did. */
#ifndef ISOTHERM_TESTS_LAUNCH_WORLD_H
#define ISOTHERM_TESTS_LAUNCH_WORLD_H

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ipc/control.h"
#include "ipc/fault.h"
#include "ipc/launch.h"
#include "tests/check.h"

enum { WORLD_RANKS = 4, WORLD_PROCESSES = WORLD_RANKS + 1, WORLD_WRITER = WORLD_RANKS };

struct world {
    struct launch launch; /* to be changed before world_run() */
    struct control *control;
    uint64_t exchanges; /* after which a run is complete */
    /* Called by each process in every exchange, before it waits; may be NULL. */
    enum status (*trouble)(struct world *world, int process, uint64_t exchange);
    int trouble_process;
    void (*on_tick)(struct world *world);
    _Atomic pid_t pids[WORLD_PROCESSES];
    _Atomic int ticks, last_ticks;
    _Atomic uint32_t seen_requests; /* by rank 0 */
    _Atomic char state_seen;
};

static inline void pause_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

static inline enum status world_exchange(struct world *world, int rank, uint64_t k)
{
    struct control *control = world->control;
    fault_point("exchange", rank);
    if (world->trouble != NULL)
        TRY(world->trouble(world, rank, k));
    sequence_publish(&control->rank[rank].exchange, k + 1);
    atomic_store(&control->rank[rank].step, (int64_t)k);
    const int ranks = control->ranks;
    TRY(control_wait(control, rank, &control->rank[(rank + 1) % ranks].exchange, k + 1));
    TRY(control_wait(control, rank, &control->rank[(rank + ranks - 1) % ranks].exchange, k + 1));
    return STATUS_OK;
}

/* Rank 0 sees the request; all stop at the same exchange, ahead of every rank: in a ring nobody is
 * more than `ranks` exchanges ahead of rank 0. */
static inline enum status world_rank(struct world *world, int rank)
{
    struct control *control = world->control;
    atomic_store(&control->rank[rank].phase, PHASE_STEP);
    for (uint64_t k = 0; k < world->exchanges; k++) {
        if (rank == 0) {
            const uint32_t requests = atomic_load(&control->requests);
            atomic_fetch_or(&world->seen_requests, requests);
            if ((requests & REQUEST_STOP) != 0 && atomic_load(&control->stop_exchange) == 0)
                atomic_store(&control->stop_exchange, k + WORLD_RANKS);
        }
        TRY(world_exchange(world, rank, k));
        const uint64_t stop = atomic_load(&control->stop_exchange);
        if (stop != 0 && k >= stop) {
            atomic_store(&control->stopped, 1);
            break;
        }
        pause_ms(1);
    }
    sequence_publish(&control->rank[rank].start, 1);
    return STATUS_OK;
}

static inline enum status world_body(int process, void *argument)
{
    struct world *world = argument;
    struct control *control = world->control;
    atomic_store(&world->pids[process == CONTROL_WRITER ? WORLD_WRITER : process], getpid());
    if (process != CONTROL_WRITER)
        return world_rank(world, process);
    atomic_store(&control->writer.phase, PHASE_OUTPUT);
    fault_point("write", CONTROL_WRITER);
    if (world->trouble != NULL)
        TRY(world->trouble(world, process, 0));
    return control_wait(control, CONTROL_WRITER, &control->rank[0].start, 1);
}

static inline void world_tick(void *argument, bool is_last)
{
    struct world *world = argument;
    atomic_fetch_add(is_last ? &world->last_ticks : &world->ticks, 1);
    if (!is_last && world->on_tick != NULL)
        world->on_tick(world);
}

static inline void world_prospects(void *argument, char *text, size_t bytes)
{
    (void)argument;
    (void)snprintf(text, bytes, "what is left");
}

static inline struct world *world_open(int ranks)
{
    void *memory = NULL;
    struct world *world = NULL;
    CHECK_OK(shared_map("test-world", sizeof *world, &memory));
    world = memory;
    CHECK_OK(control_open(ranks, &world->control));
    world->exchanges = 20;
    world->launch = (struct launch){.control = world->control,
                                    .ranks = ranks,
                                    .has_writer = true,
                                    .body = world_body,
                                    .argument = world,
                                    .tick = world_tick,
                                    .prospects = world_prospects,
                                    .tick_s = 0.01};
    return world;
}

/* No process of the run is left: all were reaped, so their numbers mean nothing any more. */
static inline void world_close(struct world *world)
{
    for (int p = 0; p < WORLD_PROCESSES; p++) {
        const pid_t pid = atomic_load(&world->pids[p]);
        if (pid != 0)
            CHECK(kill(pid, 0) == -1 && errno == ESRCH);
    }
    CHECK_EQUAL_INT(world->last_ticks, 1);
    control_close(world->control);
    shared_unmap(world, sizeof *world);
    error_clear();
}

/* Runs to the end, which is `expected`, with `message` in what it says. */
static inline void world_run(struct world *world, enum status expected, const char *message)
{
    CHECK_FAILS(launch_run(&world->launch), expected);
    CHECK_CONTAINS(error_message(), message);
}

#endif
