/* Refuses settings that the table does not know. */
#ifndef ISOTHERM_IO_INPUT_NAMES_H
#define ISOTHERM_IO_INPUT_NAMES_H

#include "io/input_tree.h"
#include "io/schema.h"

/* Every name below the root of the tree is in the table of settings, and every group is a group;
 * all that are not are told. */
enum status input_check_names(const struct tree *tree) MUST_CHECK;

#endif
