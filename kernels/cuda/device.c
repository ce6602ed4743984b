/* Opening a GPU, and how the CUDA backend reports errors. */
#include "kernels/cuda/device.h"

#include <nvtx3/nvToolsExt.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/cuda/affinity.h"
#include "kernels/cuda/pipeline/pipeline.h"

struct shared {
    int ranks;
};

static const struct {
    cudaError_t error;
    const char *hint;
} hints[] = {
    {cudaErrorInsufficientDriver,
     "the driver is older than this program's CUDA runtime: update it, or run with --backend cpu"},
    {cudaErrorNoDevice, "no GPU is visible: see CUDA_VISIBLE_DEVICES, or run with --backend cpu"},
    {cudaErrorDevicesUnavailable,
     "the GPU is busy or not in compute mode Default: stop the other program or ask for "
     "`nvidia-smi -c DEFAULT`"},
    {cudaErrorNoKernelImageForDevice,
     "this build holds no code for this GPU: configure with -DCMAKE_CUDA_ARCHITECTURES=native"},
    {cudaErrorMapBufferObjectFailed,
     "device memory cannot be shared between processes here: see `isotherm devices`, or run with "
     "--set run.transport=host"},
    {cudaErrorInvalidResourceHandle,
     "a handle of another process cannot be opened here: see `isotherm devices`, or run with "
     "--set run.transport=host"},
    {cudaErrorNotSupported,
     "this system cannot share device memory or events between processes: see `isotherm "
     "devices`, or run with --set run.transport=host"},
    {cudaErrorPeerAccessUnsupported,
     "these GPUs cannot reach each other: run with --set run.transport=host"},
    {cudaErrorTooManyPeers,
     "a GPU maps the memory of 8 others at most: run with --set run.transport=host"},
    {cudaErrorIllegalAddress,
     "a kernel read or wrote outside its memory: please report it with the input file"},
    {cudaErrorECCUncorrectable, "the GPU's memory is faulty: reset or replace it"},
};

static const char *hint_for(cudaError_t error)
{
    for (size_t n = 0; n < sizeof hints / sizeof hints[0]; n++)
        if (hints[n].error == error)
            return hints[n].hint;
    return "see `isotherm devices`";
}

enum status cuda_check(const struct device *device, cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return STATUS_OK;
    (void)cudaGetLastError();
    return fail(STATUS_DEVICE, "rank %d, GPU %d (%s): %s: %s, %s; %s", device->rank,
                device->ordinal, device->pci_address, call, cudaGetErrorName(error),
                cudaGetErrorString(error), hint_for(error));
}

void cuda_note(const struct device *device, cudaError_t error, const char *call)
{
    const enum status status = cuda_check(device, error, call);
    (void)status;
}

/* Device memory can be exported whenever it was allocated: nothing to prepare, and nothing of CUDA
 * may be touched before the fork. */
static enum status device_share(int ranks, size_t exported_bytes, struct shared **shared)
{
    (void)exported_bytes;
    TRY(memory_alloc(shared, 1, sizeof **shared, "the CUDA backend"));
    (*shared)->ranks = ranks;
    return STATUS_OK;
}

static void device_unshare(struct shared *shared)
{
    free(shared);
}

/* Makes the GPU the current one of the calling thread, which every later call relies on: a process
 * opens one device. */
static enum status device_start(struct device *device)
{
    int count = 0;
    TRY_CUDA(device, cudaGetDeviceCount, &count);
    if (device->ordinal < 0 || device->ordinal >= count)
        return fail(STATUS_DEVICE,
                    "rank %d: GPU %d does not exist, this machine shows %d: see `isotherm "
                    "devices` and CUDA_VISIBLE_DEVICES",
                    device->rank, device->ordinal, count);
    TRY_CUDA(device, cudaDeviceGetPCIBusId, device->pci_address, (int)sizeof device->pci_address,
             device->ordinal);
    affinity_follow_device(device->pci_address);
    TRY_CUDA(device, cudaSetDevice, device->ordinal);
    TRY_CUDA(device, cudaDeviceGetAttribute, &device->limits.shared_bytes,
             cudaDevAttrMaxSharedMemoryPerBlockOptin, device->ordinal);
    TRY_CUDA(device, cudaDeviceGetAttribute, &device->limits.multiprocessors,
             cudaDevAttrMultiProcessorCount, device->ordinal);
    TRY_CUDA(device, cudaStreamCreateWithFlags, &device->setup, cudaStreamNonBlocking);
    TRY_CUDA(device, launch_step_prepare, &device->limits);
    return cuda_check(device, launch_copy_prepare(), "launch_copy_prepare");
}

static void device_close(struct device *device)
{
    if (device == NULL)
        return;
    if (device->setup != NULL)
        cuda_note(device, cudaStreamDestroy(device->setup), "cudaStreamDestroy");
    free(device);
}

static enum status device_open(const struct device_options *options, struct device **device)
{
    TRY(memory_alloc(device, 1, sizeof **device, "a device"));
    (*device)->rank = options->rank;
    (*device)->ordinal = options->ordinal;
    (*device)->pci_address[0] = '-';
    const enum status status = device_start(*device);
    if (status != STATUS_OK) {
        device_close(*device);
        *device = NULL;
    }
    return status;
}

static struct device_counts device_counts_now(const struct device *device)
{
    return device->counts;
}

static void device_range_begin(const char *name)
{
    (void)nvtxRangePushA(name);
}

static void device_range_end(void)
{
    (void)nvtxRangePop();
}

enum { PIPELINE_SIDE = 2048 }; /* blocks of this size are certain to be large enough */

/* Where nothing was timed (solver/cli/tuning.c). Measured on an H200 (bench/results/h200-*.txt):
 * the tile kernel is fastest with 8 steps, the pipeline kernel, which large blocks take, with 16 in
 * double and 18 in single precision. */
static int device_favoured_steps(const struct step_case *step_case)
{
    if (step_case->shortest < PIPELINE_SIDE || step_case->cells > STEP_BY_KIND)
        return 8;
    if (!step_case->is_double)
        return 18;
    return step_case->cells == STEP_ALIKE ? 16 : 12;
}

/* The pipeline kernel has instances for some numbers of steps; tiles are several times slower. */
static int device_fitting_steps(const struct step_case *step_case, int steps)
{
    const int most =
        step_case->shortest < PIPELINE_SIDE ? 0 : pipeline_most_steps(step_case, steps);
    return most > 0 ? most : steps;
}

const struct backend backend_cuda = {
    .name = "cuda",
    .uses_alike = true,
    .favoured_steps = device_favoured_steps,
    .fitting_steps = device_fitting_steps,
    .stretch_percent = 0, /* kernels are made for the favoured numbers */
    .share = device_share,
    .unshare = device_unshare,
    .open = device_open,
    .close = device_close,
    .counts = device_counts_now,
    .free_memory = cuda_free_memory,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .export_memory = cuda_export_memory,
    .import_memory = cuda_import_memory,
    .unmap_memory = cuda_unmap_memory,
    .register_host = cuda_register_host,
    .unregister_host = cuda_unregister_host,
    .queue_open = cuda_queue_open,
    .queue_close = cuda_queue_close,
    .queue_drain = cuda_queue_drain,
    .queue_call = cuda_queue_call,
    .event_open = cuda_event_open,
    .event_export = cuda_event_export,
    .event_import = cuda_event_import,
    .event_close = cuda_event_close,
    .event_record = cuda_event_record,
    .event_wait = cuda_event_wait,
    .event_query = cuda_event_query,
    .copy_list_open = cuda_copy_list_open,
    .copy_list_close = cuda_copy_list_close,
    .copy_list_run = cuda_copy_list_run,
    .copy = cuda_copy,
    .step = cuda_step,
    .range_begin = device_range_begin,
    .range_end = device_range_end,
};
