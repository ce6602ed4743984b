/* isotherm devices: what this machine offers, what a run would use, and what stands in its way. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "solver/cli/commands.h"
#include "solver/cli/machine.h"
#include "solver/cli/options.h"
#include "solver/host_memory.h"

static const char help[] =
    "usage: isotherm devices\n\n"
    "Shows GPUs and CPU cores, how GPUs reach each other, and for each thing that would stop or\n"
    "slow a run: what it is, why it matters and what to do.\n";

/* An obstacle: what, why, what to do. */
static void note(const char *what, const char *why, const char *remedy)
{
    printf("  note: %s\n        why: %s\n        do:  %s\n", what, why, remedy);
}

static void print_gpu(int index, const struct device_facts *gpu)
{
    static const char *const modes[] = {"default", "exclusive thread", "prohibited",
                                        "exclusive process"};
    char total[64], available[64];
    text_bytes(total, sizeof total, (double)gpu->memory_bytes);
    text_bytes(available, sizeof available, (double)gpu->free_bytes);
    printf("GPU %-2d    %s at %s, compute %d.%d, %d multiprocessors\n", index, gpu->name,
           gpu->pci_address, gpu->compute_major, gpu->compute_minor, gpu->multiprocessors);
    printf("          memory %s, free %s; unified addressing %s; IPC events %s; compute mode %s; "
           "NUMA node %d\n",
           total, gpu->free_bytes >= 0 ? available : "unknown",
           gpu->has_unified_addressing ? "yes" : "no", gpu->has_ipc_events ? "yes" : "no",
           gpu->compute_mode >= 0 && gpu->compute_mode < 4 ? modes[gpu->compute_mode] : "unknown",
           gpu->numa_node);
    if (gpu->problem[0] != '\0')
        note(gpu->problem, "the GPU cannot be opened now",
             "free it or choose others with CUDA_VISIBLE_DEVICES");
    if (gpu->compute_mode == 3)
        note("compute mode exclusive process", "only one rank can use this GPU",
             "nvidia-smi -c DEFAULT as administrator, or use MPS");
    if (gpu->compute_mode == 2)
        note("compute mode prohibited", "no process can use this GPU",
             "nvidia-smi -c DEFAULT as administrator, or hide it with CUDA_VISIBLE_DEVICES");
    if (gpu->is_mig)
        note("this is a part of a GPU (MIG)", "there is no IPC between such parts",
             "--ranks 1 works; for several ranks use whole GPUs");
    if (!gpu->has_ipc_events)
        note("no interprocess events on this GPU",
             "ranks cannot wait for each other, whatever the transport",
             "--ranks 1 or --backend cpu works");
    else if (!gpu->has_unified_addressing)
        note("no memory IPC on this GPU", "ranks cannot store into each other's memory",
             "run.transport = \"host\" works");
}

static void print_peers(const struct device_list *list)
{
    if (list->count < 2)
        return;
    printf("peers     from row to column: NV a link with atomics (NVLink), PCI one without; 0 the\n"
           "          fastest kind here, 1 the next; - no access, so edges go through the host\n");
    printf("         ");
    for (int to = 0; to < list->count; to++)
        printf(" %5d", to);
    putchar('\n');
    for (int from = 0; from < list->count; from++) {
        printf("    %4d ", from);
        for (int to = 0; to < list->count; to++) {
            const struct device_peer *peer = &list->peers[from][to];
            if (from == to)
                printf("     .");
            else if (peer->has_access)
                printf("  %3s%d", peer->has_native_atomics ? "NV" : "PCI", peer->performance_rank);
            else
                printf("     -");
        }
        putchar('\n');
    }
}

static void print_cuda(const struct device_list *list)
{
    if (list->count == 0) {
        printf("GPUs      none: %s\n", list->reason);
        return;
    }
    printf("CUDA      driver %d.%d, runtime %d.%d, MPS %s\n", list->driver_version / 1000,
           list->driver_version % 1000 / 10, list->runtime_version / 1000,
           list->runtime_version % 1000 / 10, list->has_mps ? "running" : "not running");
    for (int gpu = 0; gpu < list->count; gpu++)
        print_gpu(gpu, &list->devices[gpu]);
    print_peers(list);
    if (!list->has_mps)
        note("MPS is not running", "several ranks on one GPU then take turns, about 0.15 ms each",
             "one rank per GPU, or start nvidia-cuda-mps-control -d before the run");
    if (list->is_wsl)
        note("WSL2", "processes share neither memory nor events of a GPU here",
             "--ranks 1 or --backend cpu works");
    if (list->is_tegra)
        note("Tegra", "there is no memory IPC here",
             "run.transport = \"host\" works where the GPU has IPC events, --ranks 1 everywhere");
}

static enum status show(void)
{
    char memory[64];
    struct device_list list;
    text_bytes(memory, sizeof memory, host_memory_available(""));
    TRY(machine_gpus(&list));
    printf("CPU       %d cores usable, %s of memory free\n", machine_cores(), memory);
    print_cuda(&list);
    if (list.count > 0)
        printf("a run     uses %d ranks on %d GPUs, one each; --backend cpu takes %d CPU ranks\n",
               list.count, list.count, machine_cores());
    else
        printf("a run     uses %d CPU ranks, exchange through shared memory\n", machine_cores());
    return STATUS_OK;
}

enum status command_devices(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    opterr = 0;
    TRY(options_check_names(argc, argv, ":h", options));
    const int option = getopt_long(argc, argv, ":h", options, NULL);
    if (option == 'h') {
        fputs(help, stdout);
        return STATUS_OK;
    }
    if (option != -1)
        return options_complain("devices", option, argv);
    if (optind != argc)
        return fail(STATUS_INPUT,
                    "isotherm devices takes no argument; see isotherm devices --help");
    return show();
}
