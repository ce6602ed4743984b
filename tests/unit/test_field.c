/* Fields from files: each form gives the same numbers, and what does not fit is said exactly. */
#include <math.h>
#include <unistd.h>

#include "io/field.h"
#include "io/h5.h"
#include "tests/check.h"

enum { NX = 3, NY = 2 };

/* Row 0 at the bottom. */
static const double expected[NX * NY] = {1.0, 2.5, -3.0, 4.0, 5e-3, 6.0};
static double values[NX * NY];
static const char where[] = "plate.cfg:7: initial.temperature";

static void write_text(const char *file, const char *text)
{
    FILE *stream = fopen(file, "wb");
    if (stream == NULL || fputs(text, stream) < 0 || fclose(stream) != 0)
        abort();
}

static void gives(const char *file, const char *dataset, bool from_top)
{
    memset(values, 0, sizeof values);
    CHECK_OK(field_read(file, dataset, from_top, NX, NY, where, values));
    for (int k = 0; k < NX * NY; k++)
        CHECK_EQUAL_DOUBLE(values[k], expected[k]);
}

/* The message begins with `where` and holds `text`. */
static void is_refused(const char *file, const char *dataset, const char *text)
{
    const enum status status = field_read(file, dataset, false, NX, NY, where, values);
    CHECK(status == STATUS_FILE || status == STATUS_INPUT);
    CHECK(strncmp(error_message(), where, strlen(where)) == 0);
    CHECK_CONTAINS(error_message(), text);
    error_clear();
}

static void text_has_two_forms(void)
{
    write_text("a.txt", "# 3 2\n1 2.5 -3.0\n4  5e-3\t6\n");
    gives("a.txt", NULL, false);
    write_text("a.txt", "# 3 2\r\n 1 2.5 -3.0 \r\n\r\n4 5e-3 6"); /* no last line end */
    gives("a.txt", NULL, false);
    write_text("a.txt", "1\n2.5\n-3.0\n4\n5e-3\n6\n");
    gives("a.txt", NULL, false);
    write_text("a.txt", "4\n5e-3\n6\n1\n2.5\n-3.0\n");
    gives("a.txt", NULL, true);
}

static void bad_text_is_named_by_line(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "a.txt: holds 0 numbers, the domain has 6 cells"},
        {"# 2 3\n1 2\n3 4\n5 6\n", "a.txt is of 2 x 3 cells, the domain of 3 x 2"},
        {"# 3\n1 2 3\n4 5 6\n", "a.txt:1: the header must be \"# nx ny\""},
        {"# 3 2 1\n1 2 3\n4 5 6\n", "a.txt:1: the header"},
        {"# 3 two\n1 2 3\n4 5 6\n", "a.txt:1: the header"},
        {"# 3 2\n1 2 3\n4 5\n", "a.txt:3: holds 2 numbers, 3 are expected"},
        {"# 3 2\n1 2 3\n4 x 6\n", "a.txt:3: \"x\" is not a number"},
        {"# 3 2\n1 2 3\n4 nan 6\n", "a.txt:3: \"nan\" is not a number"},
        {"# 3 2\n1 2 3\n4 1e999 6\n", "a.txt:3: \"1e999\" is not a number"},
        {"# 3 2\n1 2 3\n4 0x10 6\n", "a.txt:3: \"0x10\" is not a number"},
        {"# 3 2\n1 2 3\n4 1,5 6\n", "a.txt:3: \"1,5\" is not a number"},
        {"# 3 2\n1 2 3\n4 5 6\n7 8 9\n", "a.txt:4: there are more numbers than the 6 cells"},
        {"1\n2\n3\n4\n5\n", "a.txt: holds 5 numbers"},
        {"1\n2\n3\n4\n5\n6\n7\n", "a.txt:7: there are more numbers"},
        {"1 2\n3\n", "a.txt:1: holds 2 numbers, 1 are expected"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        write_text("a.txt", cases[k].text);
        is_refused("a.txt", NULL, cases[k].message);
    }
    is_refused("none.txt", NULL, "none.txt cannot be opened: No such file");
    is_refused(".", NULL, "not a regular file");
    CHECK_EQUAL_INT(system("rm -f fifo && mkfifo fifo"), 0);
    is_refused("fifo", NULL, "not a regular file");
    CHECK_EQUAL_INT(system("printf '1\\0002\\n' >zero.txt"), 0);
    is_refused("zero.txt", NULL, "zero.txt:1: is not text");
}

/* ---- HDF5 ---- */

static void must(bool good)
{
    if (!good)
        abort();
}

static void put(hid_t file, const char *name, int rank, const hsize_t *shape, hid_t type,
                const void *data, hid_t list)
{
    const hid_t space = H5Screate_simple(rank, shape, NULL);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    must(dataset >= 0);
    if (data != NULL)
        must(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    must(H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0);
}

static void make_h5(void)
{
    const hid_t file = H5Fcreate("a.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    must(file >= 0);
    const double two_times[2 * NX * NY] = {9, 9, 9, 9, 9, 9, 1.0, 2.5, -3.0, 4.0, 5e-3, 6.0};
    const int64_t whole[NX * NY] = {1, 2, 3, 4, 5, 6};
    double with_nan[NX * NY] = {1, 2, 3, 4, 5, 6};
    with_nan[4] = (double)NAN;
    put(file, "plain", 2, (hsize_t[]){NY, NX}, H5T_NATIVE_DOUBLE, expected, H5P_DEFAULT);
    put(file, "series", 3, (hsize_t[]){2, NY, NX}, H5T_NATIVE_DOUBLE, two_times, H5P_DEFAULT);
    put(file, "whole", 2, (hsize_t[]){NY, NX}, H5T_NATIVE_INT64, whole, H5P_DEFAULT);
    put(file, "turned", 2, (hsize_t[]){NX, NY}, H5T_NATIVE_DOUBLE, expected, H5P_DEFAULT);
    put(file, "line", 1, (hsize_t[]){NX * NY}, H5T_NATIVE_DOUBLE, expected, H5P_DEFAULT);
    put(file, "with_nan", 2, (hsize_t[]){NY, NX}, H5T_NATIVE_DOUBLE, with_nan, H5P_DEFAULT);
    put(file, "unwritten", 2, (hsize_t[]){NY, NX}, H5T_NATIVE_DOUBLE, NULL, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put(group, "plain", 2, (hsize_t[]){NY, NX}, H5T_NATIVE_DOUBLE, expected, H5P_DEFAULT);
    must(H5Gclose(group) >= 0);
    const hid_t text = H5Tcopy(H5T_C_S1);
    put(file, "text", 2, (hsize_t[]){NY, NX}, text, "abcdef", H5P_DEFAULT);
    must(H5Tclose(text) >= 0);
    /* what leads out of the file */
    must(H5Lcreate_external("a.h5", "/plain", file, "away", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    must(H5Lcreate_soft("/away", file, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    must(H5Lcreate_external("a.h5", "/group", file, "away_group", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    const hid_t outside = H5Pcreate(H5P_DATASET_CREATE);
    must(H5Pset_external(outside, "a.txt", 0, sizeof expected) >= 0);
    put(file, "outside", 2, (hsize_t[]){NY, NX}, H5T_NATIVE_DOUBLE, NULL, outside);
    must(H5Pclose(outside) >= 0);
    const hid_t virtual = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(2, (hsize_t[]){NY, NX}, NULL);
    must(H5Pset_virtual(virtual, space, "a.h5", "/plain", space) >= 0);
    put(file, "virtual", 2, (hsize_t[]){NY, NX}, H5T_NATIVE_DOUBLE, NULL, virtual);
    must(H5Sclose(space) >= 0 && H5Pclose(virtual) >= 0 && H5Fclose(file) >= 0);
}

static void hdf5_gives_the_same(void)
{
    gives("a.h5", "/plain", false);
    gives("a.h5", "plain", false);
    gives("a.h5", "/group/plain", false);
    gives("a.h5", "/series", false); /* the last time */
    CHECK_OK(field_read("a.h5", "/whole", false, NX, NY, where, values));
    CHECK_EQUAL_DOUBLE(values[5], 6.0);
    CHECK_OK(field_read("a.h5", "/whole", true, NX, NY, where, values));
    CHECK_EQUAL_DOUBLE(values[5], 3.0);
}

static void bad_hdf5_is_refused(void)
{
    is_refused("a.h5", NULL, "a.h5 is an HDF5 file; name its dataset");
    is_refused("a.h5", "/none", "a.h5: holds no /none");
    is_refused("a.h5", "/none/deeper", "a.h5: holds no /none");
    is_refused("a.h5", "/group", "/group is not a dataset");
    is_refused("a.h5", "", "is no name of a dataset");
    is_refused("a.h5", "/turned", "is of 2 x 3 cells, the domain of 3 x 2");
    is_refused("a.h5", "/line", "has 1 dimensions");
    is_refused("a.h5", "/text", "does not hold numbers");
    is_refused("a.h5", "/with_nan", "the value of cell (1, 1) is not finite");
    is_refused("a.h5", "/unwritten", "more than the file holds");
    is_refused("a.h5", "/away", "/away is a soft or external link");
    is_refused("a.h5", "/away_group/plain", "/away_group is a soft or external link");
    is_refused("a.h5", "/soft", "/soft is a soft or external link");
    is_refused("a.h5", "/outside", "lies in other files");
    is_refused("a.h5", "/virtual", "lies in other files");
    write_text("a.txt", "1\n");
    is_refused("a.txt", "/plain", "a.txt is not an HDF5 file");
    CHECK_EQUAL_INT(system("head -c 3000 a.h5 >cut.h5"), 0);
    is_refused("cut.h5", "/plain", "cut.h5: the file is cut short; copy it anew");
}

/* A file of a few kB that claims more than any memory. */
static void absurd_sizes_are_refused(void)
{
    const hid_t file = H5Fcreate("big.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    must(H5Pset_chunk(list, 2, (hsize_t[]){16, 16}) >= 0 && H5Pset_deflate(list, 9) >= 0);
    put(file, "big", 2, (hsize_t[]){1000000, 1000000}, H5T_NATIVE_DOUBLE, NULL, list);
    must(H5Pclose(list) >= 0 && H5Fclose(file) >= 0);
    CHECK_FAILS(field_read("big.h5", "/big", false, 1000000, 1000000, where, values), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "claims 8000000000000 bytes, more than the file holds");
    error_clear();
}

int main(void)
{
    text_has_two_forms();
    bad_text_is_named_by_line();
    must(h5_start() == STATUS_OK);
    make_h5();
    hdf5_gives_the_same();
    bad_hdf5_is_refused();
    absurd_sizes_are_refused();
    return check_result();
}
