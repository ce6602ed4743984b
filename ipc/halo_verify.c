/* Does what is stored at a neighbour arrive? Asking the driver proves little (an input-output
 * memory unit between two GPUs can corrupt peer stores silently), so a pattern is sent once over
 * every way that halos will take. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ipc/halo_private.h"

/* Bits of cell (i, j) of a rank: all different, mantissas full. (Knuth's multiplicative hashing.)
 */
static uint64_t pattern(int rank, int i, int j)
{
    uint64_t bits = (uint64_t)rank * 0x9e3779b97f4a7c15u;
    bits = (bits + (uint64_t)i) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 31)) + (uint64_t)j;
    bits *= 0x94d049bb133111ebu;
    return bits ^ (bits >> 29);
}

/* The pattern of `region` of a rank's cells, tightly packed. */
static void fill(int rank, struct region region, size_t element_bytes, unsigned char *to)
{
    for (int j = region.y0; j < region.y1; j++) {
        for (int i = region.x0; i < region.x1; i++) {
            const uint64_t bits = pattern(rank, i, j);
            memcpy(to, &bits, element_bytes);
            to += element_bytes;
        }
    }
}

struct buffers {
    unsigned char *expected, *got; /* large enough for every strip of this rank */
};

static size_t strip_bytes(const struct halo_strip *strip, size_t element_bytes)
{
    return (size_t)(strip->from.x1 - strip->from.x0) * (size_t)(strip->from.y1 - strip->from.y0) *
           element_bytes;
}

/* Between a packed host buffer and a region of the level that is not in use yet. */
static enum status transfer(struct halo *halo, struct queue *queue, struct region region,
                            unsigned char *host, bool is_upload)
{
    const struct halo_options *options = &halo->options;
    const struct block *block = &options->blocks[options->rank];
    void *cells = halo_cell_address(options->fields, block, 1, region);
    const size_t row_bytes = (size_t)(region.x1 - region.x0) * block->element_bytes;
    const size_t pitch = (size_t)block->pitch * block->element_bytes;
    const struct copy copy = {
        .from = is_upload ? (void *)host : cells,
        .to = is_upload ? cells : (void *)host,
        .from_pitch = is_upload ? row_bytes : pitch,
        .to_pitch = is_upload ? pitch : row_bytes,
        .row_bytes = row_bytes,
        .rows = region.y1 - region.y0,
    };
    TRY(options->backend->copy(queue, &copy));
    return options->backend->queue_drain(queue);
}

static enum status send_pattern(struct halo *halo, struct queue *queue, struct buffers *buffers)
{
    const struct halo_options *options = &halo->options;
    for (int s = 0; s < options->strip_count; s++) {
        const struct halo_strip *strip = &options->strips[s];
        if (strip->from_rank != options->rank)
            continue;
        fill(options->rank, strip->from, options->blocks[0].element_bytes, buffers->expected);
        TRY(transfer(halo, queue, strip->from, buffers->expected, true));
    }
    TRY(options->backend->copy_list_run(queue, halo->send[1]));
    return options->backend->queue_drain(queue);
}

static enum status check_pattern(struct halo *halo, struct queue *queue, struct buffers *buffers)
{
    const struct halo_options *options = &halo->options;
    const size_t element = options->blocks[0].element_bytes;
    TRY(options->backend->copy_list_run(queue, halo->receive[1]));
    for (int s = 0; s < options->strip_count; s++) {
        const struct halo_strip *strip = &options->strips[s];
        struct neighbour *neighbour = halo_find_neighbour(halo, strip->from_rank);
        if (strip->to_rank != options->rank || neighbour == NULL)
            continue;
        fill(strip->from_rank, strip->from, element, buffers->expected);
        TRY(transfer(halo, queue, strip->to, buffers->got, false));
        if (memcmp(buffers->expected, buffers->got, strip_bytes(strip, element)) == 0)
            continue;
        if (!neighbour->is_direct)
            return fail(STATUS_DEVICE,
                        "rank %d does not find in host memory what rank %d stored there; the "
                        "driver or the machine corrupts transfers",
                        options->rank, strip->from_rank);
        halo_note_direct(halo, neighbour, false);
    }
    return STATUS_OK;
}

static size_t largest_strip(const struct halo *halo)
{
    size_t largest = 0;
    for (int s = 0; s < halo->options.strip_count; s++) {
        const size_t bytes =
            strip_bytes(&halo->options.strips[s], halo->options.blocks[0].element_bytes);
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

/* All of it but the buffers. The ranks part and meet twice: a pattern is looked for when its sender
 * has drained, and nobody goes on before both ends of a pair know the outcome. */
static enum status exchange_pattern(struct halo *halo, struct queue *queue, struct buffers *buffers)
{
    TRY(send_pattern(halo, queue, buffers));
    TRY(halo_wait_for_neighbours(halo, STAGE_PATTERN));
    TRY(check_pattern(halo, queue, buffers));
    return halo_wait_for_neighbours(halo, STAGE_VERIFIED);
}

enum status halo_verify(struct halo *halo)
{
    const struct halo_options *options = &halo->options;
    const size_t bytes = largest_strip(halo);
    struct buffers buffers = {0};
    struct queue *queue = NULL;
    enum status status = memory_alloc(&buffers.expected, bytes, 1, "halo pattern");
    if (status == STATUS_OK)
        status = memory_alloc(&buffers.got, bytes, 1, "halo pattern");
    if (status == STATUS_OK)
        status = options->backend->queue_open(options->device, QUEUE_NORMAL, &queue);
    if (status == STATUS_OK)
        status = exchange_pattern(halo, queue, &buffers);
    options->backend->queue_close(queue);
    free(buffers.expected);
    free(buffers.got);
    if (status == STATUS_OK)
        halo_agree_direct(halo);
    return status;
}
