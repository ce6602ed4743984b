/* Chooses the instance. */
#include "kernels/cuda/pipeline/pipeline.h"

#include "kernels/cuda/pipeline/instance.cuh"

static const pipeline_instances *const groups[] = {&pipeline_f64, &pipeline_f64_general,
                                                   &pipeline_f32, &pipeline_f32_general};

static const pipeline_instance *find(const step *step)
{
    const bool is_double = step->block->element_bytes == sizeof(double);
    /* As step.cu sees them: in the precision of the field. */
    const bool is_equal = is_double ? step->rx == step->ry
                                    : static_cast<float>(step->rx) == static_cast<float>(step->ry);
    if (step->zones != nullptr) /* step_zones.cuh knows what they mean */
        return nullptr;
    for (const pipeline_instances *each : groups)
        for (int n = 0; n < each->count; n++) {
            const pipeline_instance *const instance = &each->first[n];
            if (instance->steps == step->steps && instance->is_double == is_double &&
                instance->is_equal == is_equal && instance->has_fixed == (step->fixed != nullptr))
                return instance;
        }
    return nullptr;
}

/* The machine code is for compute capability 9.0 alone. */
static cudaError_t find_gpu(bool *is_right)
{
    int device = 0, major = 0, minor = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    *is_right = error == cudaSuccess && major == 9 && minor == 0;
    return error;
}

extern "C" cudaError_t pipeline_prepare(void)
{
    bool is_right;
    cudaError_t error = find_gpu(&is_right);
    if (error != cudaSuccess || !is_right)
        return error;
    for (const pipeline_instances *each : groups)
        for (int n = 0; n < each->count; n++) {
            error = each->first[n].prepare();
            if (error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}

extern "C" bool pipeline_takes(const struct step *step, int multiprocessors)
{
    bool is_right;
    const pipeline_instance *const instance = find(step);
    return instance != nullptr && find_gpu(&is_right) == cudaSuccess && is_right &&
           instance->takes(step, multiprocessors);
}

extern "C" cudaError_t pipeline_launch(const struct step *step, int multiprocessors,
                                       cudaStream_t stream)
{
    const pipeline_instance *const instance = find(step);
    return instance == nullptr ? cudaErrorInvalidValue
                               : instance->launch(step, multiprocessors, stream);
}
