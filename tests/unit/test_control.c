/* The control block: shared, sealed, first failure wins, waits end, signs of life. */
#define _GNU_SOURCE
#include "ipc/control.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

static void memory_is_zeroed_and_shared_with_children(void)
{
    enum { BYTES = 3 * 4096 + 17 };
    void *memory = NULL;
    CHECK_OK(shared_map("test", BYTES, &memory));
    unsigned char *bytes = memory;
    int not_zero = 0;
    for (int i = 0; i < BYTES; i++)
        not_zero += bytes[i] != 0;
    CHECK_EQUAL_INT(not_zero, 0);
    const pid_t child = fork();
    if (child == 0) {
        bytes[BYTES - 1] = 42;
        _exit(EXIT_SUCCESS);
    }
    CHECK_EQUAL_INT(waitpid(child, NULL, 0), child);
    CHECK_EQUAL_INT(bytes[BYTES - 1], 42);
    shared_unmap(memory, BYTES);
    shared_unmap(NULL, BYTES);
}

/* Whoever gets hold of the memory by /proc cannot shrink it under the run (SIGBUS). */
static void memory_is_sealed(void)
{
    void *memory = NULL;
    char path[128];
    CHECK_OK(shared_map("test-sealed", 8192, &memory));
    (void)snprintf(path, sizeof path, "/proc/self/map_files/%" PRIxPTR "-%" PRIxPTR,
                   (uintptr_t)memory, (uintptr_t)memory + 8192);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0) {
        CHECK_EQUAL_INT(ftruncate(fd, 4096), -1);
        CHECK_EQUAL_INT(errno, EPERM);
        CHECK_EQUAL_INT(ftruncate(fd, 16384), -1);
        CHECK_EQUAL_INT(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
        (void)close(fd);
    } else {
        (void)printf("not looked at: seals (%s)\n", strerror(errno)); /* needs a privilege */
    }
    shared_unmap(memory, 8192);
}

static void too_much_memory_is_an_error_at_once(void)
{
    void *memory = NULL;
    CHECK_FAILS(shared_map("test-huge", (size_t)1 << 60, &memory), STATUS_MEMORY);
    CHECK_CONTAINS(error_message(), "test-huge");
    CHECK(memory == NULL);
    error_clear();
}

static void the_number_of_ranks_has_limits(void)
{
    struct control *control = NULL;
    CHECK_FAILS(control_open(0, &control), STATUS_INPUT);
    error_clear();
    CHECK_FAILS(control_open(CONTROL_MAX_RANKS + 1, &control), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "257");
    CHECK(control == NULL);
    error_clear();
    control_close(NULL);
    CHECK_OK(control_open(CONTROL_MAX_RANKS, &control));
    CHECK_EQUAL_INT(control->ranks, 256);
    CHECK(control_part(control, 255) == &control->rank[255]);
    CHECK(control_part(control, CONTROL_WRITER) == &control->writer);
    CHECK(control_part(control, CONTROL_LAUNCHER) == NULL);
    CHECK(control_part(control, 256) == NULL);
    control_close(control);
}

/* Eight processes fail at once: the record belongs to one of them as a whole. */
static void the_first_failure_is_kept_whole(void)
{
    enum { PROCESSES = 8 };
    struct control *control = NULL;
    CHECK_OK(control_open(PROCESSES, &control));
    CHECK_OK(control_check(control));
    pid_t children[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        if (children[p] == 0) {
            char message[64];
            (void)snprintf(message, sizeof message, "process %d failed", p);
            const enum status status = p % 2 == 0 ? STATUS_FILE : STATUS_DEVICE;
            _exit(control_fail(control, p, status, message) == status ? 0 : 1);
        }
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status = -1;
        CHECK_EQUAL_INT(waitpid(children[p], &status, 0), children[p]);
        CHECK_EQUAL_INT(status, 0);
    }
    char expected[64];
    (void)snprintf(expected, sizeof expected, "process %d failed", control->failure_process);
    CHECK_EQUAL_TEXT(control->failure_message, expected);
    CHECK_EQUAL_INT(control->failure_status,
                    control->failure_process % 2 == 0 ? STATUS_FILE : STATUS_DEVICE);
    CHECK_EQUAL_INT(control->failure_complete, 1);
    CHECK_EQUAL_INT(control_fail(control, 0, STATUS_INPUT, "later"), STATUS_INPUT);
    CHECK_EQUAL_TEXT(control->failure_message, expected);
    CHECK_FAILS(control_check(control), STATUS_ABORTED);
    control_close(control);
}

static void a_consequence_is_not_recorded(void)
{
    struct control *control = NULL;
    CHECK_OK(control_open(2, &control));
    CHECK_EQUAL_INT(control_fail(control, 1, STATUS_ABORTED, "no cause"), STATUS_ABORTED);
    CHECK_EQUAL_INT(control->failure_claimed, 0);
    CHECK_EQUAL_INT(control->abort, 0);
    control_close(control);
}

/* A child waits in each kind of wait for what never comes. */
static void a_failure_ends_every_wait(void)
{
    struct control *control = NULL;
    CHECK_OK(control_open(2, &control));
    pid_t children[3];
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            enum status status = STATUS_BUG;
            if (i == 0)
                status = control_wait(control, 0, &control->rank[1].exchange, 5);
            if (i == 1)
                status = control_wait_own(control, 1, &control->rank[1].start, 1);
            if (i == 2)
                status = control_wait(control, CONTROL_WRITER, &control->rank[0].exchange, 1);
            _exit(status == STATUS_ABORTED ? 0 : 1);
        }
    }
    while (control->rank[1].exchange.sleepers == 0 || control->rank[1].start.sleepers == 0 ||
           control->rank[0].exchange.sleepers == 0)
        (void)usleep(1000);
    (void)control_fail(control, 1, STATUS_FILE, "disk full");
    for (int i = 0; i < 3; i++) {
        int status = -1;
        CHECK_EQUAL_INT(waitpid(children[i], &status, 0), children[i]);
        CHECK_EQUAL_INT(status, 0);
    }
    control_close(control);
}

/* A wait for others shows life while it lasts, a wait for the own device only when it ended. */
static void waits_show_life_as_they_should(void)
{
    struct control *control = NULL;
    CHECK_OK(control_open(2, &control));
    const pid_t child = fork();
    if (child == 0) {
        const enum status first = control_wait(control, 0, &control->rank[1].exchange, 1);
        const enum status second = control_wait_own(control, 1, &control->rank[1].start, 1);
        _exit(first == STATUS_OK && second == STATUS_OK ? 0 : 1);
    }
    while (atomic_load(&control->rank[0].beat) < 3)
        (void)usleep(1000);
    sequence_publish(&control->rank[1].exchange, 1);
    while (atomic_load(&control->rank[1].start.sleepers) == 0)
        (void)usleep(1000);
    (void)usleep(100 * 1000); /* some five rounds of sleep */
    CHECK_EQUAL_INT(control->rank[1].beat, 0);
    sequence_publish(&control->rank[1].start, 1);
    int status = -1;
    CHECK_EQUAL_INT(waitpid(child, &status, 0), child);
    CHECK_EQUAL_INT(status, 0);
    CHECK_EQUAL_INT(control->rank[1].beat, 1);
    control_beat(control, CONTROL_WRITER);
    control_beat(control, CONTROL_LAUNCHER); /* nobody watches it */
    CHECK_EQUAL_INT(control->writer.beat, 1);
    control_close(control);
}

static void processes_have_names(void)
{
    char name[PROCESS_NAME_BYTES];
    process_name(name, sizeof name, 12);
    CHECK_EQUAL_TEXT(name, "rank 12");
    process_name(name, sizeof name, CONTROL_WRITER);
    CHECK_EQUAL_TEXT(name, "writer");
    process_name(name, sizeof name, CONTROL_LAUNCHER);
    CHECK_EQUAL_TEXT(name, "launcher");
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        CHECK(phase_names[phase] != NULL);
}

int main(void)
{
    (void)alarm(100);
    memory_is_zeroed_and_shared_with_children();
    memory_is_sealed();
    too_much_memory_is_an_error_at_once();
    the_number_of_ranks_has_limits();
    the_first_failure_is_kept_whole();
    a_consequence_is_not_recorded();
    a_failure_ends_every_wait();
    waits_show_life_as_they_should();
    processes_have_names();
    return check_result();
}
