/* The time step: which kernel does it. */
#include "kernels/cuda/launch.h"
#include "kernels/cuda/pipeline/pipeline.h"
#include "kernels/cuda/step_stream.cuh"
#include "kernels/cuda/step_tiles.cuh"
#include "kernels/cuda/step_zones.cuh"

namespace
{

template <typename REAL, bool EQUAL, bool FIXED>
cudaError_t run(const step_args<REAL> &args, const launch_limits &limits, cudaStream_t stream)
{
    if (args.steps == 1)
        return launch_stream<REAL, EQUAL, FIXED>(args, stream);
    return launch_tiles<REAL, EQUAL, FIXED>(args, limits, stream);
}

template <typename REAL>
cudaError_t run_real(const step *step, const launch_limits &limits, cudaStream_t stream)
{
    const step_args<REAL> args = step_args_make<REAL>(step);
    const bool is_equal = args.rx == args.ry, has_fixed = args.fixed != nullptr;
    if (is_equal)
        return has_fixed ? run<REAL, true, true>(args, limits, stream)
                         : run<REAL, true, false>(args, limits, stream);
    return has_fixed ? run<REAL, false, true>(args, limits, stream)
                     : run<REAL, false, false>(args, limits, stream);
}

template <typename REAL, bool EQUAL, bool FIXED> cudaError_t prepare(const launch_limits &limits)
{
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, step_stream<REAL, EQUAL, FIXED>);
    if (error != cudaSuccess)
        return error;
    return cudaFuncSetAttribute(step_tiles<REAL, EQUAL, FIXED>,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, limits.shared_bytes);
}

template <typename REAL> cudaError_t prepare_zones(const launch_limits &limits)
{
    void (*const kernels[])(step_args<REAL>, zone_args<REAL>, tile_shape) = {
        step_zones<REAL, false, false>, step_zones<REAL, false, true>,
        step_zones<REAL, true, false>, step_zones<REAL, true, true>};
    for (auto *const kernel : kernels) {
        const cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limits.shared_bytes);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

} // namespace

extern "C" cudaError_t launch_step_prepare(const struct launch_limits *limits)
{
    cudaError_t (*const prepares[])(const launch_limits &) = {
        prepare<double, false, false>, prepare<double, false, true>, prepare<double, true, false>,
        prepare<double, true, true>,   prepare<float, false, false>, prepare<float, false, true>,
        prepare<float, true, false>,   prepare<float, true, true>,   prepare_zones<double>,
        prepare_zones<float>,
    };
    for (auto *const each : prepares) {
        const cudaError_t error = each(*limits);
        if (error != cudaSuccess)
            return error;
    }
    return pipeline_prepare();
}

extern "C" int launch_step_limit(const struct step *step, const struct launch_limits *limits)
{
    const bool has_bytes = step->fixed != nullptr || step->zones != nullptr;
    return tile_most_steps(tile_cell_bytes(step->block->element_bytes, has_bytes),
                           limits->shared_bytes);
}

extern "C" cudaError_t launch_step(const struct step *step, const struct launch_limits *limits,
                                   cudaStream_t stream)
{
    const bool is_double = step->block->element_bytes == sizeof(double);
    if (pipeline_takes(step, limits->multiprocessors))
        return pipeline_launch(step, limits->multiprocessors, stream);
    if (step->zones != nullptr)
        return is_double ? launch_zones<double>(step, *limits, stream)
                         : launch_zones<float>(step, *limits, stream);
    if (is_double)
        return run_real<double>(step, *limits, stream);
    return run_real<float>(step, *limits, stream);
}
