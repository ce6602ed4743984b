/* The arithmetic of one cell, used by every kernel on CPU and GPU. The order of operations is the
 * interface: each fma is written out and the compilers contract nothing else (-ffp-contract=off,
 * --fmad=false), so that the same bits come out everywhere. docs/decisions/0001-cell-update.md
 * has the alternatives. */
#ifndef ISOTHERM_KERNELS_CELL_H
#define ISOTHERM_KERNELS_CELL_H

#include <math.h>
#include <stdbool.h>

#include "kernels/hd.h"

#define REAL    double
#define FMA     fma
#define CELL(x) x##_f64
#include "kernels/cell.inc"
#undef REAL
#undef FMA
#undef CELL

#define REAL    float
#define FMA     fmaf
#define CELL(x) x##_f32
#include "kernels/cell.inc"
#undef REAL
#undef FMA
#undef CELL

#endif
