#include "ipc/halo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ipc/fault.h"
#include "ipc/halo_private.h"

size_t halo_field_bytes(const struct block *block)
{
    return HALO_LEVELS * size_round_up(block_bytes(block), BLOCK_ALIGNMENT);
}

void *halo_level(void *fields, const struct block *block, int level)
{
    return (unsigned char *)fields +
           (size_t)level * size_round_up(block_bytes(block), BLOCK_ALIGNMENT);
}

struct neighbour *halo_find_neighbour(struct halo *halo, int rank)
{
    for (int n = 0; n < halo->neighbour_count; n++)
        if (halo->neighbours[n].rank == rank)
            return &halo->neighbours[n];
    return NULL;
}

static enum status find_neighbours(struct halo *halo)
{
    const struct halo_options *options = &halo->options;
    TRY(memory_alloc(&halo->neighbours, (size_t)options->control->ranks, sizeof *halo->neighbours,
                     "neighbours"));
    for (int s = 0; s < options->strip_count; s++) {
        const struct halo_strip *strip = &options->strips[s];
        if (strip->from_rank != options->rank || strip->to_rank == options->rank ||
            halo_find_neighbour(halo, strip->to_rank) != NULL)
            continue;
        halo->neighbours[halo->neighbour_count++].rank = strip->to_rank;
    }
    return STATUS_OK;
}

static struct control_rank *own_line(struct halo *halo)
{
    return &halo->options.control->rank[halo->options.rank];
}

enum status halo_wait_for_neighbours(struct halo *halo, enum halo_stage stage)
{
    struct control *control = halo->options.control;
    sequence_publish(&own_line(halo)->start, stage);
    for (int n = 0; n < halo->neighbour_count; n++)
        TRY(control_wait(control, halo->options.rank,
                         &control->rank[halo->neighbours[n].rank].start, stage));
    return STATUS_OK;
}

void halo_note_direct(struct halo *halo, struct neighbour *neighbour, bool works)
{
    own_line(halo)->direct[neighbour->rank] = works;
}

void halo_agree_direct(struct halo *halo)
{
    const struct control *control = halo->options.control;
    for (int n = 0; n < halo->neighbour_count; n++) {
        struct neighbour *neighbour = &halo->neighbours[n];
        neighbour->is_direct = own_line(halo)->direct[neighbour->rank] &&
                               control->rank[neighbour->rank].direct[halo->options.rank];
    }
}

static enum status publish_handles(struct halo *halo)
{
    const struct halo_options *options = &halo->options;
    const struct backend *backend = options->backend;
    struct control_rank *line = own_line(halo);
    /* What cannot be exported cannot be imported: those pairs then use the host's memory. */
    if (options->transport == HALO_DIRECT && halo->neighbour_count > 0 &&
        backend->export_memory(options->device, options->fields, &line->memory) != STATUS_OK)
        error_clear();
    /* A rank without neighbours also runs where processes cannot share events. */
    const bool is_shared = halo->neighbour_count > 0;
    for (int e = 0; e < CONTROL_EVENTS; e++) {
        TRY(backend->event_open(options->device, is_shared, &halo->events[e]));
        if (is_shared)
            TRY(backend->event_export(halo->events[e], &line->events[e]));
    }
    return halo_wait_for_neighbours(halo, STAGE_PUBLISHED);
}

/* A neighbour's memory that cannot be mapped is no failure: that pair uses the host's. */
static void import_memory(struct halo *halo, struct neighbour *neighbour)
{
    const struct halo_options *options = &halo->options;
    const struct control_rank *line = &options->control->rank[neighbour->rank];
    const bool works = options->transport == HALO_DIRECT &&
                       options->backend->import_memory(options->device, &line->memory,
                                                       &neighbour->fields) == STATUS_OK;
    if (!works)
        error_clear();
    halo_note_direct(halo, neighbour, works);
}

static enum status import_handles(struct halo *halo)
{
    const struct halo_options *options = &halo->options;
    const struct backend *backend = options->backend;
    for (int n = 0; n < halo->neighbour_count; n++) {
        struct neighbour *neighbour = &halo->neighbours[n];
        const struct control_rank *line = &options->control->rank[neighbour->rank];
        import_memory(halo, neighbour);
        for (int e = 0; e < CONTROL_EVENTS; e++)
            TRY(backend->event_import(options->device, &line->events[e], &neighbour->events[e]));
    }
    TRY(halo_wait_for_neighbours(halo, STAGE_IMPORTED));
    halo_agree_direct(halo);
    return STATUS_OK;
}

static enum status make_all_copies(struct halo *halo)
{
    for (int level = 0; level < HALO_LEVELS; level++)
        TRY(halo_make_copies(halo, level));
    return STATUS_OK;
}

static enum status register_staging(struct halo *halo)
{
    const struct halo_options *options = &halo->options;
    if (halo->neighbour_count == 0)
        return STATUS_OK;
    const size_t bytes = halo_staging_bytes(options->blocks, options->strips, options->strip_count);
    TRY(options->backend->register_host(options->device, options->staging, bytes, &halo->staging));
    halo->is_registered = true;
    return STATUS_OK;
}

enum status halo_open(const struct halo_options *options, struct halo **result)
{
    struct halo *halo = NULL;
    TRY(memory_alloc(&halo, 1, sizeof *halo, "halo exchange"));
    *result = halo;
    halo->options = *options;
    fault_point("connect", options->rank);
    TRY(find_neighbours(halo));
    TRY(register_staging(halo));
    TRY(publish_handles(halo));
    TRY(import_handles(halo));
    TRY(make_all_copies(halo));
    TRY(halo_verify(halo));
    return make_all_copies(halo);
}

int halo_staged_neighbours(const struct halo *halo)
{
    int staged = 0;
    for (int n = 0; n < halo->neighbour_count; n++)
        staged += !halo->neighbours[n].is_direct;
    return staged;
}

/* Keeps this host at most W exchanges ahead of its device. */
static enum status throttle(struct halo *halo, uint64_t exchange)
{
    if (exchange < CONTROL_WINDOW)
        return STATUS_OK;
    struct event *event = halo->events[(exchange - CONTROL_WINDOW) % CONTROL_EVENTS];
    for (;;) {
        bool is_done = false;
        TRY(halo->options.backend->event_query(event, &is_done));
        if (is_done)
            return STATUS_OK;
        TRY(control_check(halo->options.control));
    }
}

enum status halo_send(struct halo *halo, uint64_t exchange, struct queue *queue)
{
    const struct backend *backend = halo->options.backend;
    fault_point("send", halo->options.rank);
    backend->range_begin("send");
    enum status status = throttle(halo, exchange);
    if (status == STATUS_OK)
        status = backend->copy_list_run(queue, halo->send[exchange % HALO_LEVELS]);
    if (status == STATUS_OK)
        status = backend->event_record(queue, halo->events[exchange % CONTROL_EVENTS]);
    if (status == STATUS_OK)
        sequence_publish(&own_line(halo)->exchange, exchange + 1);
    backend->range_end();
    return status;
}

/* Waits for the neighbours' records of an exchange: the host until they are issued, the queue until
 * they are done. */
static enum status wait_for_records(struct halo *halo, uint64_t exchange, struct queue *queue)
{
    struct control *control = halo->options.control;
    for (int n = 0; n < halo->neighbour_count; n++) {
        struct neighbour *neighbour = &halo->neighbours[n];
        TRY(control_wait(control, halo->options.rank, &control->rank[neighbour->rank].exchange,
                         exchange + 1));
        TRY(halo->options.backend->event_wait(queue, neighbour->events[exchange % CONTROL_EVENTS]));
    }
    return STATUS_OK;
}

enum status halo_receive(struct halo *halo, uint64_t exchange, struct queue *queue)
{
    const struct backend *backend = halo->options.backend;
    fault_point("receive", halo->options.rank);
    backend->range_begin("wait");
    enum status status = wait_for_records(halo, exchange, queue);
    if (status == STATUS_OK)
        status = backend->copy_list_run(queue, halo->receive[exchange % HALO_LEVELS]);
    backend->range_end();
    return status;
}

static void unmap_neighbours(struct halo *halo)
{
    const struct backend *backend = halo->options.backend;
    for (int n = 0; n < halo->neighbour_count; n++) {
        struct neighbour *neighbour = &halo->neighbours[n];
        for (int e = 0; e < CONTROL_EVENTS; e++) {
            backend->event_close(neighbour->events[e]);
            neighbour->events[e] = NULL;
        }
        backend->unmap_memory(halo->options.device, neighbour->fields);
        neighbour->fields = NULL;
    }
}

enum status halo_finish(struct halo *halo)
{
    fault_point("finish", halo->options.rank);
    TRY(halo_wait_for_neighbours(halo, STAGE_DRAINED));
    unmap_neighbours(halo);
    return halo_wait_for_neighbours(halo, STAGE_UNMAPPED);
}

void halo_close(struct halo *halo)
{
    if (halo == NULL)
        return;
    const struct backend *backend = halo->options.backend;
    unmap_neighbours(halo);
    for (int level = 0; level < HALO_LEVELS; level++) {
        backend->copy_list_close(halo->send[level]);
        backend->copy_list_close(halo->receive[level]);
    }
    for (int e = 0; e < CONTROL_EVENTS; e++)
        backend->event_close(halo->events[e]);
    if (halo->is_registered)
        backend->unregister_host(halo->options.device, halo->options.staging);
    free(halo->neighbours);
    free(halo);
}
