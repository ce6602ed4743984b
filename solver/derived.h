/* What snapshots hold of every cell, worked out by the writer from the field of a frame: from the
 * same conductances between cells and the same boundary conditions as the kernels use, in double
 * precision. As the field does not depend on how the domain is split, nor does this. */
#ifndef ISOTHERM_SOLVER_DERIVED_H
#define ISOTHERM_SOLVER_DERIVED_H

#include "io/kept.h"
#include "solver/boundary.h"
#include "solver/plan.h"

struct derived {
    const struct plan *plan;        /* not owned */
    const unsigned char *materials; /* (ny, nx), not owned; NULL: the first everywhere */
    struct kept kept;
    bool has_sides;         /* any field that needs what follows */
    double *conductance[2]; /* (materials, materials) across faces in x and y, W/m2/K */
    struct boundary boundaries[SIDE_COUNT];
    double *flux[SIDE_COUNT];  /* (faces) through the side into the domain, W/m2 */
    double *slope[SIDE_COUNT]; /* (faces) of the temperature out of the domain, K/m */
    const void *field;         /* of the frame; not owned */
    double reference;          /* K */
};

/* On failure derived_close() may still be called. */
enum status derived_open(const struct plan *plan, const unsigned char *materials,
                         struct derived *derived) MUST_CHECK;
void derived_close(struct derived *derived);

/* Takes up a frame: `field` (ny, nx) as the ranks hold it, at time t (s). */
enum status derived_frame(struct derived *derived, const void *field, double reference,
                          double t) MUST_CHECK;

/* values[count] of the kept cells [i, i + count) in the kept row j, see struct snapshot_frame:
 *   temperature   K
 *   heat_flux_x   W/m2, positive towards larger x: mean of the fluxes through both faces of the
 *                 cell; through a face at a boundary goes what the boundary lets through
 *   heat_flux_y   likewise
 *   gradient      K/m: magnitude of the vector of the central differences; beyond a boundary lies
 *                 the ghost value of its condition */
void derived_row(const void *derived, enum output_field field, int64_t j, int64_t i, int64_t count,
                 double *values);

#endif
