/* The CUDA backend of a build without CUDA: it says what to do. No device can be opened, so the
 * other calls are never reached. */
#include <stdio.h>

#include "kernels/backend.h"
#include "kernels/probe.h"

static const char advice[] = "this build has no CUDA backend; install the CUDA toolkit and "
                             "configure with -DISOTHERM_CUDA=ON, or run with --backend cpu";

static enum status none_share(int ranks, size_t exported_bytes, struct shared **shared)
{
    (void)ranks;
    (void)exported_bytes;
    *shared = NULL;
    return fail(STATUS_DEVICE, "%s", advice);
}

static void none_unshare(struct shared *shared)
{
    (void)shared;
}

static enum status none_open(const struct device_options *options, struct device **device)
{
    (void)options;
    *device = NULL;
    return fail(STATUS_DEVICE, "%s", advice);
}

static void none_close(struct device *device)
{
    (void)device;
}

const struct backend backend_cuda = {
    .name = "cuda",
    .share = none_share,
    .unshare = none_unshare,
    .open = none_open,
    .close = none_close,
};

enum status probe_count_devices(int *count, char reason[PROBE_TEXT_BYTES])
{
    *count = 0;
    (void)snprintf(reason, PROBE_TEXT_BYTES, "%s", advice);
    return STATUS_OK;
}

enum status probe_devices(struct device_list *list)
{
    *list = (struct device_list){.count = 0};
    return probe_count_devices(&list->count, list->reason);
}
