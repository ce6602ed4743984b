/* Single values of an input: one strict reader for each type of setting. */
#ifndef ISOTHERM_IO_INPUT_VALUE_H
#define ISOTHERM_IO_INPUT_VALUE_H

#include "io/input_tree.h"
#include "io/schema.h"

/* What is being read, and what messages need. */
struct value_context {
    const struct tree *tree;
    const struct setting *setting;
    config_setting_t *node; /* as given */
    const char *path;       /* from the root: "fixed.[0].temperature" */
    const char *directory;  /* of the input file, resolved, for relative paths */
};

/* Reads node into the memory of the setting: every type but GROUP and LIST, and FIELD where it is
 * a group. Checks type and range. Text is allocated, replacing none. */
enum status value_read(const struct value_context *context, void *to) MUST_CHECK;

/* STATUS_INPUT with "file:line: path: " in front. */
enum status value_fail(const struct value_context *context, const char *format, ...)
    PRINTF_LIKE(2, 3);

#endif
