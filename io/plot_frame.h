/* What all pictures share: sizes of text, title lines, a framed area with ticks and labels on its
 * left and lower sides. Part of plot.h, not for others. */
#ifndef ISOTHERM_IO_PLOT_FRAME_H
#define ISOTHERM_IO_PLOT_FRAME_H

#include "io/axis.h"
#include "io/canvas.h"
#include "io/font.h"

/* Pixels. */
enum {
    FRAME_MARGIN = 16,
    FRAME_TICK = 5,
    FRAME_GAP = 6, /* between a tick and its label, and labels and the name of the axis */
    FRAME_TEXT = 15,
    FRAME_TITLE = 19,
    FRAME_SMALL = 13,
    FRAME_MAX_TITLE = 720, /* a longer title is cut rather than making the picture wider */
    LEGEND_GAP = 20,       /* beside the area */
    LEGEND_ROW = 22
};

extern const struct colour frame_paper, frame_ink, frame_faint, frame_grid;

struct frame {
    struct pixel_box area; /* inside of the frame line, which is one pixel wide */
    struct axis x, y;
};

/* Widest tick label of an axis, pixels. */
double frame_label_width(const struct axis *axis);

/* Room that ticks, labels and name need: left of the area and below it; in pixels. */
int frame_left(const struct frame *frame);
int frame_below(const struct frame *frame);

/* Room above the area for title, subtitle and the note of the y axis. */
int frame_above(const struct frame *frame, const char *title, const char *subtitle);

/* What the titles would like to have, pixels. */
int frame_title_width(const char *title, const char *subtitle);

/* "W/m²" of "W/m2" and "W m⁻²" of "W m-2": as people write it. NULL: "". */
void frame_unit(char *shown, size_t bytes, const char *unit);

/* "Heat flux (W/m²)" of "heat flux" and "W/m2"; no unit: NULL or "". */
void frame_quantity(char *label, size_t bytes, const char *quantity, const char *unit);

/* Copies the longest beginning of the text that fits, with an ellipsis when it is not all. */
void frame_fit_text(const char *text, double size, double width, char *to, size_t bytes);

/* The same for the name of an axis, which keeps its unit: "Heat flux… (W/m²)". */
void frame_fit_label(const char *label, double width, char *to, size_t bytes);

/* Ticks of both axes and their labels, the names of the axes, the line around. */
void frame_draw(struct canvas *canvas, const struct frame *frame);

/* Title and subtitle from the left edge of the area (x0) to `right`, cut with an ellipsis. */
void frame_draw_title(struct canvas *canvas, double x0, double right, const char *title,
                      const char *subtitle);

/* ---- legends: samples of colours with names, one above the other ---- */

struct legend_entry {
    const char *name;
    struct colour colour;
};

/* Eight hues far apart, light and dark in turn so that they also differ without colour. */
struct colour frame_curve_colour(int index);
/* The same paler, for surfaces; they repeat darker after eight. */
struct colour frame_surface_colour(int index);

/* Room right of the area, the gap included; 0 without entries. */
int legend_width(const struct legend_entry *entries, int count);

/* Draws from the upper left corner (x, y) down; what does not fit `rows` is counted in the last. */
void legend_draw(struct canvas *canvas, const struct legend_entry *entries, int count, int rows,
                 bool is_of_lines, double x, double y);

#endif
