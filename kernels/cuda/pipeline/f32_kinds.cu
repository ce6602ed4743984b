/* Conduction by kind of cell, float. */
#include "kernels/cuda/pipeline/instance.cuh"

template <pipeline_cells CELLS> using steps18_equal = pipeline_shape<float, 3, 12, 6, 2, CELLS>;
template <pipeline_cells CELLS> using steps18 = pipeline_shape<float, 3, 10, 6, 2, CELLS>;
template <pipeline_cells CELLS> using steps12 = pipeline_shape<float, 2, 14, 6, 2, CELLS>;
template <pipeline_cells CELLS> using steps8 = pipeline_shape<float, 2, 18, 4, 2, CELLS>;

static constexpr pipeline_instance instances[] = {
    pipeline_instance_make<steps18_equal<PIPELINE_KINDS>, true, false>(),
    pipeline_instance_make<steps12<PIPELINE_KINDS>, true, false>(),
    pipeline_instance_make<steps8<PIPELINE_KINDS>, true, false>(),
    pipeline_instance_make<steps18_equal<PIPELINE_SOURCES>, true, false>(),
    pipeline_instance_make<steps12<PIPELINE_SOURCES>, true, false>(),
    pipeline_instance_make<steps8<PIPELINE_SOURCES>, true, false>(),
    pipeline_instance_make<steps18<PIPELINE_KINDS>, false, false>(),
    pipeline_instance_make<steps12<PIPELINE_KINDS>, false, false>(),
    pipeline_instance_make<steps8<PIPELINE_KINDS>, false, false>(),
    pipeline_instance_make<steps18<PIPELINE_SOURCES>, false, false>(),
    pipeline_instance_make<steps12<PIPELINE_SOURCES>, false, false>(),
    pipeline_instance_make<steps8<PIPELINE_SOURCES>, false, false>(),
};
const pipeline_instances pipeline_f32_kinds = {instances, sizeof instances / sizeof *instances};
