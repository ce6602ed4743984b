#include "io/font.h"

#include <math.h>
#include <stddef.h>

static const double em = 100;
static const double small_height = 50, capital_height = 70;
static const double stroke_part = 0.088;                   /* stroke width as a part of the size */
static const double dot_part = 0.125;                      /* diameter of a dot */
static const double super_size = 0.62, super_weight = 0.9; /* of superscripts, to the rest */
static const double super_rise = 30;                       /* units */

static const double tracking = 2; /* units of air added behind every letter */

static const struct glyph box_glyph = {0, 50, "M 8 0 L 42 0 L 42 70 L 8 70 L 8 0"};

/* Where the strokes of a text go: glyph units to pixels. */
struct pen {
    struct canvas *canvas;
    double x, y;    /* pixels: start of the baseline of the text */
    double ux, uy;  /* direction of the baseline */
    double along;   /* pixels from its start to this glyph */
    double scale;   /* pixels a unit */
    double width;   /* of the stroke, pixels */
    double widen;   /* pixels added to every stroke: the halo */
    double rise;    /* units added to all heights */
    bool is_fitted; /* heights go to whole pixels */
};

/* The next character of UTF-8 text; broken bytes give U+FFFD one at a time. */
static uint32_t next_code(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    int more = 0;
    uint32_t code = s[0];
    if (s[0] >= 0xf0 && s[0] < 0xf8) {
        more = 3;
        code = s[0] & 0x07U;
    } else if (s[0] >= 0xe0 && s[0] < 0xf0) {
        more = 2;
        code = s[0] & 0x0fU;
    } else if (s[0] >= 0xc0 && s[0] < 0xe0) {
        more = 1;
        code = s[0] & 0x1fU;
    } else if (s[0] >= 0x80) {
        code = 0xfffd;
    }
    for (int k = 1; k <= more; k++) {
        if ((s[k] & 0xc0U) != 0x80) {
            *text += 1;
            return 0xfffd;
        }
        code = code << 6 | (s[k] & 0x3fU);
    }
    *text += 1 + more;
    return code;
}

static const struct glyph *find_glyph(uint32_t code)
{
    for (int k = 0; k < font_glyph_count; k++)
        if (font_glyphs[k].code == code)
            return &font_glyphs[k];
    return &box_glyph;
}

static const struct glyph_pair *find_pair(uint32_t code)
{
    for (int k = 0; k < font_pair_count; k++)
        if (font_pairs[k].code == code)
            return &font_pairs[k];
    return NULL;
}

static uint32_t super_base(uint32_t code)
{
    for (int k = 0; k < font_super_count; k++)
        if (font_supers[k].code == code)
            return font_supers[k].base;
    return 0;
}

/* Advance in units. */
static double advance(uint32_t code)
{
    const uint32_t super = super_base(code);
    if (super != 0)
        return super_size * (find_glyph(super)->advance + tracking);
    const struct glyph_pair *pair = find_pair(code);
    return find_glyph(pair != NULL ? pair->base : code)->advance + tracking;
}

double font_width(const char *text, double size)
{
    double units = 0;
    while (*text != '\0')
        units += advance(next_code(&text));
    return units * size / em;
}

/* The height whose stroke has its upper edge on a whole pixel. */
static double fit_top(double height, double width)
{
    return fmax(1, round(height + width / 2)) - width / 2;
}

/* Height above the baseline in pixels of y units. Fitted text has the lower edge of the baseline
 * stroke and the upper edges of small and capital letters on pixel borders; between these heights
 * the letter is stretched evenly. */
static double pen_height(const struct pen *pen, double y)
{
    const double low = pen->width / 2;
    if (!pen->is_fitted || y <= 0)
        return low + pen->scale * y;
    const double middle = fit_top(low + pen->scale * small_height, pen->width);
    const double top = fit_top(low + pen->scale * capital_height, pen->width);
    if (y <= small_height)
        return low + (middle - low) * y / small_height;
    if (y <= capital_height)
        return middle + (top - middle) * (y - small_height) / (capital_height - small_height);
    return top + pen->scale * (y - capital_height);
}

static void pen_place(const struct pen *pen, double x, double y, double to[2])
{
    const double along = pen->along + pen->scale * x;
    const double up = pen_height(pen, y + pen->rise);
    to[0] = pen->x + along * pen->ux + up * pen->uy;
    to[1] = pen->y + along * pen->uy - up * pen->ux;
}

static void pen_line(const struct pen *pen, const double from[2], const double to[2])
{
    double a[2], b[2];
    pen_place(pen, from[0], from[1], a);
    pen_place(pen, to[0], to[1], b);
    canvas_stroke(pen->canvas, a, b, pen->width + pen->widen);
}

static void pen_dot(const struct pen *pen, double x, double y)
{
    double at[2];
    pen_place(pen, x, y, at);
    const double diameter = fmax(pen->scale * em * dot_part, pen->width * 1.1);
    canvas_stroke(pen->canvas, at, at, diameter + pen->widen);
}

enum { CURVE_PIECES = 12, ARC_PIECE_DEGREES = 12 };

/* Arc around (c[0], c[1]) with radii c[2], c[3] from c[4] to c[5] degrees; `at` is moved to its
 * end. */
static void pen_arc(const struct pen *pen, const double c[6], bool is_joined, double at[2])
{
    const double degree = acos(-1.0) / 180;
    const int pieces = 1 + (int)(fabs(c[5] - c[4]) / ARC_PIECE_DEGREES);
    for (int k = 0; k <= pieces; k++) {
        const double angle = degree * (c[4] + (c[5] - c[4]) * k / pieces);
        const double to[2] = {c[0] + c[2] * cos(angle), c[1] + c[3] * sin(angle)};
        if (k > 0 || is_joined)
            pen_line(pen, at, to);
        at[0] = to[0];
        at[1] = to[1];
    }
}

/* Cubic curve from `at` with control points c[0..3] to c[4..5]. */
static void pen_curve(const struct pen *pen, const double c[6], double at[2])
{
    const double start[2] = {at[0], at[1]};
    for (int k = 1; k <= CURVE_PIECES; k++) {
        const double t = (double)k / CURVE_PIECES, u = 1 - t;
        double to[2];
        for (int axis = 0; axis < 2; axis++)
            to[axis] = u * u * u * start[axis] + 3 * u * u * t * c[axis] +
                       3 * u * t * t * c[2 + axis] + t * t * t * c[4 + axis];
        pen_line(pen, at, to);
        at[0] = to[0];
        at[1] = to[1];
    }
}

/* The numbers behind a command; returns how many there are, at most 6. */
static int read_numbers(const char **path, double numbers[6])
{
    const char *s = *path;
    int count = 0;
    for (;;) {
        while (*s == ' ')
            s++;
        if (count == 6)
            break;
        const bool is_negative = *s == '-';
        if (is_negative)
            s++;
        if (*s < '0' || *s > '9')
            break;
        double value = 0;
        while (*s >= '0' && *s <= '9')
            value = 10 * value + (*s++ - '0');
        numbers[count++] = is_negative ? -value : value;
    }
    *path = s;
    return count;
}

static void pen_path(const struct pen *pen, const char *path)
{
    double at[2] = {0, 0};
    bool is_down = false;
    while (*path != '\0') {
        const char command = *path++;
        double n[6] = {0};
        (void)read_numbers(&path, n);
        switch (command) {
        case 'D':
            pen_dot(pen, n[0], n[1]);
            break;
        case 'E':
            pen_arc(pen, (const double[6]){n[0], n[1], n[2], n[3], 0, 360}, false, at);
            is_down = false;
            break;
        case 'A':
            pen_arc(pen, n, is_down, at);
            is_down = true;
            break;
        case 'C':
            pen_curve(pen, n, at);
            break;
        case 'Q': /* as the cubic curve that is the same */
            pen_curve(pen,
                      (const double[6]){(at[0] + 2 * n[0]) / 3, (at[1] + 2 * n[1]) / 3,
                                        (n[2] + 2 * n[0]) / 3, (n[3] + 2 * n[1]) / 3, n[2], n[3]},
                      at);
            break;
        default: /* M, L */
            if (command == 'L')
                pen_line(pen, at, n);
            at[0] = n[0];
            at[1] = n[1];
            is_down = true;
            break;
        }
    }
}

static void pen_character(struct pen *pen, uint32_t code)
{
    const uint32_t super = super_base(code);
    const struct glyph_pair *pair = find_pair(code);
    if (super != 0) {
        struct pen small = *pen;
        small.scale *= super_size;
        small.width *= super_weight;
        small.rise = super_rise / super_size;
        small.is_fitted = false;
        pen_path(&small, find_glyph(super)->path);
    } else if (pair != NULL) {
        const struct glyph *base = find_glyph(pair->base), *accent = find_glyph(pair->accent);
        struct pen over = *pen;
        over.along += pen->scale * (base->advance - accent->advance) / 2;
        over.rise = pair->rise;
        pen_path(pen, base->path);
        pen_path(&over, accent->path);
    } else {
        pen_path(pen, find_glyph(code)->path);
    }
    pen->along += pen->scale * advance(code);
}

static void pen_text(struct pen pen, const char *text)
{
    while (*text != '\0')
        pen_character(&pen, next_code(&text));
}

void font_draw(struct canvas *canvas, const struct text_style *style, double x, double y,
               const char *text)
{
    const double angle = style->angle * acos(-1.0) / 180;
    const double length = font_width(text, style->size);
    const double before[] = {[TEXT_START] = 0, [TEXT_CENTRE] = length / 2, [TEXT_END] = length};
    const double capital = style->size * (capital_height / em + stroke_part);
    const double below[] = {[TEXT_BASELINE] = 0, [TEXT_MIDDLE] = capital / 2, [TEXT_TOP] = capital};
    struct pen pen = {.canvas = canvas,
                      .ux = cos(angle),
                      .uy = -sin(angle),
                      .scale = style->size / em,
                      .width = fmax(1, style->size * stroke_part),
                      .is_fitted = fmod(style->angle, 90) == 0};
    pen.x = x - before[style->side] * pen.ux - below[style->level] * pen.uy;
    pen.y = y - before[style->side] * pen.uy + below[style->level] * pen.ux;
    if (pen.is_fitted) {
        pen.x = round(pen.x);
        pen.y = round(pen.y);
    }
    if (style->has_halo) {
        pen.widen = fmax(3, style->size * 0.3);
        pen_text(pen, text);
        canvas_ink(canvas, style->halo, 1);
        pen.widen = 0;
    }
    pen_text(pen, text);
    canvas_ink(canvas, style->colour, 1);
}
