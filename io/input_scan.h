/* One token of an input file at a time: checked, and written in the form libconfig gets. Private to
 * input_source.c. */
#ifndef ISOTHERM_IO_INPUT_SCAN_H
#define ISOTHERM_IO_INPUT_SCAN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "io/input_source.h"

/* The scan of all files of one input. */
struct scanner {
    struct source *source;
    FILE *text, *normal; /* memory streams */
    const char *root;    /* includes must lie below this directory; NULL: none allowed */
    int line;            /* of the text, as far as written */
    int settings, includes, depth;
    size_t bytes;
    char last;      /* token: 'a' name, 'v' value, '"' text, or its sign; ';' at the start */
    int open_count; /* without [0] */
    struct {
        char bracket;
        int file, line;
        int settings;
    } open[SOURCE_MAX_NESTING + 1]; /* [0]: the file itself, as if in { } */
};

/* A place in one file. */
struct cursor {
    const char *at;
    const char *copied; /* up to here the text was written */
    int file, line;
    bool line_is_blank; /* so far */
};

/* Takes the token at the cursor (not an @include), writes it and leaves the cursor behind it. */
enum status scan_token(struct scanner *scanner, struct cursor *cursor) MUST_CHECK;

/* After the last token: nothing is left open. */
enum status scan_end(const struct scanner *scanner, const struct cursor *cursor) MUST_CHECK;

bool scan_is_comment(const char *at);

/* STATUS_INPUT with "file:line: " in front. */
enum status scan_fail(const struct scanner *scanner, const struct cursor *cursor,
                      const char *format, ...) PRINTF_LIKE(3, 4);

#endif
