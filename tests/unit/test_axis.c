/* Ticks as a person would write them beside the axis. */
#include <math.h>

#include "io/axis.h"
#include "tests/check.h"

/* All labels in one row, separated by blanks, then the note behind a bar. */
static void labels(const struct axis *axis, char *text, size_t bytes)
{
    char one[64];
    text[0] = '\0';
    for (int k = 0; k < axis->count; k++) {
        axis_tick_text(axis, k, one, sizeof one);
        (void)snprintf(text + strlen(text), bytes - strlen(text), "%s%s", k > 0 ? " " : "", one);
    }
    axis_note(axis, one, sizeof one);
    if (one[0] != '\0')
        (void)snprintf(text + strlen(text), bytes - strlen(text), " | %s", one);
}

static const struct tick_case {
    double low, high;
    int most;
    const char *labels;
} tick_cases[] = {
    {0, 100, 6, "0 20 40 60 80 100"},
    {0, 100, 5, "0 25 50 75 100"},
    {0, 10, 5, "0.0 2.5 5.0 7.5 10.0"},
    {0, 200, 8, "0 50 100 150 200"},
    {0, 1, 11, "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"},
    {0, 1, 2, "0 1"},
    {-1, 1, 5, "−1.0 −0.5 0.0 0.5 1.0"},
    {293.15, 373.15, 9, "300 310 320 330 340 350 360 370"},
    {293.15, 373.15, 5, "300 320 340 360"},
    {0.3, 0.7, 5, "0.3 0.4 0.5 0.6 0.7"},
    {-40, -10, 4, "−40 −30 −20 −10"},
    {0, 3e6, 4, "0 1 2 3 | ×10⁶"},
    {0, 25000, 6, "0 5000 10000 15000 20000 25000"},
    {0, 4e-7, 5, "0 100 200 300 400 | ×10⁻⁹"},
    {293.15, 293.15004, 5, "0 10 20 30 40 | ×10⁻⁶ + 293.15"},
    {299.9999, 300.0001, 5, "−100 −50 0 50 100 | ×10⁻⁶ + 300"},
    {-300.0001, -299.9999, 3, "−100 0 100 | ×10⁻⁶ − 300"},
};

static void ticks_are_round(void)
{
    for (size_t k = 0; k < sizeof tick_cases / sizeof tick_cases[0]; k++) {
        const struct tick_case *c = &tick_cases[k];
        struct axis axis;
        char text[512];
        axis_init(&axis, c->low, c->high, c->most);
        labels(&axis, text, sizeof text);
        CHECK_EQUAL_TEXT(text, c->labels);
        for (int tick = 0; tick < axis.count; tick++)
            CHECK(axis.ticks[tick] >= c->low - 1e-9 * fabs(c->low) &&
                  axis.ticks[tick] <= c->high + 1e-9 * fabs(c->high));
    }
}

/* Whatever a field holds, a diverged one too, there are two to `most` ticks in order. */
static void any_range_gets_ticks(void)
{
    static const double ranges[][2] = {{300, 300},       {0, 0},         {-1e308, 1e308},
                                       {1e-310, 2e-310}, {1, 1 + 1e-15}, {1e15, 1e15 + 2},
                                       {-1e-300, 1e300}, {7, 7.0000001}, {-5, -5}};
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        struct axis axis;
        axis_init(&axis, ranges[k][0], ranges[k][1], 6);
        check_that(axis.count >= 2 && axis.count <= 6, __FILE__, __LINE__, "%d ticks for %g to %g",
                   axis.count, ranges[k][0], ranges[k][1]);
        CHECK(axis.low < axis.high);
        for (int tick = 1; tick < axis.count; tick++)
            CHECK(axis.ticks[tick] > axis.ticks[tick - 1]);
    }
}

static void units_follow_the_size(void)
{
    CHECK_EQUAL_TEXT(axis_length_unit(0.2).name, "mm");
    CHECK_EQUAL_TEXT(axis_length_unit(2).name, "m");
    CHECK_EQUAL_TEXT(axis_length_unit(3e-5).name, "µm");
    CHECK_EQUAL_TEXT(axis_length_unit(5e-8).name, "nm");
    CHECK_EQUAL_TEXT(axis_length_unit(5000).name, "km");
    CHECK_EQUAL_DOUBLE(axis_length_unit(0.2).size, 1e-3);
    CHECK_EQUAL_TEXT(axis_time_unit(2).name, "s");
    CHECK_EQUAL_TEXT(axis_time_unit(0).name, "s");
    CHECK_EQUAL_TEXT(axis_time_unit(2e-3).name, "ms");
    CHECK_EQUAL_TEXT(axis_time_unit(36000).name, "h");
    CHECK_EQUAL_DOUBLE(axis_time_unit(36000).size, 3600);
}

static void numbers_read_well(void)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {{0.125, 6, "0.125"},     {-40, 6, "−40"},           {293.15000001, 6, "293.15"},
                 {2.5e-7, 6, "2.5×10⁻⁷"}, {-1.5e12, 6, "−1.5×10¹²"}, {0, 6, "0"},
                 {NAN, 6, "NaN"},         {-INFINITY, 6, "−∞"},      {1234567, 7, "1234567"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[64];
        axis_number(cases[k].value, cases[k].digits, text, sizeof text);
        CHECK_EQUAL_TEXT(text, cases[k].text);
    }
}

int main(void)
{
    ticks_are_round();
    any_range_gets_ticks();
    units_follow_the_size();
    numbers_read_well();
    return check_result();
}
