/* Contour lines of fields whose lines are known. */
#include <math.h>

#include "io/contour.h"
#include "tests/check.h"

struct found {
    int lines, points, closed;
    double length; /* of all lines */
    double worst;  /* farthest point from the circle */
    double centre[2], radius;
};

static void take_line(void *context, const double (*points)[2], int count)
{
    struct found *found = context;
    found->lines++;
    found->points += count;
    found->closed +=
        points[0][0] == points[count - 1][0] && points[0][1] == points[count - 1][1] ? 1 : 0;
    for (int k = 0; k < count; k++) {
        const double off = hypot(points[k][0] - found->centre[0], points[k][1] - found->centre[1]);
        found->worst = isfinite(off) ? fmax(found->worst, fabs(off - found->radius)) : INFINITY;
        if (k > 0)
            found->length +=
                hypot(points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]);
    }
}

enum { N = 41 };

static void fill_cone(double *values, double cx, double cy)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            values[j * N + i] = hypot(i - cx, j - cy);
}

static void circle_is_one_closed_line(void)
{
    static double values[N * N];
    struct found found = {.centre = {19.3, 20.6}, .radius = 12.25};
    fill_cone(values, found.centre[0], found.centre[1]);
    if (!CHECK_OK(contour_trace(values, N, N, found.radius, take_line, &found)))
        return;
    CHECK_EQUAL_INT(found.lines, 1);
    CHECK_EQUAL_INT(found.closed, 1);
    CHECK_NEAR(found.worst, 0, 0.02);
    CHECK_NEAR(found.length, 2 * acos(-1.0) * found.radius, 0.3);
}

/* A circle around the corner meets two sides: a quarter, open. */
static void line_ends_at_the_border(void)
{
    static double values[N * N];
    struct found found = {.centre = {0, 0}, .radius = 20.5};
    fill_cone(values, 0, 0);
    if (!CHECK_OK(contour_trace(values, N, N, found.radius, take_line, &found)))
        return;
    CHECK_EQUAL_INT(found.lines, 1);
    CHECK_EQUAL_INT(found.closed, 0);
    CHECK_NEAR(found.length, acos(-1.0) / 2 * found.radius, 0.1);
}

static void hole_cuts_the_line(void)
{
    static double values[N * N];
    struct found found = {.centre = {20, 20}, .radius = 12.25};
    fill_cone(values, 20, 20);
    values[20 * N + 32] = NAN;
    if (!CHECK_OK(contour_trace(values, N, N, found.radius, take_line, &found)))
        return;
    CHECK_EQUAL_INT(found.lines, 1);
    CHECK_EQUAL_INT(found.closed, 0);
    CHECK_NEAR(found.worst, 0, 0.02);
}

/* 1 0 / 0 1: at 0.4 the mean is above, so the two high corners belong together and the lines cut
 * off the low ones; at 0.6 the other way round. */
static void saddle_joins_what_its_mean_says(void)
{
    const double values[4] = {1, 0, 0, 1};
    for (int turn = 0; turn < 2; turn++) {
        /* Both lines are equally far from the middle of the low (high) corners they cut off. */
        struct found found = {.centre = {0.5, 0.5}, .radius = hypot(0.5, 0.1)};
        if (!CHECK_OK(contour_trace(values, 2, 2, turn == 0 ? 0.4 : 0.6, take_line, &found)))
            return;
        CHECK_EQUAL_INT(found.lines, 2);
        CHECK_EQUAL_INT(found.points, 4);
        CHECK_NEAR(found.worst, 0, 1e-12);
        CHECK_NEAR(found.length, 2 * hypot(0.4, 0.4), 1e-12);
    }
}

static void level_outside_has_no_line(void)
{
    static double values[N * N];
    struct found found = {0};
    fill_cone(values, 20, 20);
    CHECK_OK(contour_trace(values, N, N, 100, take_line, &found));
    CHECK_OK(contour_trace(values, 1, N, 5, take_line, &found));
    CHECK_EQUAL_INT(found.lines, 0);
}

int main(void)
{
    circle_is_one_closed_line();
    line_ends_at_the_border();
    hole_cuts_the_line();
    saddle_joins_what_its_mean_says();
    level_outside_has_no_line();
    return check_result();
}
