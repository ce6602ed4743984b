/* Every lane as a thread of its own for the thread sanitizer (where it is built in): two lanes may
 * touch the same shared or global memory only if barriers or __syncwarp put them in an order. What
 * lanes hand each other by shuffles orders nothing. */
#ifndef ISOTHERM_BENCH_KERNELS_GPU_HOST_RACE_H
#define ISOTHERM_BENCH_KERNELS_GPU_HOST_RACE_H

#if defined(__SANITIZE_THREAD__)

#include <sanitizer/tsan_interface.h>

constexpr bool RACE_IS_ON = true;

extern "C" {
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
}

inline void *race_thread()
{
    return __tsan_create_fiber(0);
}

inline void *race_self()
{
    return __tsan_get_current_fiber();
}

inline void race_switch(void *thread)
{
    __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
}

inline void race_end(void *thread)
{
    __tsan_destroy_fiber(thread);
}

/* What was done before a release at an address is done before what follows an acquire there. */
inline void race_release(char *at)
{
    __tsan_release(at);
}

inline void race_acquire(char *at)
{
    __tsan_acquire(at);
}

/* While it lives, nothing that this lane does counts: the emulation's own state. */
struct race_ignore {
    race_ignore()
    {
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }
    ~race_ignore()
    {
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    }
};

#else

constexpr bool RACE_IS_ON = false;

inline void *race_thread()
{
    return nullptr;
}

inline void *race_self()
{
    return nullptr;
}

inline void race_switch(void *)
{
}

inline void race_end(void *)
{
}

inline void race_release(char *)
{
}

inline void race_acquire(char *)
{
}

struct race_ignore {
    ~race_ignore()
    {
    }
};

#endif

/* An address for each meeting of a group of lanes, or each phase of a barrier. */
enum { RACE_PHASES = 4096 };
struct race_place {
    char phase[RACE_PHASES];
    char *at(unsigned number)
    {
        return &phase[number % RACE_PHASES];
    }
};

#endif
