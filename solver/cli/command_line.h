/* The command line as text that a POSIX shell takes. */
#ifndef ISOTHERM_SOLVER_CLI_COMMAND_LINE_H
#define ISOTHERM_SOLVER_CLI_COMMAND_LINE_H

#include "base/error.h"

/* The arguments of a command, argv[0] its name, before getopt_long() moves them. */
struct command_line {
    char *history; /* "2026-01-31T12:00:00Z isotherm run plate.cfg ...", as CF asks for; owned */
    char *resume;  /* the same run with --resume and without --overwrite; owned */
};

/* On failure command_line_free() may still be called. */
enum status command_line_make(int argc, char **argv, struct command_line *line) MUST_CHECK;
void command_line_free(struct command_line *line);

#endif
