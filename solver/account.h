/* What the energy balance needs to know of materials and sources, for the writer. */
#ifndef ISOTHERM_SOLVER_ACCOUNT_H
#define ISOTHERM_SOLVER_ACCOUNT_H

#include "solver/source.h"

struct account {
    const struct plan *plan;
    struct sources sources;
    unsigned char *materials; /* (ny, nx); NULL without zones */
    double *capacities;       /* (materials) rho c, J/m3/K; 0 where properties go by cell */
    double capacity;          /* J/m/K: of the whole domain, per metre of depth */
    double *powers;           /* (sources) W/m at a factor of 1; of spots: of the whole spot */
    double *block_powers;     /* scratch for the blocks of a floorplan */
    int64_t step;             /* up to which `heat` is known */
    double heat;              /* J/m, from sources that change with time */
};

/* Does nothing without zones. On failure account_close() may still be called. */
enum status account_open(const struct plan *plan, struct account *account) MUST_CHECK;
void account_close(struct account *account);

/* Of cell `cell` = j nx + i, with zones: rho c (J/m3/K), and k along an axis (W/m/K). */
double account_capacity(const struct account *account, int64_t cell);
double account_conductivity(const struct account *account, int axis, int64_t cell);

/* W/m of source s in a step. */
enum status account_power(const struct account *account, int s, int64_t step,
                          double *power) MUST_CHECK;

/* Heat from all sources since the start, J/m, up to `step`; steps do not go back. */
enum status account_heat(struct account *account, int64_t step, double *heat) MUST_CHECK;

#endif
