/* For processors with AVX2 and FMA; built with -mavx2 -mfma. */
#include <string.h>

#include "kernels/cell.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/vector_avx2.h"

#define REAL    double
#define CELL(x) x##_f64
#include "kernels/cpu/kinds.inc"
#include "kernels/cpu/kinds_levels.inc"
#include "kernels/cpu/lanes.inc"
#include "kernels/cpu/levels.inc"
#include "kernels/cpu/step.inc"
#include "kernels/cpu/tiles.inc"
#undef REAL
#undef CELL

#define REAL    float
#define CELL(x) x##_f32
#include "kernels/cpu/kinds.inc"
#include "kernels/cpu/kinds_levels.inc"
#include "kernels/cpu/lanes.inc"
#include "kernels/cpu/levels.inc"
#include "kernels/cpu/step.inc"
#include "kernels/cpu/tiles.inc"
#undef REAL
#undef CELL

const struct cpu_isa cpu_isa_avx2 = {
    .name = "avx2",
    .f64 = {tiles_scratch_bytes_f64, tiles_advance_f64},
    .f32 = {tiles_scratch_bytes_f32, tiles_advance_f32},
};
