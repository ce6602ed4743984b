/* Single values of an input: one strict reader for each type of setting. */
#ifndef ISOTHERM_IO_INPUT_VALUE_H
#define ISOTHERM_IO_INPUT_VALUE_H

#include "io/input_value_fail.h"

/* Reads node into the memory of the setting: every type but GROUP and LIST, and FIELD where it is
 * a group. Checks type and range. Text is allocated, replacing none. */
enum status value_read(const struct value_context *context, void *to) MUST_CHECK;

#endif
