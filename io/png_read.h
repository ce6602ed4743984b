/* Reads a PNG as numbers: the palette index or grey level of each pixel, not its colour. png_read.c
 * does it with libpng; png_read_none.c is linked instead in a build without libpng and says what to
 * install. */
#ifndef ISOTHERM_IO_PNG_READ_H
#define ISOTHERM_IO_PNG_READ_H

#include "base/error.h"

struct png_levels {
    int width, height;
    unsigned char *values; /* (height, width), row 0 at the top; owned, released with free() */
};

enum { PNG_MOST_PIXELS = 1 << 28 };

/* A palette or grey of 1 to 8 bits, interlaced or not; transparency of palette entries does not
 * matter. Levels are as stored: 0 to 3 with 2 bits. STATUS_FILE for what cannot be read as PNG or
 * is larger than PNG_MOST_PIXELS, STATUS_INPUT for colours without a palette, 16 bits and an alpha
 * channel. `where` goes in front of every message. */
enum status png_read_levels(const char *path, const char *where,
                            struct png_levels *levels) MUST_CHECK;

#endif
