/* How far a run is: a line that redraws on a terminal, under a picture of the field when that was
 * asked for; plain lines or JSON elsewhere. */
#ifndef ISOTHERM_SOLVER_CLI_PROGRESS_H
#define ISOTHERM_SOLVER_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "solver/cli/options.h"
#include "solver/cli/picture.h"
#include "solver/run.h"

struct progress {
    enum progress_mode mode; /* resolved: never PROGRESS_AUTO */
    const struct run *run;
    double start, last_shown; /* s, monotonic */
    bool is_line_open;        /* the redrawn line has no end yet */
    bool has_picture;
    struct picture picture;
};

/* `run` must stay. A picture is shown only with the redrawn line. */
void progress_open(struct progress *progress, const struct options *options, const struct run *run);
void progress_close(struct progress *progress);

/* Shows the state when it is time to; at the end in any case. */
void progress_tick(struct progress *progress, bool is_last);

#endif
