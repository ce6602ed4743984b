/* The one place that asks which compiler this is. HD marks a function of the arithmetic that both
 * sides run: plain inline in C, host and device in CUDA. */
#ifndef ISOTHERM_KERNELS_HD_H
#define ISOTHERM_KERNELS_HD_H

#ifdef __CUDACC__
#define HD static __host__ __device__ __forceinline__
#else
#define HD static inline __attribute__((always_inline))
#endif

#endif
