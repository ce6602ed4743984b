/* Values that change with time or along a side, ready to be evaluated: numbers, expressions and
 * tables of the input. */
#ifndef ISOTHERM_SOLVER_FUNCTION_H
#define ISOTHERM_SOLVER_FUNCTION_H

#include <stdbool.h>

#include "base/error.h"
#include "base/expr.h"
#include "io/csv.h"
#include "io/input.h"

struct function {
    const struct input_function *input; /* not owned */
    const char *names;
    struct expression *expression;
    struct csv table; /* columns t, value */
};

/* `names`: "st" or "t", as in the table of settings. STATUS_INPUT or STATUS_FILE for a table that
 * cannot be used. On failure function_close() may still be called. */
enum status function_open(const struct input_function *input, const char *names,
                          struct function *function) MUST_CHECK;
void function_close(struct function *function);

/* Whether it changes with this argument. */
bool function_depends_on(const struct input_function *input, char name);

/* Its value at s (m) and t (s); an s is ignored where there is none. */
enum status function_at(const struct function *function, double s, double t,
                        double *value) MUST_CHECK;

#endif
