/* The ranks that exchange with this one: who they are, how they are reached, and the stages in
 * which they start and end together. */
#include "base/memory.h"
#include "ipc/halo_private.h"

struct neighbour *halo_find_neighbour(struct halo *halo, int rank)
{
    for (int n = 0; n < halo->neighbour_count; n++)
        if (halo->neighbours[n].rank == rank)
            return &halo->neighbours[n];
    return NULL;
}

enum status halo_find_neighbours(struct halo *halo)
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

struct control_rank *halo_own_line(struct halo *halo)
{
    return &halo->options.control->rank[halo->options.rank];
}

enum status halo_wait_for_neighbours(struct halo *halo, enum halo_stage stage)
{
    struct control *control = halo->options.control;
    sequence_publish(&halo_own_line(halo)->start, stage);
    for (int n = 0; n < halo->neighbour_count; n++)
        TRY(control_wait(control, halo->options.rank,
                         &control->rank[halo->neighbours[n].rank].start, stage));
    return STATUS_OK;
}

void halo_note_direct(struct halo *halo, struct neighbour *neighbour, bool works)
{
    halo_own_line(halo)->direct[neighbour->rank] = works;
}

void halo_agree_direct(struct halo *halo)
{
    const struct control *control = halo->options.control;
    for (int n = 0; n < halo->neighbour_count; n++) {
        struct neighbour *neighbour = &halo->neighbours[n];
        neighbour->is_direct = halo_own_line(halo)->direct[neighbour->rank] &&
                               control->rank[neighbour->rank].direct[halo->options.rank];
    }
}

enum status halo_publish_handles(struct halo *halo)
{
    const struct halo_options *options = &halo->options;
    const struct backend *backend = options->backend;
    struct control_rank *line = halo_own_line(halo);
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

enum status halo_import_handles(struct halo *halo)
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

void halo_unmap_neighbours(struct halo *halo)
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

int halo_staged_neighbours(const struct halo *halo)
{
    int staged = 0;
    for (int n = 0; n < halo->neighbour_count; n++)
        staged += !halo->neighbours[n].is_direct;
    return staged;
}
