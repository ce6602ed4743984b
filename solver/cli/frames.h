/* Which frames of a result a command works on, and how the files made of them are named: what
 * `plot` and `export` share. */
#ifndef ISOTHERM_SOLVER_CLI_FRAMES_H
#define ISOTHERM_SOLVER_CLI_FRAMES_H

#include <stddef.h>

#include "base/error.h"
#include "io/snapshot.h"

enum frames_when { FRAMES_LAST, FRAMES_ALL, FRAMES_AT };

struct frames_choice {
    enum frames_when when;
    double time; /* s, for FRAMES_AT */
};

/* "last", "all" or a time, "0.5" or "2 min", for the frame nearest to it: the value of --time. */
enum status frames_parse(const char *text, struct frames_choice *choice) MUST_CHECK;

/* Frames [*first, *end) of the series. `file` goes into messages: STATUS_FILE when there is none,
 * STATUS_INPUT when the time is not between the first and the last. */
enum status frames_find(const struct frames_choice *choice, const struct series *series,
                        const char *file, int64_t *first, int64_t *end) MUST_CHECK;

/* How a file that is made of another one is called. */
struct frames_name {
    const char *from;   /* the file that is read: its name without suffix is the default */
    const char *tail;   /* added to that, "-line" */
    const char *suffix; /* ".png" */
    const char *output; /* -o: taken as it is; NULL: none given */
    int64_t frame;      /* < 0: not numbered, else "-0012" in front of the suffix, */
    int64_t frames;     /* with the same number of digits for all of so many */
};

enum status frames_path(const struct frames_name *name, char *path, size_t bytes) MUST_CHECK;

#endif
