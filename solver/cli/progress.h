/* How far a run is: a line that redraws on a terminal, plain lines or JSON elsewhere. */
#ifndef ISOTHERM_SOLVER_CLI_PROGRESS_H
#define ISOTHERM_SOLVER_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ipc/control.h"
#include "solver/cli/options.h"
#include "solver/plan.h"

struct progress {
    enum progress_mode mode; /* resolved: never PROGRESS_AUTO */
    const struct plan *plan;
    const struct control *control;
    double start, last_shown; /* s, monotonic */
    int64_t first_step;       /* of this run: after a resume not 0 */
    bool is_line_open;        /* the redrawn line has no end yet */
};

void progress_open(struct progress *progress, enum progress_mode mode, bool is_quiet,
                   const struct plan *plan, const struct control *control, int64_t first_step);

/* Shows the state when it is time to; at the end in any case. */
void progress_tick(struct progress *progress, bool is_last);

#endif
