#define _GNU_SOURCE /* sched_getaffinity */

#include "solver/cli/machine.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int machine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

/* What the child sends before its answer. */
struct verdict {
    enum status status;
    char message[ERROR_MESSAGE_BYTES];
};

static bool write_all(int fd, const void *from, size_t bytes)
{
    const unsigned char *at = from;
    while (bytes > 0) {
        const ssize_t written = write(fd, at, bytes);
        if (written <= 0)
            return false;
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* A driver in trouble may let the child wait for ever. */
static bool read_all(int fd, void *to, size_t bytes)
{
    enum { PATIENCE_MS = 120 * 1000 }; /* eight GPUs that wake up take some 20 s */
    unsigned char *at = to;
    while (bytes > 0) {
        struct pollfd answers = {.fd = fd, .events = POLLIN};
        const int ready = poll(&answers, 1, PATIENCE_MS);
        if (ready == 0)
            return false;
        const ssize_t got = ready > 0 ? read(fd, at, bytes) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

static void ask_and_leave(int fd, machine_question ask, const void *argument, void *answer,
                          size_t bytes)
{
    struct verdict verdict = {.status = ask(argument, answer)};
    (void)snprintf(verdict.message, sizeof verdict.message, "%s", error_message());
    _exit(write_all(fd, &verdict, sizeof verdict) && write_all(fd, answer, bytes) ? 0 : 1);
}

enum status machine_ask(machine_question ask, const void *argument, void *answer, size_t bytes)
{
    int ends[2];
    (void)fflush(NULL);
    const bool has_pipe = pipe(ends) == 0;
    const pid_t child = has_pipe ? fork() : -1;
    if (child == 0)
        ask_and_leave(ends[1], ask, argument, answer, bytes);
    if (has_pipe)
        (void)close(ends[1]);
    struct verdict verdict;
    enum status status = STATUS_OK;
    if (child < 0) {
        status = fail(STATUS_PROCESS, "a process to look for GPUs cannot be started: %s",
                      strerror(errno));
    } else if (!read_all(ends[0], &verdict, sizeof verdict) || !read_all(ends[0], answer, bytes)) {
        (void)kill(child, SIGKILL);
        status = fail(STATUS_DEVICE, "the process that looks for GPUs died or hung; the CUDA "
                                     "driver is broken, run with --backend cpu");
    } else if (verdict.status != STATUS_OK) {
        status = fail(verdict.status, "%s", verdict.message);
    }
    if (has_pipe)
        (void)close(ends[0]);
    if (child > 0) /* what hangs in the driver may not even die */
        (void)waitpid(child, NULL, status == STATUS_OK ? 0 : WNOHANG);
    return status;
}

static enum status ask_for_gpus(const void *argument, void *answer)
{
    (void)argument;
    return probe_devices(answer);
}

enum status machine_gpus(struct device_list *list)
{
    return machine_ask(ask_for_gpus, NULL, list, sizeof *list);
}
