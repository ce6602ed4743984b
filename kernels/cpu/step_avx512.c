/* For processors with AVX-512; built with -mavx512f, -mavx512dq, -mavx512bw, -mavx512vl, -mfma. */
#include <string.h>

#include "kernels/cell.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/vector_avx512.h"

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

const struct cpu_isa cpu_isa_avx512 = {
    .name = "avx512",
    .f64 = {tiles_scratch_bytes_f64, tiles_advance_f64},
    .f32 = {tiles_scratch_bytes_f32, tiles_advance_f32},
};
