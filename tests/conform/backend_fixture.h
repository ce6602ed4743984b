/* What the tests of a backend share: they take its name as argument and work through the table of
 * kernels/backend.h alone. */
#ifndef ISOTHERM_TESTS_BACKEND_FIXTURE_H
#define ISOTHERM_TESTS_BACKEND_FIXTURE_H

#include <sys/wait.h>
#include <unistd.h>

#include "kernels/backend.h"
#include "kernels/probe.h"
#include "tests/check.h"

struct fixture {
    const struct backend *backend;
    struct shared *shared;
    struct device *device;
    struct queue *queue;
};

static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 0 <= result < n */
static inline int random_below(uint64_t *state, int n)
{
    return (int)(random_bits(state) % (uint64_t)n);
}

static inline void random_fill(uint64_t *state, void *memory, size_t bytes)
{
    unsigned char *const byte = memory;
    for (size_t n = 0; n < bytes; n++)
        byte[n] = (unsigned char)random_bits(state);
}

static inline void *test_alloc(size_t bytes)
{
    void *const memory = calloc(1, bytes);
    if (memory == NULL) {
        (void)printf("out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* Ends the program when `body` does not return 0 in a child process: the driver of a GPU must not
 * be touched in a process that forks. */
static inline void run_in_child(int (*body)(void *), void *argument)
{
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int result = body(argument);
        (void)fflush(stdout);
        _exit(result);
    }
    int state = 0;
    if (child < 0 || waitpid(child, &state, 0) != child || !WIFEXITED(state))
        exit(EXIT_FAILURE);
    if (WEXITSTATUS(state) != 0)
        exit(WEXITSTATUS(state));
}

static inline int look_for_gpu(void *argument)
{
    (void)argument;
    int count = 0;
    char reason[PROBE_TEXT_BYTES];
    if (probe_count_devices(&count, reason) != STATUS_OK)
        (void)printf("%s\n", error_message());
    else if (count == 0)
        (void)printf("skipped: %s\n", reason);
    else
        return 0;
    return CHECK_SKIPPED;
}

/* The backend that the command line names; ends the program with 77 where it cannot run. */
static inline const struct backend *backend_of(int count, char **words)
{
    if (count >= 2 && strcmp(words[1], backend_cpu.name) == 0)
        return &backend_cpu;
    if (count >= 2 && strcmp(words[1], backend_cuda.name) == 0) {
        run_in_child(look_for_gpu, NULL);
        return &backend_cuda;
    }
    (void)printf("usage: %s cpu|cuda [short]\n", words[0]);
    exit(EXIT_FAILURE);
}

static inline bool fixture_open(struct fixture *fixture, int rank)
{
    const struct device_options options = {.shared = fixture->shared, .rank = rank};
    return CHECK_OK(fixture->backend->open(&options, &fixture->device)) &&
           CHECK_OK(fixture->backend->queue_open(fixture->device, QUEUE_NORMAL, &fixture->queue));
}

static inline void fixture_close(struct fixture *fixture)
{
    const struct backend *const backend = fixture->backend;
    backend->queue_close(fixture->queue);
    if (fixture->device != NULL) {
        const struct device_counts counts = backend->counts(fixture->device);
        CHECK_EQUAL_INT(counts.allocations, 0);
        CHECK_EQUAL_INT(counts.events, 0);
        CHECK_EQUAL_INT(counts.mappings, 0);
        CHECK_EQUAL_INT(counts.queues, 0);
        CHECK_EQUAL_INT(counts.copy_lists, 0);
    }
    backend->close(fixture->device);
}

/* Host to device, device to host: waits. */
static inline bool move(const struct fixture *fixture, void *to, const void *from, size_t bytes)
{
    const struct copy copy = {.from = from, .to = to, .row_bytes = bytes, .rows = 1};
    return CHECK_OK(fixture->backend->copy(fixture->queue, &copy)) &&
           CHECK_OK(fixture->backend->queue_drain(fixture->queue));
}

#endif
