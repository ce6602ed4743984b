#define _GNU_SOURCE
#include "ipc/control.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"

const char *const phase_names[PHASE_COUNT] = {
    [PHASE_START] = "start",   [PHASE_CONNECT] = "connect", [PHASE_STEP] = "step",
    [PHASE_OUTPUT] = "output", [PHASE_CLOSE] = "close",     [PHASE_DONE] = "done",
};

static enum status shared_fail(const char *name, size_t bytes, const char *call)
{
    const int error = errno;
    char size[32];
    text_bytes(size, sizeof size, (double)bytes);
    return fail(STATUS_MEMORY, "%s of shared memory for %s cannot be had: %s: %s%s", size, name,
                call, strerror(error),
                error == EFBIG ? "; raise the limit of file sizes (ulimit -f)" : "");
}

enum { HUGE_PAGE = 2 * 1024 * 1024 };

enum status shared_map(const char *name, size_t bytes, void **memory)
{
    enum status status = STATUS_OK;
    void *map = MAP_FAILED;
    *memory = NULL;
    if (bytes == 0 || bytes > PTRDIFF_MAX)
        return fail(STATUS_BUG, "%s: %zu bytes of shared memory asked for", name, bytes);

    const int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) {
        status = shared_fail(name, bytes, "memfd_create");
        goto done;
    }
    if (ftruncate(fd, (off_t)bytes) != 0) {
        status = shared_fail(name, bytes, "ftruncate");
        goto done;
    }
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        status = shared_fail(name, bytes, "F_ADD_SEALS");
        goto done;
    }
    map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        status = shared_fail(name, bytes, "mmap");
        goto done;
    }
    if (bytes >= HUGE_PAGE) /* a hint: without it only slower */
        (void)madvise(map, bytes, MADV_HUGEPAGE);
    *memory = map;
done:
    if (fd >= 0)
        (void)close(fd); /* the mapping keeps the memory */
    return status;
}

void shared_unmap(void *memory, size_t bytes)
{
    if (memory != NULL)
        (void)munmap(memory, bytes);
}

/* Spinning pays where every process has a core: a wait of a step is often shorter than a sleep.
 * Where cores are short it takes them from the process that is waited for. */
static int spins_for(int processes)
{
    enum { SPINS_WITH_A_CORE = 4000, SPINS_WITHOUT = 20 };
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) /* more cores than the set has bits */
        return SPINS_WITH_A_CORE;
    return CPU_COUNT(&cores) >= processes ? SPINS_WITH_A_CORE : SPINS_WITHOUT;
}

enum status control_open(int ranks, struct control **control)
{
    *control = NULL;
    if (ranks < 1 || ranks > CONTROL_MAX_RANKS)
        return fail(STATUS_INPUT, "%d ranks asked for, possible are 1 to %d", ranks,
                    (int)CONTROL_MAX_RANKS);
    void *memory = NULL;
    TRY(shared_map("isotherm-control", sizeof(struct control), &memory));
    *control = memory;
    (*control)->ranks = ranks;
    (*control)->spins = spins_for(ranks + 1);
    return STATUS_OK;
}

void control_close(struct control *control)
{
    shared_unmap(control, sizeof *control);
}

struct control_rank *control_part(struct control *control, int process)
{
    if (process == CONTROL_WRITER)
        return &control->writer;
    return process >= 0 && process < control->ranks ? &control->rank[process] : NULL;
}

void process_name(char *name, size_t bytes, int process)
{
    if (process >= 0)
        (void)snprintf(name, bytes, "rank %d", process);
    else
        (void)snprintf(name, bytes, "%s", process == CONTROL_WRITER ? "writer" : "launcher");
}

static void wake_all(struct control *control)
{
    for (int r = 0; r < control->ranks; r++) {
        sequence_interrupt(&control->rank[r].exchange);
        sequence_interrupt(&control->rank[r].start);
    }
}

enum status control_fail(struct control *control, int process, enum status status,
                         const char *message)
{
    if (status == STATUS_OK || status == STATUS_ABORTED)
        return status;
    if (atomic_exchange(&control->failure_claimed, 1) == 0) {
        control->failure_process = process;
        control->failure_status = status;
        (void)snprintf(control->failure_message, sizeof control->failure_message, "%s", message);
        atomic_store(&control->failure_complete, 1);
    }
    /* Also by those that came second: the first may have been killed before it got here. */
    atomic_store(&control->abort, 1);
    wake_all(control);
    return status;
}

enum status control_check(const struct control *control)
{
    return atomic_load_explicit(&control->abort, memory_order_relaxed) == 0 ? STATUS_OK
                                                                            : STATUS_ABORTED;
}

static void beat(struct control_rank *part)
{
    if (part != NULL)
        atomic_fetch_add_explicit(&part->beat, 1, memory_order_relaxed);
}

void control_beat(struct control *control, int process)
{
    beat(control_part(control, process));
}

static enum status wait_with_beats(struct control *control, struct control_rank *beats_during,
                                   struct control_rank *beats_after, struct sequence *sequence,
                                   uint64_t wanted)
{
    enum wait_result result = WAIT_AGAIN;
    while (result == WAIT_AGAIN) {
        result = sequence_wait_round(sequence, wanted, &control->abort, control->spins);
        beat(beats_during);
    }
    beat(beats_after);
    return result == WAIT_REACHED ? STATUS_OK : STATUS_ABORTED;
}

enum status control_wait(struct control *control, int process, struct sequence *sequence,
                         uint64_t wanted)
{
    return wait_with_beats(control, control_part(control, process), NULL, sequence, wanted);
}

enum status control_wait_own(struct control *control, int process, struct sequence *sequence,
                             uint64_t wanted)
{
    return wait_with_beats(control, NULL, control_part(control, process), sequence, wanted);
}
