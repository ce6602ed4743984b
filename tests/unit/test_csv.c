/* Tables of numbers are read as written, broken ones are refused with their line. */
#include <math.h>
#include <unistd.h>

#include "io/csv.h"
#include "tests/check.h"

static const char *const file_name = "table.csv";

static bool write_file(const char *text)
{
    FILE *file = fopen(file_name, "w");
    if (!CHECK(file != NULL))
        return false;
    CHECK(fputs(text, file) >= 0);
    return CHECK(fclose(file) == 0);
}

static void table_is_read(void)
{
    struct csv csv;
    if (!write_file("# a comment\ntime, centre ,\"left edge\"\r\n0,293.15,300\r\n\n"
                    "0.5,2.9e2,\n1,nan,-inf\n") ||
        !CHECK_OK(csv_read(file_name, &csv)))
        return;
    CHECK_EQUAL_INT(csv.columns, 3);
    CHECK_EQUAL_INT(csv.rows, 3);
    CHECK_EQUAL_TEXT(csv.names[1], "centre");
    CHECK_EQUAL_TEXT(csv.names[2], "left edge");
    CHECK_EQUAL_DOUBLE(csv.values[0][1], 0.5);
    CHECK_EQUAL_DOUBLE(csv.values[1][1], 290);
    CHECK_EQUAL_DOUBLE(csv.values[2][0], 300);
    CHECK(isnan(csv.values[2][1]));
    CHECK(isnan(csv.values[1][2]));
    CHECK(isinf(csv.values[2][2]) && csv.values[2][2] < 0.0);
    csv_free(&csv);
}

static void quotes_keep_commas(void)
{
    struct csv csv;
    if (!write_file("time_s,\"a, b_K\",\"the \"\"hot\"\" spot\" ,c\n0,\"1\",2,3\n") ||
        !CHECK_OK(csv_read(file_name, &csv)))
        return;
    CHECK_EQUAL_INT(csv.columns, 4);
    CHECK_EQUAL_TEXT(csv.names[1], "a, b_K");
    CHECK_EQUAL_TEXT(csv.names[2], "the \"hot\" spot");
    CHECK_EQUAL_DOUBLE(csv.values[1][0], 1);
    CHECK_EQUAL_DOUBLE(csv.values[3][0], 3);
    csv_free(&csv);
}

static void unfinished_last_line_is_left_out(void)
{
    struct csv csv;
    if (!write_file("t,a\n0,1\n1,29") || !CHECK_OK(csv_read(file_name, &csv)))
        return;
    CHECK_EQUAL_INT(csv.rows, 1);
    csv_free(&csv);
}

static void many_rows_are_kept(void)
{
    enum { ROWS = 5000 };
    struct csv csv;
    FILE *file = fopen(file_name, "w");
    if (!CHECK(file != NULL))
        return;
    (void)fprintf(file, "t,a\n");
    for (int k = 0; k < ROWS; k++)
        (void)fprintf(file, "%d,%d\n", k, 3 * k);
    if (!CHECK(fclose(file) == 0) || !CHECK_OK(csv_read(file_name, &csv)))
        return;
    CHECK_EQUAL_INT(csv.rows, ROWS);
    CHECK_EQUAL_DOUBLE(csv.values[1][ROWS - 1], 3.0 * (ROWS - 1));
    csv_free(&csv);
}

static void broken_tables_are_refused(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {{"t,a\n0,1\n1,warm\n", "table.csv:3: column \"a\": \"warm\" is no number"},
                 {"t,a\n0\n", "table.csv:2: 1 entries where the header names 2 columns"},
                 {"t,a\n0,1,2\n", "table.csv:2: more entries than the 2 columns"},
                 {"", "holds no table"},
                 {"# only a comment\n", "holds no table"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct csv csv;
        if (!write_file(cases[k].text))
            return;
        CHECK_FAILS(csv_read(file_name, &csv), STATUS_FILE);
        CHECK_CONTAINS(error_message(), cases[k].message);
        CHECK_EQUAL_INT(csv.columns, 0);
        csv_free(&csv);
        error_clear();
    }
    struct csv csv;
    CHECK_FAILS(csv_read("no-such-table.csv", &csv), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "no-such-table.csv");
    error_clear();
}

int main(void)
{
    table_is_read();
    quotes_keep_commas();
    unfinished_last_line_is_left_out();
    many_rows_are_kept();
    broken_tables_are_refused();
    (void)unlink(file_name);
    return check_result();
}
