/* Ghost maps against the physics they stand for, and the stability limit against eigenvalues. */
#include "solver/boundary.h"

#include <float.h>
#include <math.h>

#include "tests/check.h"

static struct ghost_map map_of(struct boundary_values boundary, double k, double d)
{
    struct ghost_map map = {NAN, NAN};
    CHECK_OK(boundary_map(&boundary, SIDE_LEFT, k, d, &map));
    return map;
}

static double ghost_of(struct ghost_map map, double cell)
{
    return map.a + map.b * cell;
}

static const double conductivities[] = {1e-9, 0.026, 1.0, 401.0, 2300.0};
static const double widths[] = {1e-6, 1e-3, 0.1, 10.0};
static const double cells[] = {0.0, 3.7, 293.15, 1500.0};
enum { KS = 5, DS = 4, CELLS = 4 };

/* Calls `claim` for all combinations of conductivity, cell width and temperature. */
static void for_all(void (*claim)(double k, double d, double cell))
{
    for (int k = 0; k < KS; k++)
        for (int d = 0; d < DS; d++)
            for (int c = 0; c < CELLS; c++)
                claim(conductivities[k], widths[d], cells[c]);
}

/* The face lies in the middle between cell and ghost. */
static void temperature_is_that_of_the_face(double k, double d, double cell)
{
    const struct boundary_values wall = {.type = BOUNDARY_TEMPERATURE, .value = 371.3};
    const double ghost = ghost_of(map_of(wall, k, d), cell);
    CHECK_NEAR(0.5 * (ghost + cell), 371.3, 1e-12);
}

/* W/m2 into the domain: k dT/dn, n outwards. */
static void flux_enters(double k, double d, double cell)
{
    const struct boundary_values heater = {.type = BOUNDARY_FLUX, .value = 12.5};
    const double ghost = ghost_of(map_of(heater, k, d), cell);
    const double rounding = k / d * DBL_EPSILON * (fabs(ghost) + fabs(cell));
    CHECK_NEAR(k * (ghost - cell) / d, 12.5, 2.0 * rounding + 1e-13);
}

static void nothing_passes_insulation(double k, double d, double cell)
{
    const struct boundary_values wool = {.type = BOUNDARY_INSULATED, .value = 5.0};
    CHECK_EQUAL_DOUBLE(ghost_of(map_of(wool, k, d), cell), cell);
}

/* With the wall at T_w half a cell from the centre: what conducts through the half cell is what the
 * air gives, k (T_w - cell) / (d/2) = h (ambient - T_w), and the same crosses the face. */
static void convection_and_conduction_agree(double k, double d, double cell)
{
    static const double coefficients[] = {0.0, 1e-3, 25.0, 1e6, 1e15};
    for (int c = 0; c < 5; c++) {
        const double h = coefficients[c], ambient = 311.0;
        const struct boundary_values air = {
            .type = BOUNDARY_CONVECTION, .coefficient = h, .ambient = ambient};
        const double ghost = ghost_of(map_of(air, k, d), cell);
        const double wall = (2.0 * k / d * cell + h * ambient) / (2.0 * k / d + h);
        const double from_air = h * (ambient - wall), through_cell = 2.0 * k / d * (wall - cell);
        const double through_face = k * (ghost - cell) / d;
        const double rounding = (k / d) * DBL_EPSILON * (fabs(ghost) + fabs(cell) + ambient);
        CHECK_NEAR(through_face, through_cell, 16.0 * rounding);
        if (h <= 2.0 * k / d)
            CHECK_NEAR(through_face, from_air, 16.0 * rounding);
    }
}

static void limits_of_convection_are_wall_and_insulation(void)
{
    const struct boundary_values none = {.type = BOUNDARY_CONVECTION, .ambient = 300.0};
    struct ghost_map map = map_of(none, 2.0, 0.1);
    CHECK_EQUAL_DOUBLE(map.a, 0.0);
    CHECK_EQUAL_DOUBLE(map.b, 1.0);
    const struct boundary_values strong = {
        .type = BOUNDARY_CONVECTION, .coefficient = 1e25, .ambient = 300.0};
    map = map_of(strong, 2.0, 0.1);
    CHECK_NEAR(map.a, 600.0, 1e-12);
    CHECK_NEAR(map.b, -1.0, 1e-15);
}

static void what_does_not_conduct_takes_no_flux(void)
{
    struct ghost_map map = {NAN, NAN};
    const struct boundary_values heater = {.type = BOUNDARY_FLUX, .value = 1.0};
    CHECK_FAILS(boundary_map(&heater, SIDE_TOP, 0.0, 0.1, &map), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "boundary.top");
    error_clear();
    static const struct boundary_values harmless[] = {
        {.type = BOUNDARY_FLUX, .value = 0.0},
        {.type = BOUNDARY_INSULATED},
        {.type = BOUNDARY_TEMPERATURE, .value = 300.0},
        {.type = BOUNDARY_CONVECTION, .coefficient = 25.0, .ambient = 300.0},
        {.type = BOUNDARY_CONVECTION, .coefficient = 0.0, .ambient = 300.0},
    };
    for (int b = 0; b < 5; b++) {
        map = map_of(harmless[b], 0.0, 0.1);
        CHECK(isfinite(map.a) && isfinite(map.b) && map.b >= -1.0 && map.b <= 1.0);
    }
}

enum { MOST_CELLS = 12 };

/* Minus the second difference times d^2, with the ends' maps: (cells, cells). `ends` NULL: joined.
 */
static void fill_matrix(int n, const struct ghost_map *ends, double m[MOST_CELLS][MOST_CELLS])
{
    memset(m, 0, MOST_CELLS * sizeof m[0]);
    for (int i = 0; i < n; i++) {
        m[i][i] += 2.0;
        for (int side = -1; side <= 1; side += 2) {
            const int other = i + side;
            if (other >= 0 && other < n)
                m[i][other] -= 1.0;
            else if (ends == NULL)
                m[i][(other + n) % n] -= 1.0;
            else
                m[i][i] -= ends[side > 0].b;
        }
    }
}

/* The largest eigenvalue of the symmetric, positive matrix by power iteration. */
static double largest_eigenvalue(int n, double m[MOST_CELLS][MOST_CELLS])
{
    double v[MOST_CELLS], w[MOST_CELLS], length = 0.0;
    for (int i = 0; i < n; i++)
        v[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + 0.1 * i);
    for (int iteration = 0; iteration < 20000; iteration++) {
        length = 0.0;
        for (int i = 0; i < n; i++) {
            w[i] = 0.0;
            for (int j = 0; j < n; j++)
                w[i] += m[i][j] * v[j];
            length += w[i] * w[i];
        }
        length = sqrt(length);
        for (int i = 0; i < n && length > 0.0; i++)
            v[i] = w[i] / length;
    }
    return length;
}

/* The bound is never below the largest eigenvalue, so the step limit that follows is stable, and
 * for lines of some length it is not far above. */
static void the_spectrum_is_bounded(void)
{
    static const double slopes[] = {1.0, 0.5, 0.0, -0.5, -1.0};
    double m[MOST_CELLS][MOST_CELLS];
    for (int n = 1; n <= MOST_CELLS; n++) {
        for (int pair = 0; pair < 25; pair++) {
            const struct ghost_map ends[2] = {{0.0, slopes[pair / 5]}, {7.0, slopes[pair % 5]}};
            const double walls[2] = {1.0 - ends[0].b, 1.0 - ends[1].b};
            fill_matrix(n, ends, m);
            const double bound = boundary_spectrum(n, walls, 1.0, 1.0),
                         exact = largest_eigenvalue(n, m);
            CHECK(bound >= exact * (1.0 - 1e-9));
            CHECK(bound <= 4.0);
            if (n == 1)
                CHECK_NEAR(bound, exact, 1e-12);
            if (n >= 8)
                CHECK(bound <= exact * 1.05);
        }
        fill_matrix(n, NULL, m);
        const double exact = largest_eigenvalue(n, m);
        CHECK(boundary_spectrum(n, NULL, 1.0, 1.0) >= exact * (1.0 - 1e-9));
        if (n % 2 == 0 || n == 1)
            CHECK_NEAR(boundary_spectrum(n, NULL, 1.0, 1.0), exact, 1e-9);
    }
}

/* Isothermal ends of one cell: 4 = (2 / (d/2)) d; insulated ends: nothing decays. */
static void lines_of_one_cell(void)
{
    const double walls[2] = {2.0, 2.0}, wools[2] = {0.0, 0.0};
    CHECK_EQUAL_DOUBLE(boundary_spectrum(1, walls, 1.0, 1.0), 4.0);
    CHECK_EQUAL_DOUBLE(boundary_spectrum(1, wools, 1.0, 1.0), 0.0);
    CHECK_EQUAL_DOUBLE(boundary_spectrum(1, NULL, 1.0, 1.0), 0.0);
}

int main(void)
{
    for_all(temperature_is_that_of_the_face);
    for_all(flux_enters);
    for_all(nothing_passes_insulation);
    for_all(convection_and_conduction_agree);
    limits_of_convection_are_wall_and_insulation();
    what_does_not_conduct_takes_no_flux();
    the_spectrum_is_bounded();
    lines_of_one_cell();
    return check_result();
}
