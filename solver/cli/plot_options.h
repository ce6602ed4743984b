/* What `isotherm plot` was asked to draw. */
#ifndef ISOTHERM_SOLVER_CLI_PLOT_OPTIONS_H
#define ISOTHERM_SOLVER_CLI_PLOT_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "solver/cli/frames.h"

struct plot_options {
    const char *file;   /* NULL only with probes */
    const char *output; /* NULL: named after the file */
    struct frames_choice when;
    bool has_range;
    double range[2];
    const char *colormap; /* NULL: the default; known to exist otherwise */
    const char *field;    /* a dataset of the file; NULL: the first field */
    bool is_list;         /* no picture but the names of the datasets */
    bool has_middle;
    double middle; /* of diverging colours */
    bool has_line;
    int line_axis;  /* 0: x = line_at, 1: y = line_at */
    double line_at; /* m */
    int contours;
    bool is_outlined;   /* the materials */
    const char *probes; /* NULL: none */
    bool is_help;       /* help was printed, nothing to do */
};

/* The texts in `options` are those of argv. */
enum status plot_options_parse(int argc, char **argv, struct plot_options *options) MUST_CHECK;

#endif
