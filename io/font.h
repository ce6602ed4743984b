/* Text on a canvas. The letters are strokes of our own drawing (font_glyphs.c), laid on with round
 * ends and anti-aliased, so any size and angle works without a font library. Upright text is fitted
 * to the pixel rows, which keeps small sizes sharp.
 *
 * Text is UTF-8: ASCII, Latin-1, most of Latin Extended-A, superscript digits, and the Greek
 * letters and signs of physics that the table in font_glyphs.c names. Other characters and broken
 * UTF-8 show as a box. */
#ifndef ISOTHERM_IO_FONT_H
#define ISOTHERM_IO_FONT_H

#include <stdint.h>

#include "io/canvas.h"

enum text_side { TEXT_START, TEXT_CENTRE, TEXT_END };
enum text_level { TEXT_BASELINE, TEXT_MIDDLE, TEXT_TOP };

struct text_style {
    double size;           /* pixels; capital letters are 0.7 of it high */
    double angle;          /* degrees counterclockwise as seen */
    enum text_side side;   /* which part of the text lies at the point given, along it */
    enum text_level level; /* and across it */
    struct colour colour;
    bool has_halo; /* a rim in the colour below, to stand out from a picture */
    struct colour halo;
};

/* Width in pixels of the text at this size. */
double font_width(const char *text, double size);

void font_draw(struct canvas *canvas, const struct text_style *style, double x, double y,
               const char *text);

/* ---- the table of letters ---- */

/* Units: 100 to the em; baseline 0, small letters 50, capitals 70 high, descenders -20; all numbers
 * are of the middle of the stroke. `path` is a row of commands, numbers between blanks:
 *   M x y            go to
 *   L x y            line to
 *   Q x y x y        quadratic curve, control point and end
 *   C x y x y x y    cubic curve, two control points and end
 *   A x y rx ry f t  arc around (x, y) from angle f to t, degrees; joined by a line after M or L
 *   E x y rx ry      ellipse
 *   D x y            dot */
struct glyph {
    uint32_t code;
    int advance;
    const char *path;
};

/* A letter made of two others: the accent is centred over (or under) the base, `rise` units higher
 * than drawn. */
struct glyph_pair {
    uint32_t code, base, accent;
    int rise;
};

/* Superscripts are smaller copies. */
struct glyph_super {
    uint32_t code, base;
};

extern const struct glyph font_glyphs[];
extern const int font_glyph_count;
extern const struct glyph_pair font_pairs[];
extern const int font_pair_count;
extern const struct glyph_super font_supers[];
extern const int font_super_count;

#endif
