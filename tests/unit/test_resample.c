/* Reducing a field keeps its mean, enlarging keeps its cells. */
#include <math.h>

#include "io/resample.h"
#include "tests/check.h"

static void checkerboard_becomes_its_mean(void)
{
    enum { N = 64, PIXELS = 16 };
    static double board[N * N], pixels[PIXELS * PIXELS];
    for (int k = 0; k < N * N; k++)
        board[k] = (k % N + k / N) % 2;
    if (!CHECK_OK(field_resample(board, N, N, pixels, PIXELS, PIXELS)))
        return;
    for (int k = 0; k < PIXELS * PIXELS; k++)
        CHECK_EQUAL_DOUBLE(pixels[k], 0.5);
}

/* Shares of cells: 3 cells onto 2 pixels are (a + b/2) / 1.5 and (b/2 + c) / 1.5. */
static void uneven_reduction_takes_shares(void)
{
    const double cells[3] = {3, 6, 30};
    double across[2], up[2];
    if (!CHECK_OK(field_resample(cells, 3, 1, across, 2, 1)) ||
        !CHECK_OK(field_resample(cells, 1, 3, up, 1, 2)))
        return;
    CHECK_NEAR(across[0], 4, 1e-14);
    CHECK_NEAR(across[1], 22, 1e-14);
    CHECK_NEAR(up[0], 4, 1e-14);
    CHECK_NEAR(up[1], 22, 1e-14);
}

static void mean_is_kept_for_any_size(void)
{
    enum { NX = 101, NY = 67 };
    static double cells[NX * NY], pixels[NX * NY];
    double mean = 0;
    for (int k = 0; k < NX * NY; k++) {
        cells[k] = (double)(k * 7919 % 1000);
        mean += cells[k] / (NX * NY);
    }
    for (int width = 1; width <= NX; width += 9) {
        const int height = 1 + width % NY;
        if (!CHECK_OK(field_resample(cells, NX, NY, pixels, width, height)))
            return;
        double sum = 0;
        for (int k = 0; k < width * height; k++)
            sum += pixels[k];
        CHECK_NEAR(sum / (width * height), mean, 1e-9);
    }
}

static void small_field_shows_its_cells(void)
{
    const double cells[4] = {1, 2, 3, 4};
    double pixels[6 * 4];
    if (!CHECK_OK(field_resample(cells, 2, 2, pixels, 6, 4)))
        return;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 6; x++)
            CHECK_EQUAL_DOUBLE(pixels[y * 6 + x], cells[y / 2 * 2 + x / 3]);
}

static void one_hole_shows_in_its_pixel_only(void)
{
    double cells[8 * 8], pixels[2 * 2];
    for (int k = 0; k < 64; k++)
        cells[k] = 1;
    cells[5 * 8 + 1] = NAN;
    if (!CHECK_OK(field_resample(cells, 8, 8, pixels, 2, 2)))
        return;
    CHECK_EQUAL_DOUBLE(pixels[0], 1);
    CHECK_EQUAL_DOUBLE(pixels[1], 1);
    CHECK(isnan(pixels[2]));
    CHECK_EQUAL_DOUBLE(pixels[3], 1);
}

/* A field that is linear in x and y is met exactly between the cell centres. */
static void profile_is_linear_between_centres(void)
{
    enum { NX = 10, NY = 5 };
    double cells[NX * NY], at[NX], values[NX];
    const struct field_grid grid = {.nx = NX, .ny = NY, .size = {1, 2}, .values = cells};
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            cells[j * NX + i] = 100 * (i + 0.5) / NX + 3 * (j + 0.5) * 2 / NY;
    if (CHECK_OK(field_profile(&grid, 1, 1.1, at, values)))
        for (int i = 0; i < NX; i++) {
            CHECK_NEAR(at[i], (i + 0.5) / NX, 1e-15);
            CHECK_NEAR(values[i], 100 * at[i] + 3.3, 1e-12);
        }
    if (CHECK_OK(field_profile(&grid, 0, 0.33, at, values)))
        for (int j = 0; j < NY; j++) {
            CHECK_NEAR(at[j], (j + 0.5) * 0.4, 1e-15);
            CHECK_NEAR(values[j], 33 + 3 * at[j], 1e-12);
        }
    /* Between the outermost centre and the side: the outermost cells. */
    if (CHECK_OK(field_profile(&grid, 1, 2, at, values)))
        CHECK_EQUAL_DOUBLE(values[3], cells[4 * NX + 3]);
    if (CHECK_OK(field_profile(&grid, 1, 0, at, values)))
        CHECK_EQUAL_DOUBLE(values[3], cells[3]);
}

static void line_outside_is_refused(void)
{
    const double cells[1] = {1};
    const struct field_grid grid = {.nx = 1, .ny = 1, .size = {0.2, 0.1}, .values = cells};
    double at[1], values[1];
    CHECK_FAILS(field_profile(&grid, 1, 0.15, at, values), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "y = 0.15 m");
    CHECK_CONTAINS(error_message(), "0 to 0.1");
    error_clear();
    CHECK_FAILS(field_profile(&grid, 0, NAN, at, values), STATUS_INPUT);
    error_clear();
}

static void range_leaves_out_what_is_not_finite(void)
{
    const double values[] = {NAN, 3, -INFINITY, -2, INFINITY}, none[] = {NAN};
    double range[2];
    CHECK(field_range(values, 5, range));
    CHECK_EQUAL_DOUBLE(range[0], -2);
    CHECK_EQUAL_DOUBLE(range[1], 3);
    CHECK(!field_range(none, 1, range));
    CHECK(range[0] < range[1]);
}

int main(void)
{
    checkerboard_becomes_its_mean();
    uneven_reduction_takes_shares();
    mean_is_kept_for_any_size();
    small_field_shows_its_cells();
    one_hole_shows_in_its_pixel_only();
    profile_is_linear_between_centres();
    line_outside_is_refused();
    range_leaves_out_what_is_not_finite();
    return check_result();
}
