/* What the files that an input names hold, for resumes: they must not go on with others. */
#ifndef ISOTHERM_IO_INPUT_FILES_H
#define ISOTHERM_IO_INPUT_FILES_H

#include <stdio.h>

#include "io/input.h"

/* A line "setting CRC32C bytes" for each file that the run reads, but the initial temperature,
 * which a resume does not need. STATUS_FILE when one cannot be read. */
enum status input_files_write(const struct input *input, FILE *file) MUST_CHECK;

#endif
