/* What `isotherm run` says at its start and end. */
#ifndef ISOTHERM_SOLVER_CLI_REPORT_H
#define ISOTHERM_SOLVER_CLI_REPORT_H

#include "solver/cli/session.h"
#include "solver/run.h"

void report_start(const struct session *session, const struct run *run);

/* `status`: STATUS_OK or STATUS_STOPPED; `elapsed`: s of wall time; `resume`: the command line that
 * goes on. */
void report_end(const struct run *run, enum status status, double elapsed, const char *resume);

#endif
