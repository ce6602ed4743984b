/* rx != ry or fixed cells, double. */
#include "kernels/cuda/pipeline/instance.cuh"

using steps16 = pipeline_shape<double, 4, 10, 4, 2>;
using steps8 = pipeline_shape<double, 2, 18, 4, 2>;

static constexpr pipeline_instance instances[] = {
    pipeline_instance_make<steps16, false, false>(), pipeline_instance_make<steps16, true, true>(),
    pipeline_instance_make<steps16, false, true>(),  pipeline_instance_make<steps8, false, false>(),
    pipeline_instance_make<steps8, true, true>(),    pipeline_instance_make<steps8, false, true>(),
};
const pipeline_instances pipeline_f64_general = {instances, sizeof instances / sizeof *instances};
