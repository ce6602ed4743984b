/* Reads a file of the user as text, whatever lies at its path. */
#ifndef ISOTHERM_IO_INPUT_FILE_H
#define ISOTHERM_IO_INPUT_FILE_H

#include "base/error.h"

/* Allocates *text: a regular file of at most `most_bytes`, UTF-8 without NUL, its byte order mark
 * dropped and CRLF made LF. Never blocks on a FIFO. `name` stands in messages. STATUS_FILE when it
 * cannot be opened or read, STATUS_INPUT when it is something else than such a text. */
enum status input_file_read(const char *path, const char *name, int most_bytes,
                            char **text) MUST_CHECK;

/* Allocates *directory: the resolved directory that `path` lies in, without a slash at its end
 * ("" for the root). */
enum status input_file_directory(const char *path, char **directory) MUST_CHECK;

/* Length of the directory part of a path with its slash: 7 for "inputs/a.cfg", 0 for "a.cfg". */
int input_file_folder_length(const char *path);

#endif
