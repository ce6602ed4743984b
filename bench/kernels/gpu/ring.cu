/* The smallest hand-over of rows by barriers in shared memory, to see what a race detector says of
 * it: ring VARIANT, one block, rows passed from one warp to the next. Every row that is read is
 * checked. Variants:
 *
 *   0  each lane arrives itself, as in the pipeline
 *   1  one lane arrives for its warp after __syncwarp
 *   2  as 1, written by two warps and read by two
 *   3  cuda::barrier of libcu++ with arrive and wait, as its documentation does it
 *   4  no waiting for empty slots: wrong
 *   5  rows come from memory by bulk loads of one lane, each reader arrives itself
 */
#include <cuda/barrier>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "kernels/cuda/pipeline/copy.cuh"

enum { SLOTS = 4, ROWS = 64 };

template <int VARIANT> __device__ static void arrive(unsigned barrier)
{
    if (VARIANT == 0) {
        barrier_arrive(barrier);
        return;
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        barrier_arrive(barrier);
}

template <int VARIANT> __global__ void pass(int *wrong)
{
    constexpr int WARPS = VARIANT == 2 ? 2 : 1, WIDTH = 32 * WARPS;
    __shared__ int slots[SLOTS][WIDTH];
    __shared__ uint64_t barriers[2][SLOTS];
    const int column = static_cast<int>(threadIdx.x) % WIDTH;
    if (threadIdx.x == 0)
        for (int n = 0; n < 2 * SLOTS; n++)
            barrier_init(shared_address(&barriers[0][n]), VARIANT == 0 ? 32 : WARPS);
    __syncthreads();
    const bool is_writer = static_cast<int>(threadIdx.x) < WIDTH;
    for (int row = 0; row < ROWS; row++) {
        const int slot = row % SLOTS;
        const unsigned parity = static_cast<unsigned>(row / SLOTS % 2);
        const unsigned full = shared_address(&barriers[0][slot]);
        const unsigned empty = shared_address(&barriers[1][slot]);
        if (is_writer) {
            if (VARIANT != 4)
                barrier_wait(empty, parity ^ 1);
            slots[slot][column] = row * 1000 + column;
            arrive<VARIANT>(full);
        } else {
            barrier_wait(full, parity);
            const int other = WIDTH - 1 - column;
            if (slots[slot][other] != row * 1000 + other)
                atomicAdd(wrong, 1);
            arrive<VARIANT>(empty);
        }
    }
}

/* Rows come from memory by bulk loads of one lane. */
__global__ void pass_bulk(const int *rows, int *wrong)
{
    __shared__ __align__(128) int slots[SLOTS][32];
    __shared__ uint64_t barriers[2][SLOTS];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (threadIdx.x == 0) {
        for (int n = 0; n < SLOTS; n++) {
            barrier_init(shared_address(&barriers[0][n]), 1);
            barrier_init(shared_address(&barriers[1][n]), 32);
        }
        bulk_fence();
    }
    __syncthreads();
    const bool is_writer = threadIdx.x < 32;
    for (int row = 0; row < ROWS; row++) {
        const int slot = row % SLOTS;
        const unsigned parity = static_cast<unsigned>(row / SLOTS % 2);
        const unsigned full = shared_address(&barriers[0][slot]);
        const unsigned empty = shared_address(&barriers[1][slot]);
        if (is_writer && lane == 0) {
            barrier_wait(empty, parity ^ 1);
            bulk_load(shared_address(slots[slot]), rows + 32 * row, 128, full);
        } else if (!is_writer) {
            barrier_wait(full, parity);
            if (slots[slot][31 - lane] != row * 1000 + 31 - lane)
                atomicAdd(wrong, 1);
            barrier_arrive(empty);
        }
    }
}

__global__ void pass_library(int *wrong)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int slots[SLOTS][32];
    __shared__ barrier full[SLOTS], empty[SLOTS];
    const int column = static_cast<int>(threadIdx.x) % 32;
    if (threadIdx.x == 0)
        for (int n = 0; n < SLOTS; n++) {
            init(&full[n], 64);
            init(&empty[n], 64);
        }
    __syncthreads();
    const bool is_writer = threadIdx.x < 32;
    for (int n = 0; !is_writer && n < SLOTS; n++)
        (void)empty[n].arrive();
    for (int row = 0; row < ROWS; row++) {
        const int slot = row % SLOTS;
        if (is_writer) {
            empty[slot].arrive_and_wait();
            slots[slot][column] = row * 1000 + column;
            (void)full[slot].arrive();
        } else {
            full[slot].arrive_and_wait();
            if (slots[slot][31 - column] != row * 1000 + 31 - column)
                atomicAdd(wrong, 1);
            (void)empty[slot].arrive();
        }
    }
}

int main(int count, char **words)
{
    const int variant = count > 1 ? std::atoi(words[1]) : 1;
    int *wrong = nullptr, found = -1;
    if (cudaMallocManaged(&wrong, sizeof *wrong) != cudaSuccess)
        return 2;
    *wrong = 0;
    int *rows = nullptr;
    if (cudaMallocManaged(&rows, ROWS * 32 * sizeof *rows) != cudaSuccess)
        return 2;
    for (int n = 0; n < ROWS * 32; n++)
        rows[n] = n / 32 * 1000 + n % 32;
    switch (variant) {
    case 0:
        pass<0><<<1, 64>>>(wrong);
        break;
    case 1:
        pass<1><<<1, 64>>>(wrong);
        break;
    case 2:
        pass<2><<<1, 128>>>(wrong);
        break;
    case 3:
        pass_library<<<1, 64>>>(wrong);
        break;
    case 5:
        pass_bulk<<<1, 64>>>(rows, wrong);
        break;
    default:
        pass<4><<<1, 64>>>(wrong);
        break;
    }
    if (cudaDeviceSynchronize() == cudaSuccess)
        found = *wrong;
    std::printf("ring %d: %d wrong values\n", variant, found);
    return found == 0 || variant == 4 ? 0 : 1;
}
