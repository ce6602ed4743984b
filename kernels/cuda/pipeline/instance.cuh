/* Instances of the pipeline kernel behind one face. */
#ifndef ISOTHERM_KERNELS_CUDA_PIPELINE_INSTANCE_CUH
#define ISOTHERM_KERNELS_CUDA_PIPELINE_INSTANCE_CUH

#include "kernels/cuda/pipeline/run.cuh"

template <typename SHAPE, bool EQUAL, bool FIXED> cudaError_t pipeline_prepare_kernel()
{
    return cudaFuncSetAttribute(step_pipeline<SHAPE, EQUAL, FIXED>,
                                cudaFuncAttributeMaxDynamicSharedMemorySize, SHAPE::SHARED_BYTES);
}

template <typename SHAPE, bool EQUAL, bool FIXED>
cudaError_t pipeline_launch_kernel(const step_args<typename SHAPE::real> &args,
                                   const pipeline_plan &plan, int blocks, cudaStream_t stream)
{
    step_pipeline<SHAPE, EQUAL, FIXED>
        <<<static_cast<unsigned>(blocks), SHAPE::THREADS, SHAPE::SHARED_BYTES, stream>>>(args,
                                                                                         plan);
    return cudaGetLastError();
}

struct pipeline_instance {
    int steps;
    pipeline_cells cells;
    bool is_double, is_equal, has_fixed;
    cudaError_t (*prepare)();
    bool (*takes)(const step *step, int multiprocessors);
    cudaError_t (*launch)(const step *step, int multiprocessors, cudaStream_t stream);
};

/* What one source file makes of them. */
struct pipeline_instances {
    const pipeline_instance *first;
    int count;
};

extern const pipeline_instances pipeline_f64, pipeline_f64_general, pipeline_f64_kinds,
    pipeline_f32, pipeline_f32_general, pipeline_f32_kinds;

/* Each block first makes 2 STEPS rows that are thrown away: it should deliver more than that. */
template <typename SHAPE> bool pipeline_takes_shape(const step *step, int multiprocessors)
{
    pipeline_plan plan;
    const step_args<typename SHAPE::real> args = step_args_make<typename SHAPE::real>(step);
    if (!pipeline_plan_make<SHAPE>(args, *step->block, PIPELINE_WEIGHTS, &plan))
        return false;
    const int64_t rows = args.cells.y1 - args.cells.y0;
    return rows * plan.strips >= 2 * SHAPE::STEPS * static_cast<int64_t>(multiprocessors);
}

/* One launch, as balanced as is known, and what learns from it. */
template <typename SHAPE, bool EQUAL, bool FIXED>
cudaError_t pipeline_launch_balanced(const step *step, const pipeline_weights &weights, int blocks,
                                     cudaStream_t stream)
{
    pipeline_plan plan;
    const step_args<typename SHAPE::real> args = step_args_make<typename SHAPE::real>(step);
    if (!pipeline_plan_make<SHAPE>(args, *step->block, weights, &plan))
        return cudaErrorInvalidValue;
    pipeline_balance_key key = {};
    key.kernel = reinterpret_cast<const void *>(step_pipeline<SHAPE, EQUAL, FIXED>);
    key.cells = SHAPE::HAS_KINDS ? args.kind : args.fixed;
    key.stream = stream;
    key.nx = args.nx;
    key.ny = args.ny;
    key.region = step->region;
    int launches = 0;
    cudaError_t error = cudaGetDevice(&key.device);
    if (error != cudaSuccess)
        return error;
    if (blocks <= BALANCE_BLOCKS)
        plan.balance = pipeline_balance_find(key, &launches);
    error = pipeline_launch_kernel<SHAPE, EQUAL, FIXED>(args, plan, blocks, stream);
    if (error == cudaSuccess && plan.balance != nullptr && launches < BALANCE_LAUNCHES)
        error =
            pipeline_balance_queue(plan.balance, pipeline_total(plan), blocks, launches, stream);
    return error;
}

template <typename SHAPE, bool EQUAL, bool FIXED>
cudaError_t pipeline_launch_shape(const step *step, int multiprocessors, cudaStream_t stream)
{
    return pipeline_launch_balanced<SHAPE, EQUAL, FIXED>(step, PIPELINE_WEIGHTS, multiprocessors,
                                                         stream);
}

template <typename SHAPE, bool EQUAL, bool FIXED>
constexpr pipeline_instance pipeline_instance_make()
{
    return {SHAPE::STEPS,
            SHAPE::CELLS,
            sizeof(typename SHAPE::real) == sizeof(double),
            EQUAL,
            FIXED,
            pipeline_prepare_kernel<SHAPE, EQUAL, FIXED>,
            pipeline_takes_shape<SHAPE>,
            pipeline_launch_shape<SHAPE, EQUAL, FIXED>};
}

#endif
