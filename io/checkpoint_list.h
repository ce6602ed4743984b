/* The checkpoints of a directory by name. */
#ifndef ISOTHERM_IO_CHECKPOINT_LIST_H
#define ISOTHERM_IO_CHECKPOINT_LIST_H

#include <stdint.h>

#include "base/error.h"

/* Steps of the checkpoint-STEP.h5 of the directory, newest first; owned by the caller. A directory
 * that is not there holds none. */
enum status checkpoint_list(const char *directory, int64_t **steps, int *count) MUST_CHECK;

/* "DIRECTORY/checkpoint-STEP.h5", and the name it has until it is complete. */
enum status checkpoint_path(char *path, size_t bytes, const char *directory,
                            int64_t step) MUST_CHECK;
enum status checkpoint_new_path(char *path, size_t bytes, const char *directory,
                                int64_t step) MUST_CHECK;

#endif
