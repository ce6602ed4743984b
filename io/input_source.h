/* The text of an input file before libconfig sees it. libconfig 1.5 wraps big integers, refuses
 * [1, 2.0], opens any @include and names neither file nor cause of what it refuses. So the text is
 * scanned first: includes are resolved, tokens checked, numbers and brackets put in the one form
 * that libconfig reads right. Lines stay lines, so that a place can be named. */
#ifndef ISOTHERM_IO_INPUT_SOURCE_H
#define ISOTHERM_IO_INPUT_SOURCE_H

#include <stddef.h>

#include "base/error.h"

enum {
    SOURCE_MAX_BYTES = 16 * 1024 * 1024, /* with all includes */
    SOURCE_MAX_SETTINGS = 20000,
    SOURCE_MAX_GROUP = 1000, /* settings of one group: libconfig compares each with all others */
    SOURCE_MAX_TEXT = 65536, /* bytes of a text in quotes */
    SOURCE_MAX_NESTING = 32, /* of brackets */
    SOURCE_MAX_INCLUDE_DEPTH = 10,
    SOURCE_MAX_INCLUDES = 1000
};

/* From line `first` of the text on, lines come from `file`, `line` onwards. */
struct source_run {
    int first;
    int file, line;
};

struct source {
    char *text;   /* as read, includes resolved */
    char *normal; /* for libconfig */
    char **files; /* (file_count) names for messages */
    int file_count;
    struct source_run *runs; /* (run_count), by `first` */
    int run_count;
};

/* STATUS_FILE when the file at `path` cannot be read, STATUS_INPUT when it is no fit text. */
enum status source_read(struct source *source, const char *path) MUST_CHECK;

/* The same for a text that is no file; `name` stands in messages. @include is refused. */
enum status source_scan(struct source *source, const char *text, const char *name) MUST_CHECK;

/* Fine for a zeroed source; the failed calls above leave nothing to release. */
void source_close(struct source *source);

/* Where a line of the text, counted from 1, comes from. */
void source_place(const struct source *source, int line, const char **file, int *file_line);

#endif
