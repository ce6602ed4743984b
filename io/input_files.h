/* The files that an input names: whether they are there, and what they hold, for resumes, which
 * must not go on with others. */
#ifndef ISOTHERM_IO_INPUT_FILES_H
#define ISOTHERM_IO_INPUT_FILES_H

#include <stdio.h>

#include "io/input.h"

/* A line "setting CRC32C bytes" for each file that the run reads, but the initial temperature,
 * which a resume does not need. STATUS_FILE when one cannot be read. */
enum status input_files_write(const struct input *input, FILE *file) MUST_CHECK;

struct tree;

/* STATUS_INPUT with a message for each file that is named and cannot be opened; what was not read
 * of the input is left out. */
enum status input_files_find(const struct input *input, const struct tree *tree) MUST_CHECK;

#endif
