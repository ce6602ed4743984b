/* isotherm plot --probes: curves over time. */
#ifndef ISOTHERM_SOLVER_CLI_PLOT_PROBES_H
#define ISOTHERM_SOLVER_CLI_PLOT_PROBES_H

#include "solver/cli/plot_options.h"

enum status plot_probes(const struct plot_options *options) MUST_CHECK;

#endif
