#define _GNU_SOURCE /* sched_setaffinity */

#include "kernels/cuda/affinity.h"

#include <ctype.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 256, LIST_BYTES = 4096 };

static bool read_line(const char *path, char *line, size_t bytes)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const bool is_read = fgets(line, (int)bytes, file) != NULL;
    (void)fclose(file);
    return is_read;
}

/* Adds the cores of a list such as "0-15,64-79". */
static void add_cores(const char *list, cpu_set_t *set)
{
    while (isdigit((unsigned char)*list)) {
        char *end = NULL;
        const long first = strtol(list, &end, 10);
        long last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long core = first; core <= last && core < CPU_SETSIZE; core++)
            CPU_SET((size_t)core, set);
        list = *end == ',' ? end + 1 : end;
    }
}

void affinity_follow_device(const char *pci_address)
{
    char address[64], path[PATH_BYTES], line[LIST_BYTES];
    size_t length = 0;
    for (; pci_address[length] != '\0' && length + 1 < sizeof address; length++)
        address[length] = (char)tolower((unsigned char)pci_address[length]);
    address[length] = '\0';
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/numa_node", address);
    if (!read_line(path, line, sizeof line) || !isdigit((unsigned char)line[0]))
        return; /* -1: the machine has one node or does not tell */
    (void)snprintf(path, sizeof path, "/sys/devices/system/node/node%ld/cpulist",
                   strtol(line, NULL, 10));
    if (!read_line(path, line, sizeof line))
        return;
    cpu_set_t near, allowed, both;
    CPU_ZERO(&near);
    add_cores(line, &near);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    CPU_AND(&both, &near, &allowed);
    if (CPU_COUNT(&both) > 0)
        (void)sched_setaffinity(0, sizeof both, &both); /* a hint: without it only slower */
}
