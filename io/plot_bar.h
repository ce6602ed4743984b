/* The bar that tells which colour is which value. Part of plot.h, not for others. */
#ifndef ISOTHERM_IO_PLOT_BAR_H
#define ISOTHERM_IO_PLOT_BAR_H

#include "io/axis.h"
#include "io/colormap.h"

struct colour_bar {
    const struct colormap *map;
    struct axis axis;           /* its low and high are the ends of the colours */
    bool is_below;              /* the field, else beside it */
    bool has_lower, has_higher; /* values beyond the ends: the bar then has a pointed end */
    struct pixel_box box;
};

/* Pixels that it needs right of the field, or below the name of the x axis; and above the field. */
int bar_room(const struct colour_bar *bar);
int bar_note_room(const struct colour_bar *bar);

/* Places the box: beside the area, or from row `top` on below it. */
void bar_place(struct colour_bar *bar, struct pixel_box area, int top);

void bar_draw(const struct colour_bar *bar, struct canvas *canvas);

#endif
