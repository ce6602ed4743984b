/* rx == ry, no fixed cells, float. Shapes: the fastest of bench/kernels/gpu. */
#include "kernels/cuda/pipeline/instance.cuh"

using steps18 = pipeline_shape<float, 3, 18, 6, 2>;
using steps16 = pipeline_shape<float, 4, 12, 4, 3>;
using steps12 = pipeline_shape<float, 3, 20, 4, 2>;
using steps8 = pipeline_shape<float, 2, 28, 4, 2>;
using steps4 = pipeline_shape<float, 1, 28, 4, 2>;

static constexpr pipeline_instance instances[] = {
    pipeline_instance_make<steps18, true, false>(), pipeline_instance_make<steps16, true, false>(),
    pipeline_instance_make<steps12, true, false>(), pipeline_instance_make<steps8, true, false>(),
    pipeline_instance_make<steps4, true, false>(),
};
const pipeline_instances pipeline_f32 = {instances, sizeof instances / sizeof *instances};
