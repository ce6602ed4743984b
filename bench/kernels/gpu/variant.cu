/* One shape of the pipeline kernel, given by the build: LAB_REAL, LAB_LEVELS, LAB_COLUMNS,
 * LAB_STAGES, LAB_GROUPS; LAB_KINDS 1: rx == ry without fixed cells only, 4: everything, 5:
 * conduction by kind of cell; 6: with sources. */
#include "bench/kernels/gpu/lab.h"
#include "kernels/cuda/pipeline/instance.cuh"

#define LAB_TEXT_OF(x) #x
#define LAB_TEXT(x)    LAB_TEXT_OF(x)

/* A type of this file alone: the program may have the same shape, and kernels of two files under
 * one name get mixed up. */
namespace
{
struct shape : pipeline_shape<LAB_REAL, LAB_LEVELS, LAB_COLUMNS, LAB_STAGES, LAB_GROUPS,
                              LAB_KINDS == 6   ? PIPELINE_SOURCES
                              : LAB_KINDS == 5 ? PIPELINE_KINDS
                                               : PIPELINE_ALIKE> {
};
} // namespace

template <bool EQUAL, bool FIXED> static cudaError_t run_kind(const step *step, cudaStream_t stream)
{
    int device, multiprocessors;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = pipeline_prepare_kernel<shape, EQUAL, FIXED>();
    if (error != cudaSuccess)
        return error;
    return pipeline_launch_balanced<shape, EQUAL, FIXED>(step, lab_weights, multiprocessors,
                                                         stream);
}

static cudaError_t run(const step *step, cudaStream_t stream)
{
    if (shape::HAS_KINDS != (step->zones != nullptr) ||
        (step->zones != nullptr && step->zones->has_gain != shape::HAS_SOURCES))
        return cudaErrorNotSupported;
    if constexpr (shape::HAS_KINDS) {
        return step->zones->is_equal ? run_kind<true, false>(step, stream) : cudaErrorNotSupported;
    } else {
        const bool is_equal = step->rx == step->ry, has_fixed = step->fixed != nullptr;
        if (is_equal && !has_fixed)
            return run_kind<true, false>(step, stream);
        if constexpr (LAB_KINDS == 4) {
            if (is_equal)
                return run_kind<true, true>(step, stream);
            return has_fixed ? run_kind<false, true>(step, stream)
                             : run_kind<false, false>(step, stream);
        }
        return cudaErrorNotSupported;
    }
}

static cudaFuncAttributes attributes(void)
{
    cudaFuncAttributes result = {};
    if (cudaFuncGetAttributes(&result, step_pipeline<shape, true, false>) != cudaSuccess)
        result.numRegs = -1;
    return result;
}

static lab_variant self = {LAB_TEXT(LAB_REAL) " L" LAB_TEXT(LAB_LEVELS) " C" LAB_TEXT(
                               LAB_COLUMNS) " S" LAB_TEXT(LAB_STAGES) " G" LAB_TEXT(LAB_GROUPS),
                           sizeof(LAB_REAL) == sizeof(double),
                           shape::STEPS,
                           run,
                           attributes,
                           nullptr};
static lab_registration registration(&self);
