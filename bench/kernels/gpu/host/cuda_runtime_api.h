/* In place of the CUDA runtime: what headers of the pipeline name. */
#ifndef ISOTHERM_BENCH_KERNELS_GPU_HOST_CUDA_RUNTIME_API_H
#define ISOTHERM_BENCH_KERNELS_GPU_HOST_CUDA_RUNTIME_API_H

using cudaStream_t = void *;
using cudaError_t = int;

#endif
