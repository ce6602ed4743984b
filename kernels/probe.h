/* What GPUs this machine offers and what would stop or slow a run on them: the facts behind
 * `isotherm devices` and behind `--backend auto`. Plain data that can be handed from the process
 * that asked to another one.
 *
 * These functions start the CUDA driver: call them in a child process, never before a fork that
 * leads to ranks. */
#ifndef ISOTHERM_KERNELS_PROBE_H
#define ISOTHERM_KERNELS_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { PROBE_MAX_DEVICES = 32, PROBE_TEXT_BYTES = 256 };

/* How one GPU reaches another's memory. */
struct device_peer {
    bool has_access;
    bool has_native_atomics;
    int performance_rank; /* 0 is the fastest kind of link of this machine; -1: unknown */
};

struct device_facts {
    char name[PROBE_TEXT_BYTES];
    char pci_address[32]; /* "0000:17:00.0", lower case as in /sys/bus/pci/devices */
    int64_t memory_bytes; /* -1: unknown */
    int64_t free_bytes;   /* -1: unknown, `problem` says why */
    int compute_major, compute_minor;
    int multiprocessors;
    int compute_mode; /* 0 Default, 2 Prohibited, 3 Exclusive_Process */
    int numa_node;    /* -1: unknown or the machine has one */
    bool has_unified_addressing;
    bool has_ipc_events;            /* as the driver says; memory IPC has no attribute of its own */
    bool is_integrated;             /* shares the host's memory */
    bool is_mig;                    /* a part of a GPU: no IPC between such parts */
    char problem[PROBE_TEXT_BYTES]; /* why it cannot be used now, "" when it can */
};

struct device_list {
    int count;                     /* GPUs listed; 0 is an answer, not an error */
    char reason[PROBE_TEXT_BYTES]; /* why count is 0, "" otherwise */
    int driver_version;            /* CUDA version of the driver, 13000 is 13.0; 0: no driver */
    int runtime_version;           /* of the runtime in this program; 0: built without CUDA */
    bool is_wsl;
    bool is_tegra;
    bool has_mps; /* an MPS control socket exists */
    struct device_facts devices[PROBE_MAX_DEVICES];
    struct device_peer peers[PROBE_MAX_DEVICES][PROBE_MAX_DEVICES]; /* [from][to] */
};

/* How many GPUs there are, with the reason when none. Starts the driver but opens no GPU.
 * STATUS_DEVICE for anything but "no GPU" and "no driver". */
enum status probe_count_devices(int *count, char reason[PROBE_TEXT_BYTES]) MUST_CHECK;

/* All facts. Opens every GPU for a moment (free memory is known only then); one that cannot be
 * opened is listed with its problem. */
enum status probe_devices(struct device_list *list) MUST_CHECK;

#endif
