/* What no solution does: leaves the range of its start and surroundings, or falls below 0 K. Looked
 * at whenever the writer has a field, from the extremes that it knows anyway. */
#ifndef ISOTHERM_SOLVER_GUARD_H
#define ISOTHERM_SOLVER_GUARD_H

#include "solver/extremes.h"

struct guard {
    const struct plan *plan;
    struct extremes surroundings, allowed;
    bool has_warned_of_range, has_warned_of_zero;
};

/* A field and where it comes from, as frames hold it: temperature = reference + value. */
struct guarded {
    const void *field;        /* (ny, nx), of the run's precision */
    double reference;         /* K */
    struct extremes extremes; /* of the temperature, K */
    double time;              /* s */
    int64_t step;
};

enum status guard_open(const struct plan *plan, struct guard *guard) MUST_CHECK;

/* The extremes of the start field, also after a resume. */
void guard_start(struct guard *guard, const struct extremes *start);

/* Gives at most one line of each kind to `notice`. */
void guard_look(struct guard *guard, const struct guarded *field, void (*notice)(const char *line));

/* Numbers of the input below 0 K: STATUS_INPUT where a side radiates, else a warning in
 * line[bytes],
 * "" for none. */
enum status guard_input(const struct plan *plan, char *line, size_t bytes) MUST_CHECK;

/* Whether a side radiates, so that temperatures are absolute. */
bool guard_is_absolute(const struct input *input);

#endif
