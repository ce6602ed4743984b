/* What the C files of the CUDA backend share. */
#ifndef ISOTHERM_KERNELS_CUDA_DEVICE_H
#define ISOTHERM_KERNELS_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#include "kernels/backend.h"
#include "kernels/cuda/launch.h"

struct device {
    int rank;
    int ordinal;
    char pci_address[32];
    struct launch_limits limits;
    cudaStream_t setup; /* for what open and allocate wait for; never used in the time loop */
    struct device_counts counts;
};

struct queue {
    struct device *device;
    cudaStream_t stream;
};

struct event {
    struct device *device;
    cudaEvent_t event;
};

/* STATUS_OK for cudaSuccess; otherwise records a message with rank, GPU, `call`, the error and what
 * to do, and takes the error back from the runtime so that no later launch is blamed for it. */
enum status cuda_check(const struct device *device, cudaError_t error, const char *call) MUST_CHECK;

/* The same for the functions that return nothing: the message is kept if it is the first. */
void cuda_note(const struct device *device, cudaError_t error, const char *call);

/* One checked call of the runtime. */
#define TRY_CUDA(device, function, ...) TRY(cuda_check(device, function(__VA_ARGS__), #function))

enum status cuda_queue_open(struct device *device, enum queue_priority priority,
                            struct queue **queue) MUST_CHECK;
void cuda_queue_close(struct queue *queue);
enum status cuda_queue_drain(struct queue *queue) MUST_CHECK;
enum status cuda_queue_call(struct queue *queue, void (*function)(void *),
                            void *argument) MUST_CHECK;

enum status cuda_event_open(struct device *device, bool interprocess,
                            struct event **event) MUST_CHECK;
enum status cuda_event_export(struct event *event, struct event_handle *handle) MUST_CHECK;
enum status cuda_event_import(struct device *device, const struct event_handle *handle,
                              struct event **event) MUST_CHECK;
void cuda_event_close(struct event *event);
enum status cuda_event_record(struct queue *queue, struct event *event) MUST_CHECK;
enum status cuda_event_wait(struct queue *queue, struct event *event) MUST_CHECK;
enum status cuda_event_query(struct event *event, bool *is_done) MUST_CHECK;

enum status cuda_free_memory(struct device *device, size_t *bytes) MUST_CHECK;
enum status cuda_allocate(struct device *device, size_t bytes, enum memory_kind kind,
                          void **memory) MUST_CHECK;
void cuda_release(struct device *device, void *memory);
enum status cuda_export_memory(struct device *device, void *memory,
                               struct memory_handle *handle) MUST_CHECK;
enum status cuda_import_memory(struct device *device, const struct memory_handle *handle,
                               void **memory) MUST_CHECK;
void cuda_unmap_memory(struct device *device, void *memory);
enum status cuda_register_host(struct device *device, void *memory, size_t bytes,
                               void **mapped) MUST_CHECK;
void cuda_unregister_host(struct device *device, void *memory);

enum status cuda_copy_list_open(struct device *device, const struct copy *copies, int count,
                                struct copy_list **list) MUST_CHECK;
void cuda_copy_list_close(struct copy_list *list);
enum status cuda_copy_list_run(struct queue *queue, const struct copy_list *list) MUST_CHECK;
enum status cuda_copy(struct queue *queue, const struct copy *copy) MUST_CHECK;

enum status cuda_step(struct queue *queue, const struct step *step) MUST_CHECK;

#endif
