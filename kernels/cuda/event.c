/* Events without time stamps: the cheapest kind, and the only one that other processes may open. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cuda/device.h"

_Static_assert(sizeof(cudaIpcEventHandle_t) <= sizeof(struct event_handle),
               "an event handle must fit");

static enum status event_alloc(struct device *device, struct event **event)
{
    TRY(memory_alloc(event, 1, sizeof **event, "an event"));
    (*event)->device = device;
    return STATUS_OK;
}

/* Counts the event when `error` says that it exists and frees it otherwise. */
static enum status event_finish(struct event **event, cudaError_t error, const char *call)
{
    const enum status status = cuda_check((*event)->device, error, call);
    if (status == STATUS_OK) {
        (*event)->device->counts.events++;
        return STATUS_OK;
    }
    free(*event);
    *event = NULL;
    return status;
}

enum status cuda_event_open(struct device *device, bool interprocess, struct event **event)
{
    TRY(event_alloc(device, event));
    const unsigned flags = cudaEventDisableTiming | (interprocess ? cudaEventInterprocess : 0u);
    return event_finish(event, cudaEventCreateWithFlags(&(*event)->event, flags),
                        "cudaEventCreateWithFlags");
}

enum status cuda_event_export(struct event *event, struct event_handle *handle)
{
    cudaIpcEventHandle_t ipc;
    TRY_CUDA(event->device, cudaIpcGetEventHandle, &ipc, event->event);
    memset(handle, 0, sizeof *handle);
    memcpy(handle->bytes, &ipc, sizeof ipc);
    return STATUS_OK;
}

enum status cuda_event_import(struct device *device, const struct event_handle *handle,
                              struct event **event)
{
    cudaIpcEventHandle_t ipc;
    memcpy(&ipc, handle->bytes, sizeof ipc);
    TRY(event_alloc(device, event));
    return event_finish(event, cudaIpcOpenEventHandle(&(*event)->event, ipc),
                        "cudaIpcOpenEventHandle");
}

void cuda_event_close(struct event *event)
{
    if (event == NULL)
        return;
    cuda_note(event->device, cudaEventDestroy(event->event), "cudaEventDestroy");
    event->device->counts.events--;
    free(event);
}

enum status cuda_event_record(struct queue *queue, struct event *event)
{
    TRY_CUDA(queue->device, cudaEventRecord, event->event, queue->stream);
    return STATUS_OK;
}

enum status cuda_event_wait(struct queue *queue, struct event *event)
{
    TRY_CUDA(queue->device, cudaStreamWaitEvent, queue->stream, event->event, 0);
    return STATUS_OK;
}

enum status cuda_event_query(struct event *event, bool *is_done)
{
    const cudaError_t error = cudaEventQuery(event->event);
    *is_done = error == cudaSuccess;
    if (error == cudaErrorNotReady) {
        (void)cudaGetLastError(); /* an answer, not an error: no later launch is to see it */
        return STATUS_OK;
    }
    return cuda_check(event->device, error, "cudaEventQuery");
}
