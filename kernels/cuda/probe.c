/* What the CUDA runtime and the system say about the GPUs of this machine. */
#include "kernels/probe.h"

#include <ctype.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cudaDevAttrIpcEventSupport by its number: toolkits before 12 do not name it. */
static const enum cudaDeviceAttr IPC_EVENT_SUPPORT = (enum cudaDeviceAttr)125;

static enum status fail_call(const char *call, cudaError_t error)
{
    (void)cudaGetLastError();
    return fail(STATUS_DEVICE,
                "%s: %s, %s; check the GPU driver with nvidia-smi, or run with "
                "--backend cpu",
                call, cudaGetErrorName(error), cudaGetErrorString(error));
}

enum status probe_count_devices(int *count, char reason[PROBE_TEXT_BYTES])
{
    *count = 0;
    reason[0] = '\0';
    const cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaSuccess && *count > 0)
        return STATUS_OK;
    const char *const visible = getenv("CUDA_VISIBLE_DEVICES");
    *count = 0;
    if (error == cudaErrorInsufficientDriver)
        (void)snprintf(reason, PROBE_TEXT_BYTES,
                       "no NVIDIA driver, or one older than this program's CUDA runtime");
    else if (error == cudaSuccess || error == cudaErrorNoDevice)
        (void)snprintf(reason, PROBE_TEXT_BYTES, "the driver shows no GPU%s%.128s",
                       visible != NULL ? "; CUDA_VISIBLE_DEVICES=" : "",
                       visible != NULL ? visible : "");
    else
        return fail_call("cudaGetDeviceCount", error);
    (void)cudaGetLastError();
    return STATUS_OK;
}

/* The first bytes of a small file as text, "" when it cannot be read. */
static void read_text(const char *path, char *text, size_t bytes)
{
    text[0] = '\0';
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return;
    const size_t length = fread(text, 1, bytes - 1, file);
    text[length] = '\0';
    (void)fclose(file);
}

static int numa_node(const char *pci_address)
{
    char path[PROBE_TEXT_BYTES], text[32];
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/numa_node", pci_address);
    read_text(path, text, sizeof text);
    return text[0] == '\0' ? -1 : (int)strtol(text, NULL, 10);
}

static void note_problem(struct device_facts *facts, const char *call, cudaError_t error)
{
    (void)cudaGetLastError();
    if (facts->problem[0] == '\0')
        (void)snprintf(facts->problem, sizeof facts->problem, "%s: %s, %s", call,
                       cudaGetErrorName(error), cudaGetErrorString(error));
}

/* `otherwise` where the driver does not know the attribute. */
static int attribute(int device, enum cudaDeviceAttr name, int otherwise)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, name, device) == cudaSuccess)
        return value;
    (void)cudaGetLastError();
    return otherwise;
}

static void read_attributes(int device, struct device_facts *facts)
{
    facts->compute_major = attribute(device, cudaDevAttrComputeCapabilityMajor, 0);
    facts->compute_minor = attribute(device, cudaDevAttrComputeCapabilityMinor, 0);
    facts->multiprocessors = attribute(device, cudaDevAttrMultiProcessorCount, 0);
    facts->compute_mode = attribute(device, cudaDevAttrComputeMode, 0);
    facts->has_unified_addressing = attribute(device, cudaDevAttrUnifiedAddressing, 0) != 0;
    facts->is_integrated = attribute(device, cudaDevAttrIntegrated, 0) != 0;
    facts->has_ipc_events = attribute(device, IPC_EVENT_SUPPORT, !facts->is_integrated) != 0;
}

static void read_names(int device, struct device_facts *facts)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess) {
        note_problem(facts, "cudaGetDeviceProperties", error);
        return;
    }
    (void)snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    facts->memory_bytes = (int64_t)properties.totalGlobalMem;
    facts->is_mig = strstr(facts->name, "MIG") != NULL;
    error = cudaDeviceGetPCIBusId(facts->pci_address, (int)sizeof facts->pci_address, device);
    if (error != cudaSuccess)
        note_problem(facts, "cudaDeviceGetPCIBusId", error);
    for (char *c = facts->pci_address; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    facts->numa_node = numa_node(facts->pci_address);
}

/* Opens the device: where that fails, a run would fail too. */
static void read_free_memory(int device, struct device_facts *facts)
{
    size_t free_bytes = 0, total_bytes = 0;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (error == cudaSuccess) {
        facts->free_bytes = (int64_t)free_bytes;
        facts->memory_bytes = (int64_t)total_bytes;
    } else {
        note_problem(facts, "opening the GPU", error);
    }
    error = cudaDeviceReset();
    if (error != cudaSuccess)
        note_problem(facts, "cudaDeviceReset", error);
}

static struct device_peer read_peer(int from, int to)
{
    struct device_peer peer = {.performance_rank = -1};
    int value = 0;
    if (from == to)
        return (struct device_peer){.has_access = true, .has_native_atomics = true};
    peer.has_access = cudaDeviceCanAccessPeer(&value, from, to) == cudaSuccess && value != 0;
    if (cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, from, to) == cudaSuccess)
        peer.performance_rank = value;
    if (cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, from, to) ==
        cudaSuccess)
        peer.has_native_atomics = value != 0;
    (void)cudaGetLastError();
    return peer;
}

static bool system_is_wsl(void)
{
    char version[512];
    read_text("/proc/version", version, sizeof version);
    return strstr(version, "microsoft") != NULL || strstr(version, "Microsoft") != NULL;
}

static bool mps_is_there(void)
{
    char path[PROBE_TEXT_BYTES + 16];
    const char *const folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
    (void)snprintf(path, sizeof path, "%.255s/control",
                   folder != NULL ? folder : "/tmp/nvidia-mps");
    return access(path, F_OK) == 0;
}

static enum status read_versions(struct device_list *list)
{
    cudaError_t error = cudaDriverGetVersion(&list->driver_version);
    if (error != cudaSuccess)
        return fail_call("cudaDriverGetVersion", error);
    error = cudaRuntimeGetVersion(&list->runtime_version);
    return error == cudaSuccess ? STATUS_OK : fail_call("cudaRuntimeGetVersion", error);
}

enum status probe_devices(struct device_list *list)
{
    memset(list, 0, sizeof *list);
    TRY(read_versions(list));
    list->is_wsl = system_is_wsl();
    list->is_tegra = access("/etc/nv_tegra_release", F_OK) == 0;
    list->has_mps = mps_is_there();
    TRY(probe_count_devices(&list->count, list->reason));
    if (list->count > PROBE_MAX_DEVICES)
        list->count = PROBE_MAX_DEVICES;
    for (int device = 0; device < list->count; device++) {
        struct device_facts *const facts = &list->devices[device];
        facts->memory_bytes = facts->free_bytes = facts->numa_node = -1;
        read_names(device, facts);
        read_attributes(device, facts);
        for (int to = 0; to < list->count; to++)
            list->peers[device][to] = read_peer(device, to);
        read_free_memory(device, facts);
    }
    return STATUS_OK;
}
