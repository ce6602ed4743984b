/* The product's own choice of shapes, for each number of steps. */
#include "bench/kernels/gpu/lab.h"
#include "kernels/cuda/pipeline/pipeline.h"

static cudaError_t run(const struct step *step, cudaStream_t stream)
{
    int device, multiprocessors;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    static bool is_prepared;
    if (error == cudaSuccess && !is_prepared)
        error = pipeline_prepare();
    is_prepared = true;
    if (error != cudaSuccess)
        return error;
    if (!pipeline_takes(step, multiprocessors))
        return cudaErrorNotSupported;
    return pipeline_launch(step, multiprocessors, stream);
}

static cudaFuncAttributes attributes(void)
{
    return {};
}

#define LAB_PRODUCT(name, is_double, steps)                                                        \
    static lab_variant name = {#name, is_double, steps, run, attributes, nullptr};                 \
    static lab_registration name##_registration(&name);

LAB_PRODUCT(product_f32_4, false, 4)
LAB_PRODUCT(product_f32_8, false, 8)
LAB_PRODUCT(product_f32_12, false, 12)
LAB_PRODUCT(product_f32_16, false, 16)
LAB_PRODUCT(product_f32_18, false, 18)
LAB_PRODUCT(product_f64_4, true, 4)
LAB_PRODUCT(product_f64_8, true, 8)
LAB_PRODUCT(product_f64_12, true, 12)
LAB_PRODUCT(product_f64_16, true, 16)
