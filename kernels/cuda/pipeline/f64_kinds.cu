/* Conduction by kind of cell, double. */
#include "kernels/cuda/pipeline/instance.cuh"

template <pipeline_cells CELLS> using steps12 = pipeline_shape<double, 3, 10, 4, 2, CELLS>;
template <pipeline_cells CELLS> using steps8 = pipeline_shape<double, 2, 14, 4, 2, CELLS>;

static constexpr pipeline_instance instances[] = {
    pipeline_instance_make<steps12<PIPELINE_KINDS>, true, false>(),
    pipeline_instance_make<steps8<PIPELINE_KINDS>, true, false>(),
    pipeline_instance_make<steps12<PIPELINE_SOURCES>, true, false>(),
    pipeline_instance_make<steps8<PIPELINE_SOURCES>, true, false>(),
    pipeline_instance_make<steps12<PIPELINE_KINDS>, false, false>(),
    pipeline_instance_make<steps8<PIPELINE_KINDS>, false, false>(),
    pipeline_instance_make<steps12<PIPELINE_SOURCES>, false, false>(),
    pipeline_instance_make<steps8<PIPELINE_SOURCES>, false, false>(),
};
const pipeline_instances pipeline_f64_kinds = {instances, sizeof instances / sizeof *instances};
