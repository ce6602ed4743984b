/* Enough of CUDA to run one block of the pipeline kernel on the host: every thread is a coroutine,
 * the lanes of a warp meet at each shuffle, and warps take turns in random order. */
#ifndef ISOTHERM_BENCH_KERNELS_GPU_HOST_LANES_H
#define ISOTHERM_BENCH_KERNELS_GPU_HOST_LANES_H

#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include "bench/kernels/gpu/host/race.h"

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__
#define __align__(bytes) __attribute__((aligned(bytes)))

struct lane_index {
    unsigned x;
};

/* A bulk copy that has been asked for; it is done when somebody waits for it, as late as can be. */
struct lane_store {
    void *to;
    unsigned from, bytes;
};

struct lane {
    ucontext_t context;
    lane_index index;
    unsigned meetings;
    bool is_done;
    std::vector<char> stack;
    std::vector<lane_store> group;
    std::deque<std::vector<lane_store>> groups;
    std::vector<lane_store> small_group; /* the same of small loads */
    std::deque<std::vector<lane_store>> small_groups;
    void *thread; /* see race.h */
};

/* What the lanes of a warp hand each other. Two boxes: a lane can be one meeting ahead. */
struct lane_warp {
    int arrived;
    unsigned meetings;
    uint64_t box[2][32];
    race_place places;
};

extern lane *lane_now;
extern ucontext_t lane_scheduler;
extern lane_warp lane_warps[32];
extern race_place lane_places; /* of __syncthreads */
extern void *lane_scheduler_thread;
extern lane_index blockIdx, gridDim;
extern int lane_count, lane_arrived;
extern unsigned lane_rounds;

#define threadIdx (lane_now->index)

inline void lane_yield()
{
    race_switch(lane_scheduler_thread);
    swapcontext(&lane_now->context, &lane_scheduler);
}

inline int lane_number()
{
    return static_cast<int>(lane_now->index.x % 32);
}

/* All lanes of the warp bring a value; returns what all brought. */
template <typename T> const uint64_t *lane_meet(T value)
{
    const race_ignore ignore;
    lane_warp &warp = lane_warps[lane_now->index.x / 32];
    uint64_t *const box = warp.box[lane_now->meetings++ % 2];
    box[lane_number()] = 0;
    std::memcpy(&box[lane_number()], &value, sizeof value);
    const unsigned before = warp.meetings;
    if (++warp.arrived == 32) {
        warp.arrived = 0;
        warp.meetings++;
    }
    while (warp.meetings == before)
        lane_yield();
    return box;
}

template <typename T> T lane_take(const uint64_t *box, int lane)
{
    const race_ignore ignore;
    T value;
    std::memcpy(&value, &box[lane], sizeof value);
    return value;
}

template <typename T> T __shfl_up_sync(unsigned, T value, int by)
{
    const int lane = lane_number(), from = lane >= by ? lane - by : lane;
    return lane_take<T>(lane_meet(value), from);
}

template <typename T> T __shfl_down_sync(unsigned, T value, int by)
{
    const int lane = lane_number(), from = lane + by < 32 ? lane + by : lane;
    return lane_take<T>(lane_meet(value), from);
}

template <typename T> T __shfl_sync(unsigned, T value, int from)
{
    return lane_take<T>(lane_meet(value), from % 32);
}

inline void __syncwarp()
{
    char *const place = lane_warps[lane_now->index.x / 32].places.at(lane_now->meetings);
    race_release(place);
    (void)lane_meet(0);
    race_acquire(place);
}

inline bool __any_sync(unsigned, bool value)
{
    const uint64_t *const box = lane_meet(value ? 1 : 0);
    bool any = false;
    for (int n = 0; n < 32; n++)
        any = any || lane_take<int>(box, n) != 0;
    return any;
}

inline bool __all_sync(unsigned mask, bool value)
{
    return !__any_sync(mask, !value);
}

inline int __double2hiint(double value)
{
    int64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<int>(bits >> 32);
}

inline double __hiloint2double(int high, int low)
{
    const int64_t bits = static_cast<int64_t>(high) << 32 | static_cast<uint32_t>(low);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline int __float_as_int(float value)
{
    int bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float __int_as_float(int bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31));
}

inline unsigned __vcmpgeu4(unsigned a, unsigned b)
{
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += 8)
        result |= (a >> shift & 255) >= (b >> shift & 255) ? 255u << shift : 0;
    return result;
}

inline unsigned __reduce_or_sync(unsigned, unsigned value)
{
    const uint64_t *const box = lane_meet(value);
    unsigned all = 0;
    for (int n = 0; n < 32; n++)
        all |= lane_take<unsigned>(box, n);
    return all;
}

inline void __syncthreads()
{
    const race_ignore ignore;
    const unsigned before = lane_rounds;
    race_release(lane_places.at(before));
    if (++lane_arrived == lane_count) {
        lane_arrived = 0;
        lane_rounds++;
    }
    while (lane_rounds == before)
        lane_yield();
    race_acquire(lane_places.at(before));
}

inline int min(int a, int b)
{
    return a < b ? a : b;
}

inline int max(int a, int b)
{
    return a > b ? a : b;
}

#endif
