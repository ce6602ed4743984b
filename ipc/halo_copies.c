/* The halo as lists of copies: computed once, run every exchange. */
#include <stdlib.h>

#include "base/memory.h"
#include "ipc/halo_private.h"

enum { SLOT_ALIGNMENT = 128 };

size_t halo_field_bytes(const struct block *block)
{
    return HALO_LEVELS * size_round_up(block_bytes(block), BLOCK_ALIGNMENT);
}

void *halo_level(void *fields, const struct block *block, int level)
{
    return (unsigned char *)fields +
           (size_t)level * size_round_up(block_bytes(block), BLOCK_ALIGNMENT);
}

static size_t strip_row_bytes(const struct halo_strip *strip, size_t element_bytes)
{
    return (size_t)(strip->from.x1 - strip->from.x0) * element_bytes;
}

static int strip_rows(const struct halo_strip *strip)
{
    return strip->from.y1 - strip->from.y0;
}

static size_t slot_bytes(const struct halo_strip *strip, size_t element_bytes)
{
    return size_round_up(strip_row_bytes(strip, element_bytes) * (size_t)strip_rows(strip),
                         SLOT_ALIGNMENT);
}

size_t halo_staging_bytes(const struct block *blocks, const struct halo_strip *strips,
                          int strip_count)
{
    size_t bytes = 0;
    for (int s = 0; s < strip_count; s++)
        bytes += HALO_LEVELS * slot_bytes(&strips[s], blocks[0].element_bytes);
    return bytes;
}

void *halo_cell_address(void *fields, const struct block *block, int level, struct region region)
{
    return (unsigned char *)halo_level(fields, block, level) +
           (size_t)block_index(block, region.x0, region.y0) * block->element_bytes;
}

/* Where a strip between two ranks lies in the staging memory; the same sum in every rank. */
static void *slot_address(const struct halo *halo, int index, int level)
{
    const struct halo_options *options = &halo->options;
    const size_t element = options->blocks[0].element_bytes;
    return (unsigned char *)halo->staging +
           halo_staging_bytes(options->blocks, options->strips, index) +
           (size_t)level * slot_bytes(&options->strips[index], element);
}

/* Carries strip `index` out of this rank: into the receiver's ghost cells, or into its slot. */
static struct copy outgoing(struct halo *halo, int index, int level)
{
    const struct halo_options *options = &halo->options;
    const struct halo_strip *strip = &options->strips[index];
    const struct block *own = &options->blocks[options->rank];
    const struct block *other = &options->blocks[strip->to_rank];
    const struct neighbour *neighbour = halo_find_neighbour(halo, strip->to_rank);
    struct copy copy = {
        .from = halo_cell_address(options->fields, own, level, strip->from),
        .from_pitch = (size_t)own->pitch * own->element_bytes,
        .to_pitch = (size_t)other->pitch * other->element_bytes,
        .row_bytes = strip_row_bytes(strip, own->element_bytes),
        .rows = strip_rows(strip),
    };
    if (neighbour == NULL) {
        copy.to = halo_cell_address(options->fields, own, level, strip->to);
    } else if (neighbour->is_direct) {
        copy.to = halo_cell_address(neighbour->fields, other, level, strip->to);
    } else {
        copy.to = slot_address(halo, index, level);
        copy.to_pitch = copy.row_bytes;
    }
    return copy;
}

/* From the slot of strip `index` into this rank's ghost cells. */
static struct copy incoming(struct halo *halo, int index, int level)
{
    const struct halo_options *options = &halo->options;
    const struct halo_strip *strip = &options->strips[index];
    const struct block *own = &options->blocks[options->rank];
    const size_t row_bytes = strip_row_bytes(strip, own->element_bytes);
    return (struct copy){
        .from = slot_address(halo, index, level),
        .from_pitch = row_bytes,
        .to = halo_cell_address(options->fields, own, level, strip->to),
        .to_pitch = (size_t)own->pitch * own->element_bytes,
        .row_bytes = row_bytes,
        .rows = strip_rows(strip),
    };
}

static bool comes_by_slot(struct halo *halo, const struct halo_strip *strip)
{
    const int rank = halo->options.rank;
    return strip->to_rank == rank && strip->from_rank != rank &&
           !halo_find_neighbour(halo, strip->from_rank)->is_direct;
}

static enum status replace(struct halo *halo, const struct copy *copies, int count,
                           struct copy_list **list)
{
    const struct backend *backend = halo->options.backend;
    backend->copy_list_close(*list);
    *list = NULL;
    return backend->copy_list_open(halo->options.device, copies, count, list);
}

enum status halo_make_copies(struct halo *halo, int level)
{
    const struct halo_options *options = &halo->options;
    struct copy *copies = NULL; /* outgoing from the front, incoming after them */
    TRY(memory_alloc(&copies, (size_t)options->strip_count, sizeof *copies, "halo copies"));
    int out = 0, in = 0;
    for (int s = 0; s < options->strip_count; s++)
        if (options->strips[s].from_rank == options->rank)
            copies[out++] = outgoing(halo, s, level);
    for (int s = 0; s < options->strip_count; s++)
        if (comes_by_slot(halo, &options->strips[s]))
            copies[out + in++] = incoming(halo, s, level);
    enum status status = replace(halo, copies, out, &halo->send[level]);
    if (status == STATUS_OK)
        status = replace(halo, copies + out, in, &halo->receive[level]);
    free(copies);
    return status;
}
