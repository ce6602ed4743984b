#include "ipc/halo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ipc/fault.h"
#include "ipc/halo_private.h"

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
    TRY(halo_find_neighbours(halo));
    TRY(register_staging(halo));
    TRY(halo_publish_handles(halo));
    TRY(halo_import_handles(halo));
    TRY(make_all_copies(halo));
    TRY(halo_verify(halo));
    return make_all_copies(halo);
}

static enum status wait_for_event(struct halo *halo, struct event *event)
{
    for (;;) {
        bool is_done = false;
        TRY(halo->options.backend->event_query(event, &is_done));
        if (is_done)
            return STATUS_OK;
        TRY(control_check(halo->options.control));
    }
}

/* Keeps this host at most W exchanges ahead of its device. */
static enum status throttle(struct halo *halo, uint64_t exchange)
{
    if (exchange < CONTROL_WINDOW)
        return STATUS_OK;
    return wait_for_event(halo, halo->events[(exchange - CONTROL_WINDOW) % CONTROL_EVENTS]);
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
        sequence_publish(&halo_own_line(halo)->exchange, exchange + 1);
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

enum status halo_pace(struct halo *halo, uint64_t exchange, struct queue *queue)
{
    fault_point("receive", halo->options.rank);
    fault_point("send", halo->options.rank);
    if (exchange % CONTROL_WINDOW != 0)
        return STATUS_OK;
    const uint64_t turn = exchange / CONTROL_WINDOW;
    struct event *event = halo->events[turn % 2];
    if (turn >= 2)
        TRY(wait_for_event(halo, event));
    return halo->options.backend->event_record(queue, event);
}

enum status halo_finish(struct halo *halo)
{
    fault_point("finish", halo->options.rank);
    TRY(halo_wait_for_neighbours(halo, STAGE_DRAINED));
    halo_unmap_neighbours(halo);
    return halo_wait_for_neighbours(halo, STAGE_UNMAPPED);
}

void halo_close(struct halo *halo)
{
    if (halo == NULL)
        return;
    const struct backend *backend = halo->options.backend;
    halo_unmap_neighbours(halo);
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
