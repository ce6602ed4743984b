/* Examples for docs/input.md. */
#ifndef ISOTHERM_IO_INPUT_EXAMPLES_H
#define ISOTHERM_IO_INPUT_EXAMPLES_H

/* A piece of an input file that shows the settings of a group, by its name in the table; NULL:
 * there is none. */
const char *input_example(const char *group);

#endif
