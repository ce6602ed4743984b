/* rx == ry, no fixed cells, double. Shapes: the fastest of bench/kernels/gpu. */
#include "kernels/cuda/pipeline/instance.cuh"

using steps16 = pipeline_shape<double, 4, 10, 4, 2>;
using steps12 = pipeline_shape<double, 3, 13, 4, 2>;
using steps8 = pipeline_shape<double, 2, 18, 4, 2>;
using steps4 = pipeline_shape<double, 1, 22, 4, 2>;

static constexpr pipeline_instance instances[] = {
    pipeline_instance_make<steps16, true, false>(),
    pipeline_instance_make<steps12, true, false>(),
    pipeline_instance_make<steps8, true, false>(),
    pipeline_instance_make<steps4, true, false>(),
};
const pipeline_instances pipeline_f64 = {instances, sizeof instances / sizeof *instances};
