/* Lines, dots and polygons cover what geometry says they cover. */
#include <math.h>

#include "io/canvas.h"
#include "tests/check.h"

static const struct colour white = {255, 255, 255}, black = {0, 0, 0};

/* Black on white: how many pixels' worth of ink there is. */
static double ink_area(const struct canvas *canvas)
{
    double area = 0;
    for (int y = 0; y < canvas->height; y++)
        for (int x = 0; x < canvas->width; x++)
            area += (255 - canvas_get(canvas, x, y).r) / 255.0;
    return area;
}

static void line_on_pixel_borders_is_sharp(void)
{
    struct canvas canvas;
    if (!CHECK_OK(canvas_alloc(&canvas, 40, 20, white)))
        return;
    canvas_stroke(&canvas, (const double[2]){5, 10}, (const double[2]){35, 10}, 2);
    canvas_ink(&canvas, black, 1);
    CHECK_EQUAL_INT(canvas_get(&canvas, 20, 9).r, 0);
    CHECK_EQUAL_INT(canvas_get(&canvas, 20, 10).r, 0);
    CHECK_EQUAL_INT(canvas_get(&canvas, 20, 8).r, 255);
    CHECK_EQUAL_INT(canvas_get(&canvas, 20, 11).r, 255);
    canvas_free(&canvas);
}

/* A stroke covers length x width and a disc of that diameter for its two round ends. */
static void ink_of_a_stroke_is_its_area(void)
{
    static const double ends[][2] = {{90, 50}, {80, 80}, {50, 91.3}, {11, 63}, {13.7, 12.9}};
    const double width = 4, from[2] = {50, 50};
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
        struct canvas canvas;
        if (!CHECK_OK(canvas_alloc(&canvas, 100, 100, white)))
            return;
        canvas_stroke(&canvas, from, ends[k], width);
        canvas_ink(&canvas, black, 1);
        const double length = hypot(ends[k][0] - from[0], ends[k][1] - from[1]);
        const double expected = length * width + acos(-1.0) * width * width / 4;
        CHECK_NEAR(ink_area(&canvas), expected, 0.03 * expected);
        canvas_free(&canvas);
    }
}

static void joints_are_not_darker(void)
{
    struct canvas canvas;
    if (!CHECK_OK(canvas_alloc(&canvas, 40, 40, white)))
        return;
    const double a[2] = {5, 20}, b[2] = {20, 20}, c[2] = {35, 20};
    canvas_stroke(&canvas, a, b, 3);
    canvas_stroke(&canvas, b, c, 3);
    canvas_ink(&canvas, black, 0.5);
    CHECK_EQUAL_INT(canvas_get(&canvas, 20, 20).r, canvas_get(&canvas, 10, 20).r);
    canvas_free(&canvas);
}

static void triangle_has_its_area_either_way_round(void)
{
    const double one_way[3][2] = {{10, 10}, {50, 10}, {10, 40}};
    const double other_way[3][2] = {{10, 10}, {10, 40}, {50, 10}};
    for (int turn = 0; turn < 2; turn++) {
        struct canvas canvas;
        if (!CHECK_OK(canvas_alloc(&canvas, 60, 60, white)))
            return;
        canvas_polygon(&canvas, turn == 0 ? one_way : other_way, 3);
        canvas_ink(&canvas, black, 1);
        CHECK_NEAR(ink_area(&canvas), 600, 12);
        canvas_free(&canvas);
    }
}

static void drawing_outside_is_cut_off(void)
{
    struct canvas canvas;
    if (!CHECK_OK(canvas_alloc(&canvas, 30, 30, white)))
        return;
    const struct pixel_box clip = {10, 10, 20, 20};
    canvas_clip(&canvas, &clip);
    canvas_stroke(&canvas, (const double[2]){-1e9, 15}, (const double[2]){1e9, 15}, 100);
    canvas_stroke(&canvas, (const double[2]){NAN, 15}, (const double[2]){3, INFINITY}, 100);
    canvas_ink(&canvas, black, 1);
    canvas_fill(&canvas, (struct pixel_box){-5, -5, 100, 11}, black);
    CHECK_NEAR(ink_area(&canvas), 100, 0);
    canvas_clip(&canvas, NULL);
    canvas_frame(&canvas, (struct pixel_box){1, 1, 29, 29}, 3, black);
    CHECK_EQUAL_INT(canvas_get(&canvas, 0, 15).r, 0);
    CHECK_EQUAL_INT(canvas_get(&canvas, 1, 15).r, 255);
    canvas_free(&canvas);
}

static void impossible_sizes_are_refused(void)
{
    struct canvas canvas;
    CHECK_FAILS(canvas_alloc(&canvas, 0, 10, white), STATUS_INPUT);
    error_clear();
    CHECK_FAILS(canvas_alloc(&canvas, 10, CANVAS_MAX_SIDE + 1, white), STATUS_INPUT);
    error_clear();
    canvas_free(&canvas);
}

int main(void)
{
    line_on_pixel_borders_is_sharp();
    ink_of_a_stroke_is_its_area();
    joints_are_not_darker();
    triangle_has_its_area_either_way_round();
    drawing_outside_is_cut_off();
    impossible_sizes_are_refused();
    return check_result();
}
