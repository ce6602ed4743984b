/* What is said about the GPUs of this machine agrees with itself, with or without one. */
#include "tests/conform/backend_fixture.h"

static void facts_are_possible(const struct device_facts *facts)
{
    (void)printf(
        "%s at %s: %.1f of %.1f GiB free, compute %d.%d, %d multiprocessors, mode %d, NUMA "
        "node %d, unified %d, IPC events %d, integrated %d, MIG %d %s\n",
        facts->name, facts->pci_address, (double)facts->free_bytes * 0x1p-30,
        (double)facts->memory_bytes * 0x1p-30, facts->compute_major, facts->compute_minor,
        facts->multiprocessors, facts->compute_mode, facts->numa_node,
        facts->has_unified_addressing, facts->has_ipc_events, facts->is_integrated, facts->is_mig,
        facts->problem);
    CHECK(facts->name[0] != '\0');
    CHECK(strspn(facts->pci_address, "0123456789abcdef:.") == strlen(facts->pci_address));
    CHECK(strlen(facts->pci_address) >= strlen("0000:00:00.0"));
    CHECK(facts->memory_bytes > 0);
    CHECK(facts->problem[0] != '\0' ||
          (facts->free_bytes > 0 && facts->free_bytes <= facts->memory_bytes));
    CHECK(facts->compute_major >= 1);
    CHECK(facts->multiprocessors >= 1);
}

static int look(void *argument)
{
    (void)argument;
    int count = -1;
    char reason[PROBE_TEXT_BYTES];
    struct device_list *const list = test_alloc(sizeof *list);
    if (CHECK_OK(probe_count_devices(&count, reason)) && CHECK_OK(probe_devices(list))) {
        (void)printf("CUDA driver %d, runtime %d, WSL %d, Tegra %d, MPS %d; %d GPUs: %s\n",
                     list->driver_version, list->runtime_version, list->is_wsl, list->is_tegra,
                     list->has_mps, list->count, reason);
        CHECK_EQUAL_INT(list->count, count);
        CHECK((count == 0) == (reason[0] != '\0'));
        CHECK_EQUAL_TEXT(list->reason, reason);
        for (int from = 0; from < list->count; from++) {
            facts_are_possible(&list->devices[from]);
            for (int to = 0; to < list->count; to++)
                CHECK(list->peers[from][to].has_access == list->peers[to][from].has_access);
        }
    }
    free(list);
    return check_result();
}

int main(void)
{
    run_in_child(look, NULL);
    return EXIT_SUCCESS;
}
