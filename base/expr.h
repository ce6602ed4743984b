/* Expressions of the input file, such as "293.15 + 40*exp(-(x-0.1)^2/1e-4)": a thin, checked face
 * of muParser. Evaluated on the host only, because device and host mathematics differ in the last
 * bit. Besides muParser's functions the constants pi and e are known. */
#ifndef ISOTHERM_BASE_EXPR_H
#define ISOTHERM_BASE_EXPR_H

#include <stdint.h>

#include "base/error.h"

struct expression;

/* `names`: one letter each, for example "xy" or "st". On failure the status is STATUS_INPUT and the
 * message says what is wrong and at which character, without naming the setting: `where` (for
 * example "plate.cfg:12: initial.temperature") goes in front. */
enum status expression_open(struct expression **expression, const char *text, const char *names,
                            const char *where) MUST_CHECK;

/* values[strlen(names)] in the order of names. A result that is not finite is STATUS_INPUT. */
enum status expression_evaluate(struct expression *expression, const double *values,
                                double *result) MUST_CHECK;

/* The same for cell (i, j) of the domain, which the message names. */
enum status expression_evaluate_cell(struct expression *expression, const double *values, int64_t i,
                                     int64_t j, double *result) MUST_CHECK;

void expression_close(struct expression *expression);

#endif
