/* rx != ry or fixed cells, float. */
#include "kernels/cuda/pipeline/instance.cuh"

using steps18 = pipeline_shape<float, 3, 18, 6, 2>;
using steps16 = pipeline_shape<float, 4, 12, 4, 3>; /* faster here: leaves registers for masks */
using steps8 = pipeline_shape<float, 2, 28, 4, 2>;

static constexpr pipeline_instance instances[] = {
    pipeline_instance_make<steps18, false, false>(),
    pipeline_instance_make<steps18, true, true>(),
    pipeline_instance_make<steps18, false, true>(),
    pipeline_instance_make<steps16, false, false>(),
    pipeline_instance_make<steps16, true, true>(),
    pipeline_instance_make<steps16, false, true>(),
    pipeline_instance_make<steps8, false, false>(),
    pipeline_instance_make<steps8, true, true>(),
    pipeline_instance_make<steps8, false, true>(),
};
const pipeline_instances pipeline_f32_general = {instances, sizeof instances / sizeof *instances};
