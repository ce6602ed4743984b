/* Labelled lines of equal value over a field picture. Part of plot.h, not for others. */
#ifndef ISOTHERM_IO_PLOT_CONTOUR_H
#define ISOTHERM_IO_PLOT_CONTOUR_H

#include "base/error.h"
#include "io/axis.h"
#include "io/canvas.h"
#include "io/colormap.h"
#include "io/plot.h"

/* Draws lines at the inner ticks of `levels` into the area; low to high is the range of the map. */
enum status plot_contours(struct canvas *canvas, struct pixel_box area,
                          const struct plot_field *plot, const struct colormap *map,
                          const double range[2], const struct axis *levels) MUST_CHECK;

#endif
