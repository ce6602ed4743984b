/* Shares of blocks by measured time. Rows of a strip cost more than others where they have ghost
 * cells, fixed cells or cells of several kinds, and by how much depends on the machine and on what
 * runs beside; a launch ends with its slowest block. So the blocks of the first launches of a kind
 * write down how long they took, and a small kernel behind each moves the borders between their
 * shares. What a block computes does not depend on its share, so nobody sees it in the bits. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_BALANCE_H
#define ISOTHERM_KERNELS_CUDA_PIPELINE_BALANCE_H

#include <cuda_runtime_api.h>

#include "kernels/backend.h"

enum {
    BALANCE_BLOCKS = 256, /* of a launch at most */
    BALANCE_BINS = 4096,  /* parts of the total cost whose time is told apart */
    BALANCE_LAUNCHES = 12 /* that are measured */
};

/* In device memory. Only its own stream uses it. */
struct pipeline_balance {
    int total, blocks;               /* the cost that is shared, and by how many; of a launch with
                                        other ones the shares are even */
    int border[BALANCE_BLOCKS + 1];  /* of the shares, from 0 to total */
    unsigned cycles[BALANCE_BLOCKS]; /* that each block took in the last launch */
    float weight[BALANCE_BINS];      /* cycles of each part, as far as they are known */
    int best[BALANCE_BLOCKS + 1];    /* borders of the fastest launch so far */
    unsigned best_cycles;            /* of its slowest block */
};

/* Where the share of a block begins when all are even. */
__host__ __device__ inline int balance_even(int total, int blocks, int number)
{
    const int rest = total % blocks;
    return total / blocks * number + (number < rest ? number : rest);
}

/* Launches that cost the same. */
struct pipeline_balance_key {
    const void *kernel;
    const void *cells; /* the map of kinds or of fixed cells, NULL: none */
    cudaStream_t stream;
    int device, nx, ny;
    struct region region;
};

/* The balance of such launches, NULL: none is left or wanted. *launches: how many asked before. One
 * thread of the host calls this and the others. */
pipeline_balance *pipeline_balance_find(const pipeline_balance_key &key, int *launches);

/* Queues the kernel that moves the borders, behind launch number `launch` < BALANCE_LAUNCHES, whose
 * blocks shared `total`. After the last one the best borders seen stay. */
cudaError_t pipeline_balance_queue(pipeline_balance *balance, int total, int blocks, int launch,
                                   cudaStream_t stream);

/* Forgets all; waits for the device. */
cudaError_t pipeline_balance_forget(void);

#endif
