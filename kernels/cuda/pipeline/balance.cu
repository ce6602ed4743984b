/* Moves the borders between the shares of blocks. */
#include "kernels/cuda/pipeline/balance.h"

#include <cub/block/block_scan.cuh>

namespace
{

enum { BALANCES = 32, THREADS = 1024, BINS_EACH = BALANCE_BINS / THREADS };

__device__ pipeline_balance balances[BALANCES];

struct entry {
    pipeline_balance_key key;
    pipeline_balance *balance;
    int launches;
};
entry entries[BALANCES];
int entry_count;

using scan = cub::BlockScan<float, THREADS>;

/* Cycles before each part of the cost, and of all at the end. */
struct profile {
    float before[BALANCE_BINS + 1];
    double bins_each; /* per unit of cost */

    __device__ void sum(float (&weight)[BINS_EACH], scan::TempStorage &storage)
    {
        float sums[BINS_EACH];
        scan(storage).ExclusiveSum(weight, sums);
        __syncthreads();
        for (int k = 0; k < BINS_EACH; k++)
            before[threadIdx.x * BINS_EACH + k] = sums[k];
        if (threadIdx.x == THREADS - 1)
            before[BALANCE_BINS] = sums[BINS_EACH - 1] + weight[BINS_EACH - 1];
        __syncthreads();
    }

    __device__ double cycles_at(int cost) const
    {
        const double at = cost * bins_each;
        const int bin = min(static_cast<int>(at), BALANCE_BINS - 1);
        return before[bin] + (at - bin) * (before[bin + 1] - before[bin]);
    }

    /* The other way round; grows with `cycles`. */
    __device__ int cost_at(double cycles) const
    {
        int bin = 0;
        for (int step = BALANCE_BINS / 2; step > 0; step /= 2)
            bin += before[bin + step] <= cycles ? step : 0;
        const double width = before[bin + 1] - before[bin];
        const double part = width > 0 ? min((cycles - before[bin]) / width, 1.0) : 0;
        return static_cast<int>((bin + part) / bins_each);
    }
};

/* The block whose share has a cost. */
__device__ int block_at(const int *border, int blocks, double cost)
{
    int block = 0;
    for (int step = BALANCE_BLOCKS / 2; step > 0; step /= 2)
        block += block + step < blocks && border[block + step] <= cost ? step : 0;
    return block;
}

/* One block. Each part of the cost took the cycles of its block in proportion to what it was
 * thought to take. */
__global__ void __launch_bounds__(THREADS)
    move_borders(pipeline_balance *balance, int total, int blocks, int launch)
{
    __shared__ scan::TempStorage storage;
    __shared__ profile known;
    __shared__ int border[BALANCE_BLOCKS + 1];
    __shared__ float factor[BALANCE_BLOCKS];
    const int thread = static_cast<int>(threadIdx.x);
    const bool was_even = balance->total != total || balance->blocks != blocks;
    const bool is_new = launch == 0;
    if (thread <= blocks)
        border[thread] = was_even ? balance_even(total, blocks, thread) : balance->border[thread];
    if (thread == 0)
        known.bins_each = static_cast<double>(BALANCE_BINS) / total;
    float weight[BINS_EACH];
    for (int k = 0; k < BINS_EACH; k++)
        weight[k] = is_new ? 1 : balance->weight[thread * BINS_EACH + k];
    known.sum(weight, storage);

    if (thread < blocks) {
        const double expected =
            known.cycles_at(border[thread + 1]) - known.cycles_at(border[thread]);
        factor[thread] = expected > 0 ? static_cast<float>(balance->cycles[thread] / expected) : 1;
    }
    __syncthreads();
    for (int k = 0; k < BINS_EACH; k++) {
        const double middle = (thread * BINS_EACH + k + 0.5) / known.bins_each;
        weight[k] *= factor[block_at(border, blocks, middle)];
        balance->weight[thread * BINS_EACH + k] = weight[k];
    }
    known.sum(weight, storage);

    const int slowest = __syncthreads_count(thread < blocks && !is_new &&
                                            balance->cycles[thread] >= balance->best_cycles);
    const bool is_best = slowest == 0;
    if (is_best && thread <= blocks)
        balance->best[thread] = border[thread];
    if (thread <= blocks) {
        const double cycles = static_cast<double>(known.before[BALANCE_BINS]) / blocks * thread;
        const int moved = thread == 0        ? 0
                          : thread == blocks ? total
                                             : min(known.cost_at(cycles), total);
        balance->border[thread] = launch == BALANCE_LAUNCHES - 1 ? balance->best[thread] : moved;
    }
    __syncthreads();
    if (thread == 0) {
        unsigned most = 0;
        for (int n = 0; n < blocks; n++)
            most = max(most, balance->cycles[n]);
        balance->best_cycles = is_best ? most : balance->best_cycles;
        balance->total = total;
        balance->blocks = blocks;
    }
}

bool is_same(const pipeline_balance_key &a, const pipeline_balance_key &b)
{
    return a.kernel == b.kernel && a.cells == b.cells && a.stream == b.stream &&
           a.device == b.device && a.nx == b.nx && a.ny == b.ny && a.region.x0 == b.region.x0 &&
           a.region.x1 == b.region.x1 && a.region.y0 == b.region.y0 && a.region.y1 == b.region.y1;
}

} // namespace

pipeline_balance *pipeline_balance_find(const pipeline_balance_key &key, int *launches)
{
    *launches = 0;
    for (int n = 0; n < entry_count; n++)
        if (is_same(entries[n].key, key)) {
            *launches = entries[n].launches;
            entries[n].launches = min(*launches + 1, static_cast<int>(BALANCE_LAUNCHES));
            return entries[n].balance;
        }
    if (entry_count == BALANCES)
        return nullptr;
    void *all;
    if (cudaGetSymbolAddress(&all, balances) != cudaSuccess) {
        (void)cudaGetLastError();
        return nullptr;
    }
    entry &added = entries[entry_count];
    added = {key, static_cast<pipeline_balance *>(all) + entry_count, 1};
    entry_count++;
    return added.balance;
}

cudaError_t pipeline_balance_queue(pipeline_balance *balance, int total, int blocks, int launch,
                                   cudaStream_t stream)
{
    move_borders<<<1, THREADS, 0, stream>>>(balance, total, blocks, launch);
    return cudaGetLastError();
}

cudaError_t pipeline_balance_forget(void)
{
    const cudaError_t error = cudaDeviceSynchronize();
    entry_count = 0;
    return error;
}
