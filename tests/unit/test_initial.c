/* The start field, cells held fixed and the reference temperature. Works below the current folder.
 */
#include "solver/initial.h"

#include <math.h>

#include "tests/check.h"
#include "tests/unit/plan_input.h"

static char where[] = "test.cfg:7: initial.temperature";

static struct input input_of(int64_t nx, int64_t ny)
{
    struct input input = plan_input(nx, ny);
    input.initial_temperature.where = where;
    return input;
}

static void set_expression(struct input *input, char *text)
{
    input->initial_temperature.kind = FIELD_EXPRESSION;
    input->initial_temperature.expression = text;
}

static struct plan plan_of(const struct input *input)
{
    struct plan plan;
    CHECK_OK(plan_make(input, &backend_cpu, 1, &plan));
    return plan;
}

/* 8 x 4 cells of 0.5 x 0.25 m: centres are exact in binary. */
static void an_expression_is_taken_at_centres(void)
{
    struct input input = input_of(8, 4);
    char text[] = "100*x + y";
    double values[32];
    input.size[0] = 4.0;
    set_expression(&input, text);
    struct plan plan = plan_of(&input);
    const struct extent part = {.x0 = 2, .x1 = 7, .y0 = 1, .y1 = 4};
    CHECK_OK(initial_temperature(&plan, part, values));
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 5; i++)
            CHECK_EQUAL_DOUBLE(values[5 * j + i], 100 * (2 + i + 0.5) * 0.5 + (1 + j + 0.5) * 0.25);
    plan_free(&plan);
}

static void a_number_is_everywhere(void)
{
    struct input input = input_of(5, 3);
    double values[15];
    struct plan plan = plan_of(&input);
    CHECK_OK(initial_temperature(&plan, (struct extent){0, 5, 0, 3}, values));
    for (int c = 0; c < 15; c++)
        CHECK_EQUAL_DOUBLE(values[c], 300.0);
    plan_free(&plan);
}

static void write_text_field(const char *path, int64_t nx, int64_t ny)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL))
        return;
    (void)fprintf(file, "# %lld %lld\n", (long long)nx, (long long)ny);
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++)
            (void)fprintf(file, "%lld%s", (long long)(1000 * j + i), i + 1 < nx ? " " : "\n");
    CHECK(fclose(file) == 0);
}

static void set_file(struct input *input, char *path)
{
    input->initial_temperature.kind = FIELD_FILE;
    input->initial_temperature.file = path;
}

static void a_file_is_cut_to_the_block(void)
{
    struct input input = input_of(7, 5);
    char path[] = "initial.txt";
    double values[12];
    write_text_field(path, 7, 5);
    set_file(&input, path);
    struct plan plan = plan_of(&input);
    CHECK_OK(initial_temperature(&plan, (struct extent){3, 7, 2, 5}, values));
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 4; i++)
            CHECK_EQUAL_DOUBLE(values[4 * j + i], 1000 * (2 + j) + 3 + i);
    plan_free(&plan);
    CHECK(remove(path) == 0);
}

/* Single precision holds deviations from a mean: of the samples, here all cells, and that of cells
 * held fixed too; in double precision there is none. */
static void the_reference_is_a_mean(void)
{
    struct input input = input_of(7, 5);
    char path[] = "reference.txt", text[] = "x + 10*y";
    double reference = NAN;
    write_text_field(path, 7, 5);
    set_file(&input, path);
    struct plan plan = plan_of(&input);
    CHECK_OK(initial_reference(&plan, &reference));
    CHECK_EQUAL_DOUBLE(reference, 0.0);
    plan_free(&plan);
    input.run.precision = PRECISION_SINGLE;
    plan = plan_of(&input);
    CHECK_OK(initial_reference(&plan, &reference));
    CHECK_NEAR(reference, 1000.0 * 2 + 3, 1e-9);
    plan_free(&plan);
    CHECK(remove(path) == 0);
    set_expression(&input, text);
    plan = plan_of(&input);
    CHECK_OK(initial_reference(&plan, &reference));
    CHECK_NEAR(reference, 0.5 + 5.0, 1e-12);
    plan_free(&plan);
    struct input_fixed fixed = {
        .is_side = true, .side = SIDE_LEFT, .has_temperature = true, .temperature = 1000.0};
    input.fixed = &fixed;
    input.fixed_count = 1;
    plan = plan_of(&input);
    CHECK_OK(initial_reference(&plan, &reference));
    /* the first of seven columns: 1000 instead of 1/14 + 5 */
    CHECK_NEAR(reference, 5.5 + (1000.0 - 1.0 / 14.0 - 5.0) / 7.0, 1e-10);
    plan_free(&plan);
}

/* A million cells are not all looked at, but enough of them. */
static void the_reference_of_a_large_field_is_near_its_mean(void)
{
    struct input input = input_of(1000, 1000);
    char text[] = "300 + 10*sin(6*pi*x) + y";
    double reference = NAN;
    input.run.precision = PRECISION_SINGLE;
    set_expression(&input, text);
    struct plan plan = plan_of(&input);
    CHECK_OK(initial_reference(&plan, &reference));
    CHECK_NEAR(reference, 300.5, 0.1);
    plan_free(&plan);
}

static void later_fixed_regions_win(void)
{
    struct input input = input_of(10, 10);
    struct input_fixed fixed[3] = {
        {.from = {0.0, 0.0}, .to = {1.0, 1.0}, .has_temperature = true, .temperature = 400.0},
        {.from = {0.25, 0.25}, .to = {0.55, 0.35}, .has_temperature = true, .temperature = 500.0},
        {.is_side = true, .side = SIDE_TOP}, /* keeps the field */
    };
    double values[100];
    input.fixed = fixed;
    input.fixed_count = 3;
    struct plan plan = plan_of(&input);
    CHECK_OK(initial_temperature(&plan, (struct extent){0, 10, 0, 10}, values));
    for (int j = 0; j < 10; j++) {
        for (int i = 0; i < 10; i++) {
            /* 0.25 to 0.55 are centres themselves, which count. */
            const bool is_inner = i >= 2 && i <= 5 && j >= 2 && j <= 3;
            CHECK_EQUAL_DOUBLE(values[10 * j + i], j == 9 ? 300.0 : is_inner ? 500.0 : 400.0);
        }
    }
    plan_free(&plan);
}

/* Cells of 0.1 m, centres at 0.05, 0.15, ...: products and decimal numbers differ in the last bit
 * for some of them, and still a region that ends at a centre holds it. */
static void centres_on_the_edge_of_a_region_are_inside(void)
{
    for (int cells = 3; cells <= 40; cells++) {
        struct input input = input_of(cells, 1);
        struct input_fixed fixed = {.has_temperature = true, .temperature = 500.0};
        double values[40];
        input.fixed = &fixed;
        input.fixed_count = 1;
        fixed.to[1] = 1.0;
        input.size[0] = 0.1 * cells;
        for (int i = 0; i < cells; i++) {
            fixed.from[0] = (2.0 * i + 1.0) / 20.0 - 1e-6;
            fixed.to[0] = (2.0 * i + 1.0) / 20.0; /* 0.15, but 1.5 * 0.1 is 0.15000000000000002 */
            struct plan plan = plan_of(&input);
            CHECK_OK(initial_temperature(&plan, (struct extent){0, cells, 0, 1}, values));
            CHECK_EQUAL_DOUBLE(values[i], 500.0);
            plan_free(&plan);
        }
    }
}

/* Ghost cells of a block are fixed where the cells that they show are. */
static void masks_cover_ghost_cells(bool is_periodic)
{
    struct input input = input_of(6, 4);
    struct input_fixed fixed = {.is_side = true, .side = SIDE_LEFT};
    input.fixed = &fixed;
    input.fixed_count = 1;
    input.run.steps_per_exchange = 3;
    input.run.layout[0] = 2;
    input.run.layout[1] = 1;
    input.run.ranks = 0;
    if (is_periodic)
        input.boundary[SIDE_LEFT].type = input.boundary[SIDE_RIGHT].type = BOUNDARY_PERIODIC;
    struct plan plan = plan_of(&input);
    const struct block *block = &plan.blocks[1];
    unsigned char *mask = calloc(block_bytes(block) / block->element_bytes, 1);
    if (!CHECK(mask != NULL) || !CHECK_EQUAL_INT(block->halo, 3))
        return;
    initial_fixed_mask(&plan, block, layout_extent(&plan.layout, 1), mask);
    for (int j = -3; j < 4 + 3; j++) {
        for (int i = -3; i < 3 + 3; i++) {
            const int x = 3 + i; /* of the domain */
            const bool is_fixed = j >= 0 && j < 4 && (x == 0 || (is_periodic && x == 6));
            CHECK_EQUAL_INT(mask[block_index(block, i, j)], is_fixed);
        }
    }
    free(mask);
    plan_free(&plan);
}

static void values_that_are_not_finite_are_named(void)
{
    struct input input = input_of(10, 10);
    double values[100];
    char text[] = "sqrt(x - 0.5)";
    set_expression(&input, text);
    struct plan plan = plan_of(&input);
    CHECK_FAILS(initial_temperature(&plan, (struct extent){0, 10, 0, 10}, values), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), where);
    error_clear();
    plan_free(&plan);
    input = input_of(10, 10);
    input.initial_temperature.number = NAN;
    plan = plan_of(&input);
    CHECK_FAILS(initial_temperature(&plan, (struct extent){3, 5, 7, 8}, values), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "cell (3, 7)");
    error_clear();
    plan_free(&plan);
}

int main(void)
{
    an_expression_is_taken_at_centres();
    a_number_is_everywhere();
    a_file_is_cut_to_the_block();
    the_reference_is_a_mean();
    the_reference_of_a_large_field_is_near_its_mean();
    later_fixed_regions_win();
    centres_on_the_edge_of_a_region_are_inside();
    masks_cover_ghost_cells(false);
    masks_cover_ghost_cells(true);
    values_that_are_not_finite_are_named();
    return check_result();
}
