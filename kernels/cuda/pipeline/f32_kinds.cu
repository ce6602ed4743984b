/* Conduction by kind of cell, float. */
#include "kernels/cuda/pipeline/instance.cuh"

using kinds8 = pipeline_shape<float, 2, 18, 4, 2, PIPELINE_KINDS>;
using sources8 = pipeline_shape<float, 2, 18, 4, 2, PIPELINE_SOURCES>;

static constexpr pipeline_instance instances[] = {
    pipeline_instance_make<kinds8, false, false>(),
    pipeline_instance_make<sources8, false, false>(),
};
const pipeline_instances pipeline_f32_kinds = {instances, sizeof instances / sizeof *instances};
