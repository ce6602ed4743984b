/* Copies: many rectangles by one kernel, or one between host and device by the copy engine. */
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/cuda/device.h"

struct copy_list {
    struct device *device;
    struct copy_rectangle *rectangles; /* (count) in device memory, NULL when there are none */
    int count;
    unsigned most_pieces;
};

/* The widest access that suits everything about a copy. Pitches do not matter for a single row. */
static int widest_piece(const struct copy *copy)
{
    uintptr_t bits = (uintptr_t)copy->from | (uintptr_t)copy->to | (uintptr_t)copy->row_bytes | 16u;
    if (copy->rows > 1)
        bits |= (uintptr_t)copy->from_pitch | (uintptr_t)copy->to_pitch;
    return (int)(bits & (~bits + 1u));
}

static enum status rectangle_init(const struct device *device, const struct copy *copy,
                                  struct copy_rectangle *rectangle)
{
    const int piece_bytes = widest_piece(copy);
    const size_t row_pieces = copy->row_bytes / (size_t)piece_bytes;
    size_t pieces;
    TRY(size_multiply(row_pieces, (size_t)copy->rows, &pieces));
    if (pieces > INT32_MAX)
        return fail(STATUS_DEVICE,
                    "rank %d, GPU %d (%s): a copy of %d rows of %zu bytes is too large for a "
                    "copy list",
                    device->rank, device->ordinal, device->pci_address, copy->rows,
                    copy->row_bytes);
    *rectangle = (struct copy_rectangle){.from = copy->from,
                                         .to = copy->to,
                                         .from_pitch = copy->from_pitch,
                                         .to_pitch = copy->to_pitch,
                                         .row_pieces = (unsigned)row_pieces,
                                         .pieces = (unsigned)pieces,
                                         .piece_bytes = piece_bytes};
    return STATUS_OK;
}

/* Describes all copies that are not empty. */
static enum status rectangles_init(struct copy_list *list, const struct copy *copies, int count,
                                   struct copy_rectangle *rectangles)
{
    for (int n = 0; n < count; n++) {
        if (copies[n].rows <= 0 || copies[n].row_bytes == 0)
            continue;
        struct copy_rectangle *const rectangle = &rectangles[list->count++];
        TRY(rectangle_init(list->device, &copies[n], rectangle));
        if (rectangle->pieces > list->most_pieces)
            list->most_pieces = rectangle->pieces;
    }
    return STATUS_OK;
}

static enum status rectangles_upload(struct copy_list *list,
                                     const struct copy_rectangle *rectangles)
{
    const size_t bytes = (size_t)list->count * sizeof *rectangles;
    if (bytes == 0)
        return STATUS_OK;
    struct device *const device = list->device;
    TRY_CUDA(device, cudaMalloc, (void **)&list->rectangles, bytes);
    TRY_CUDA(device, cudaMemcpyAsync, list->rectangles, rectangles, bytes, cudaMemcpyHostToDevice,
             device->setup);
    TRY_CUDA(device, cudaStreamSynchronize, device->setup);
    return STATUS_OK;
}

enum status cuda_copy_list_open(struct device *device, const struct copy *copies, int count,
                                struct copy_list **list)
{
    enum status status;
    struct copy_rectangle *rectangles = NULL;
    *list = NULL;
    TRY_DONE(memory_alloc(list, 1, sizeof **list, "a copy list"));
    (*list)->device = device;
    device->counts.copy_lists++;
    TRY_DONE(memory_alloc(&rectangles, (size_t)count, sizeof *rectangles, "a copy list"));
    TRY_DONE(rectangles_init(*list, copies, count, rectangles));
    TRY_DONE(rectangles_upload(*list, rectangles));
done:
    free(rectangles);
    if (status != STATUS_OK) {
        cuda_copy_list_close(*list);
        *list = NULL;
    }
    return status;
}

void cuda_copy_list_close(struct copy_list *list)
{
    if (list == NULL)
        return;
    if (list->rectangles != NULL)
        cuda_note(list->device, cudaFree(list->rectangles), "cudaFree");
    list->device->counts.copy_lists--;
    free(list);
}

enum status cuda_copy_list_run(struct queue *queue, const struct copy_list *list)
{
    if (list->count == 0)
        return STATUS_OK;
    return cuda_check(queue->device,
                      launch_copy(list->rectangles, list->count, list->most_pieces, queue->stream),
                      "launch of the copy kernel");
}

enum status cuda_copy(struct queue *queue, const struct copy *copy)
{
    if (copy->rows <= 0 || copy->row_bytes == 0)
        return STATUS_OK;
    /* A single row needs no pitch, but the runtime refuses one below the row's length. */
    const bool is_row = copy->rows == 1;
    const size_t from_pitch = is_row ? copy->row_bytes : copy->from_pitch;
    const size_t to_pitch = is_row ? copy->row_bytes : copy->to_pitch;
    TRY_CUDA(queue->device, cudaMemcpy2DAsync, copy->to, to_pitch, copy->from, from_pitch,
             copy->row_bytes, (size_t)copy->rows, cudaMemcpyDefault, queue->stream);
    return STATUS_OK;
}
