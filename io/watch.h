/* A small picture of a field as text for a terminal: two pixels per character, one above the other,
 * by the half block U+2580 with a foreground and a background colour. */
#ifndef ISOTHERM_IO_WATCH_H
#define ISOTHERM_IO_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "io/colormap.h"

enum watch_colours { WATCH_24_BIT, WATCH_256, WATCH_NONE };

struct watch_view {
    int64_t nx, ny;
    double size[2];       /* m */
    const double *values; /* (ny, nx), row 0 at the bottom */
    const char *unit;     /* of the values, "K" */
    const struct colormap *map;
    bool has_range; /* false: from the least to the largest value */
    double range[2];
    int columns, rows; /* characters at most; the last row is the scale of colours */
    enum watch_colours colours;
};

enum { WATCH_LEAST_COLUMNS = 8, WATCH_LEAST_ROWS = 2 };

/* Bytes that watch_render() needs at most, its final NUL included. */
size_t watch_bytes(const struct watch_view *view);

/* Writes `*lines` lines, y up and with the shape of the plate, each ended by a colour reset and a
 * newline: the caller moves up by as many to draw the next picture over this one. No other
 * positions are assumed, so the text can go to a file as well. */
enum status watch_render(const struct watch_view *view, char *text, size_t bytes,
                         int *lines) MUST_CHECK;

/* What a terminal can show by its environment variables COLORTERM and TERM (NULL: not set).
 * WATCH_NONE: it knows no colours, so there can be no picture. */
enum watch_colours watch_colours_of(const char *colorterm, const char *term);

#endif
