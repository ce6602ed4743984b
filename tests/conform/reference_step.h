/* The time step as struct step defines it, done in the most obvious way: what every backend must
 * give bit for bit. */
#ifndef ISOTHERM_TESTS_REFERENCE_STEP_H
#define ISOTHERM_TESTS_REFERENCE_STEP_H

#include "kernels/cell.h"
#include "tests/conform/backend_fixture.h"

/* What step->region depends on `by` steps earlier. */
static struct region reference_grown(const struct step *step, int by)
{
    struct region grown = {step->region.x0 - by, step->region.x1 + by, step->region.y0 - by,
                           step->region.y1 + by};
    if (step->sides[0].is_boundary && grown.x0 < 0)
        grown.x0 = 0;
    if (step->sides[1].is_boundary && grown.x1 > step->block->nx)
        grown.x1 = step->block->nx;
    if (step->sides[2].is_boundary && grown.y0 < 0)
        grown.y0 = 0;
    if (step->sides[3].is_boundary && grown.y1 > step->block->ny)
        grown.y1 = step->block->ny;
    return grown;
}

#define REAL    double
#define CELL(x) x##_f64
#include "tests/conform/reference_step.inc"
#undef REAL
#undef CELL

#define REAL    float
#define CELL(x) x##_f32
#include "tests/conform/reference_step.inc"
#undef REAL
#undef CELL

static void reference_step(const struct step *step)
{
    if (step->block->element_bytes == sizeof(double))
        reference_advance_f64(step);
    else
        reference_advance_f32(step);
}

#endif
