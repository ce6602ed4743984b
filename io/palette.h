/* The 240 colours that terminals of 256 colours have in common, and how to show others with them.
 */
#ifndef ISOTHERM_IO_PALETTE_H
#define ISOTHERM_IO_PALETTE_H

#include "io/canvas.h"

/* xterm's: 16 to 231 a cube of 6 x 6 x 6, 232 to 255 greys. The 16 before them differ. */
enum { PALETTE_FIRST = 16, PALETTE_COLOURS = 240 };

struct palette {
    double lab[PALETTE_COLOURS][3]; /* OKLab */
};

void palette_init(struct palette *palette);

/* The number of the colour to show at pixel (x, y) of a picture, so that the pixels around it have
 * the colour in the mean: it is mixed of two colours of the palette that look alike, in a pattern
 * of 4 x 4 pixels. A colour of the palette is itself everywhere. */
int palette_at(const struct palette *palette, struct colour colour, int x, int y);

#endif
