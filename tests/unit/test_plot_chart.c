/* Curves run where their values are. */
#include <math.h>
#include <string.h>

#include "io/plot.h"
#include "io/plot_frame.h"
#include "tests/check.h"

static struct plot_chart chart(const struct plot_curve *curves, int count)
{
    return (struct plot_chart){.title = "A test",
                               .subtitle = "of curves",
                               .across = PLOT_OVER_LENGTH,
                               .x_name = "x",
                               .quantity = "Temperature",
                               .unit = "K",
                               .curve_count = count,
                               .curves = curves};
}

static bool is_coloured(struct colour colour)
{
    const int most = colour.r > colour.g ? colour.r : colour.g;
    const int least = colour.r < colour.g ? colour.r : colour.g;
    return (most > colour.b ? most : colour.b) - (least < colour.b ? least : colour.b) > 60;
}

/* Middle row of what is coloured in a column of the area; NaN when nothing is. */
static double curve_row(const struct canvas *canvas, struct pixel_box area, int x)
{
    double sum = 0;
    int count = 0;
    for (int y = area.y0; y < area.y1; y++) {
        if (is_coloured(canvas_get(canvas, x, y))) {
            sum += y + 0.5;
            count++;
        }
    }
    return count > 0 ? sum / count : NAN;
}

/* A straight line over the given range: row by row where arithmetic puts it, for few points and for
 * many. */
static void line_runs_straight(void)
{
    enum { MANY = 200001 };
    static double x[MANY], y[MANY];
    static const int counts[] = {2, 50, MANY};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (int k = 0; k < counts[c]; k++) {
            x[k] = 0.2 * k / (counts[c] - 1);
            y[k] = 300 + 500 * x[k];
        }
        const struct plot_curve curve = {"line", counts[c], x, y};
        struct plot_chart plot = chart(&curve, 1);
        struct canvas canvas;
        struct pixel_box area;
        plot.has_range = true;
        plot.range[0] = 250;
        plot.range[1] = 450;
        if (!CHECK_OK(plot_chart_draw(&plot, &canvas, &area)))
            return;
        for (int column = area.x0 + 3; column < area.x1 - 3; column += 17) {
            const double value = 300 + 100 * (column + 0.5 - area.x0) / (area.x1 - area.x0);
            const double row = area.y1 - (value - 250) / 200 * (area.y1 - area.y0);
            CHECK_NEAR(curve_row(&canvas, area, column), row, 1);
        }
        canvas_free(&canvas);
    }
}

/* A single spike between a hundred thousand equal values must not get lost. */
static void spikes_are_kept(void)
{
    enum { MANY = 100000 };
    static double x[MANY], y[MANY];
    for (int k = 0; k < MANY; k++) {
        x[k] = k;
        y[k] = k == 77777 ? 10 : 0;
    }
    const struct plot_curve curve = {"spike", MANY, x, y};
    struct plot_chart plot = chart(&curve, 1);
    struct canvas canvas;
    struct pixel_box area;
    if (!CHECK_OK(plot_chart_draw(&plot, &canvas, &area)))
        return;
    const int column = area.x0 + (int)(77777.0 / (MANY - 1) * (area.x1 - area.x0));
    int highest = area.y1;
    for (int near = column - 1; near <= column + 1; near++)
        for (int row = area.y1 - 1; row >= area.y0; row--)
            if (is_coloured(canvas_get(&canvas, near, row)) && row < highest)
                highest = row;
    CHECK(highest < area.y0 + (area.y1 - area.y0) / 10);
    canvas_free(&canvas);
}

static void gaps_stay_empty_and_single_points_show(void)
{
    const double x[7] = {0, 1, 2, 3, 4, 5, 6}, y[7] = {1, 1, NAN, 1, NAN, 1, 1};
    const struct plot_curve curve = {"gaps", 7, x, y};
    struct plot_chart plot = chart(&curve, 1);
    struct canvas canvas;
    struct pixel_box area;
    if (!CHECK_OK(plot_chart_draw(&plot, &canvas, &area)))
        return;
    const int width = area.x1 - area.x0;
    CHECK(!isnan(curve_row(&canvas, area, area.x0 + width / 12)));
    CHECK(isnan(curve_row(&canvas, area, area.x0 + width * 4 / 12)));
    CHECK(!isnan(curve_row(&canvas, area, area.x0 + width / 2)));
    CHECK(isnan(curve_row(&canvas, area, area.x0 + width * 8 / 12)));
    CHECK(!isnan(curve_row(&canvas, area, area.x0 + width * 11 / 12)));
    canvas_free(&canvas);
}

static void legend_makes_room_for_itself(void)
{
    enum { CURVES = 40 };
    const double x[2] = {0, 1}, y[2] = {0, 1};
    struct plot_curve curves[CURVES];
    for (int k = 0; k < CURVES; k++)
        curves[k] = (struct plot_curve){"a probe", 2, x, y};
    struct plot_chart plot = chart(curves, 1);
    struct canvas alone, together;
    if (!CHECK_OK(plot_chart_draw(&plot, &alone, NULL)))
        return;
    plot.has_legend = true;
    if (CHECK_OK(plot_chart_draw(&plot, &together, NULL))) {
        CHECK(together.width > alone.width + 40);
        canvas_free(&together);
    }
    plot.curve_count = CURVES;
    if (CHECK_OK(plot_chart_draw(&plot, &together, NULL))) {
        CHECK(together.width > alone.width + 40);
        CHECK_EQUAL_INT(together.height, alone.height);
        canvas_free(&together);
    }
    canvas_free(&alone);
}

static void nothing_to_draw_is_refused(void)
{
    const double x[2] = {0, 1}, y[2] = {NAN, NAN};
    const struct plot_curve curve = {"nothing", 2, x, y};
    struct plot_chart plot = chart(&curve, 1);
    struct canvas canvas;
    CHECK_FAILS(plot_chart_draw(&plot, &canvas, NULL), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "no finite value");
    error_clear();
    CHECK(canvas.rgb == NULL);
}

static void times_are_written_in_fitting_units(void)
{
    static const struct {
        double time;
        const char *text;
    } cases[] = {{0, "t = 0 s"},     {0.125, "t = 0.125 s"}, {2e-3, "t = 2 ms"},
                 {120, "t = 120 s"}, {36000, "t = 10 h"},    {864000, "t = 10 d"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[64];
        plot_time_text(cases[k].time, text, sizeof text);
        CHECK_EQUAL_TEXT(text, cases[k].text);
    }
}

static void units_are_written_as_people_do(void)
{
    static const char *const cases[][2] = {{"K", "K"},
                                           {"W/m2", "W/m²"},
                                           {"W m-2", "W m⁻²"},
                                           {"J/(m3 K)", "J/(m³ K)"},
                                           {"m10 s-12", "m¹⁰ s⁻¹²"},
                                           {"10 K", "10 K"},
                                           {"a-b", "a-b"},
                                           {"", ""}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[64];
        frame_unit(text, sizeof text, cases[k][0]);
        CHECK_EQUAL_TEXT(text, cases[k][1]);
    }
    char label[64];
    frame_quantity(label, sizeof label, "heat flux", "W/m2");
    CHECK_EQUAL_TEXT(label, "Heat flux (W/m²)");
    frame_quantity(label, sizeof label, "time steps", "");
    CHECK_EQUAL_TEXT(label, "Time steps");
}

/* A name that is too long loses its end, never its unit. */
static void long_names_of_axes_keep_their_unit(void)
{
    static const char label[] = "Power of all sources (those of lamps too) (W/m³)";
    char text[128];
    frame_fit_label(label, 1000, text, sizeof text);
    CHECK_EQUAL_TEXT(text, label);
    frame_fit_label(label, 200, text, sizeof text);
    CHECK(font_width(text, FRAME_TEXT) <= 200);
    CHECK(strncmp(text, "Power of", 8) == 0);
    CHECK_CONTAINS(text, "… (W/m³)");
}

int main(void)
{
    line_runs_straight();
    spikes_are_kept();
    gaps_stay_empty_and_single_points_show();
    legend_makes_room_for_itself();
    nothing_to_draw_is_refused();
    times_are_written_in_fitting_units();
    units_are_written_as_people_do();
    long_names_of_axes_keep_their_unit();
    return check_result();
}
