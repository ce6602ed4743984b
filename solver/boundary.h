/* Boundary conditions as affine ghost maps, and the stability limit that follows from them. */
#ifndef ISOTHERM_SOLVER_BOUNDARY_H
#define ISOTHERM_SOLVER_BOUNDARY_H

#include "base/error.h"
#include "io/input.h"

/* ghost = a + b * cell, in K. */
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
 * STATUS_INPUT for a flux through a wall that does not conduct. Not for periodic sides. */
enum status boundary_map(const struct input_boundary *boundary, enum side side, double k, double d,
                         struct ghost_map *map) MUST_CHECK;

/* The largest sum, over the n cells of a line, of diagonal and off-diagonal elements of the second
 * difference with these ends, times d^2 (4 inside). Gershgorin: forward Euler is stable for
 * dt (a_x s_x / dx^2 + a_y s_y / dy^2) <= 2. `ends` is NULL for a periodic line. */
double boundary_spectrum(int64_t n, const struct ghost_map ends[2]);

#endif
