/* Heat sources of the input, evaluated: the same on the ranks, which heat cells with it, and in the
 * writer, which accounts for it. */
#ifndef ISOTHERM_SOLVER_SOURCE_H
#define ISOTHERM_SOLVER_SOURCE_H

#include "io/floorplan.h"
#include "solver/function.h"
#include "solver/plan.h"

struct sources {
    const struct plan *plan;
    struct function *factors;     /* (source_count) */
    struct floorplan *floorplans; /* (source_count), empty for sources of other types */
};

/* Reads what the sources need but for fields; STATUS_INPUT too when a floorplan does not fit into
 * the domain, or a trace not the times of the run. */
enum status sources_open(const struct plan *plan, struct sources *sources) MUST_CHECK;
void sources_close(struct sources *sources); /* after a failed open too */

/* Whether anything about a source changes with time. */
bool source_varies(const struct input_source *source);

/* Sources act in a step as they are in its middle: exact for heat that changes linearly, and a jump
 * at an output time is not missed. */
double source_time(const struct plan *plan, int64_t step);

/* What source s is multiplied with at time t: of the step's middle. */
enum status sources_factor(const struct sources *sources, int s, double t,
                           double *factor) MUST_CHECK;

/* powers[blocks]: W of each block of the floorplan of source s in a step, with its factor: the mean
 * of the trace over the step. */
enum status sources_powers(const struct sources *sources, int s, int64_t step,
                           double *powers) MUST_CHECK;

/* A gaussian spot at time t is power * factor * g(x) * g(y), with g the mean over a cell of its
 * density (1/m) along that axis: values of cells [first, first + count) of the domain into
 * values[count]; with periodic sides, indices beyond the domain are those of the other end. */
void source_spot(const struct plan *plan, const struct input_source *source, double t, int axis,
                 int64_t first, int count, double *values);

/* Whether a uniform source heats cell (i, j), which is of `material`. */
bool source_holds(const struct plan *plan, const struct input_source *source, int material,
                  int64_t i, int64_t j);

#endif
