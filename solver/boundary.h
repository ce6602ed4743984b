/* Boundary conditions as affine ghost maps, and the stability limit that follows from them. */
#ifndef ISOTHERM_SOLVER_BOUNDARY_H
#define ISOTHERM_SOLVER_BOUNDARY_H

#include "base/error.h"
#include "io/input.h"
#include "solver/function.h"

/* What a side does at one place and time. */
struct boundary_values {
    enum boundary_type type;
    double value;       /* temperature: K; flux: W/m2, positive into the domain */
    double coefficient; /* convection: W/m2/K */
    double emissivity;  /* radiation */
    double ambient;     /* convection and radiation: K */
};

#define STEFAN_BOLTZMANN 5.670374419e-8 /* W/m2/K4, exact in the SI of 2019 */

/* ghost = a + b * cell, in K; for radiation what cell_radiate takes: strength a, surroundings b. */
struct ghost_map {
    double a, b;
};

/* The map of one side, for conductivity k (W/m/K) normal to it and cells d (m) wide there. With
 * the face half a cell from the centre and the gradient (ghost - cell) / d across it:
 *   insulated     ghost = cell
 *   temperature   (ghost + cell) / 2 = value
 *   flux          k (ghost - cell) / d = value
 *   convection    k (ghost - cell) / d = (ambient - cell) / (1/h + d/(2k)): wall and half cell in
 *                 series, so ghost = (1 - m) cell + m ambient with m = 2 h d / (2 k + h d)
 *   radiation     not affine: the wall's temperature is found in kernels/cell.inc
 * STATUS_INPUT for a flux through a wall that does not conduct. Not for periodic sides. */
enum status boundary_map(const struct boundary_values *values, enum side side, double k, double d,
                         struct ghost_map *map) MUST_CHECK;

/* The message about a flux through a wall that does not conduct. */
enum status boundary_fail_flux(enum side side);

/* The largest sum, over the n cells of a line, of diagonal and off-diagonal elements of the second
 * difference of conduction, times d^2: 4 k inside. `walls` are 1 - b of the ghost maps at its ends,
 * NULL for a periodic line; k is the conductivity of the cells and at the walls, face_k the one
 * between cells. */
double boundary_spectrum(int64_t n, const double walls[2], double k, double face_k);

/* The functions of a side, ready to be evaluated. */
struct boundary {
    enum boundary_type type;
    struct function value, coefficient, emissivity, ambient;
};

enum status boundary_open(const struct input_boundary *input, struct boundary *boundary) MUST_CHECK;
void boundary_close(struct boundary *boundary); /* after a failed open too */
bool boundary_depends_on(const struct input_boundary *input, char name); /* 's' or 't' */
enum status boundary_at(const struct boundary *boundary, double s, double t,
                        struct boundary_values *values) MUST_CHECK;

#endif
