/* probes.csv: its text, and what is left of it after a cut. */
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "io/probes.h"
#include "tests/check.h"

static const char path[] = "probes.csv";
static const char *const names[] = {"centre", "wall"};

/* The whole file as text. */
static const char *content(void)
{
    static char text[4096];
    const int fd = open(path, O_RDONLY);
    const ssize_t bytes = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        (void)close(fd);
    text[bytes > 0 ? bytes : 0] = '\0';
    return text;
}

static void append_raw(const char *text)
{
    const int fd = open(path, O_WRONLY | O_APPEND);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd) != 0)
        abort();
}

static void rows_follow_the_header(void)
{
    CHECK_OK(probes_create(path, names, 2));
    CHECK_OK(probes_append(path, 0.0, (const double[]){293.15, -1.5e300}, 2));
    CHECK_OK(probes_append(path, 0.5, (const double[]){(double)NAN, 300.0}, 2));
    /* 293.15 has no short binary form: 17 digits name its double (IEEE 754-2019, 5.12.2). */
    CHECK_EQUAL_TEXT(content(), "time_s,centre_K,wall_K\n"
                                "0,293.14999999999998,-1.5000000000000001e+300\n"
                                "0.5,,300\n");
}

static void names_are_quoted_where_needed(void)
{
    CHECK_OK(probes_create(path, (const char *const[]){"a,b", "say \"x\""}, 2));
    CHECK_EQUAL_TEXT(content(), "time_s,\"a,b_K\",\"say \"\"x\"\"_K\"\n");
}

static void a_cut_leaves_whole_rows(void)
{
    CHECK_OK(probes_create(path, names, 2));
    for (int k = 0; k < 4; k++)
        CHECK_OK(probes_append(path, k, (const double[]){1.0, 2.0}, 2));
    append_raw("4,1"); /* torn by a kill */
    CHECK_FAILS(probes_cut(path, 5), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "probes.csv: holds 5 whole lines, 6 are needed");
    error_clear();
    CHECK_OK(probes_cut(path, 4));
    CHECK_EQUAL_TEXT(content(), "time_s,centre_K,wall_K\n0,1,2\n1,1,2\n2,1,2\n3,1,2\n");
    CHECK_OK(probes_cut(path, 2));
    CHECK_OK(probes_append(path, 9.0, (const double[]){3.0, 4.0}, 2));
    CHECK_EQUAL_TEXT(content(), "time_s,centre_K,wall_K\n0,1,2\n1,1,2\n9,3,4\n");
    CHECK_OK(probes_cut(path, 0));
    CHECK_EQUAL_TEXT(content(), "time_s,centre_K,wall_K\n");
}

static void a_long_file_is_cut_at_the_right_row(void)
{
    CHECK_OK(probes_create(path, names, 2));
    for (int k = 0; k < 9000; k++) /* more than one piece of reading */
        CHECK_OK(probes_append(path, k, (const double[]){1.0 / 3.0, 2.0 / 3.0}, 2));
    CHECK_OK(probes_cut(path, 8000));
    CHECK_EQUAL_INT(system("test $(wc -l <probes.csv) -eq 8001"), 0);
    CHECK_EQUAL_INT(system("tail -n 1 probes.csv | grep -q '^7999,'"), 0);
}

static void other_probes_are_refused(void)
{
    CHECK_OK(probes_create(path, names, 2));
    CHECK_OK(probes_check(path, names, 2));
    CHECK_FAILS(probes_check(path, names, 1), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "output.probes");
    error_clear();
    CHECK_FAILS(probes_check(path, (const char *const[]){"centre", "well"}, 2), STATUS_FILE);
    error_clear();
}

static void failures_name_the_path(void)
{
    CHECK_FAILS(probes_create("no/such/probes.csv", names, 2), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "no/such/probes.csv: cannot be created");
    error_clear();
    CHECK_FAILS(probes_append("none.csv", 0.0, (const double[]){1.0}, 1), STATUS_FILE);
    error_clear();
    CHECK_FAILS(probes_cut("none.csv", 0), STATUS_FILE);
    error_clear();
}

int main(void)
{
    rows_follow_the_header();
    names_are_quoted_where_needed();
    a_cut_leaves_whole_rows();
    a_long_file_is_cut_at_the_right_row();
    other_probes_are_refused();
    failures_name_the_path();
    return check_result();
}
