/* What `isotherm plot` was asked to draw. */
#ifndef ISOTHERM_SOLVER_CLI_PLOT_OPTIONS_H
#define ISOTHERM_SOLVER_CLI_PLOT_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "solver/cli/frames.h"

struct plot_options {
    const char *file;   /* NULL only with probes */
    const char *output; /* NULL: named after the file */
    bool has_time;
    struct frames_choice when;
    bool has_range;
    double range[2];
    const char *colormap; /* NULL: the default; known to exist otherwise */
    const char *field;    /* a dataset of the file; NULL: the first field */
    bool has_unit;
    bool is_celsius; /* temperatures are drawn in degrees Celsius, and range and middle given */
    bool is_list;    /* no picture but the names of the datasets */
    bool has_middle;
    double middle; /* of diverging colours */
    bool has_line;
    int line_axis;  /* 0: x = line_at, 1: y = line_at */
    double line_at; /* m */
    bool has_contours;
    int contours;
    bool is_outlined;   /* the materials */
    const char *probes; /* NULL: none */
    bool is_help;       /* help was printed, nothing to do */
};

/* The texts in `options` are those of argv. */
enum status plot_options_parse(int argc, char **argv, struct plot_options *options) MUST_CHECK;

/* What options ask for that not everything that is drawn has. */
enum {
    PLOT_TIMES = 1,   /* --time */
    PLOT_COLOURS = 2, /* --colormap, --middle */
    PLOT_LINES = 4,   /* --contours */
    PLOT_FIELDS = 8,  /* --field, --line, --outlines */
    PLOT_UNIT = 16    /* --unit */
};

/* STATUS_INPUT when an option was given that asks for one of `kinds`, bits, which `what` has not:
 * "energy, a number over time". */
enum status plot_options_refuse(const struct plot_options *options, unsigned kinds,
                                const char *what) MUST_CHECK;

#endif
