/* Laboratory of the GPU time step: every variant is checked bit by bit against one thread a cell,
 * one launch a step, and then timed. See README.md. */
#ifndef ISOTHERM_BENCH_KERNELS_GPU_LAB_H
#define ISOTHERM_BENCH_KERNELS_GPU_LAB_H

#include <cuda_runtime_api.h>

#include "kernels/cuda/pipeline/plan.cuh"

struct lab_variant {
    const char *name;
    bool is_double;
    int steps; /* of one launch */
    /* With rx == ry or not, with fixed cells or not; returns cudaErrorNotSupported for what this
     * variant was not built for. */
    cudaError_t (*run)(const struct step *step, cudaStream_t stream);
    cudaFuncAttributes (*attributes)(void);
    struct lab_variant *next;
};

extern pipeline_weights lab_weights; /* see pipeline_plan_make */

/* Variants add themselves before main starts. */
extern struct lab_variant *lab_variants;

struct lab_registration {
    explicit lab_registration(lab_variant *variant)
    {
        variant->next = lab_variants;
        lab_variants = variant;
    }
};

#endif
