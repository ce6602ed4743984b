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
    FRAME_MAX_TITLE = 720 /* a longer title is cut rather than making the picture wider */
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

/* Ticks of both axes and their labels, the names of the axes, the line around. */
void frame_draw(struct canvas *canvas, const struct frame *frame);

/* Title and subtitle from the left edge of the area (x0) to `right`, cut with an ellipsis. */
void frame_draw_title(struct canvas *canvas, double x0, double right, const char *title,
                      const char *subtitle);

#endif
