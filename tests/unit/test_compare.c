/* Differences of files that were made with a known difference. */
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    CHECK_OK(compare_files("a.h5", "b.h5", NULL, &result));
    CHECK(result.times == 0 && result.only_a == 1 && result.only_b == 1);
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

/* What a resume reads: the step and the time, the field, a sum, counts and settings. */
struct state {
    int64_t step;
    double time, cell, sum;
    int64_t count;
    const char *settings;
    int sections; /* the last ones are left out */
};

static const struct state usual = {1, 5.0, 1.0, 3.0, 7, "title = \"a\"; seed = 1;", 4};

static void make_state(const struct state *state)
{
    double field[NX * NY];
    for (int c = 0; c < NX * NY; c++)
        field[c] = c == 7 ? state->cell : 1.0;
    const double sums[2] = {0.5, state->sum};
    struct checkpoint checkpoint = {
        .step = state->step,
        .time = state->time,
        .run_id = (uint64_t)state->step,
        .section_count = state->sections,
        .sections = {
            {"temperature", SECTION_F64, NY, NX, field, 0},
            {"sums", SECTION_F64, 1, 2, sums, 0},
            {"counts", SECTION_I64, 1, 1, &state->count, 0},
            {"settings", SECTION_U8, 1, (int64_t)strlen(state->settings), state->settings, 0}}};
    CHECK_OK(checkpoint_write(".", &checkpoint, 9));
}

/* The usual state against another one, in another file. */
static struct compare_result compare_with(struct state other, bool is_every)
{
    struct compare_result result = {.field = ""};
    const struct compare_options how = {.is_every = is_every};
    char path[64];
    make_state(&usual);
    other.step += 10; /* another name, which is a difference */
    make_state(&other);
    (void)snprintf(path, sizeof path, "checkpoint-%lld.h5", (long long)other.step);
    CHECK_OK(compare_files("checkpoint-1.h5", path, &how, &result));
    return result;
}

static void all_of_a_checkpoint_is_compared_on_request(void)
{
    struct state other = usual;
    struct compare_result result = compare_with(other, true);
    CHECK_EQUAL_INT(result.differing, 1); /* only the step, and not the id of the run */
    CHECK_EQUAL_TEXT(result.differing_in, "step");
    CHECK_EQUAL_TEXT(result.left_out, "");
    other.sum = 3.0 + 0x1p-51;
    other.count = 8;
    result = compare_with(other, true);
    CHECK_EQUAL_TEXT(result.differing_in, "step, sums, counts");
    CHECK_EQUAL_INT(result.differing, 3);
    CHECK_EQUAL_DOUBLE(result.largest, 0.0); /* of the field */
    CHECK_EQUAL_INT(compare_with(other, false).differing, 0);
    other.cell = 1.25;
    result = compare_with(other, true);
    CHECK_EQUAL_TEXT(result.differing_in, "temperature, step, sums, counts");
    CHECK_EQUAL_DOUBLE(result.largest, 0.25);
}

static void settings_count_where_a_resume_refuses_them(void)
{
    struct state other = usual;
    other.settings = "title = \"b\"; seed = 1;";
    CHECK_EQUAL_TEXT(compare_with(other, true).differing_in, "step");
    other.settings = "title = \"a\"; seed = 2;";
    CHECK_EQUAL_TEXT(compare_with(other, true).differing_in, "step, settings");
    other.sections = 3;
    const struct compare_result result = compare_with(other, true);
    CHECK_EQUAL_INT(result.only_fields, 1);
    CHECK_EQUAL_TEXT(result.left_out, "settings");
}

static void checkpoints_of_other_times_have_none_in_common(void)
{
    struct state other = usual;
    other.time = 6.0;
    struct compare_result result = compare_with(other, true);
    CHECK_EQUAL_INT(result.times, 0);
    CHECK_EQUAL_INT(result.only_a, 1);
    CHECK_EQUAL_INT(result.only_b, 1);
    CHECK_EQUAL_TEXT(result.differing_in, "step, time");
    result = compare_with(other, false);
    CHECK_EQUAL_INT(result.times, 0);
    CHECK_EQUAL_INT(result.differing, 0);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0);
    CHECK(file == NULL || fclose(file) == 0);
}

/* Compares two tables, a.csv and b.csv. */
static void compare_texts(const char *a, const char *b, struct compare_result *result)
{
    write_text("a.csv", a);
    write_text("b.csv", b);
    CHECK_OK(compare_files("a.csv", "b.csv", NULL, result));
}

/* Of the times 0, 1 and 2 the second table lacks 0 and has 3; its columns stand in another order.
 */
static void tables_are_compared_by_the_names_of_columns(void)
{
    struct compare_result result;
    const char *const first = "time_s,wall_K,core_K\n0,1,300\n1,2,300\n2,,400\n";
    compare_texts(first, first, &result);
    CHECK_EQUAL_INT(result.differing, 0);
    CHECK_EQUAL_INT(result.times, 3);
    compare_texts(first, "time_s,core_K,wall_K\n1,300,2\n2,401,\n3,9,9\n", &result);
    CHECK_EQUAL_INT(result.columns, 2);
    CHECK_EQUAL_INT(result.times, 2);
    CHECK_EQUAL_INT(result.only_a, 1);
    CHECK_EQUAL_INT(result.only_b, 1);
    CHECK_EQUAL_INT(result.differing, 1); /* two gaps are equal */
    CHECK_EQUAL_TEXT(result.differing_in, "core_K");
    CHECK_EQUAL_TEXT(result.largest_in, "core_K");
    CHECK_EQUAL_TEXT(result.unit, "K");
    CHECK_EQUAL_DOUBLE(result.largest, 1.0);
    CHECK_EQUAL_DOUBLE(result.largest_time, 2.0);
    CHECK_NEAR(result.relative, 1.0 / 400.0, 1e-15);
    compare_texts(first, "time_s,core_K,other\n0,300,5\n1,300,5\n2,,5\n", &result);
    CHECK_EQUAL_INT(result.columns, 1);
    CHECK_EQUAL_INT(result.only_fields, 2);
    CHECK_EQUAL_TEXT(result.left_out, "wall_K, other");
    CHECK(isinf(result.largest)); /* a gap is not 400 */
}

/* Values of a run that failed are no gaps, nor each other. */
static void what_is_no_number_is_told_apart(void)
{
    static const char *const entries[] = {"", "nan", "inf", "-inf", "1"};
    enum { COUNT = sizeof entries / sizeof entries[0] };
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++) {
            struct compare_result result;
            char texts[2][64];
            (void)snprintf(texts[0], sizeof texts[0], "time_s,wall_K\n0,%s\n", entries[a]);
            (void)snprintf(texts[1], sizeof texts[1], "time_s,wall_K\n0,%s\n", entries[b]);
            compare_texts(texts[0], texts[1], &result);
            CHECK_EQUAL_INT(result.differing, a == b ? 0 : 1);
            CHECK_EQUAL_DOUBLE(result.largest, a == b ? 0.0 : (double)INFINITY);
        }
}

/* Nor does another spelling of a number differ from it. */
static void spelling_makes_no_difference(void)
{
    struct compare_result result;
    compare_texts("time_s,a,b,c,d\n0,1,nan,inf,-inf\n1,4,4,4,4\n",
                  "time_s,a,b,c,d\n0.0,10e-1,-nan,+inf,\"-inf\"\n1,4,4,4,6\n", &result);
    CHECK_EQUAL_INT(result.differing, 1);
    CHECK_EQUAL_DOUBLE(result.largest, 2.0);
    CHECK_EQUAL_DOUBLE(result.relative, 0.5); /* of the largest finite value */
}

static void tables_are_compared_with_tables(void)
{
    struct compare_result result;
    write_text("a.csv", "time_s,wall_K\n0,1\n");
    write_text("b.csv", "time_s,wall_K\n1,1\n");
    CHECK_OK(compare_files("a.csv", "b.csv", NULL, &result));
    CHECK(result.times == 0 && result.only_a == 1 && result.only_b == 1);
    CHECK_FAILS(compare_files("a.csv", "a.h5", NULL, &result), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "a table can only be compared with a table");
    error_clear();
}

/* Of 100 names of 9 letters as many as fit, and a sign that there are more. */
static void a_long_list_says_that_it_is_cut(void)
{
    struct compare_result result;
    char text[2048] = "time_s";
    for (int k = 100; k < 200; k++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), ",probe%d_K", k);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "\n");
    compare_texts(text, "time_s\n", &result);
    CHECK_EQUAL_INT(result.only_fields, 100);
    CHECK(strncmp(result.left_out, "probe100_K, probe101_K, ", 24) == 0);
    CHECK(strlen(result.left_out) > sizeof result.left_out - 14);
    CHECK_EQUAL_TEXT(result.left_out + strlen(result.left_out) - 7, "_K, ...");
}

/* Nor does a short name follow one that does not fit. */
static void a_list_is_cut_at_its_first_name(void)
{
    struct compare_result result;
    char text[2048] = "time_s,";
    memset(text + strlen(text), 'x', 300);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), ",b,c\n");
    compare_texts(text, "time_s\n", &result);
    CHECK_EQUAL_INT(result.only_fields, 3);
    CHECK_EQUAL_TEXT(result.left_out, "...");
}

/* By its name, or by that of its probe. */
static void one_column_is_compared_on_request(void)
{
    static const char *const names[] = {"core_K", "core"};
    struct compare_result result;
    write_text("a.csv", "time_s,wall_K,core_K\n0,1,300\n1,2,300\n");
    write_text("b.csv", "time_s,core_K,other\n0,300,5\n1,302,5\n");
    for (int k = 0; k < 2; k++) {
        const struct compare_options of_core = {.field = names[k], .is_every = true};
        CHECK_OK(compare_files("a.csv", "b.csv", &of_core, &result));
        CHECK_EQUAL_TEXT(result.field, "core_K");
        CHECK_EQUAL_TEXT(result.unit, "K");
        CHECK_EQUAL_INT(result.columns, 1);
        CHECK_EQUAL_INT(result.only_fields, 0);
        CHECK_EQUAL_INT(result.times, 2);
        CHECK_EQUAL_INT(result.differing, 1);
        CHECK_EQUAL_TEXT(result.differing_in, "core_K");
        CHECK_EQUAL_DOUBLE(result.largest, 2.0);
    }
    const struct compare_options of_wall = {.field = "wall"}, of_time = {.field = "time_s"};
    CHECK_OK(compare_files("a.csv", "a.csv", &of_wall, &result));
    CHECK_EQUAL_INT(result.differing, 0);
    CHECK_FAILS(compare_files("a.csv", "b.csv", &of_wall, &result), STATUS_INPUT);
    CHECK_EQUAL_TEXT(error_message(),
                     "--field wall: b.csv holds no such probe; it has core_K, other");
    error_clear();
    CHECK_FAILS(compare_files("a.csv", "b.csv", &of_time, &result), STATUS_INPUT);
    error_clear();
}

int main(void)
{
    equal_files_are_equal();
    one_cell_is_found();
    what_is_not_finite_differs_without_bound();
    only_common_times_are_compared();
    what_cannot_be_compared_is_refused();
    checkpoints_are_compared_too();
    all_of_a_checkpoint_is_compared_on_request();
    settings_count_where_a_resume_refuses_them();
    checkpoints_of_other_times_have_none_in_common();
    tables_are_compared_by_the_names_of_columns();
    what_is_no_number_is_told_apart();
    spelling_makes_no_difference();
    tables_are_compared_with_tables();
    a_long_list_says_that_it_is_cut();
    a_list_is_cut_at_its_first_name();
    one_column_is_compared_on_request();
    return check_result();
}
