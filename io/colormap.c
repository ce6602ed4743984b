#include "io/colormap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KNOTS = 9, CURVE_POINTS = 2048 };

/* Lightness, chroma, hue in degrees of the control points of a quadratic B-spline. Lightness rises
 * along the points, so it rises along the curve. */
struct knot {
    double lightness, chroma, hue;
};

static const struct recipe {
    const char *name;
    int knots;
    bool is_mirrored; /* diverging: `knot` goes from the low end to the middle, `upper` from the
                         high */
    struct knot knot[MAX_KNOTS];
    struct knot upper[MAX_KNOTS];
    struct knot nothing;
} recipes[] = {
    {.name = "ember",
     .knots = 7,
     .knot = {{0.13, 0.03, 300},
              {0.26, 0.13, 300},
              {0.42, 0.18, 335},
              {0.56, 0.21, 378},
              {0.70, 0.19, 405},
              {0.84, 0.16, 440},
              {0.97, 0.09, 468}},
     .nothing = {0.72, 0, 0}},
    {.name = "ocean",
     .knots = 6,
     .knot = {{0.16, 0.05, 285},
              {0.34, 0.13, 270},
              {0.50, 0.12, 245},
              {0.66, 0.11, 205},
              {0.82, 0.12, 165},
              {0.97, 0.08, 118}},
     .nothing = {0.72, 0, 0}},
    {.name = "meadow",
     .knots = 6,
     .knot = {{0.24, 0.12, 318},
              {0.36, 0.14, 290},
              {0.50, 0.10, 235},
              {0.64, 0.12, 170},
              {0.78, 0.17, 138},
              {0.93, 0.18, 108}},
     .nothing = {0.80, 0, 0}},
    {.name = "grey",
     .knots = 3,
     .knot = {{0.12, 0, 0}, {0.5, 0, 0}, {1, 0, 0}},
     .nothing = {0.75, 0.12, 20}},
    {.name = "balance",
     .knots = 4,
     .knot = {{0.30, 0.11, 262}, {0.45, 0.17, 260}, {0.72, 0.12, 245}, {0.97, 0, 0}},
     .is_mirrored = true,
     .upper = {{0.30, 0.11, 20}, {0.45, 0.20, 25}, {0.72, 0.14, 45}, {0.97, 0, 0}},
     .nothing = {0.60, 0, 0}},
};

enum { RECIPES = sizeof recipes / sizeof recipes[0] };

static double to_linear(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double to_srgb(double value)
{
    return value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
}

/* OKLab to linear sRGB (Ottosson 2020). */
static void oklab_to_linear(const double lab[3], double rgb[3])
{
    const double l = pow(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2], 3);
    const double m = pow(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2], 3);
    const double s = pow(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2], 3);
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

void colour_oklab(struct colour colour, double lab[3])
{
    const double r = to_linear(colour.r / 255.0);
    const double g = to_linear(colour.g / 255.0);
    const double b = to_linear(colour.b / 255.0);
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

double colour_lightness(struct colour colour)
{
    double lab[3];
    colour_oklab(colour, lab);
    return lab[0];
}

static bool is_shown(const double lab[3])
{
    double rgb[3];
    oklab_to_linear(lab, rgb);
    for (int k = 0; k < 3; k++)
        if (rgb[k] < -1e-4 || rgb[k] > 1 + 1e-4)
            return false;
    return true;
}

static unsigned char to_byte(double linear)
{
    return (unsigned char)lround(255 * to_srgb(fmax(0, fmin(linear, 1))));
}

/* A colour outside of sRGB moves towards grey of the same lightness until it is inside. */
static struct colour oklab_colour(const double lab[3])
{
    double inside = is_shown(lab) ? 1 : 0, outside = 1;
    double part[3] = {lab[0], lab[1], lab[2]};
    for (int step = 0; step < 20 && inside < 1; step++) {
        const double middle = (inside + outside) / 2;
        part[1] = middle * lab[1];
        part[2] = middle * lab[2];
        *(is_shown(part) ? &inside : &outside) = middle;
    }
    part[1] = inside * lab[1];
    part[2] = inside * lab[2];
    double rgb[3];
    oklab_to_linear(part, rgb);
    return (struct colour){to_byte(rgb[0]), to_byte(rgb[1]), to_byte(rgb[2])};
}

static void knot_to_oklab(const struct knot *knot, double lab[3])
{
    const double angle = knot->hue * acos(-1.0) / 180;
    lab[0] = knot->lightness;
    lab[1] = knot->chroma * cos(angle);
    lab[2] = knot->chroma * sin(angle);
}

struct colour colour_from_oklch(double lightness, double chroma, double hue)
{
    double lab[3];
    knot_to_oklab(&(struct knot){lightness, chroma, hue}, lab);
    return oklab_colour(lab);
}

/* Point t in 0..1 of the quadratic B-spline that starts and ends in its end points. */
static void spline_point(const struct knot *knots, int count, double t, double lab[3])
{
    const int spans = count - 2;
    int span = (int)(t * spans);
    if (span > spans - 1)
        span = spans - 1;
    const double u = t * spans - span;
    double a[3], b[3], c[3];
    knot_to_oklab(&knots[span], a);
    knot_to_oklab(&knots[span + 1], b);
    knot_to_oklab(&knots[span + 2], c);
    for (int k = 0; k < 3; k++) {
        const double from = span == 0 ? a[k] : (a[k] + b[k]) / 2;
        const double to = span == spans - 1 ? c[k] : (b[k] + c[k]) / 2;
        lab[k] = (1 - u) * (1 - u) * from + 2 * u * (1 - u) * b[k] + u * u * to;
    }
}

/* Fills colours[count] with points of the curve at equal distances. */
static void walk(const struct knot *knots, int knot_count, struct colour *colours, int count)
{
    double length[CURVE_POINTS], before[3], lab[3];
    spline_point(knots, knot_count, 0, before);
    length[0] = 0;
    for (int k = 1; k < CURVE_POINTS; k++) {
        spline_point(knots, knot_count, (double)k / (CURVE_POINTS - 1), lab);
        length[k] = length[k - 1] +
                    hypot(lab[0] - before[0], hypot(lab[1] - before[1], lab[2] - before[2]));
        memcpy(before, lab, sizeof before);
    }
    int k = 1;
    for (int i = 0; i < count; i++) {
        const double wanted = length[CURVE_POINTS - 1] * i / (count - 1);
        while (k < CURVE_POINTS - 1 && length[k] < wanted)
            k++;
        const double past = (length[k] - wanted) / (length[k] - length[k - 1]);
        spline_point(knots, knot_count, fmax(0, k - past) / (CURVE_POINTS - 1), lab);
        colours[i] = oklab_colour(lab);
    }
}

const char *colormap_name(int index)
{
    return index >= 0 && index < RECIPES ? recipes[index].name : NULL;
}

static enum status unknown_name(const char *name)
{
    char list[256] = "";
    for (int k = 0; k < RECIPES; k++) {
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", recipes[k].name);
    }
    return fail(STATUS_INPUT, "there is no colour map \"%s\"; the maps are %s", name, list);
}

enum status colormap_init(struct colormap *map, const char *name)
{
    const struct recipe *recipe = name == NULL ? &recipes[0] : NULL;
    for (int k = 0; k < RECIPES && recipe == NULL; k++)
        if (strcmp(recipes[k].name, name) == 0)
            recipe = &recipes[k];
    if (recipe == NULL)
        return unknown_name(name);
    const struct knot *nothing = &recipe->nothing;
    map->name = recipe->name;
    map->is_diverging = recipe->is_mirrored;
    map->nothing = colour_from_oklch(nothing->lightness, nothing->chroma, nothing->hue);
    if (!recipe->is_mirrored) {
        walk(recipe->knot, recipe->knots, map->colours, COLORMAP_COLOURS);
        return STATUS_OK;
    }
    struct colour upper[COLORMAP_COLOURS / 2];
    walk(recipe->knot, recipe->knots, map->colours, COLORMAP_COLOURS / 2);
    walk(recipe->upper, recipe->knots, upper, COLORMAP_COLOURS / 2);
    for (int k = 0; k < COLORMAP_COLOURS / 2; k++)
        map->colours[COLORMAP_COLOURS - 1 - k] = upper[k];
    return STATUS_OK;
}

struct colour colormap_colour(const struct colormap *map, double value, double low, double high)
{
    if (!isfinite(value))
        return map->nothing;
    const double part = high > low ? (value - low) / (high - low) : 0.5;
    const double index = floor(fmax(0, fmin(part, 1)) * COLORMAP_COLOURS);
    return map->colours[(int)fmin(index, COLORMAP_COLOURS - 1)];
}
