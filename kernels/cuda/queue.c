/* Queues are streams that do not wait for the default stream. */
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/cuda/device.h"

static enum status stream_create(struct device *device, enum queue_priority priority,
                                 cudaStream_t *stream)
{
    int lowest = 0, highest = 0;
    TRY_CUDA(device, cudaDeviceGetStreamPriorityRange, &lowest, &highest);
    const int value = priority == QUEUE_HIGH ? highest : lowest;
    TRY_CUDA(device, cudaStreamCreateWithPriority, stream, cudaStreamNonBlocking, value);
    return STATUS_OK;
}

enum status cuda_queue_open(struct device *device, enum queue_priority priority,
                            struct queue **queue)
{
    TRY(memory_alloc(queue, 1, sizeof **queue, "a queue"));
    (*queue)->device = device;
    const enum status status = stream_create(device, priority, &(*queue)->stream);
    if (status != STATUS_OK) {
        free(*queue);
        *queue = NULL;
        return status;
    }
    device->counts.queues++;
    return STATUS_OK;
}

void cuda_queue_close(struct queue *queue)
{
    if (queue == NULL)
        return;
    cuda_note(queue->device, cudaStreamDestroy(queue->stream), "cudaStreamDestroy");
    queue->device->counts.queues--;
    free(queue);
}

enum status cuda_queue_drain(struct queue *queue)
{
    TRY_CUDA(queue->device, cudaStreamSynchronize, queue->stream);
    return STATUS_OK;
}

enum status cuda_queue_call(struct queue *queue, void (*function)(void *), void *argument)
{
    TRY_CUDA(queue->device, cudaLaunchHostFunc, queue->stream, function, argument);
    return STATUS_OK;
}
