#include "io/plot_outline.h"

#include <stdlib.h>

#include "base/memory.h"
#include "io/plot_frame.h"
#include "io/resample.h"

/* Dark on a light rim: seen on all colours. */
static const double rim_width = 3.2, line_width = 1.4, rim_opacity = 0.45, line_opacity = 0.9;

/* Materials at cells, no finer than the picture. */
struct outline {
    struct canvas *canvas;
    struct pixel_box area;
    int cells[2];
    double step[2];          /* pixels of a cell */
    const double *materials; /* (cells[1], cells[0]), row 0 at the bottom */
};

/* Whether the cells before and behind edge `edge` across an axis differ, in line `line` of cells.
 */
static bool is_edge(const struct outline *outline, int axis, int edge, int line)
{
    const size_t width = (size_t)outline->cells[0];
    const size_t behind =
        axis == 0 ? (size_t)line * width + (size_t)edge : (size_t)edge * width + (size_t)line;
    return outline->materials[behind] != outline->materials[behind - (axis == 0 ? 1 : width)];
}

/* The straight line along an edge from one corner of cells to another. */
static void stroke(const struct outline *outline, int axis, int edge, int from, int to,
                   double width)
{
    const double across = edge * outline->step[axis];
    const double ends[2] = {from * outline->step[1 - axis], to * outline->step[1 - axis]};
    double points[2][2];
    for (int k = 0; k < 2; k++) {
        points[k][0] = outline->area.x0 + (axis == 0 ? across : ends[k]);
        points[k][1] = outline->area.y1 - (axis == 0 ? ends[k] : across);
    }
    canvas_stroke(outline->canvas, points[0], points[1], width);
}

static void stroke_all(const struct outline *outline, double width)
{
    for (int axis = 0; axis < 2; axis++)
        for (int edge = 1; edge < outline->cells[axis]; edge++)
            for (int from = 0, to = 0; from < outline->cells[1 - axis]; from = to + 1) {
                to = from;
                while (to < outline->cells[1 - axis] && is_edge(outline, axis, edge, to))
                    to++;
                if (to > from)
                    stroke(outline, axis, edge, from, to, width);
            }
}

enum status plot_outlines(struct canvas *canvas, struct pixel_box area,
                          const struct plot_field *plot)
{
    const int width = area.x1 - area.x0, height = area.y1 - area.y0;
    struct outline outline = {.canvas = canvas,
                              .area = area,
                              .cells = {plot->nx < width ? (int)plot->nx : width,
                                        plot->ny < height ? (int)plot->ny : height}};
    double *materials = NULL;
    enum status status = STATUS_OK;
    outline.step[0] = (double)width / outline.cells[0];
    outline.step[1] = (double)height / outline.cells[1];
    TRY_DONE(memory_alloc(&materials, (size_t)outline.cells[0] * (size_t)outline.cells[1],
                          sizeof *materials, "outlines"));
    field_sample(plot->materials, plot->nx, plot->ny, materials, outline.cells[0],
                 outline.cells[1]);
    outline.materials = materials;
    canvas_clip(canvas, &area);
    stroke_all(&outline, rim_width);
    canvas_ink(canvas, frame_paper, rim_opacity);
    stroke_all(&outline, line_width);
    canvas_ink(canvas, frame_ink, line_opacity);
done:
    canvas_clip(canvas, NULL);
    free(materials);
    return status;
}
