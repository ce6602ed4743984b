/* A picture in memory, 8-bit sRGB, and anti-aliased drawing on it.
 *
 * Coordinates are pixels, x to the right, y down; pixel (i, j) covers [i, i+1) x [j, j+1). Lines
 * collect first as coverage in a layer of their own and are laid on together by canvas_ink(), so
 * that the joints of a polyline and the crossings of a letter are no darker than the rest.
 * Drawing outside the picture or the clip is cut off, never an error. */
#ifndef ISOTHERM_IO_CANVAS_H
#define ISOTHERM_IO_CANVAS_H

#include "base/error.h"

struct colour {
    unsigned char r, g, b; /* sRGB */
};

/* Half open, in pixels. */
struct pixel_box {
    int x0, y0, x1, y1;
};

struct canvas {
    int width, height;
    unsigned char *rgb;    /* (height, width, 3), row 0 at the top; owned */
    unsigned char *cover;  /* (height, width): what is stroked and not yet inked; owned */
    struct pixel_box clip; /* nothing is drawn outside */
    struct pixel_box used; /* part of `cover` that may be nonzero */
};

enum { CANVAS_MAX_SIDE = 16384 };

/* A picture filled with `background`. On failure the canvas is empty and may be freed. */
enum status canvas_alloc(struct canvas *canvas, int width, int height,
                         struct colour background) MUST_CHECK;
void canvas_free(struct canvas *canvas);

/* Cuts all later drawing to the box; NULL takes the cut away. */
void canvas_clip(struct canvas *canvas, const struct pixel_box *box);

struct colour canvas_get(const struct canvas *canvas, int x, int y);
void canvas_set(struct canvas *canvas, int x, int y, struct colour colour);

/* Whole pixels. */
void canvas_fill(struct canvas *canvas, struct pixel_box box, struct colour colour);

/* A frame of `thickness` pixels outside of the box. */
void canvas_frame(struct canvas *canvas, struct pixel_box box, int thickness, struct colour colour);

/* Adds the line from a to b, `width` pixels wide with round ends, to the coverage layer. a = b is a
 * dot. Points that are not finite draw nothing. */
void canvas_stroke(struct canvas *canvas, const double a[2], const double b[2], double width);

/* Adds a filled convex polygon, points[count][2] in either sense of rotation. */
void canvas_polygon(struct canvas *canvas, const double points[][2], int count);

/* Lays the coverage layer on in this colour and empties it. opacity is 0 to 1. */
void canvas_ink(struct canvas *canvas, struct colour colour, double opacity);

#endif
