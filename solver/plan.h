/* What a run will do, worked out from the input and the files of its geometry before anything
 * starts: grid, coefficients, step, schedule, split. No device; the same in every process. */
#ifndef ISOTHERM_SOLVER_PLAN_H
#define ISOTHERM_SOLVER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "io/input.h"
#include "kernels/backend.h"
#include "solver/layout.h"
#include "solver/map.h"
#include "solver/schedule.h"

struct plan {
    const struct input *input;     /* not owned */
    double dx, dy;                 /* m */
    double diffusivity[2];         /* m2/s, k / (rho c) in x and y, of the first material */
    struct map map;                /* of materials */
    struct properties *properties; /* of cells; NULL: materials are the same everywhere. Owned */
    bool has_zones;                /* several materials, sources, loss, radiation: see zoning.h */
    double step_limit;        /* s, largest stable step of forward Euler; INFINITY where nothing
                                 conducts */
    int stages;               /* of each step: see rkl2.h; 0: forward Euler */
    struct schedule schedule; /* of a steady run: its intervals lie between looks at the state */
    int64_t look_every;       /* such intervals */
    int64_t snapshot_every;   /* such intervals; 0: only the start and the end */
    struct layout layout;
    struct step_case step_case; /* of the blocks */
    int ranks;
    bool is_double;
    struct block *blocks;      /* (ranks), owned */
    struct halo_strip *strips; /* (strip_count), owned */
    int strip_count;
    size_t field_bytes; /* the largest rank's two levels */
    size_t staging_bytes;
    size_t frame_bytes; /* one frame of output as it waits for the writer */
};

/* `backend` is only asked for its advice; `devices`: how many processes "auto" may start (GPUs, or
 * cores). STATUS_INPUT when the input
 * cannot run as it is (a step above the limit, fewer cells than ranks, ...). On failure plan_free()
 * may still be called. */
enum status plan_make(const struct input *input, const struct backend *backend, int devices,
                      struct plan *plan) MUST_CHECK;

/* Another number of steps per exchange than plan_make chose. */
enum status plan_change_depth(struct plan *plan, int steps) MUST_CHECK;

void plan_free(struct plan *plan);

/* When boundary values of step n are taken: at its start, stages take those of its middle. */
static inline double plan_boundary_time(const struct plan *plan, int64_t step)
{
    const double t = schedule_time(&plan->schedule, step);
    return plan->stages > 0 ? t + 0.5 * schedule_dt(&plan->schedule, step) : t;
}

/* Seconds between two looks at the state of a steady run. */
static inline double plan_look_interval(const struct plan *plan)
{
    return (double)plan->look_every * plan->schedule.interval;
}

/* The schedule that the plan would have with another time.end. */
enum status plan_schedule(const struct plan *plan, double end,
                          struct schedule *schedule) MUST_CHECK;

/* r = diffusivity dt / d^2 of step `n` in x and y, as the kernels take it: equal where the cells
 * are square and the material isotropic, to the last bit. */
void plan_coefficients(const struct plan *plan, double dt, double *rx, double *ry);

#endif
