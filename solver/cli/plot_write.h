/* How `isotherm plot` writes its pictures, and names them. */
#ifndef ISOTHERM_SOLVER_CLI_PLOT_WRITE_H
#define ISOTHERM_SOLVER_CLI_PLOT_WRITE_H

#include <stdint.h>

#include "io/plot.h"
#include "solver/cli/plot_options.h"

/* Which picture it is: `tail` ("-line") stands in its name, the number of the frame only when that
 * is not below 0. */
struct plot_name {
    const char *tail;
    int64_t frame, frames;
};

/* Writes the PNG where the options say and says so, unless that is standard output. */
enum status plot_write_picture(const struct plot_options *options, const struct plot_name *name,
                               const struct canvas *canvas) MUST_CHECK;
/* Draws it before; of a chart there is one. */
enum status plot_write_chart(const struct plot_options *options, const char *tail,
                             const struct plot_chart *chart) MUST_CHECK;

#endif
