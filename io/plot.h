/* Pictures of results: a field in colours with axes and a colour bar, and curves over place or
 * time. Plain arrays in, a canvas out; png.h writes it. */
#ifndef ISOTHERM_IO_PLOT_H
#define ISOTHERM_IO_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "io/canvas.h"

struct plot_class {
    int value;
    const char *name; /* in the legend */
};

struct plot_field {
    int64_t nx, ny;
    double size[2];       /* m */
    double origin[2];     /* m, lower left corner */
    const double *values; /* (ny, nx), row 0 at the bottom */
    const char *title;    /* NULL or "": none */
    bool has_time;
    double time;             /* s */
    const char *quantity;    /* "temperature" */
    const char *unit;        /* "K", "W/m2"; NULL or "": none */
    bool has_range;          /* false: from the least to the largest value */
    double range[2];         /* range[0] < range[1]; colours beyond are those of the ends */
    bool has_middle;         /* colours diverge from this value, and reach as far to both sides */
    double middle;           /* without a range of its own */
    bool is_signed;          /* values below and above 0 mean opposite things: 0 is the middle */
    const char *colormap;    /* a name of colormap.h, NULL: one that fits */
    int contours;            /* about so many lines of equal value with labels, 0: none */
    const double *materials; /* (ny, nx): their outlines are drawn; NULL: none */
    int class_count;         /* > 0: the values are names; each gets a colour and a legend tells */
    const struct plot_class *classes; /* (class_count) */
};

/* Draws the picture on a new canvas, to be released with canvas_free(). y is up, both axes have the
 * same scale (unless the field is so slender that it would not be seen; the picture then says so),
 * the units of the axes follow the size. A field with more cells than the picture has pixels is
 * averaged, a small one is shown cell by cell; what is not finite is grey. `area` (may be NULL)
 * receives the pixels of the field itself. */
enum status plot_field_draw(const struct plot_field *plot, struct canvas *canvas,
                            struct pixel_box *area) MUST_CHECK;

/* Makes the range reach as far above the middle as below; no further than needed. */
void plot_centre_range(double range[2], double middle);

struct plot_curve {
    const char *name;
    int64_t count;
    const double *x, *y; /* (count); a point that is not finite is a gap */
};

enum plot_across { PLOT_OVER_LENGTH, PLOT_OVER_TIME };

struct plot_chart {
    const char *title;           /* NULL or "": none */
    const char *subtitle;        /* the same, "y = 50 mm, t = 2 s" */
    enum plot_across across;     /* x of all curves is in m or in s */
    const char *x_name;          /* "x", "Time" */
    const char *quantity, *unit; /* of y */
    bool has_range;              /* of y */
    double range[2];
    bool has_legend; /* also with a single curve */
    int curve_count;
    const struct plot_curve *curves; /* (curve_count) */
};

/* Draws curves on a new canvas, to be released with canvas_free(). With more than one curve a
 * legend stands beside the picture. */
enum status plot_chart_draw(const struct plot_chart *chart, struct canvas *canvas,
                            struct pixel_box *area) MUST_CHECK;

/* "t = 0.125 s" in a fitting unit. */
void plot_time_text(double time, char *text, size_t bytes);

#endif
