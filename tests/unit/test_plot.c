/* Pictures of results show the right value at the right place. */
#include <math.h>

#include "io/colormap.h"
#include "io/plot.h"
#include "tests/check.h"

static bool same(struct colour a, struct colour b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

static struct plot_field field(int64_t nx, int64_t ny, const double *values)
{
    return (struct plot_field){.nx = nx,
                               .ny = ny,
                               .size = {1e-3 * (double)nx, 1e-3 * (double)ny},
                               .values = values,
                               .title = "A test",
                               .quantity = "Temperature",
                               .unit = "K"};
}

/* How many pixels of a box are of exactly this colour. */
static int count_colour(const struct canvas *canvas, struct pixel_box box, struct colour colour)
{
    int count = 0;
    for (int y = box.y0; y < box.y1; y++)
        for (int x = box.x0; x < box.x1; x++)
            count += same(canvas_get(canvas, x, y), colour) ? 1 : 0;
    return count;
}

/* 3 x 2 cells of six values: the top row of the picture is the last row of the array. */
static void y_is_up_and_x_to_the_right(void)
{
    const double values[6] = {0, 1, 2, 3, 4, 5};
    struct plot_field plot = field(3, 2, values);
    struct canvas canvas;
    struct pixel_box area;
    struct colormap map;
    if (!CHECK_OK(colormap_init(&map, NULL)) || !CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const int width = area.x1 - area.x0, height = area.y1 - area.y0;
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 3; i++) {
            const struct colour wanted = colormap_colour(&map, values[3 * j + i], 0, 5);
            /* The corners of the cell, one pixel inside. */
            const int left = area.x0 + i * width / 3, right = area.x0 + (i + 1) * width / 3 - 1;
            const int top = area.y0 + (1 - j) * height / 2;
            const int bottom = area.y0 + (2 - j) * height / 2 - 1;
            CHECK(same(canvas_get(&canvas, left, top), wanted));
            CHECK(same(canvas_get(&canvas, right, bottom), wanted));
        }
    }
    canvas_free(&canvas);
}

static void hotter_is_lighter(void)
{
    enum { N = 100 };
    double values[N];
    for (int k = 0; k < N; k++)
        values[k] = 300 + k;
    for (int m = 0; colormap_name(m) != NULL; m++) {
        if (strcmp(colormap_name(m), "balance") == 0)
            continue;
        struct plot_field plot = field(N, 1, values);
        struct canvas canvas;
        struct pixel_box area;
        plot.colormap = colormap_name(m);
        if (!CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
            return;
        double before = -1;
        for (int k = 0; k < N; k++) {
            const int x = area.x0 + (area.x1 - area.x0) * (2 * k + 1) / (2 * N);
            const double lightness = colour_lightness(canvas_get(&canvas, x, area.y0));
            check_that(lightness > before, __FILE__, __LINE__, "%s: %g after %g at %d",
                       colormap_name(m), lightness, before, k);
            before = lightness;
        }
        canvas_free(&canvas);
    }
}

/* Dropping rows or columns would show one of the two colours. */
static void fine_checkerboard_becomes_the_middle_colour(void)
{
    enum { N = 1200 };
    static double values[N * N];
    struct colormap map;
    if (!CHECK_OK(colormap_init(&map, NULL)))
        return;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            values[j * N + i] = (i + j) % 2;
    struct plot_field plot = field(N, N, values);
    struct canvas canvas;
    struct pixel_box area;
    if (!CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const int pixels = (area.x1 - area.x0) * (area.y1 - area.y0);
    CHECK_EQUAL_INT(pixels, 600 * 600); /* two by two cells a pixel */
    CHECK_EQUAL_INT(count_colour(&canvas, area, colormap_colour(&map, 0.5, 0, 1)), pixels);
    canvas_free(&canvas);
}

static void both_axes_have_the_same_scale(void)
{
    static const int64_t shapes[][2] = {{200, 100}, {37, 91}, {1000, 700}, {3, 3}, {5000, 400}};
    static double values[5000 * 400];
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        struct plot_field plot = field(shapes[k][0], shapes[k][1], values);
        struct canvas canvas;
        struct pixel_box area;
        if (!CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
            return;
        const double scale[2] = {(area.x1 - area.x0) / plot.size[0],
                                 (area.y1 - area.y0) / plot.size[1]};
        CHECK_NEAR(scale[0] / scale[1], 1, 0.015);
        CHECK(canvas.width < 1400 && canvas.height < 1200);
        canvas_free(&canvas);
    }
}

/* Grey, and only where it is; the rest keeps its range. */
static void what_is_no_number_is_neutral(void)
{
    const double values[4] = {1, NAN, 2, INFINITY};
    struct plot_field plot = field(4, 1, values);
    struct canvas canvas;
    struct pixel_box area;
    struct colormap map;
    if (!CHECK_OK(colormap_init(&map, NULL)) || !CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const int pixels = (area.x1 - area.x0) * (area.y1 - area.y0);
    CHECK_EQUAL_INT(count_colour(&canvas, area, map.nothing), pixels / 2);
    CHECK_EQUAL_INT(count_colour(&canvas, area, map.colours[0]), pixels / 4);
    CHECK_EQUAL_INT(count_colour(&canvas, area, map.colours[COLORMAP_COLOURS - 1]), pixels / 4);
    canvas_free(&canvas);
}

static void range_is_obeyed(void)
{
    const double values[4] = {-100, 300, 350, 1000};
    struct plot_field plot = field(4, 1, values);
    struct canvas canvas;
    struct pixel_box area;
    struct colormap map;
    plot.has_range = true;
    plot.range[0] = 300;
    plot.range[1] = 400;
    if (!CHECK_OK(colormap_init(&map, NULL)) || !CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const int pixels = (area.x1 - area.x0) * (area.y1 - area.y0);
    CHECK_EQUAL_INT(count_colour(&canvas, area, map.colours[0]), pixels / 2);
    CHECK_EQUAL_INT(count_colour(&canvas, area, map.colours[COLORMAP_COLOURS / 2]), pixels / 4);
    CHECK_EQUAL_INT(count_colour(&canvas, area, map.colours[COLORMAP_COLOURS - 1]), pixels / 4);
    canvas_free(&canvas);
}

/* Values of both signs: what is 0 is white, what is as far from it is equally dark. A temperature
 * has no such middle unless it is given. */
static void signed_fields_diverge_from_zero(void)
{
    const double values[4] = {-1, 0, 1, 3};
    struct plot_field plot = field(4, 1, values);
    struct canvas canvas;
    struct pixel_box area;
    struct colormap map;
    plot.is_signed = true;
    if (!CHECK_OK(colormap_init(&map, "balance")) ||
        !CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const int pixels = (area.x1 - area.x0) * (area.y1 - area.y0);
    const double expected[4] = {-1, 0, 1, 3};
    for (int k = 0; k < 4; k++)
        CHECK_EQUAL_INT(count_colour(&canvas, area, colormap_colour(&map, expected[k], -3, 3)),
                        pixels / 4);
    canvas_free(&canvas);
    plot.is_signed = false;
    plot.has_middle = true;
    plot.middle = 1;
    if (!CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    CHECK_EQUAL_INT(count_colour(&canvas, area, colormap_colour(&map, 1, -1, 3)), pixels / 4);
    CHECK_EQUAL_INT(count_colour(&canvas, area, map.colours[0]), pixels / 4);
    canvas_free(&canvas);
    plot.has_middle = false;
    struct colormap usual;
    if (!CHECK_OK(colormap_init(&usual, NULL)) || !CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    CHECK_EQUAL_INT(count_colour(&canvas, area, colormap_colour(&usual, 0, -1, 3)), pixels / 4);
    canvas_free(&canvas);
}

static void ranges_are_centred(void)
{
    double range[2] = {-1, 3};
    plot_centre_range(range, 0);
    CHECK_EQUAL_DOUBLE(range[0], -3);
    CHECK_EQUAL_DOUBLE(range[1], 3);
    plot_centre_range(range, 10);
    CHECK_EQUAL_DOUBLE(range[0], -3);
    CHECK_EQUAL_DOUBLE(range[1], 23);
}

/* Three kinds, one of them not in the field: two plain colours where the kinds are, each with a
 * swatch beside, and never a mixture of them although there are more cells than pixels. */
static void classes_are_not_mixed(void)
{
    enum { N = 1200 };
    static double values[N * N];
    static const struct plot_class classes[] = {{0, "steel"}, {1, "air"}, {2, "copper"}};
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            values[j * N + i] = (i / 7 + j / 7) % 2 == 0 ? 0 : 2;
    struct plot_field plot = field(N, N, values);
    struct canvas canvas;
    struct pixel_box area;
    plot.classes = classes;
    plot.class_count = 3;
    plot.contours = 5; /* there is nothing between kinds */
    if (!CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const struct colour steel = canvas_get(&canvas, area.x0, area.y1 - 1);
    const struct colour copper = canvas_get(&canvas, area.x0 + 5, area.y1 - 1);
    CHECK(!same(steel, copper));
    const int pixels = (area.x1 - area.x0) * (area.y1 - area.y0);
    CHECK_EQUAL_INT(count_colour(&canvas, area, steel) + count_colour(&canvas, area, copper),
                    pixels);
    const struct pixel_box beside = {area.x1 + 2, 0, canvas.width, canvas.height};
    CHECK(count_colour(&canvas, beside, steel) > 100);
    CHECK(count_colour(&canvas, beside, copper) > 100);
    canvas_free(&canvas);
    plot.class_count = 1; /* copper is now unknown, and has a colour and a swatch of its own */
    if (!CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const struct colour unknown = canvas_get(&canvas, area.x0 + 5, area.y1 - 1);
    CHECK(!same(unknown, steel) && !same(unknown, copper));
    CHECK(count_colour(&canvas, beside, unknown) > 100);
    canvas_free(&canvas);
}

/* More kinds than a legend has rows, on a field of one row. */
static void many_classes_are_drawn(void)
{
    enum { KINDS = 256 };
    double values[KINDS];
    struct plot_class classes[KINDS];
    for (int k = 0; k < KINDS; k++) {
        values[k] = k;
        classes[k] = (struct plot_class){k, "a name that is rather long for a material of a plate"};
    }
    struct plot_field plot = field(KINDS, 1, values);
    struct canvas canvas;
    plot.classes = classes;
    plot.class_count = KINDS;
    if (!CHECK_OK(plot_field_draw(&plot, &canvas, NULL)))
        return;
    CHECK(canvas.height < 800 && canvas.width < 1400);
    canvas_free(&canvas);
}

/* The colour bar shows every colour of the map outside of the field. */
static void colour_bar_shows_all_colours(void)
{
    const double values[4] = {0, 1, 0, 1};
    struct plot_field plot = field(2, 2, values);
    struct canvas canvas;
    struct pixel_box area;
    struct colormap map;
    if (!CHECK_OK(colormap_init(&map, NULL)) || !CHECK_OK(plot_field_draw(&plot, &canvas, &area)))
        return;
    const struct pixel_box beside = {area.x1 + 2, 0, canvas.width, canvas.height};
    for (int k = 0; k < COLORMAP_COLOURS; k++)
        CHECK(count_colour(&canvas, beside, map.colours[k]) >= 20);
    canvas_free(&canvas);
}

/* One cell, one row, a constant, nothing finite, a diverged solution: there is always a picture. */
static void odd_fields_are_drawn(void)
{
    static const double constant[6] = {300, 300, 300, 300, 300, 300};
    static const double huge[6] = {-1.7e308, 1.7e308, 0, 1e-320, -1e200, 1};
    static const double none[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    static const int64_t shapes[][2] = {{1, 1}, {6, 1}, {1, 6}, {2, 3}};
    const double *const all[] = {constant, huge, none};
    for (size_t v = 0; v < sizeof all / sizeof all[0]; v++) {
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            struct plot_field plot = field(shapes[s][0], shapes[s][1], all[v]);
            struct canvas canvas;
            plot.contours = 5;
            plot.has_time = true;
            CHECK_OK(plot_field_draw(&plot, &canvas, NULL));
            canvas_free(&canvas);
            plot.size[0] *= 1e6; /* slender beyond measure */
            CHECK_OK(plot_field_draw(&plot, &canvas, NULL));
            CHECK(canvas.width < 1400);
            canvas_free(&canvas);
        }
    }
}

/* f = x: the line of 0.5 is upright in the middle of the area. */
static void contour_runs_where_the_value_is(void)
{
    enum { N = 60 };
    static double values[N * N];
    for (int k = 0; k < N * N; k++)
        values[k] = (k % N + 0.5) / N;
    struct plot_field plot = field(N, N, values);
    struct canvas plain, lined;
    struct pixel_box area;
    plot.has_range = true;
    plot.range[1] = 1;
    if (!CHECK_OK(plot_field_draw(&plot, &plain, &area)))
        return;
    plot.contours = 3; /* 0, 0.5, 1 */
    if (!CHECK_OK(plot_field_draw(&plot, &lined, &area)))
        return;
    const int middle = (area.x0 + area.x1) / 2;
    const struct pixel_box near_line = {middle - 2, area.y0, middle + 2, area.y1};
    int changed = 0, changed_near = 0;
    for (int y = area.y0; y < area.y1; y++)
        for (int x = area.x0; x < area.x1; x++)
            if (!same(canvas_get(&plain, x, y), canvas_get(&lined, x, y))) {
                changed++;
                changed_near += x >= near_line.x0 && x < near_line.x1 ? 1 : 0;
            }
    CHECK(changed_near > area.y1 - area.y0);
    /* The rest is the label. */
    CHECK(changed - changed_near < 400 && changed > changed_near);
    canvas_free(&plain);
    canvas_free(&lined);
}

/* f = 3 + 2 x + 3 y of a few large cells: the line f = 5 runs from wall to wall, x = 1 at the
 * bottom to y = 2/3 at the left. */
static void contour_reaches_the_walls(void)
{
    enum { NX = 5, NY = 4 };
    double values[NX * NY];
    for (int k = 0; k < NX * NY; k++)
        values[k] = 3 + 2 * (k % NX + 0.5) / NX * 2 + 3 * (k / NX + 0.5) / NY * 1.5;
    struct plot_field plot = field(NX, NY, values);
    struct canvas plain, lined;
    struct pixel_box area;
    plot.size[0] = 2;
    plot.size[1] = 1.5;
    plot.has_range = true;
    plot.range[1] = 10;
    if (!CHECK_OK(plot_field_draw(&plot, &plain, &area)))
        return;
    plot.contours = 3; /* 0, 5, 10 */
    if (!CHECK_OK(plot_field_draw(&plot, &lined, &area)))
        return;
    const double per_x = (area.x1 - area.x0) / 2.0, per_y = (area.y1 - area.y0) / 1.5;
    const int bottom = area.x0 + (int)lround(per_x), left = area.y1 - (int)lround(2 / 3.0 * per_y);
    int at_bottom = 0, elsewhere = 0, at_left = 0, x_sum = 0, y_sum = 0;
    for (int x = area.x0; x < area.x0 + (int)(1.5 * per_x); x++) {
        const bool is_line =
            !same(canvas_get(&plain, x, area.y1 - 1), canvas_get(&lined, x, area.y1 - 1));
        at_bottom += is_line && abs(x - bottom) <= 3;
        elsewhere += is_line && abs(x - bottom) > 3;
        x_sum += is_line ? x : 0;
    }
    for (int y = area.y1 - (int)per_y; y < area.y1; y++) {
        const bool is_line = !same(canvas_get(&plain, area.x0, y), canvas_get(&lined, area.x0, y));
        at_left += is_line && abs(y - left) <= 3;
        elsewhere += is_line && abs(y - left) > 3;
        y_sum += is_line ? y : 0;
    }
    CHECK(at_bottom > 0 && at_left > 0);
    CHECK_EQUAL_INT(elsewhere, 0);
    if (at_bottom > 0 && at_left > 0) {
        CHECK(abs(x_sum / at_bottom - bottom) <= 2);
        CHECK(abs(y_sum / at_left - left) <= 1);
    }
    canvas_free(&plain);
    canvas_free(&lined);
}

/* Pixels from the nearest edge of the material, a rectangle of cells [i0, i1) x [j0, j1). */
static double from_edge(double x, double y, const double box[4])
{
    const double dx = fmax(fmax(box[0] - x, x - box[1]), 0),
                 dy = fmax(fmax(box[2] - y, y - box[3]), 0);
    if (dx > 0 || dy > 0)
        return hypot(dx, dy);
    return fmin(fmin(x - box[0], box[1] - x), fmin(y - box[2], box[3] - y));
}

/* A rectangle of another material: its edges and nothing else is drawn, whatever the colours. */
static void outlines_lie_where_materials_change(void)
{
    enum { NX = 40, NY = 30 };
    static double values[NX * NY], materials[NX * NY];
    for (int k = 0; k < NX * NY; k++) {
        values[k] = k % NX;
        materials[k] = k % NX >= 8 && k % NX < 21 && k / NX >= 5 && k / NX < 19 ? 3 : 0;
    }
    for (int contours = 0; contours <= 4; contours += 4) {
        struct plot_field plot = field(NX, NY, values);
        struct canvas plain, outlined;
        struct pixel_box area;
        plot.size[1] = plot.size[0] * NY / NX;
        plot.contours = contours;
        if (!CHECK_OK(plot_field_draw(&plot, &plain, &area)))
            return;
        plot.materials = materials;
        if (!CHECK_OK(plot_field_draw(&plot, &outlined, &area)))
            return;
        const double cell = (area.x1 - area.x0) / (double)NX;
        const double box[4] = {area.x0 + 8 * cell, area.x0 + 21 * cell, area.y1 - 19 * cell,
                               area.y1 - 5 * cell};
        int missing = 0, elsewhere = 0;
        for (int y = area.y0; y < area.y1; y++)
            for (int x = area.x0; x < area.x1; x++) {
                const double distance = from_edge(x + 0.5, y + 0.5, box);
                const bool is_changed =
                    !same(canvas_get(&plain, x, y), canvas_get(&outlined, x, y));
                missing += distance <= 0.5 && !is_changed && contours == 0;
                elsewhere += distance > 2.5 && is_changed;
            }
        CHECK_EQUAL_INT(missing, 0);
        CHECK_EQUAL_INT(elsewhere, 0);
        canvas_free(&plain);
        canvas_free(&outlined);
    }
}

static void wrong_wishes_are_refused(void)
{
    const double values[4] = {0, 1, 2, 3};
    struct canvas canvas;
    struct plot_field plot = field(2, 2, values);
    plot.colormap = "rainbow";
    CHECK_FAILS(plot_field_draw(&plot, &canvas, NULL), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "rainbow");
    error_clear();
    CHECK(canvas.rgb == NULL);
    plot = field(2, 2, values);
    plot.has_range = true;
    plot.range[0] = 5;
    plot.range[1] = 5;
    CHECK_FAILS(plot_field_draw(&plot, &canvas, NULL), STATUS_INPUT);
    error_clear();
    plot = field(2, 2, values);
    plot.size[0] = 0;
    CHECK_FAILS(plot_field_draw(&plot, &canvas, NULL), STATUS_INPUT);
    error_clear();
}

int main(void)
{
    y_is_up_and_x_to_the_right();
    hotter_is_lighter();
    fine_checkerboard_becomes_the_middle_colour();
    both_axes_have_the_same_scale();
    what_is_no_number_is_neutral();
    range_is_obeyed();
    signed_fields_diverge_from_zero();
    ranges_are_centred();
    classes_are_not_mixed();
    many_classes_are_drawn();
    colour_bar_shows_all_colours();
    odd_fields_are_drawn();
    contour_runs_where_the_value_is();
    contour_reaches_the_walls();
    outlines_lie_where_materials_change();
    wrong_wishes_are_refused();
    return check_result();
}
