/* How many steps an exchange makes where the input leaves it open, by trying it out on the GPU. */
#ifndef ISOTHERM_SOLVER_CLI_TUNING_H
#define ISOTHERM_SOLVER_CLI_TUNING_H

#include "solver/cli/session.h"

/* Changes the plan of a session on GPUs to the number of steps that is fastest for its first block.
 * A measurement is kept in $XDG_CACHE_HOME/isotherm/tuning (or ~/.cache/isotherm/tuning) and used
 * again by the same version on GPUs of the same name. Where nothing can be measured, the plan stays
 * as it is. */
enum status tuning_apply(struct session *session) MUST_CHECK;

#endif
