/* For any processor: plain loops. */
#include <string.h>

#include "kernels/cell.h"
#include "kernels/cpu/isa.h"

#define REAL    double
#define CELL(x) x##_f64
#include "kernels/cpu/step.inc"
#undef REAL
#undef CELL

#define REAL    float
#define CELL(x) x##_f32
#include "kernels/cpu/step.inc"
#undef REAL
#undef CELL

const struct cpu_isa cpu_isa_baseline = {
    .name = "baseline",
    .f64 = {plain_scratch_bytes_f64, plain_advance_f64},
    .f32 = {plain_scratch_bytes_f32, plain_advance_f32},
};
