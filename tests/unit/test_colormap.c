/* Colour maps get steadily lighter, measured in CIELAB (CIE 1976 with the sRGB of IEC 61966-2-1),
 * another space than the one they are made in. */
#include <math.h>

#include "io/colormap.h"
#include "tests/check.h"

static double linear(unsigned char value)
{
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* CIE L*, 0 to 100. */
static double lightness(struct colour colour)
{
    const double y =
        0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

static bool is_diverging(const char *name)
{
    return strcmp(name, "balance") == 0;
}

/* From colour `from` to colour `to` L* rises; a step may fall short by what rounding to 8 bits
 * does, eight steps together may not. */
static void check_rise(const struct colormap *map, int from, int to)
{
    const int direction = to > from ? 1 : -1;
    for (int k = from; k != to; k += direction) {
        const double step = lightness(map->colours[k + direction]) - lightness(map->colours[k]);
        check_that(step > -0.3, __FILE__, __LINE__, "%s falls by %g at %d", map->name, -step, k);
    }
    for (int k = from; (to - k) * direction >= 8; k += direction) {
        const double rise = lightness(map->colours[k + 8 * direction]) - lightness(map->colours[k]);
        check_that(rise > 1, __FILE__, __LINE__, "%s rises by %g only from %d", map->name, rise, k);
    }
}

static void maps_get_lighter(void)
{
    for (int k = 0; colormap_name(k) != NULL; k++) {
        struct colormap map;
        if (!CHECK_OK(colormap_init(&map, colormap_name(k))))
            continue;
        const int last = COLORMAP_COLOURS - 1, middle = COLORMAP_COLOURS / 2;
        if (!is_diverging(map.name)) {
            check_rise(&map, 0, last);
            check_that(lightness(map.colours[0]) < 20 && lightness(map.colours[last]) > 90,
                       __FILE__, __LINE__, "%s goes from dark to light", map.name);
            continue;
        }
        check_rise(&map, 0, middle - 1);
        check_rise(&map, last, middle);
        for (int i = 0; i < middle; i++)
            CHECK_NEAR(lightness(map.colours[i]), lightness(map.colours[last - i]), 6);
    }
}

/* Euclidean distance in OKLab, by the matrices of Ottosson (2020) written once more. */
static double difference(struct colour p, struct colour q)
{
    static const double to_lms[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                        {0.2119034982, 0.6806995451, 0.1073969566},
                                        {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    double lab[2][3] = {{0}};
    for (int c = 0; c < 2; c++) {
        const struct colour colour = c == 0 ? p : q;
        const double rgb[3] = {linear(colour.r), linear(colour.g), linear(colour.b)};
        for (int row = 0; row < 3; row++) {
            const double lms =
                cbrt(to_lms[row][0] * rgb[0] + to_lms[row][1] * rgb[1] + to_lms[row][2] * rgb[2]);
            for (int k = 0; k < 3; k++)
                lab[c][k] += to_lab[k][row] * lms;
        }
    }
    return sqrt(pow(lab[0][0] - lab[1][0], 2) + pow(lab[0][1] - lab[1][1], 2) +
                pow(lab[0][2] - lab[1][2], 2));
}

static void equal_steps_look_equal(void)
{
    for (int m = 0; colormap_name(m) != NULL; m++) {
        struct colormap map;
        if (!CHECK_OK(colormap_init(&map, colormap_name(m))))
            continue;
        double least = INFINITY, most = 0;
        for (int k = 0; k + 16 < COLORMAP_COLOURS / 2; k++) {
            const double step = difference(map.colours[k], map.colours[k + 16]);
            least = fmin(least, step);
            most = fmax(most, step);
        }
        check_that(most < 1.25 * least, __FILE__, __LINE__, "%s: steps of %g to %g", map.name,
                   least, most);
    }
}

static void values_take_their_colours(void)
{
    struct colormap map;
    if (!CHECK_OK(colormap_init(&map, "grey")))
        return;
    const struct colour low = colormap_colour(&map, 10, 10, 20);
    const struct colour high = colormap_colour(&map, 20, 10, 20);
    CHECK_EQUAL_INT(low.r, map.colours[0].r);
    CHECK_EQUAL_INT(high.r, map.colours[COLORMAP_COLOURS - 1].r);
    CHECK_EQUAL_INT(colormap_colour(&map, -1e300, 10, 20).r, low.r);
    CHECK_EQUAL_INT(colormap_colour(&map, 1e300, 10, 20).r, high.r);
    int before = -1;
    for (double value = 10; value <= 20; value += 0.25) {
        const int grey = colormap_colour(&map, value, 10, 20).r;
        CHECK(grey > before);
        before = grey;
    }
}

/* The colour of what is no number stands apart from all colours of its map. */
static void nothing_stands_apart(void)
{
    for (int m = 0; colormap_name(m) != NULL; m++) {
        struct colormap map;
        if (!CHECK_OK(colormap_init(&map, colormap_name(m))))
            continue;
        const struct colour nothing = colormap_colour(&map, NAN, 0, 1);
        CHECK_EQUAL_INT(nothing.g, colormap_colour(&map, INFINITY, 0, 1).g);
        for (int k = 0; k < COLORMAP_COLOURS; k++)
            check_that(difference(nothing, map.colours[k]) > 0.08, __FILE__, __LINE__,
                       "%s: NaN looks like colour %d", map.name, k);
    }
}

static void unknown_names_are_refused(void)
{
    struct colormap map;
    CHECK_FAILS(colormap_init(&map, "rainbow"), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "rainbow");
    CHECK_CONTAINS(error_message(), "ember, ocean");
    error_clear();
    CHECK_OK(colormap_init(&map, NULL));
    CHECK_EQUAL_TEXT(map.name, "ember");
}

int main(void)
{
    maps_get_lighter();
    equal_steps_look_equal();
    values_take_their_colours();
    nothing_stands_apart();
    unknown_names_are_refused();
    return check_result();
}
