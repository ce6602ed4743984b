/* Damaged files of every kind that is read: whatever happens to their bytes, reading them ends
 * soon, with values or with one message that names the file. Fixed seed; for use with the
 * sanitizers. Checkpoints are in test_checkpoint.c, where damage must be found; inputs in
 * test_input_mutations.c. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/csv.h"
#include "io/field.h"
#include "io/h5.h"
#include "io/snapshot.h"
#include "tests/check.h"

/* The leak sanitizer asks for this: HDF5 forgets some of its own memory when it gives up on a
 * damaged file. What we forget to close is counted in main(). */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

enum { NX = 20, NY = 12, FRAMES = 3, MOST_BYTES = 1 << 20, LONGEST_S = 100 };

static unsigned char original[MOST_BYTES], bytes[MOST_BYTES];
static size_t original_count, count;
static uint64_t state = 20261202;

/* xorshift64: the same numbers everywhere. */
static size_t random_below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)((state >> 16) % limit);
}

static void load(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        abort();
    original_count = fread(original, 1, sizeof original, file);
    CHECK(original_count > 0 && original_count < sizeof original);
    (void)fclose(file);
}

static void store(const char *name)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        abort();
}

/* A few bits or bytes, or an end that is missing. */
static void damage_bytes(void)
{
    memcpy(bytes, original, original_count);
    count = original_count;
    for (size_t k = 1 + random_below(3) * random_below(8); k > 0; k--) {
        const size_t at = random_below(count);
        if (random_below(3) > 0)
            bytes[at] ^= (unsigned char)(1u << random_below(8));
        else
            bytes[at] = (unsigned char)random_below(256);
    }
    if (random_below(8) == 0)
        count = random_below(count);
}

/* Pieces of tables put in, taken out or written over. */
static void damage_text(void)
{
    static const char *const pieces[] = {",",   "\n",   "\"",   "#",  "-", "1e400",
                                         "nan", "\r\n", "\"a,", ",,", " ", "# 3 2\n",
                                         "0x",  "inf",  "7",    "\t"};
    memcpy(bytes, original, original_count);
    count = original_count;
    for (size_t k = random_below(4); k > 0; k--) {
        const char *piece = pieces[random_below(sizeof pieces / sizeof pieces[0])];
        const size_t length = random_below(6) == 0 ? 0 : strlen(piece);
        const size_t at = random_below(count + 1);
        const size_t out = random_below(2) == 0 ? random_below(count - at + 1) % 12 : 0;
        memmove(bytes + at + length, bytes + at + out, count - at - out);
        memcpy(bytes + at, piece, length);
        count += length - out;
        if (count == 0)
            return;
        if (random_below(5) == 0)
            bytes[random_below(count)] = (unsigned char)random_below(256);
    }
}

/* Either it worked or the one message names the file; what was read is counted. */
static void judge(enum status status, const char *name, int *good)
{
    if (status == STATUS_OK) {
        CHECK_EQUAL_TEXT(error_message(), "");
        (*good)++;
    } else {
        CHECK(status == STATUS_FILE || status == STATUS_INPUT || status == STATUS_MEMORY);
        CHECK_CONTAINS(error_message(), name);
    }
    error_clear();
}

static void some_of_each(const char *name, int good, int rounds)
{
    (void)printf("%s: %d of %d damaged files can be read\n", name, good, rounds);
    CHECK(good > 0 && good < rounds);
}

static void make_series(void)
{
    static double field[NX * NY];
    const struct snapshot_spec spec = {.path = "series.h5",
                                       .title = "damaged",
                                       .source = "test",
                                       .history = "",
                                       .input_text = "title = \"damaged\";",
                                       .nx = NX,
                                       .ny = NY,
                                       .size = {1.0, 1.0},
                                       .precision = PRECISION_DOUBLE,
                                       .compression = COMPRESSION_FAST};
    CHECK_OK(snapshot_create(&spec));
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int c = 0; c < NX * NY; c++)
            field[c] = 300.0 + sin(c) + frame;
        CHECK_OK(snapshot_append(
            &spec, &(struct snapshot_frame){.time = frame, .step = frame, .temperature = field}));
    }
}

/* All that commands read of a series. */
static enum status read_series(const char *name)
{
    struct series *series = NULL;
    int64_t nx = 0, ny = 0;
    double size[2];
    TRY(series_open(name, &series));
    series_shape(series, &nx, &ny, size);
    const int64_t frames = series_frames(series);
    CHECK(frames >= 0 && nx > 0 && ny > 0 && nx * ny * frames < MOST_BYTES);
    CHECK(strlen(series_text(series, "input")) < MOST_BYTES);
    double *values = calloc((size_t)(nx * ny + frames + 1), sizeof *values);
    if (values == NULL)
        abort();
    enum status status = series_values(series, "energy", values);
    for (int64_t frame = 0; frame < frames && status == STATUS_OK; frame++)
        status = series_field(series, frame, values);
    free(values);
    series_close(series);
    return status;
}

static void damaged_series(int rounds)
{
    int good = 0;
    make_series();
    load("series.h5");
    for (int round = 0; round < rounds; round++) {
        damage_bytes();
        store("bad.h5");
        judge(read_series("bad.h5"), "bad.h5", &good);
    }
    some_of_each("run.h5", good, rounds);
}

/* The next frame goes on with the file, or says that it cannot. */
static void damaged_series_going_on(int rounds)
{
    const struct snapshot_spec spec = {.path = "bad.h5",
                                       .nx = NX,
                                       .ny = NY,
                                       .size = {1.0, 1.0},
                                       .precision = PRECISION_DOUBLE,
                                       .compression = COMPRESSION_FAST};
    static double field[NX * NY];
    int good = 0;
    for (int round = 0; round < rounds; round++) {
        damage_bytes();
        store("bad.h5");
        enum status status = snapshot_cut(&spec, FRAMES - 1);
        if (status == STATUS_OK)
            status = snapshot_append(
                &spec, &(struct snapshot_frame){.time = 99.0, .step = 99, .temperature = field});
        judge(status, "bad.h5", &good);
        (void)unlink("bad.h5.journal");
    }
    some_of_each("run.h5 going on", good, rounds);
}

static void damaged_fields(int rounds)
{
    static double values[NX * NY];
    int good = 0;
    for (int round = 0; round < rounds; round++) {
        damage_bytes();
        store("bad.h5");
        judge(field_read("bad.h5", "/temperature", false, NX, NY, "plate.cfg:3: initial", values),
              "plate.cfg:3: initial", &good);
    }
    some_of_each("HDF5 field", good, rounds);
}

static void start_text(const char *text)
{
    original_count = strlen(text);
    memcpy(original, text, original_count);
}

static void damaged_text_fields(int rounds)
{
    double values[6];
    int good = 0;
    for (int round = 0; round < rounds; round++) {
        start_text(round % 2 == 0 ? "# 3 2\n1 2.5 -3.0\n4  5e-3\t6\n"
                                  : "1\n2.5\n-3.0\n4\n5e-3\n6\n");
        damage_text();
        store("bad.txt");
        judge(field_read("bad.txt", NULL, round % 4 < 2, 3, 2, "plate.cfg:3: initial", values),
              "plate.cfg:3: initial", &good);
    }
    some_of_each("text field", good, rounds);
}

static bool has_inf(void)
{
    bool is_there = false;
    for (size_t k = 0; k + 3 <= count; k++)
        is_there = is_there || memcmp(&bytes[k], "inf", 3) == 0;
    return is_there;
}

/* Nothing but the word is read as an infinite value. */
static void damaged_tables(int rounds)
{
    int good = 0;
    for (int round = 0; round < rounds; round++) {
        struct csv csv;
        start_text("# a table\ntime_s,\"wall, left\",right\n0,1.5,2\n1e-3,,-2.5e2\n2,nan,\"7\"\n");
        damage_text();
        store("bad.csv");
        const enum status status = csv_read("bad.csv", &csv);
        const bool may_be_infinite = has_inf();
        for (int column = 0; column < csv.columns; column++)
            for (int64_t row = 0; row < csv.rows; row++)
                CHECK(may_be_infinite || !isinf(csv.values[column][row]));
        judge(status, "bad.csv", &good);
        csv_free(&csv);
    }
    some_of_each("table", good, rounds);
}

/* What is no regular file is refused at once; a FIFO would be waited for. */
static void what_is_no_file_is_refused(void)
{
    static const char *const names[] = {"fifo", ".", "none"};
    double values[6];
    (void)unlink("fifo");
    CHECK(mkfifo("fifo", 0600) == 0);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct csv csv;
        int good = 0;
        judge(csv_read(names[k], &csv), names[k], &good);
        judge(field_read(names[k], NULL, false, 3, 2, "where", values), names[k], &good);
        judge(read_series(names[k]), names[k], &good);
        CHECK_EQUAL_INT(good, 0);
    }
}

static void bytes_that_are_no_text_are_refused(void)
{
    struct csv csv;
    static const char text[] = "t,v\n0,1\n1,2\0,3\n";
    memcpy(bytes, text, count = sizeof text - 1);
    store("bad.csv");
    CHECK_FAILS(csv_read("bad.csv", &csv), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "bad.csv:3: is not text");
    error_clear();
}

int main(int argc, char **argv)
{
    const int scale = argc > 1 && strcmp(argv[1], "slow") == 0 ? 100 : 1;
    (void)alarm((unsigned)(LONGEST_S * scale)); /* what hangs is killed */
    what_is_no_file_is_refused();
    bytes_that_are_no_text_are_refused();
    damaged_series(400 * scale);
    damaged_series_going_on(300 * scale);
    damaged_fields(300 * scale);
    CHECK_EQUAL_INT(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    damaged_text_fields(3000 * scale);
    damaged_tables(3000 * scale);
    return check_result();
}
