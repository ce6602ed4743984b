/* The CPU as a device. A queue runs its work at once, so whatever was queued is done when the call
 * returns and an event has nothing to hold: when another process learns (through the sequence
 * numbers of ipc/, with release and acquire) that a record was issued, the work before it is done.
 * Exported memory comes from one shared anonymous mapping made before the fork, which every process
 * sees at the same address and which vanishes with the last of them. */
#define _GNU_SOURCE /* MADV_HUGEPAGE, MAP_ANONYMOUS */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "kernels/backend.h"
#include "kernels/cpu/step.h"

enum {
    HUGE_PAGE = 2 * 1024 * 1024,
    POPULATE_WRITE = 23, /* MADV_POPULATE_WRITE since Linux 5.14: headers may be older */
};

struct shared {
    unsigned char *memory;
    size_t bytes;
    size_t bytes_per_rank;
};

struct mapping { /* one allocation, in a list */
    void *memory;
    size_t bytes;
    bool is_exported;
    struct mapping *next;
};

struct device {
    struct shared *shared;
    int rank;
    size_t exported_bytes; /* of this rank's part already given out */
    struct mapping *mappings;
    struct device_counts counts;
};

struct queue {
    struct device *device;
    struct cpu_scratch *scratch;
};

struct event {
    struct device *device;
};

struct copy_list {
    struct device *device;
    int count;
    struct copy *copies; /* (count) */
};

struct exported {
    size_t offset;
};
_Static_assert(sizeof(struct exported) <= sizeof(struct memory_handle), "handle is large enough");

static enum status cpu_share(int ranks, size_t exported_bytes, struct shared **result)
{
    struct shared *shared = NULL;
    TRY(memory_alloc(&shared, 1, sizeof *shared, "shared memory"));
    *result = shared;
    shared->bytes_per_rank = size_round_up(exported_bytes, HUGE_PAGE);
    TRY(size_multiply((size_t)ranks, shared->bytes_per_rank, &shared->bytes));
    if (shared->bytes == 0)
        return STATUS_OK;
    void *memory =
        mmap(NULL, shared->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return fail(STATUS_MEMORY, "%zu bytes of shared memory for %d ranks are not available: %s",
                    shared->bytes, ranks, strerror(errno));
    shared->memory = memory;
    return STATUS_OK;
}

static void cpu_unshare(struct shared *shared)
{
    if (shared == NULL)
        return;
    if (shared->memory != NULL)
        (void)munmap(shared->memory, shared->bytes);
    free(shared);
}

static enum status cpu_open(const struct device_options *options, struct device **device)
{
    TRY(memory_alloc(device, 1, sizeof **device, "device"));
    (*device)->shared = options->shared;
    (*device)->rank = options->rank;
    return STATUS_OK;
}

/* The system's free memory says little: caches give way, other programs come. */
static enum status cpu_free_memory(struct device *device, size_t *bytes)
{
    (void)device;
    *bytes = SIZE_MAX;
    return STATUS_OK;
}

static void cpu_release(struct device *device, void *memory)
{
    for (struct mapping **link = &device->mappings; *link != NULL; link = &(*link)->next) {
        struct mapping *mapping = *link;
        if (mapping->memory != memory)
            continue;
        if (!mapping->is_exported)
            (void)munmap(mapping->memory, mapping->bytes);
        *link = mapping->next;
        free(mapping);
        device->counts.allocations--;
        return;
    }
}

static void cpu_close(struct device *device)
{
    if (device == NULL)
        return;
    while (device->mappings != NULL)
        cpu_release(device, device->mappings->memory);
    free(device);
}

static struct device_counts cpu_counts(const struct device *device)
{
    return device->counts;
}

/* Makes the pages of large pieces now, as else the time loop pays for those of the second field:
 * bench/results/cpu-zones.txt. A hint, too: older systems do not know it. */
static void populate(void *memory, size_t bytes)
{
    if (bytes > HUGE_PAGE)
        (void)madvise(memory, bytes, POPULATE_WRITE);
}

/* The next piece of this rank's part of the shared mapping; never reused, as a run allocates once.
 */
static enum status take_exported(struct device *device, size_t bytes, void **memory)
{
    const struct shared *shared = device->shared;
    if (bytes > shared->bytes_per_rank - device->exported_bytes)
        return fail(STATUS_BUG, "rank %d exports %zu bytes more than were shared", device->rank,
                    bytes);
    *memory =
        shared->memory + (size_t)device->rank * shared->bytes_per_rank + device->exported_bytes;
    device->exported_bytes += bytes;
    populate(*memory, bytes);
    return STATUS_OK;
}

/* Private memory on a huge-page boundary: fields on 2 MiB pages are about a tenth faster to sweep.
 */
static enum status map_private(size_t bytes, void **memory)
{
    const size_t reserved = bytes + HUGE_PAGE;
    unsigned char *start =
        mmap(NULL, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return fail(STATUS_MEMORY,
                    "%zu bytes of memory are not available: %s; use fewer cells or "
                    "more machines",
                    bytes, strerror(errno));
    unsigned char *aligned = (unsigned char *)size_round_up((uintptr_t)start, HUGE_PAGE);
    if (aligned > start)
        (void)munmap(start, (size_t)(aligned - start));
    unsigned char *end = aligned + bytes;
    if (start + reserved > end)
        (void)munmap(end, (size_t)(start + reserved - end));
    (void)madvise(aligned, bytes, MADV_HUGEPAGE); /* a hint: without it only slower */
    populate(aligned, bytes);
    *memory = aligned;
    return STATUS_OK;
}

static enum status cpu_allocate(struct device *device, size_t bytes, enum memory_kind kind,
                                void **memory)
{
    struct mapping *mapping = NULL;
    TRY(memory_alloc(&mapping, 1, sizeof *mapping, "allocation"));
    mapping->bytes = size_round_up(bytes > 0 ? bytes : 1, HUGE_PAGE);
    mapping->is_exported = kind == MEMORY_EXPORTED;
    const enum status status = mapping->is_exported
                                   ? take_exported(device, mapping->bytes, &mapping->memory)
                                   : map_private(mapping->bytes, &mapping->memory);
    if (status != STATUS_OK) {
        free(mapping);
        return status;
    }
    mapping->next = device->mappings;
    device->mappings = mapping;
    device->counts.allocations++;
    *memory = mapping->memory;
    return STATUS_OK;
}

static enum status cpu_export_memory(struct device *device, void *memory,
                                     struct memory_handle *handle)
{
    const struct exported exported = {
        .offset = (size_t)((unsigned char *)memory - device->shared->memory)};
    memset(handle, 0, sizeof *handle);
    memcpy(handle->bytes, &exported, sizeof exported);
    return STATUS_OK;
}

static enum status cpu_import_memory(struct device *device, const struct memory_handle *handle,
                                     void **memory)
{
    struct exported exported;
    memcpy(&exported, handle->bytes, sizeof exported);
    if (exported.offset >= device->shared->bytes)
        return fail(STATUS_BUG, "rank %d got a memory handle beyond what is shared", device->rank);
    *memory = device->shared->memory + exported.offset;
    device->counts.mappings++;
    return STATUS_OK;
}

static void cpu_unmap_memory(struct device *device, void *memory)
{
    if (memory != NULL)
        device->counts.mappings--;
}

static enum status cpu_register_host(struct device *device, void *memory, size_t bytes,
                                     void **mapped)
{
    (void)bytes;
    device->counts.mappings++;
    *mapped = memory;
    return STATUS_OK;
}

static void cpu_unregister_host(struct device *device, void *memory)
{
    if (memory != NULL)
        device->counts.mappings--;
}

static enum status cpu_queue_open(struct device *device, enum queue_priority priority,
                                  struct queue **queue)
{
    (void)priority; /* work runs at once, so nothing can overtake */
    TRY(memory_alloc(queue, 1, sizeof **queue, "queue"));
    (*queue)->device = device;
    device->counts.queues++;
    return cpu_scratch_open(&(*queue)->scratch);
}

static void cpu_queue_close(struct queue *queue)
{
    if (queue == NULL)
        return;
    queue->device->counts.queues--;
    cpu_scratch_close(queue->scratch);
    free(queue);
}

static enum status cpu_queue_drain(struct queue *queue)
{
    (void)queue;
    return STATUS_OK;
}

static enum status cpu_queue_call(struct queue *queue, void (*function)(void *), void *argument)
{
    (void)queue;
    function(argument);
    return STATUS_OK;
}

static enum status cpu_event_open(struct device *device, bool interprocess, struct event **event)
{
    (void)interprocess;
    TRY(memory_alloc(event, 1, sizeof **event, "event"));
    (*event)->device = device;
    device->counts.events++;
    return STATUS_OK;
}

static enum status cpu_event_export(struct event *event, struct event_handle *handle)
{
    (void)event;
    memset(handle, 0, sizeof *handle);
    return STATUS_OK;
}

static enum status cpu_event_import(struct device *device, const struct event_handle *handle,
                                    struct event **event)
{
    (void)handle;
    return cpu_event_open(device, true, event);
}

static void cpu_event_close(struct event *event)
{
    if (event == NULL)
        return;
    event->device->counts.events--;
    free(event);
}

static enum status cpu_event_record(struct queue *queue, struct event *event)
{
    (void)queue;
    (void)event;
    return STATUS_OK;
}

static enum status cpu_event_wait(struct queue *queue, struct event *event)
{
    (void)queue;
    (void)event;
    return STATUS_OK;
}

static enum status cpu_event_query(struct event *event, bool *is_done)
{
    (void)event;
    *is_done = true;
    return STATUS_OK;
}

static enum status cpu_copy_list_open(struct device *device, const struct copy *copies, int count,
                                      struct copy_list **result)
{
    struct copy_list *list = NULL;
    TRY(memory_alloc(&list, 1, sizeof *list, "copy list"));
    list->device = device;
    device->counts.copy_lists++;
    *result = list;
    TRY(memory_alloc(&list->copies, (size_t)count, sizeof *list->copies, "copy list"));
    if (count > 0)
        memcpy(list->copies, copies, (size_t)count * sizeof *copies);
    list->count = count;
    return STATUS_OK;
}

static void cpu_copy_list_close(struct copy_list *list)
{
    if (list == NULL)
        return;
    list->device->counts.copy_lists--;
    free(list->copies);
    free(list);
}

static enum status cpu_copy(struct queue *queue, const struct copy *copy)
{
    (void)queue;
    const unsigned char *from = copy->from;
    unsigned char *to = copy->to;
    for (int row = 0; row < copy->rows; row++) {
        memcpy(to, from, copy->row_bytes);
        from += copy->from_pitch;
        to += copy->to_pitch;
    }
    return STATUS_OK;
}

static enum status cpu_copy_list_run(struct queue *queue, const struct copy_list *list)
{
    for (int c = 0; c < list->count; c++)
        TRY(cpu_copy(queue, &list->copies[c]));
    return STATUS_OK;
}

static enum status cpu_queue_step(struct queue *queue, const struct step *step)
{
    return cpu_step(queue->scratch, step);
}

static void cpu_range_begin(const char *name)
{
    (void)name;
}

static void cpu_range_end(void)
{
}

/* Measured with runs of two ranks (bench/results/cpu-output.txt): a pass costs as much as about ten
 * steps, the cells at the side of a neighbour that are computed twice T / 2 rows or columns of n.
 */
static int cpu_favoured_steps(const struct step_case *step_case)
{
    if (step_case->cells == STEP_BY_CELL || (!step_case->is_alone && step_case->shortest < 64))
        return 8;
    return step_case->is_alone || step_case->shortest >= 512 ? 32 : 16;
}

/* Tiles are made for any number. */
static int cpu_fitting_steps(const struct step_case *step_case, int steps)
{
    (void)step_case;
    return steps;
}

const struct backend backend_cpu = {
    .name = "cpu",
    .is_synchronous = true,
    .favoured_steps = cpu_favoured_steps,
    .fitting_steps = cpu_fitting_steps,
    .stretch_percent = 75, /* 56 levels of a tile need 507 KiB of the second-level cache */
    .share = cpu_share,
    .unshare = cpu_unshare,
    .open = cpu_open,
    .close = cpu_close,
    .counts = cpu_counts,
    .free_memory = cpu_free_memory,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .export_memory = cpu_export_memory,
    .import_memory = cpu_import_memory,
    .unmap_memory = cpu_unmap_memory,
    .register_host = cpu_register_host,
    .unregister_host = cpu_unregister_host,
    .queue_open = cpu_queue_open,
    .queue_close = cpu_queue_close,
    .queue_drain = cpu_queue_drain,
    .queue_call = cpu_queue_call,
    .event_open = cpu_event_open,
    .event_export = cpu_event_export,
    .event_import = cpu_event_import,
    .event_close = cpu_event_close,
    .event_record = cpu_event_record,
    .event_wait = cpu_event_wait,
    .event_query = cpu_event_query,
    .copy_list_open = cpu_copy_list_open,
    .copy_list_close = cpu_copy_list_close,
    .copy_list_run = cpu_copy_list_run,
    .copy = cpu_copy,
    .step = cpu_queue_step,
    .range_begin = cpu_range_begin,
    .range_end = cpu_range_end,
};
