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

/* Heat of a face: added up, or in stages the recurrence h_j = mu h_(j-1) + nu h_(j-2) + ... */
static void reference_heat(const struct step *step, int side, int f, double heat)
{
    const struct stage *const stage = step->stage;
    if (stage == NULL) {
        step->sides[side].heat[f] += heat;
        return;
    }
    double *const kept = stage->heat[side] + f, *const odd = kept + 2 * stage->heat_pitch,
                  *const even = kept + stage->heat_pitch;
    double *const now = stage->index % 2 == 1 ? odd : even;
    double *const last = stage->index % 2 == 1 ? even : odd;
    if (stage->index == 1) {
        *kept = heat;
        *last = 0.0; /* nothing had come in at the start */
        *now = stage->change * heat;
    } else {
        *now = cell_stage_f64(0.0, *last, *now, heat, *kept, stage->mu, stage->nu, stage->change,
                              stage->rate);
    }
    if (stage->is_last)
        step->sides[side].heat[f] += *now;
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
