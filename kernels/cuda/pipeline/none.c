/* For a build that has no code for GPUs of compute capability 9.0: nothing is done here. */
#include "kernels/cuda/pipeline/pipeline.h"

cudaError_t pipeline_prepare(void)
{
    return cudaSuccess;
}

bool pipeline_takes(const struct step *step, int multiprocessors)
{
    (void)step;
    (void)multiprocessors;
    return false;
}

cudaError_t pipeline_launch(const struct step *step, int multiprocessors, cudaStream_t stream)
{
    (void)step;
    (void)multiprocessors;
    (void)stream;
    return cudaErrorNotSupported;
}

int pipeline_most_steps(const struct step_case *step_case, int limit)
{
    (void)step_case;
    (void)limit;
    return 0;
}
