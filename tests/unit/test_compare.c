/* Differences of files that were made with a known difference. */
#include <math.h>

#include "io/checkpoint.h"
#include "io/compare.h"
#include "io/snapshot.h"
#include "tests/check.h"

enum { NX = 4, NY = 3 };

/* Frames 0, ..., frames - 1 of T = 100 + frame; `extra` K more in cell (2, 1) of frame 1; time 10 n
 * from `first` on. */
static void make(const char *path, int64_t nx, int first, int frames, double extra)
{
    const struct snapshot_spec spec = {.path = path,
                                       .title = "",
                                       .source = "",
                                       .history = "",
                                       .input_text = "",
                                       .nx = nx,
                                       .ny = NY,
                                       .size = {1.0, 1.0},
                                       .precision = PRECISION_DOUBLE,
                                       .compression = COMPRESSION_FAST};
    CHECK_OK(snapshot_create(&spec));
    for (int n = first; n < first + frames; n++) {
        double field[2 * NX * NY];
        for (int c = 0; c < nx * NY; c++)
            field[c] = 100.0 + n;
        if (n == 1)
            field[1 * nx + 2] += extra;
        CHECK_OK(snapshot_append(
            &spec, &(struct snapshot_frame){.time = 10.0 * n, .step = n, .temperature = field}));
    }
}

static void equal_files_are_equal(void)
{
    struct compare_result result;
    make("a.h5", NX, 0, 3, 0.0);
    make("b.h5", NX, 0, 3, 0.0);
    CHECK_OK(compare_files("a.h5", "b.h5", NULL, &result));
    CHECK_EQUAL_INT(result.times, 3);
    CHECK_EQUAL_INT(result.only_a, 0);
    CHECK_EQUAL_INT(result.only_b, 0);
    CHECK_EQUAL_INT(result.differing, 0);
    CHECK_EQUAL_DOUBLE(result.largest, 0.0);
    CHECK_EQUAL_DOUBLE(result.l2, 0.0);
    CHECK_EQUAL_DOUBLE(result.relative, 0.0);
}

/* One of 36 values is 0.75 larger: root mean square 0.75 / 6, relative to the largest value, 102.
 */
static void one_cell_is_found(void)
{
    struct compare_result result;
    make("a.h5", NX, 0, 3, 0.0);
    make("b.h5", NX, 0, 3, 0.75);
    CHECK_OK(compare_files("a.h5", "b.h5", NULL, &result));
    CHECK_EQUAL_INT(result.differing, 1);
    CHECK_EQUAL_DOUBLE(result.largest, 0.75);
    CHECK_EQUAL_DOUBLE(result.largest_time, 10.0);
    CHECK_EQUAL_INT(result.largest_i, 2);
    CHECK_EQUAL_INT(result.largest_j, 1);
    CHECK_NEAR(result.l2, 0.125, 1e-15);
    CHECK_NEAR(result.relative, 0.75 / 102.0, 1e-15);
}

static void what_is_not_finite_differs_without_bound(void)
{
    struct compare_result result;
    make("a.h5", NX, 0, 3, 0.0);
    make("b.h5", NX, 0, 3, (double)NAN);
    CHECK_OK(compare_files("a.h5", "b.h5", NULL, &result));
    CHECK_EQUAL_INT(result.differing, 1);
    CHECK(isinf(result.largest));
}

static void only_common_times_are_compared(void)
{
    struct compare_result result;
    make("a.h5", NX, 0, 3, 0.0);
    make("b.h5", NX, 1, 4, 0.0);
    CHECK_OK(compare_files("a.h5", "b.h5", NULL, &result));
    CHECK_EQUAL_INT(result.times, 2);
    CHECK_EQUAL_INT(result.only_a, 1);
    CHECK_EQUAL_INT(result.only_b, 2);
    CHECK_EQUAL_INT(result.differing, 0);
}

static void what_cannot_be_compared_is_refused(void)
{
    struct compare_result result;
    make("a.h5", NX, 0, 1, 0.0);
    make("b.h5", 2 * NX, 0, 1, 0.0);
    CHECK_FAILS(compare_files("a.h5", "b.h5", NULL, &result), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "4 x 3 cells");
    error_clear();
    make("b.h5", NX, 5, 1, 0.0);
    CHECK_FAILS(compare_files("a.h5", "b.h5", NULL, &result), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "no time in common");
    error_clear();
    CHECK_FAILS(compare_files("a.h5", "none.h5", NULL, &result), STATUS_FILE);
    error_clear();
    CHECK_FAILS(compare_files("a.h5", "checkpoint-1.h5", NULL, &result), STATUS_INPUT);
    error_clear();
}

static void make_checkpoint(int64_t step, double value)
{
    double field[NX * NY];
    for (int c = 0; c < NX * NY; c++)
        field[c] = c == 7 ? value : 1.0;
    struct checkpoint checkpoint = {.step = step,
                                    .time = 5.0,
                                    .section_count = 1,
                                    .sections = {{"temperature", SECTION_F64, NY, NX, field, 0}}};
    CHECK_OK(checkpoint_write(".", &checkpoint, 9));
}

static void checkpoints_are_compared_too(void)
{
    struct compare_result result;
    make_checkpoint(1, 1.0);
    make_checkpoint(2, 1.0 + 0x1p-52);
    CHECK_OK(compare_files("checkpoint-1.h5", "checkpoint-1.h5", NULL, &result));
    CHECK_EQUAL_INT(result.differing, 0);
    CHECK_OK(compare_files("checkpoint-1.h5", "checkpoint-2.h5", NULL, &result));
    CHECK_EQUAL_INT(result.differing, 1);
    CHECK_EQUAL_DOUBLE(result.largest, 0x1p-52);
    CHECK_EQUAL_INT(result.largest_i, 3);
    CHECK_EQUAL_INT(result.largest_j, 1);
}

int main(void)
{
    equal_files_are_equal();
    one_cell_is_found();
    what_is_not_finite_differs_without_bound();
    only_common_times_are_compared();
    what_cannot_be_compared_is_refused();
    checkpoints_are_compared_too();
    return check_result();
}
