/* Options that `run` and `check` share, and how all commands complain. */
#ifndef ISOTHERM_SOLVER_CLI_OPTIONS_H
#define ISOTHERM_SOLVER_CLI_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"

enum { OPTIONS_MAX_SETS = 256 };

enum progress_mode { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_PLAIN, PROGRESS_JSON, PROGRESS_NONE };

struct options {
    const char *config;
    char *sets[OPTIONS_MAX_SETS]; /* "path=value", from --set and its shorthands; owned */
    int set_count;
    bool is_resume, is_overwrite, is_quiet, is_json, is_watch;
    enum progress_mode progress;
    bool is_help; /* help was printed, nothing to do */
};

/* argv[0] is "run" or "check". On failure options_free() may still be called. */
enum status options_parse(int argc, char **argv, struct options *options) MUST_CHECK;
void options_free(struct options *options);

/* Whether the word after this one of `run` is its value. */
bool options_takes_value(const char *word);

struct option; /* of getopt.h */

/* Before getopt_long(), with its arguments: it takes the beginnings of long options too, which a
 * later version may understand otherwise. argv[0] is the command. Refuses what is no long option in
 * full, with the one that may have been meant. */
enum status options_check_names(int argc, char **argv, const char *letters,
                                const struct option *options) MUST_CHECK;

/* For getopt_long's '?' and ':': names the option of `command`. */
enum status options_complain(const char *command, int found, char **argv);

#endif
