/* What settings must be to each other. */
#ifndef ISOTHERM_IO_INPUT_CHECK_H
#define ISOTHERM_IO_INPUT_CHECK_H

#include "io/input.h"
#include "io/input_tree.h"

/* Both take inputs with settings that could not be read too (tree_is_known()), and say nothing of
 * those. */

/* Materials by name become indices, and what belongs to them is checked: before input_check(). */
enum status input_resolve(struct input *input, const struct tree *tree) MUST_CHECK;

/* The settings, each in its own range, make sense together. `tree` gives the places. */
enum status input_check(const struct input *input, const struct tree *tree) MUST_CHECK;

#endif
