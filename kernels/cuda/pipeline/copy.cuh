/* Barriers in shared memory and bulk copies between shared and global memory (PTX ISA 8.0, sections
 * on mbarrier and cp.async.bulk; compute capability 9.0 and up). Addresses of shared memory are
 * 32-bit numbers here. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_COPY_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_COPY_CUH

/* Cells that move in one access. */
template <typename REAL, int CELLS> struct alignas(CELLS * sizeof(REAL)) pipeline_pack {
    REAL cell[CELLS];
};

__device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
}

/* Waits until the phase of this parity is over; the phase before the first counts as over. */
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity)
{
    unsigned is_over;
    do {
        asm volatile("{\n\t"
                     ".reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t"
                     "}"
                     : "=r"(is_over)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    } while (is_over == 0);
}

__device__ __forceinline__ void barrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* The barrier completes when `bytes` have come in. Addresses and bytes: multiples of 16. */
__device__ __forceinline__ void bulk_load(unsigned to, const void *from, unsigned bytes,
                                          unsigned barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

__device__ __forceinline__ void bulk_store(void *to, unsigned from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from),
                 "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ void bulk_commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Waits until all but the newest PENDING groups of this thread have been read from shared memory.
 */
template <int PENDING> __device__ __forceinline__ void bulk_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
}

/* Makes what this thread knows to be stored in shared memory visible to bulk copies. */
__device__ __forceinline__ void bulk_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Adds to a number in global memory and waits for nothing. Predicated, not branched around: the
 * lanes of a warp stay together. Nothing here reads the number, so no memory clobber. */
__device__ __forceinline__ void global_add_if(bool is_wanted, double *to, double value)
{
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.u32 p, %2, 0;\n\t"
                 "@p red.relaxed.gpu.global.add.f64 [%0], %1;\n\t"
                 "}" ::"l"(__cvta_generic_to_global(to)),
                 "d"(value), "r"(static_cast<unsigned>(is_wanted)));
}

/* Copies BYTES (4, 8, 16) to shared memory in the background, through no register. */
template <int BYTES> __device__ __forceinline__ void small_load(unsigned to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "n"(BYTES)
                 : "memory");
}

__device__ __forceinline__ void small_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until all but the newest PENDING groups of small loads of this thread have come. */
template <int PENDING> __device__ __forceinline__ void small_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/* The thread's number, read anew. */
__device__ __forceinline__ int thread_number()
{
    int number;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(number));
    return number;
}

/* Cycles of this multiprocessor, modulo 2^32. */
__device__ __forceinline__ unsigned cycle_count()
{
    return static_cast<unsigned>(clock());
}

/* The same number, but the compiler does not know. */
__device__ __forceinline__ int number_hidden(int number)
{
    asm volatile("" : "+r"(number));
    return number;
}

/* The same word, where the program is now. */
__device__ __forceinline__ unsigned word_hidden(unsigned word)
{
    asm volatile("" : "+r"(word)::"memory");
    return word;
}

/* The same object, but the compiler does not know and keeps it in memory. */
template <typename OBJECT> __device__ __forceinline__ OBJECT *memory_hidden(OBJECT *object)
{
    asm volatile("" : "+l"(object)::"memory");
    return object;
}

/* Registers a thread of this warpgroup; all its warps call it. */
template <int REGISTERS> __device__ __forceinline__ void registers_take()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

template <int REGISTERS> __device__ __forceinline__ void registers_give()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

#endif
