/* Super time stepping of second order, RKL2: a step of s stages covers (s^2 + s - 2)/4 steps of
 * forward Euler. Meyer, Balsara, Aslam, A stabilized Runge-Kutta-Legendre method for explicit
 * super-time-stepping of parabolic equations, Journal of Computational Physics 257 (2014) 594. */
#ifndef ISOTHERM_SOLVER_RKL2_H
#define ISOTHERM_SOLVER_RKL2_H

#include "solver/rank.h"

enum {
    RKL2_STAGES = 19,         /* of an automatic step */
    RKL2_STEADY_STAGES = 501, /* likewise, at most, on the way to a steady state */
    RKL2_STEADY_STAGES_SINGLE = 101,
    RKL2_MOST_STAGES = 1001
};

/* The largest step of s stages, in steps of forward Euler. */
double rkl2_reach(int stages);

/* The least odd number of stages, 3 or more, that reaches `steps` of forward Euler; even numbers
 * damp less. More than RKL2_MOST_STAGES when none does. */
int rkl2_stages(double steps);

/* The weights of stage j = 1..s of s stages; pointers are left alone. */
void rkl2_weights(int stages, int j, struct stage *stage);

/* Memory for what stages remember; nothing for forward Euler. rkl2_close() is fine after a failed
 * open. */
enum status rkl2_open(struct rank *rank) MUST_CHECK;
void rkl2_close(struct rank *rank);

#endif
