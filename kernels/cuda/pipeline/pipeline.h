/* The kernel for many steps on large regions (run.cuh), for C. It needs a GPU of compute capability
 * 9.0 (H100, H200); elsewhere, or for other steps, pipeline_takes says no. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_PIPELINE_H
#define ISOTHERM_KERNELS_CUDA_PIPELINE_PIPELINE_H

#include <cuda_runtime_api.h>

#include "kernels/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads the kernels for the current GPU; does nothing where it cannot run them. */
cudaError_t pipeline_prepare(void);

/* Whether the current GPU, with so many multiprocessors, does this step best with the pipeline. */
bool pipeline_takes(const struct step *step, int multiprocessors);

/* Queues a step that it takes; returns what cudaGetLastError() says directly after. */
cudaError_t pipeline_launch(const struct step *step, int multiprocessors, cudaStream_t stream);

/* The most steps, `limit` at most, that it makes at once in such a case; 0: none. */
int pipeline_most_steps(const struct step_case *step_case, int limit);

#ifdef __cplusplus
}
#endif

#endif
