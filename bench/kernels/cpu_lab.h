/* What the laboratories of the CPU kernels share. */
#ifndef ISOTHERM_BENCH_KERNELS_CPU_LAB_H
#define ISOTHERM_BENCH_KERNELS_CPU_LAB_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { HUGE_PAGE = 2 * 1024 * 1024 };

/* Of this process alone: others on the machine disturb less than with a clock on the wall. */
static double cpu_seconds(void)
{
    struct timespec now = {0};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) {
        perror("CPU time");
        exit(1);
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *must_alloc(size_t bytes)
{
    bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *memory = aligned_alloc(HUGE_PAGE, bytes);
    if (memory == NULL) {
        fprintf(stderr, "%zu bytes of memory are not available\n", bytes);
        exit(1);
    }
    if (bytes > HUGE_PAGE && madvise(memory, bytes, MADV_HUGEPAGE) != 0)
        perror("huge pages");
    memset(memory, 0, bytes);
    return memory;
}

#endif
