/* What the commands say about the fields of a result. */
#ifndef ISOTHERM_SOLVER_CLI_FIELDS_H
#define ISOTHERM_SOLVER_CLI_FIELDS_H

#include "base/error.h"
#include "io/snapshot.h"

/* A line for each dataset that --field can name. */
enum status fields_list(const char *path) MUST_CHECK;

/* "field     temperature; there are heat_flux_x and gradient too (--field)", for a command that was
 * not told which, where there are several that change with time. */
void fields_say_others(const struct series *series, const char *chosen);

#endif
