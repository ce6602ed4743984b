/* Writes a picture as PNG. png.c does it with libpng; png_none.c is linked instead in a build
 * without libpng and says what to install. */
#ifndef ISOTHERM_IO_PNG_H
#define ISOTHERM_IO_PNG_H

#include "base/error.h"
#include "io/canvas.h"

/* "-" is standard output. Writes under a temporary name in the same directory and renames, so
 * `path` is either the whole picture or what it was before. On failure nothing is left behind:
 * STATUS_FILE. */
enum status png_write_canvas(const char *path, const struct canvas *canvas) MUST_CHECK;

#endif
