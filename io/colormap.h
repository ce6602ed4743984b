/* Colour maps, computed: each is a smooth curve through a few colours in OKLab (B. Ottosson, "A
 * perceptual color space for image processing", 2020), walked at constant speed, so that equal
 * steps of the value look equal. The sequential maps only get lighter; the diverging one is
 * lightest in the middle. */
#ifndef ISOTHERM_IO_COLORMAP_H
#define ISOTHERM_IO_COLORMAP_H

#include "base/error.h"
#include "io/canvas.h"

enum { COLORMAP_COLOURS = 256 };

struct colormap {
    const char *name;
    bool is_diverging;                       /* lightest in the middle */
    struct colour colours[COLORMAP_COLOURS]; /* lowest value first */
    struct colour nothing;                   /* for what is not a number */
};

/* NULL beyond the last; the first is the default. */
const char *colormap_name(int index);

/* STATUS_INPUT lists the names when there is no such map; NULL is the default. */
enum status colormap_init(struct colormap *map, const char *name) MUST_CHECK;

/* The colour of a value in low..high; values outside get the colour of the end, what is not finite
 * gets `nothing`. */
struct colour colormap_colour(const struct colormap *map, double value, double low, double high);

/* In OKLab: lightness, 0 to 1, from green to red, from blue to yellow. */
void colour_oklab(struct colour colour, double lab[3]);

/* OKLab lightness, 0 to 1. */
double colour_lightness(struct colour colour);

/* A colour by OKLab lightness and chroma and hue in degrees, with less chroma when the screen
 * cannot show it. */
struct colour colour_from_oklch(double lightness, double chroma, double hue);

#endif
