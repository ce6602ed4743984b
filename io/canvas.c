#include "io/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct pixel_box box_none = {0, 0, 0, 0};

static struct pixel_box whole(const struct canvas *canvas)
{
    return (struct pixel_box){0, 0, canvas->width, canvas->height};
}

static int int_min(int a, int b)
{
    return a < b ? a : b;
}

static int int_max(int a, int b)
{
    return a > b ? a : b;
}

static struct pixel_box box_cut(struct pixel_box a, struct pixel_box b)
{
    return (struct pixel_box){int_max(a.x0, b.x0), int_max(a.y0, b.y0), int_min(a.x1, b.x1),
                              int_min(a.y1, b.y1)};
}

static bool box_is_empty(struct pixel_box box)
{
    return box.x0 >= box.x1 || box.y0 >= box.y1;
}

enum status canvas_alloc(struct canvas *canvas, int width, int height, struct colour background)
{
    *canvas = (struct canvas){0};
    if (width < 1 || height < 1 || width > CANVAS_MAX_SIDE || height > CANVAS_MAX_SIDE)
        return fail(STATUS_INPUT,
                    "a picture of %d x %d pixels cannot be drawn; each side is 1 to %d pixels",
                    width, height, CANVAS_MAX_SIDE);
    const size_t pixels = (size_t)width * (size_t)height;
    TRY(memory_alloc(&canvas->rgb, pixels, 3, "picture"));
    if (memory_alloc(&canvas->cover, pixels, 1, "picture") != STATUS_OK) {
        canvas_free(canvas);
        return STATUS_MEMORY;
    }
    canvas->width = width;
    canvas->height = height;
    canvas->clip = whole(canvas);
    canvas_fill(canvas, canvas->clip, background);
    return STATUS_OK;
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->rgb);
    free(canvas->cover);
    *canvas = (struct canvas){0};
}

void canvas_clip(struct canvas *canvas, const struct pixel_box *box)
{
    canvas->clip = box == NULL ? whole(canvas) : box_cut(whole(canvas), *box);
}

static unsigned char *pixel(const struct canvas *canvas, int x, int y)
{
    return canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
}

struct colour canvas_get(const struct canvas *canvas, int x, int y)
{
    const unsigned char *at = pixel(canvas, x, y);
    return (struct colour){at[0], at[1], at[2]};
}

void canvas_set(struct canvas *canvas, int x, int y, struct colour colour)
{
    const struct pixel_box clip = canvas->clip;
    if (x < clip.x0 || x >= clip.x1 || y < clip.y0 || y >= clip.y1)
        return;
    unsigned char *at = pixel(canvas, x, y);
    at[0] = colour.r;
    at[1] = colour.g;
    at[2] = colour.b;
}

void canvas_fill(struct canvas *canvas, struct pixel_box box, struct colour colour)
{
    box = box_cut(box, canvas->clip);
    for (int y = box.y0; y < box.y1; y++)
        for (int x = box.x0; x < box.x1; x++)
            canvas_set(canvas, x, y, colour);
}

void canvas_frame(struct canvas *canvas, struct pixel_box box, int thickness, struct colour colour)
{
    const int x0 = box.x0 - thickness, x1 = box.x1 + thickness;
    const int y0 = box.y0 - thickness, y1 = box.y1 + thickness;
    canvas_fill(canvas, (struct pixel_box){x0, y0, x1, box.y0}, colour);
    canvas_fill(canvas, (struct pixel_box){x0, box.y1, x1, y1}, colour);
    canvas_fill(canvas, (struct pixel_box){x0, y0, box.x0, y1}, colour);
    canvas_fill(canvas, (struct pixel_box){box.x1, y0, x1, y1}, colour);
}

/* Raises the coverage of one pixel to `part` (0 to 1). */
static void cover_raise(struct canvas *canvas, int x, int y, double part)
{
    if (!(part > 0))
        return;
    unsigned char *at = canvas->cover + (size_t)y * (size_t)canvas->width + (size_t)x;
    const int value = (int)lround(255 * fmin(part, 1));
    if (value > *at)
        *at = (unsigned char)value;
}

static void cover_mark(struct canvas *canvas, struct pixel_box box)
{
    if (box_is_empty(canvas->used)) {
        canvas->used = box;
        return;
    }
    struct pixel_box *used = &canvas->used;
    *used = (struct pixel_box){int_min(used->x0, box.x0), int_min(used->y0, box.y0),
                               int_max(used->x1, box.x1), int_max(used->y1, box.y1)};
}

/* The pixels that [low - reach, high + reach] touches, clamped before the conversion to int. */
static void pixel_span(double low, double high, double reach, int limit, int *from, int *to)
{
    *from = (int)floor(fmax(0, fmin(low - reach, limit)));
    *to = (int)ceil(fmax(0, fmin(high + reach, limit)));
}

static struct pixel_box box_around(const struct canvas *canvas, const double a[2],
                                   const double b[2], double reach)
{
    struct pixel_box box;
    pixel_span(fmin(a[0], b[0]), fmax(a[0], b[0]), reach, canvas->width, &box.x0, &box.x1);
    pixel_span(fmin(a[1], b[1]), fmax(a[1], b[1]), reach, canvas->height, &box.y0, &box.y1);
    return box_cut(box, canvas->clip);
}

/* Distance of a point from the segment that starts at `a` with direction d and squared length. */
static double segment_distance(const double a[2], const double d[2], double length2, double x,
                               double y)
{
    const double px = x - a[0], py = y - a[1];
    double along = length2 > 0 ? (px * d[0] + py * d[1]) / length2 : 0;
    along = fmax(0, fmin(along, 1));
    return hypot(px - along * d[0], py - along * d[1]);
}

void canvas_stroke(struct canvas *canvas, const double a[2], const double b[2], double width)
{
    if (!isfinite(a[0]) || !isfinite(a[1]) || !isfinite(b[0]) || !isfinite(b[1]))
        return;
    const double reach = width / 2 + 1;
    const struct pixel_box box = box_around(canvas, a, b, reach);
    if (box_is_empty(box))
        return;
    cover_mark(canvas, box);
    const double d[2] = {b[0] - a[0], b[1] - a[1]};
    const double length2 = d[0] * d[0] + d[1] * d[1];
    for (int j = box.y0; j < box.y1; j++) {
        const double y = j + 0.5;
        int from = box.x0, to = box.x1;
        /* On this row only the slab around the line matters: a long diagonal costs its length, not
         * its bounding box. */
        if (fabs(d[1]) > reach) {
            const double middle = a[0] + (y - a[1]) * d[0] / d[1];
            const double half = reach * sqrt(length2) / fabs(d[1]);
            pixel_span(middle - half, middle + half, 1, canvas->width, &from, &to);
            from = int_max(from, box.x0);
            to = int_min(to, box.x1);
        }
        for (int i = from; i < to; i++) {
            const double distance = segment_distance(a, d, length2, i + 0.5, y);
            cover_raise(canvas, i, j, 0.5 + width / 2 - distance);
        }
    }
}

/* Twice the signed area. */
static double polygon_turn(const double points[][2], int count)
{
    double turn = 0;
    for (int k = 0; k < count; k++) {
        const double *p = points[k], *q = points[(k + 1) % count];
        turn += p[0] * q[1] - q[0] * p[1];
    }
    return turn;
}

void canvas_polygon(struct canvas *canvas, const double points[][2], int count)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < count; k++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], points[k][axis]);
            high[axis] = fmax(high[axis], points[k][axis]);
        }
    }
    const struct pixel_box box = box_around(canvas, low, high, 1);
    const double turn = polygon_turn(points, count) < 0 ? -1 : 1;
    if (box_is_empty(box))
        return;
    cover_mark(canvas, box);
    for (int j = box.y0; j < box.y1; j++) {
        for (int i = box.x0; i < box.x1; i++) {
            double inside = INFINITY;
            for (int k = 0; k < count; k++) {
                const double *p = points[k], *q = points[(k + 1) % count];
                const double dx = q[0] - p[0], dy = q[1] - p[1];
                const double across = dx * (j + 0.5 - p[1]) - dy * (i + 0.5 - p[0]);
                inside = fmin(inside, turn * across / hypot(dx, dy));
            }
            cover_raise(canvas, i, j, 0.5 + inside);
        }
    }
}

static unsigned char mix(unsigned char under, unsigned char over, double part)
{
    return (unsigned char)lround(under + part * (over - under));
}

void canvas_ink(struct canvas *canvas, struct colour colour, double opacity)
{
    const struct pixel_box box = canvas->used;
    for (int y = box.y0; y < box.y1; y++) {
        unsigned char *cover = canvas->cover + (size_t)y * (size_t)canvas->width;
        for (int x = box.x0; x < box.x1; x++) {
            if (cover[x] == 0)
                continue;
            unsigned char *at = pixel(canvas, x, y);
            const double part = opacity * cover[x] / 255;
            at[0] = mix(at[0], colour.r, part);
            at[1] = mix(at[1], colour.g, part);
            at[2] = mix(at[2], colour.b, part);
            cover[x] = 0;
        }
    }
    canvas->used = box_none;
}
