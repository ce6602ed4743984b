/* What every backend promises between two processes: memory of one that the other writes, events of
 * one that the other waits for, and host memory that both have registered. Usage:
 * test_backend_processes cpu|cuda */
#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "tests/conform/backend_fixture.h"

enum {
    BYTES = (1 << 20) + 24, /* of one message: no multiple of a page */
    EXCHANGES = 40,
    SLOTS = 2,
    EVENTS = 4,
    TIME_LIMIT_S = 100
};

/* What the two processes share besides what the backend shares. */
struct meeting {
    _Atomic int published[2]; /* by each process: exchanges whose record was issued */
    _Atomic int stage[2];
    _Atomic int is_failed;
    struct memory_handle memory[2];
    struct event_handle events[2][EVENTS];
    unsigned char staging[2][SLOTS][BYTES];
};

struct pair {
    struct fixture fixture;
    struct meeting *meeting;
    bool is_staged; /* through host memory, else straight into the other's memory */
};

/* One of the two. Messages go out of `sources`, through the slots of the other, into `results`. */
struct partner {
    const struct pair *pair;
    int rank;
    unsigned char *slots, *theirs;    /* (SLOTS, BYTES): own, and the other's as seen from here */
    unsigned char *sources, *results; /* (EXCHANGES, BYTES) */
    void *imported, *mapped;
    struct event *events[EVENTS], *their_events[EVENTS];
    struct copy_list *sends[EXCHANGES], *receives[EXCHANGES];
};

/* Waits on the host until the other process has got as far; false when it has failed. */
static bool wait_for(struct meeting *meeting, _Atomic int *counter, int wanted)
{
    while (atomic_load(counter) < wanted) {
        if (atomic_load(&meeting->is_failed))
            return false;
        (void)sched_yield();
    }
    return true;
}

static bool meet(const struct partner *partner, int stage)
{
    struct meeting *const meeting = partner->pair->meeting;
    atomic_store(&meeting->stage[partner->rank], stage);
    return wait_for(meeting, &meeting->stage[1 - partner->rank], stage);
}

static unsigned char *message_at(unsigned char *messages, int exchange)
{
    return messages + (size_t)exchange * BYTES;
}

static void message_fill(unsigned char *message, int rank, int exchange)
{
    uint64_t state = (uint64_t)(rank * 1000 + exchange);
    random_fill(&state, message, BYTES);
}

static bool partner_prepare(struct partner *partner, const struct fixture *fixture)
{
    const struct backend *const backend = fixture->backend;
    struct meeting *const meeting = partner->pair->meeting;
    void *memory = NULL, *messages = NULL;
    unsigned char *const host = test_alloc(BYTES);
    bool is_good =
        CHECK_OK(backend->allocate(fixture->device, SLOTS * BYTES, MEMORY_EXPORTED, &memory)) &&
        CHECK_OK(backend->allocate(fixture->device, 2 * EXCHANGES * (size_t)BYTES, MEMORY_PRIVATE,
                                   &messages));
    partner->slots = memory;
    partner->sources = messages;
    partner->results = partner->sources + EXCHANGES * (size_t)BYTES;
    for (int k = 0; k < EXCHANGES && is_good; k++) {
        message_fill(host, partner->rank, k);
        is_good = move(fixture, message_at(partner->sources, k), host, BYTES);
    }
    free(host);
    for (int e = 0; e < EVENTS && is_good; e++)
        is_good =
            CHECK_OK(backend->event_open(fixture->device, true, &partner->events[e])) &&
            CHECK_OK(backend->event_export(partner->events[e], &meeting->events[partner->rank][e]));
    return is_good && CHECK_OK(backend->export_memory(fixture->device, memory,
                                                      &meeting->memory[partner->rank]));
}

static bool partner_connect(struct partner *partner, const struct fixture *fixture)
{
    const struct backend *const backend = fixture->backend;
    struct meeting *const meeting = partner->pair->meeting;
    const int other = 1 - partner->rank;
    bool is_good = CHECK_OK(
        backend->import_memory(fixture->device, &meeting->memory[other], &partner->imported));
    partner->theirs = partner->imported;
    if (partner->pair->is_staged && is_good) {
        is_good = CHECK_OK(backend->register_host(fixture->device, meeting->staging,
                                                  sizeof meeting->staging, &partner->mapped));
        partner->slots = (unsigned char *)partner->mapped + partner->rank * SLOTS * BYTES;
        partner->theirs = (unsigned char *)partner->mapped + other * SLOTS * BYTES;
    }
    for (int e = 0; e < EVENTS && is_good; e++)
        is_good = CHECK_OK(backend->event_import(fixture->device, &meeting->events[other][e],
                                                 &partner->their_events[e]));
    for (int k = 0; k < EXCHANGES && is_good; k++) {
        const struct copy send = {.from = message_at(partner->sources, k),
                                  .to = partner->theirs + k % SLOTS * BYTES,
                                  .row_bytes = BYTES,
                                  .rows = 1};
        const struct copy receive = {.from = partner->slots + k % SLOTS * BYTES,
                                     .to = message_at(partner->results, k),
                                     .row_bytes = BYTES,
                                     .rows = 1};
        is_good =
            CHECK_OK(backend->copy_list_open(fixture->device, &send, 1, &partner->sends[k])) &&
            CHECK_OK(backend->copy_list_open(fixture->device, &receive, 1, &partner->receives[k]));
    }
    return is_good;
}

/* Exchange k overwrites what the other read in exchange k - 2, and its record of k - 1, which was
 * waited for, comes after that read. */
static bool partner_exchange(struct partner *partner, const struct fixture *fixture)
{
    const struct backend *const backend = fixture->backend;
    struct meeting *const meeting = partner->pair->meeting;
    for (int k = 0; k < EXCHANGES; k++) {
        if (!CHECK_OK(backend->copy_list_run(fixture->queue, partner->sends[k])) ||
            !CHECK_OK(backend->event_record(fixture->queue, partner->events[k % EVENTS])))
            return false;
        atomic_store(&meeting->published[partner->rank], k + 1);
        if (!wait_for(meeting, &meeting->published[1 - partner->rank], k + 1) ||
            !CHECK_OK(backend->event_wait(fixture->queue, partner->their_events[k % EVENTS])) ||
            !CHECK_OK(backend->copy_list_run(fixture->queue, partner->receives[k])))
            return false;
    }
    return CHECK_OK(backend->queue_drain(fixture->queue));
}

static void partner_verify(const struct partner *partner, const struct fixture *fixture)
{
    unsigned char *const host = test_alloc(2 * BYTES), *const expected = host + BYTES;
    for (int k = 0; k < EXCHANGES; k++) {
        message_fill(expected, 1 - partner->rank, k);
        if (move(fixture, host, message_at(partner->results, k), BYTES))
            CHECK(memcmp(host, expected, BYTES) == 0);
    }
    free(host);
}

/* Nobody frees what the other still maps. */
static void partner_leave(struct partner *partner, const struct fixture *fixture, void *exported)
{
    const struct backend *const backend = fixture->backend;
    for (int k = 0; k < EXCHANGES; k++) {
        backend->copy_list_close(partner->sends[k]);
        backend->copy_list_close(partner->receives[k]);
    }
    for (int e = 0; e < EVENTS; e++) {
        backend->event_close(partner->their_events[e]);
        backend->event_close(partner->events[e]);
    }
    backend->unmap_memory(fixture->device, partner->imported);
    if (partner->mapped != NULL)
        backend->unregister_host(fixture->device, partner->pair->meeting->staging);
    CHECK(meet(partner, 4));
    backend->release(fixture->device, exported);
    backend->release(fixture->device, partner->sources);
}

static int partner_run(const struct pair *pair, int rank)
{
    struct fixture fixture = pair->fixture;
    struct partner partner = {.pair = pair, .rank = rank};
    (void)alarm(TIME_LIMIT_S);
    if (fixture_open(&fixture, rank) && partner_prepare(&partner, &fixture)) {
        void *const exported = partner.slots;
        if (meet(&partner, 1) && partner_connect(&partner, &fixture) && meet(&partner, 2) &&
            partner_exchange(&partner, &fixture))
            partner_verify(&partner, &fixture);
        if (check_counts.failures > 0)
            atomic_store(&pair->meeting->is_failed, 1);
        CHECK(meet(&partner, 3));
        partner_leave(&partner, &fixture, exported);
    }
    fixture_close(&fixture);
    if (check_counts.failures > 0)
        atomic_store(&pair->meeting->is_failed, 1);
    return check_result();
}

/* Both must end well. */
static void run_pair(const struct pair *pair)
{
    pid_t children[2];
    (void)fflush(stdout);
    for (int rank = 0; rank < 2; rank++) {
        children[rank] = fork();
        if (children[rank] == 0) {
            const int result = partner_run(pair, rank);
            (void)fflush(stdout);
            _exit(result);
        }
        CHECK(children[rank] > 0);
    }
    for (int rank = 0; rank < 2; rank++) {
        int state = 1;
        CHECK_EQUAL_INT(waitpid(children[rank], &state, 0), children[rank]);
        CHECK_EQUAL_INT(state, 0);
    }
}

static void messages_arrive(const struct backend *backend, bool is_staged)
{
    struct pair pair = {.fixture = {.backend = backend}, .is_staged = is_staged};
    pair.meeting =
        mmap(NULL, sizeof *pair.meeting, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (CHECK(pair.meeting != MAP_FAILED) &&
        CHECK_OK(backend->share(2, SLOTS * BYTES, &pair.fixture.shared)))
        run_pair(&pair);
    backend->unshare(pair.fixture.shared);
    (void)munmap(pair.meeting, sizeof *pair.meeting);
}

int main(int count, char **words)
{
    const struct backend *const backend = backend_of(count, words);
    messages_arrive(backend, false);
    messages_arrive(backend, true);
    return check_result();
}
