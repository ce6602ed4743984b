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

#include "base/memory.h"

int machine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

/* What the child sends: its status and message before the list. */
struct answer {
    enum status status;
    char message[ERROR_MESSAGE_BYTES];
    struct device_list list;
};

static void answer_and_leave(int fd, struct answer *answer)
{
    answer->status = probe_devices(&answer->list);
    (void)snprintf(answer->message, sizeof answer->message, "%s", error_message());
    const unsigned char *from = (const unsigned char *)answer;
    size_t left = sizeof *answer;
    while (left > 0) {
        const ssize_t written = write(fd, from, left);
        if (written <= 0)
            _exit(1);
        from += written;
        left -= (size_t)written;
    }
    _exit(0);
}

/* A driver in trouble may let the child wait for ever. */
static bool read_answer(int fd, struct answer *answer)
{
    enum { PATIENCE_MS = 120 * 1000 }; /* eight GPUs that wake up take some 20 s */
    unsigned char *to = (unsigned char *)answer;
    size_t left = sizeof *answer;
    while (left > 0) {
        struct pollfd answers = {.fd = fd, .events = POLLIN};
        const int ready = poll(&answers, 1, PATIENCE_MS);
        if (ready == 0)
            return false;
        const ssize_t got = ready > 0 ? read(fd, to, left) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        left -= (size_t)got;
    }
    return true;
}

enum status machine_gpus(struct device_list *list)
{
    struct answer *answer = NULL;
    int ends[2];
    TRY(memory_alloc(&answer, 1, sizeof *answer, "device list"));
    (void)fflush(NULL);
    enum status status = STATUS_OK;
    const bool has_pipe = pipe(ends) == 0;
    const pid_t child = has_pipe ? fork() : -1;
    if (child == 0)
        answer_and_leave(ends[1], answer);
    if (has_pipe)
        (void)close(ends[1]);
    if (child < 0) {
        status = fail(STATUS_PROCESS, "a process to look for GPUs cannot be started: %s",
                      strerror(errno));
    } else if (!read_answer(ends[0], answer)) {
        (void)kill(child, SIGKILL);
        status = fail(STATUS_DEVICE, "the process that looks for GPUs died or hung; the CUDA "
                                     "driver is broken, run with --backend cpu");
    } else if (answer->status != STATUS_OK) {
        status = fail(answer->status, "%s", answer->message);
    } else {
        *list = answer->list;
    }
    if (has_pipe)
        (void)close(ends[0]);
    if (child > 0) /* what hangs in the driver may not even die */
        (void)waitpid(child, NULL, status == STATUS_OK ? 0 : WNOHANG);
    free(answer);
    return status;
}
