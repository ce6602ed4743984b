/* What `isotherm run` tells people: on standard output unless quiet, and in run.log. */
#ifndef ISOTHERM_SOLVER_CLI_CONSOLE_H
#define ISOTHERM_SOLVER_CLI_CONSOLE_H

#include <stdbool.h>

#include "base/error.h"
#include "io/rundir.h"

/* `rundir` may be NULL (no log yet) and must stay. */
void console_open(bool is_quiet, const struct rundir *rundir);

/* A line of information. */
void console_say(const char *format, ...) PRINTF_LIKE(1, 2);

/* A line on standard error whatever --quiet says: "isotherm: warning: ...". Safe in any process. */
void console_warn(const char *line);

/* Characters that the terminal of standard output shows; 80 x 24 when that is unknown. */
void console_size(int *columns, int *rows);

#endif
