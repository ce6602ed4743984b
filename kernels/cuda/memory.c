/* Device memory: plain, exported to the other processes of the run, and mapped from them. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "kernels/cuda/device.h"

/* cudaIpcOpenMemHandle gives the base of the allocation behind a handle. A whole number of the
 * driver's 2 MiB pages makes sure that no other allocation shares it. */
enum { EXPORT_BYTES = 2 << 20 };

_Static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof(struct memory_handle),
               "a memory handle must fit");

static enum status fail_for_memory(const struct device *device, size_t bytes)
{
    size_t free_bytes = 0, total_bytes = 0;
    (void)cudaGetLastError(); /* the failed cudaMalloc; what follows starts clean */
    TRY_CUDA(device, cudaMemGetInfo, &free_bytes, &total_bytes);
    char wanted[32], available[32], total[32];
    text_bytes(wanted, sizeof wanted, (double)bytes);
    text_bytes(available, sizeof available, (double)free_bytes);
    text_bytes(total, sizeof total, (double)total_bytes);
    return fail(STATUS_MEMORY,
                "rank %d, GPU %d (%s): %zu bytes (%s) wanted, %zu bytes (%s) of %s free: use more "
                "GPUs, fewer cells or run.precision = \"single\"",
                device->rank, device->ordinal, device->pci_address, bytes, wanted, free_bytes,
                available, total);
}

static enum status zero(struct device *device, void *memory, size_t bytes)
{
    TRY_CUDA(device, cudaMemsetAsync, memory, 0, bytes, device->setup);
    TRY_CUDA(device, cudaStreamSynchronize, device->setup);
    return STATUS_OK;
}

enum status cuda_allocate(struct device *device, size_t bytes, enum memory_kind kind, void **memory)
{
    *memory = NULL;
    size_t rounded = bytes == 0 ? 1 : bytes;
    if (kind == MEMORY_EXPORTED && rounded <= SIZE_MAX - EXPORT_BYTES)
        rounded = size_round_up(rounded, EXPORT_BYTES);
    const cudaError_t error = cudaMalloc(memory, rounded);
    if (error == cudaErrorMemoryAllocation)
        return fail_for_memory(device, rounded);
    TRY(cuda_check(device, error, "cudaMalloc"));
    const enum status status = zero(device, *memory, rounded);
    if (status != STATUS_OK) {
        cuda_note(device, cudaFree(*memory), "cudaFree");
        *memory = NULL;
        return status;
    }
    device->counts.allocations++;
    return STATUS_OK;
}

void cuda_release(struct device *device, void *memory)
{
    if (memory == NULL)
        return;
    cuda_note(device, cudaFree(memory), "cudaFree");
    device->counts.allocations--;
}

enum status cuda_export_memory(struct device *device, void *memory, struct memory_handle *handle)
{
    cudaIpcMemHandle_t ipc;
    TRY_CUDA(device, cudaIpcGetMemHandle, &ipc, memory);
    memset(handle, 0, sizeof *handle);
    memcpy(handle->bytes, &ipc, sizeof ipc);
    return STATUS_OK;
}

enum status cuda_import_memory(struct device *device, const struct memory_handle *handle,
                               void **memory)
{
    cudaIpcMemHandle_t ipc;
    memcpy(&ipc, handle->bytes, sizeof ipc);
    *memory = NULL;
    TRY_CUDA(device, cudaIpcOpenMemHandle, memory, ipc, cudaIpcMemLazyEnablePeerAccess);
    device->counts.mappings++;
    return STATUS_OK;
}

void cuda_unmap_memory(struct device *device, void *memory)
{
    if (memory == NULL)
        return;
    cuda_note(device, cudaIpcCloseMemHandle(memory), "cudaIpcCloseMemHandle");
    device->counts.mappings--;
}

enum status cuda_register_host(struct device *device, void *memory, size_t bytes, void **mapped)
{
    *mapped = NULL;
    TRY_CUDA(device, cudaHostRegister, memory, bytes,
             cudaHostRegisterMapped | cudaHostRegisterPortable);
    const enum status status =
        cuda_check(device, cudaHostGetDevicePointer(mapped, memory, 0), "cudaHostGetDevicePointer");
    if (status != STATUS_OK) {
        cuda_note(device, cudaHostUnregister(memory), "cudaHostUnregister");
        return status;
    }
    device->counts.mappings++;
    return STATUS_OK;
}

void cuda_unregister_host(struct device *device, void *memory)
{
    if (memory == NULL)
        return;
    cuda_note(device, cudaHostUnregister(memory), "cudaHostUnregister");
    device->counts.mappings--;
}

enum status cuda_free_memory(struct device *device, size_t *bytes)
{
    size_t total = 0;
    TRY_CUDA(device, cudaMemGetInfo, bytes, &total);
    return STATUS_OK;
}
