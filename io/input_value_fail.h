/* What messages say of a single value of an input that does not fit its setting. */
#ifndef ISOTHERM_IO_INPUT_VALUE_FAIL_H
#define ISOTHERM_IO_INPUT_VALUE_FAIL_H

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

/* STATUS_INPUT with "file:line: path: " in front. */
enum status value_fail(const struct value_context *context, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* The same for a node of another type than `wanted` ("a number"), for the text of such a node, and
 * for a number out of the setting's range. */
enum status value_fail_type(const struct value_context *context, const config_setting_t *node,
                            const char *wanted);
enum status value_fail_text(const struct value_context *context, const char *text,
                            const char *wanted);
enum status value_fail_range(const struct value_context *context, double value);

/* Reads "10 s", or another time where seconds are meant; *unit: what follows the number. */
bool value_is_quoted_number(const struct setting *setting, const char *text, double *value,
                            const char **unit);

#endif
