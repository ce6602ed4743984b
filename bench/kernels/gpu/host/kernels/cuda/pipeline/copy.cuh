/* In place of kernels/cuda/pipeline/copy.cuh: barriers and bulk copies on the host. A bulk load is
 * done at once, stores and small loads when they are waited for; under the thread sanitizer small
 * loads are done at once, too, since memory may be written at either time. Addresses of shared
 * memory count from its start. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_COPY_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_COPY_CUH

enum { HOST_SHARED_BYTES = 232448, HOST_BARRIERS = 512 };

struct host_barrier {
    int arrivals, missing;
    unsigned phase;
    race_place places;
};

extern unsigned char pipeline_memory[HOST_SHARED_BYTES];
extern host_barrier host_barriers[HOST_BARRIERS];

template <typename REAL, int CELLS> struct alignas(CELLS * sizeof(REAL)) pipeline_pack {
    REAL cell[CELLS];
};

inline void host_require(bool is_right, const char *what)
{
    if (is_right)
        return;
    std::fprintf(stderr, "host: thread %u: %s\n", threadIdx.x, what);
    std::exit(2);
}

inline unsigned shared_address(const void *pointer)
{
    const std::ptrdiff_t at = static_cast<const unsigned char *>(pointer) - pipeline_memory;
    host_require(at >= 0 && at < HOST_SHARED_BYTES, "address outside shared memory");
    return static_cast<unsigned>(at);
}

inline host_barrier &host_barrier_at(unsigned address)
{
    host_require(address % 8 == 0 && address / 8 < HOST_BARRIERS, "not a barrier");
    return host_barriers[address / 8];
}

inline void barrier_init(unsigned barrier, int arrivals)
{
    host_barrier &here = host_barrier_at(barrier);
    here.arrivals = here.missing = arrivals;
    here.phase = 0;
}

inline void barrier_wait(unsigned barrier, unsigned parity)
{
    const race_ignore ignore;
    host_barrier &here = host_barrier_at(barrier);
    while (here.phase % 2 == parity)
        lane_yield();
    race_acquire(here.places.at(here.phase - 1));
}

inline void barrier_arrive(unsigned barrier)
{
    const race_ignore ignore;
    host_barrier &here = host_barrier_at(barrier);
    race_release(here.places.at(here.phase));
    if (--here.missing > 0)
        return;
    here.missing = here.arrivals;
    here.phase++;
}

inline void host_require_lines(unsigned shared, const void *global, unsigned bytes)
{
    host_require(shared % 16 == 0 && reinterpret_cast<uintptr_t>(global) % 16 == 0 &&
                     bytes % 16 == 0 && bytes > 0 && shared + bytes <= HOST_SHARED_BYTES,
                 "bulk copy that is not of whole lines");
}

inline void bulk_load(unsigned to, const void *from, unsigned bytes, unsigned barrier)
{
    host_require_lines(to, from, bytes);
    std::memcpy(pipeline_memory + to, from, bytes);
    barrier_arrive(barrier);
}

inline void bulk_store(void *to, unsigned from, unsigned bytes)
{
    host_require_lines(from, to, bytes);
    lane_now->group.push_back({to, from, bytes});
}

inline void bulk_commit()
{
    lane_now->groups.push_back(lane_now->group);
    lane_now->group.clear();
}

template <int PENDING> void bulk_wait_read()
{
    while (lane_now->groups.size() > PENDING) {
        for (const lane_store &store : lane_now->groups.front())
            std::memcpy(store.to, pipeline_memory + store.from, store.bytes);
        lane_now->groups.pop_front();
    }
}

inline void bulk_fence()
{
}

inline void global_add_if(bool is_wanted, double *to, double value)
{
    if (is_wanted)
        *to += value;
}

template <int BYTES> void small_load(unsigned to, const void *from)
{
    host_require(to + BYTES <= HOST_SHARED_BYTES, "small load outside shared memory");
    if (RACE_IS_ON)
        std::memcpy(pipeline_memory + to, from, BYTES);
    else
        lane_now->small_group.push_back({const_cast<void *>(from), to, BYTES});
}

inline void small_commit()
{
    lane_now->small_groups.push_back(lane_now->small_group);
    lane_now->small_group.clear();
}

template <int PENDING> void small_wait()
{
    while (lane_now->small_groups.size() > PENDING) {
        for (const lane_store &load : lane_now->small_groups.front())
            std::memcpy(pipeline_memory + load.from, load.to, load.bytes);
        lane_now->small_groups.pop_front();
    }
}

inline int thread_number()
{
    return static_cast<int>(threadIdx.x);
}

inline unsigned word_hidden(unsigned word)
{
    return word;
}

inline unsigned cycle_count()
{
    return 0;
}

inline int number_hidden(int number)
{
    return number;
}

template <typename OBJECT> OBJECT *memory_hidden(OBJECT *object)
{
    return object;
}

template <int REGISTERS> void registers_take()
{
}

template <int REGISTERS> void registers_give()
{
}

#endif
