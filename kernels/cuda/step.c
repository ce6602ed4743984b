/* The time step of the CUDA backend: what can be asked of the kernels. */
#include "kernels/cuda/device.h"

enum status cuda_step(struct queue *queue, const struct step *step)
{
    const struct device *const device = queue->device;
    if (region_is_empty(step->region))
        return STATUS_OK;
    const int limit = launch_step_limit(step, &device->limits);
    if (step->steps > limit)
        return fail(STATUS_DEVICE,
                    "rank %d, GPU %d (%s): %d steps at once do not fit its %d bytes of shared "
                    "memory: set run.steps_per_exchange to %d or less",
                    device->rank, device->ordinal, device->pci_address, step->steps,
                    device->limits.shared_bytes, limit);
    return cuda_check(device, launch_step(step, &device->limits, queue->stream),
                      "launch of the step kernel");
}
