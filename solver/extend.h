/* A run that is resumed with another time.end: the state of its checkpoint is also one of the run
 * to the new end, to the last bit, where the schedules agree up to there. */
#ifndef ISOTHERM_SOLVER_EXTEND_H
#define ISOTHERM_SOLVER_EXTEND_H

#include "io/checkpoint.h"
#include "solver/plan.h"

/* `settings`: of the checkpoint. *redo: what (enum item_kind bits) is to be written again at the
 * checkpoint's step, as its time has other last digits now that the run does not end there.
 * STATUS_INPUT with the reason where the new end asks for other steps than were taken. */
enum status extend_check(const struct plan *plan, const struct checkpoint *checkpoint,
                         const char *settings, int *redo) MUST_CHECK;

#endif
