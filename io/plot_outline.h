/* The outlines of materials over a field picture. Part of plot.h, not for others. */
#ifndef ISOTHERM_IO_PLOT_OUTLINE_H
#define ISOTHERM_IO_PLOT_OUTLINE_H

#include "base/error.h"
#include "io/canvas.h"
#include "io/plot.h"

/* Draws the edges of cells between which plot->materials differs into the area. */
enum status plot_outlines(struct canvas *canvas, struct pixel_box area,
                          const struct plot_field *plot) MUST_CHECK;

#endif
