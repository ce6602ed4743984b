/* Checkpoints: what was written is read, damage of every kind is found, and the older ones stay.
 * With the argument "slow" the random part takes 200,000 damages instead of 2,000. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/checkpoint.h"
#include "io/crc32c.h"
#include "tests/check.h"

enum { ROWS = 7, COLUMNS = 5, BIG_ROWS = 300, BIG_COLUMNS = 1000 };

static double field[ROWS * COLUMNS];
static float single[ROWS * COLUMNS];
static int64_t counts[3] = {1, -2, INT64_MAX};
static const char settings[] = "title = \"x\";\n";
static double big[BIG_ROWS * BIG_COLUMNS]; /* 2.4 MB: three blocks */

static struct checkpoint state(int64_t step, bool with_big)
{
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        field[k] = 1.0 / (k + 3.0) + (double)step;
        single[k] = (float)field[k];
    }
    for (int k = 0; k < BIG_ROWS * BIG_COLUMNS; k++)
        big[k] = 1e-3 * k;
    struct checkpoint checkpoint = {
        .step = step,
        .time = 0.1 * (double)step,
        .run_id = 0x123456789abcdef0,
        .section_count = with_big ? 5 : 4,
        .sections = {{"temperature", SECTION_F64, ROWS, COLUMNS, field, 0},
                     {"single", SECTION_F32, ROWS, COLUMNS, single, 0},
                     {"counts", SECTION_I64, 1, 3, counts, 0},
                     {"settings", SECTION_U8, 1, sizeof settings, settings, 0},
                     {"big", SECTION_F64, BIG_ROWS, BIG_COLUMNS, big, 0}},
        .fd = -1};
    return checkpoint;
}

static void start(const char *directory)
{
    char command[256];
    (void)snprintf(command, sizeof command, "rm -rf '%s' && mkdir '%s'", directory, directory);
    if (system(command) != 0)
        abort();
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int lines;
static char last_line[4096];

static void note(const char *line)
{
    lines++;
    (void)snprintf(last_line, sizeof last_line, "%s", line);
}

/* RFC 3720, B.4: 32 bytes of zeros, of ones, and ascending; "123456789" from the catalogue of
 * parametrised CRC algorithms (Cook), CRC-32/ISCSI. */
static void checksum_is_crc32c(void)
{
    unsigned char bytes[32] = {0};
    CHECK_EQUAL_INT(crc32c(0, bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, 32);
    CHECK_EQUAL_INT(crc32c(0, bytes, 32), 0x62a8ab43);
    for (int k = 0; k < 32; k++)
        bytes[k] = (unsigned char)k;
    CHECK_EQUAL_INT(crc32c(0, bytes, 32), 0x46dd794e);
    CHECK_EQUAL_INT(crc32c(0, "123456789", 9), 0xe3069283);
    CHECK_EQUAL_INT(crc32c(crc32c(0, "1234", 4), "56789", 5), 0xe3069283);
}

static void what_was_written_is_read(void)
{
    start("ck");
    struct checkpoint written = state(1200, true), read;
    CHECK_OK(checkpoint_write("ck", &written, 2));
    CHECK_EQUAL_TEXT(written.path, "ck/checkpoint-1200.h5");
    bool found = false;
    if (!CHECK_OK(checkpoint_find("ck", &read, &found, NULL)) || !CHECK(found))
        return;
    CHECK_EQUAL_INT(read.step, 1200);
    CHECK_EQUAL_DOUBLE(read.time, 0.1 * 1200);
    CHECK(read.run_id == 0x123456789abcdef0);
    CHECK_EQUAL_INT(read.section_count, 5);
    for (int k = 0; k < 5; k++) {
        const struct checkpoint_section *from = &written.sections[k];
        const struct checkpoint_section *to = checkpoint_section(&read, from->name);
        if (to == NULL) {
            CHECK(to != NULL);
            continue;
        }
        CHECK_EQUAL_INT(to->rows, from->rows);
        CHECK_EQUAL_INT(to->columns, from->columns);
        CHECK(to->type == from->type);
        static unsigned char bytes[sizeof big];
        const size_t size = k == 4   ? sizeof big
                            : k == 3 ? sizeof settings
                            : k == 2 ? 24
                                     : 35 * (k == 0 ? 8 : 4);
        CHECK_OK(checkpoint_read(&read, to, 0, size, bytes));
        CHECK(memcmp(bytes, from->data, size) == 0);
    }
    double value = 0.0;
    CHECK_OK(checkpoint_read(&read, checkpoint_section(&read, "temperature"), 8 * 6, 8, &value));
    CHECK_EQUAL_DOUBLE(value, field[6]);
    CHECK_FAILS(checkpoint_read(&read, checkpoint_section(&read, "counts"), 16, 9, &value),
                STATUS_BUG);
    error_clear();
    CHECK(checkpoint_section(&read, "nothing") == NULL);
    checkpoint_close(&read);
    /* HDF5's own tool reads the same values, whatever lies behind its end. */
    if (system("h5dump --version >h5dump.txt 2>&1") == 0) {
        CHECK_EQUAL_INT(system("h5dump -d /counts ck/checkpoint-1200.h5 >h5dump.txt 2>&1"), 0);
        CHECK_EQUAL_INT(system("grep -q '1, -2, 9223372036854775807' h5dump.txt"), 0);
        CHECK_EQUAL_INT(system("h5dump -a /complete ck/checkpoint-1200.h5 | grep -q '(0): 1'"), 0);
    }
}

static void only_the_newest_stay(void)
{
    start("ck");
    for (int64_t step = 98; step <= 102; step++) {
        struct checkpoint checkpoint = state(step, false);
        CHECK_OK(checkpoint_write("ck", &checkpoint, 2));
    }
    CHECK(!exists("ck/checkpoint-100.h5"));
    CHECK(exists("ck/checkpoint-101.h5"));
    CHECK(exists("ck/checkpoint-102.h5"));
    /* After a resume from 101 the file of 102 is of a past that is no more. */
    struct checkpoint checkpoint = state(101, false);
    CHECK_OK(checkpoint_write("ck", &checkpoint, 1));
    CHECK(exists("ck/checkpoint-101.h5"));
    CHECK(!exists("ck/checkpoint-102.h5"));
}

static void leftovers_of_a_kill_go(void)
{
    start("ck");
    CHECK_EQUAL_INT(system("touch ck/.checkpoint-5.h5.new ck/.checkpoint-x.h5.new ck/other"), 0);
    struct checkpoint checkpoint = state(5, false);
    CHECK_OK(checkpoint_write("ck", &checkpoint, 2));
    CHECK(!exists("ck/.checkpoint-5.h5.new"));
    CHECK(exists("ck/.checkpoint-x.h5.new")); /* not ours */
    CHECK(exists("ck/other"));
    CHECK_OK(checkpoint_clean("no such directory"));
}

static void nothing_found_is_no_failure(void)
{
    start("ck");
    struct checkpoint checkpoint;
    bool found = true;
    CHECK_OK(checkpoint_find("ck", &checkpoint, &found, note));
    CHECK(!found);
    found = true;
    CHECK_OK(checkpoint_find("no such directory", &checkpoint, &found, note));
    CHECK(!found);
    CHECK_EQUAL_INT(checkpoint.fd, -1);
}

static void flip(const char *path, off_t at, unsigned char mask)
{
    const int fd = open(path, O_RDWR);
    unsigned char byte = 0;
    if (fd < 0 || pread(fd, &byte, 1, at) != 1)
        abort();
    byte ^= mask;
    if (pwrite(fd, &byte, 1, at) != 1 || close(fd) != 0)
        abort();
}

static off_t size_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? about.st_size : -1;
}

/* Opens, and says whether that went well. */
static bool opens(const char *path)
{
    struct checkpoint checkpoint;
    const enum status status = checkpoint_open(path, &checkpoint);
    checkpoint_close(&checkpoint);
    error_clear();
    return status == STATUS_OK;
}

static void a_damaged_one_is_passed_over(void)
{
    start("ck");
    for (int64_t step = 10; step <= 30; step += 10) {
        struct checkpoint checkpoint = state(step, false);
        CHECK_OK(checkpoint_write("ck", &checkpoint, 3));
    }
    flip("ck/checkpoint-30.h5", size_of("ck/checkpoint-30.h5") / 2, 1);
    CHECK_EQUAL_INT(system("cp ck/checkpoint-10.h5 ck/checkpoint-40.h5"), 0); /* renamed */
    struct checkpoint checkpoint;
    bool found = false;
    lines = 0;
    CHECK_OK(checkpoint_find("ck", &checkpoint, &found, note));
    CHECK(found);
    CHECK_EQUAL_INT(checkpoint.step, 20);
    CHECK_EQUAL_INT(lines, 2);
    CHECK_CONTAINS(last_line, "ck/checkpoint-30.h5");
    CHECK_CONTAINS(last_line, "damaged");
    CHECK_EQUAL_TEXT(error_message(), "");
    checkpoint_close(&checkpoint);
    flip("ck/checkpoint-20.h5", 100, 1);
    flip("ck/checkpoint-10.h5", 100, 1);
    CHECK_FAILS(checkpoint_find("ck", &checkpoint, &found, note), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "none of its 4 checkpoints");
    error_clear();
}

/* Every bit of the metadata in front and of the trailer. */
static void every_flipped_bit_is_found(void)
{
    start("ck");
    struct checkpoint checkpoint = state(1, false);
    CHECK_OK(checkpoint_write("ck", &checkpoint, 1));
    const char *path = checkpoint.path;
    const off_t size = size_of(path);
    CHECK(opens(path));
    int missed = 0;
    for (off_t at = 0; at < size; at++) {
        const bool is_edge = at < 1024 || at >= size - 600;
        for (int bit = 0; bit < 8; bit += is_edge ? 1 : 5) {
            if (!is_edge && at % 16 != 0)
                continue;
            flip(path, at, (unsigned char)(1 << bit));
            missed += opens(path);
            flip(path, at, (unsigned char)(1 << bit));
        }
    }
    CHECK_EQUAL_INT(missed, 0);
    CHECK(opens(path));
}

static void every_truncation_is_found(void)
{
    start("ck");
    struct checkpoint checkpoint = state(1, true);
    CHECK_OK(checkpoint_write("ck", &checkpoint, 1));
    const off_t size = size_of(checkpoint.path);
    CHECK_EQUAL_INT(system("cp ck/checkpoint-1.h5 ck/whole"), 0);
    int missed = 0;
    for (off_t cut = 1; cut <= size; cut += cut < 1200 ? 1 : 4093) {
        if (truncate(checkpoint.path, size - cut) != 0)
            abort();
        missed += opens(checkpoint.path);
    }
    for (off_t end = 1 << 20; end < size; end += 1 << 20) { /* at and next to block boundaries */
        CHECK_EQUAL_INT(system("cp ck/whole ck/checkpoint-1.h5"), 0);
        for (int d = 1; d >= -1; d--) {
            if (truncate(checkpoint.path, end + d) != 0)
                abort();
            missed += opens(checkpoint.path);
        }
    }
    CHECK_EQUAL_INT(missed, 0);
    CHECK_EQUAL_INT(system("cp ck/whole ck/checkpoint-1.h5 && echo >>ck/checkpoint-1.h5"), 0);
    CHECK(!opens(checkpoint.path)); /* a byte more is damage too */
}

static uint64_t random_state = 20240229;

static uint64_t random_number(void) /* xorshift64*, Vigna 2016 */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 2685821657736338717u;
}

/* Blocks of 1 to 64 bytes overwritten, moved or zeroed. */
static void random_damage_is_found(int count)
{
    start("ck");
    struct checkpoint checkpoint = state(1, false);
    CHECK_OK(checkpoint_write("ck", &checkpoint, 1));
    const size_t size = (size_t)size_of(checkpoint.path);
    const int fd = open(checkpoint.path, O_RDWR);
    int missed = 0;
    for (int k = 0; k < count; k++) {
        unsigned char before[64], after[64];
        const size_t bytes = 1 + random_number() % 64, at = random_number() % (size - bytes);
        if (pread(fd, before, bytes, (off_t)at) != (ssize_t)bytes)
            abort();
        if (k % 3 == 0) {
            memset(after, 0, bytes);
        } else if (k % 3 == 1) {
            const size_t from = random_number() % (size - bytes);
            if (pread(fd, after, bytes, (off_t)from) != (ssize_t)bytes)
                abort();
        } else {
            for (size_t b = 0; b < bytes; b++)
                after[b] = (unsigned char)random_number();
        }
        if (memcmp(before, after, bytes) == 0)
            continue;
        if (pwrite(fd, after, bytes, (off_t)at) != (ssize_t)bytes)
            abort();
        missed += opens(checkpoint.path);
        if (pwrite(fd, before, bytes, (off_t)at) != (ssize_t)bytes)
            abort();
    }
    CHECK_EQUAL_INT(missed, 0);
    CHECK(opens(checkpoint.path));
    (void)close(fd);
}

static uint64_t number_at(int fd, off_t at, int bytes)
{
    unsigned char raw[8] = {0};
    if (pread(fd, raw, (size_t)bytes, at) != bytes)
        abort();
    uint64_t result = 0;
    for (int k = bytes - 1; k >= 0; k--)
        result = result << 8 | raw[k];
    return result;
}

/* The layout that docs/output.md promises, read by hand. */
static void the_trailer_is_as_documented(void)
{
    start("ck");
    struct checkpoint checkpoint = state(77, true);
    memset(big, 0, sizeof big); /* two whole blocks of zeros */
    CHECK_OK(checkpoint_write("ck", &checkpoint, 1));
    const int fd = open(checkpoint.path, O_RDONLY);
    const off_t size = size_of(checkpoint.path), footer = size - 96;
    char magic[17] = {0};
    CHECK(pread(fd, magic, 16, footer + 80) == 16);
    CHECK_EQUAL_TEXT(magic, "isotherm-state\r\n");
    CHECK(number_at(fd, footer, 8) == 0x123456789abcdef0); /* run id */
    CHECK_EQUAL_INT((int64_t)number_at(fd, footer + 8, 8), 77);
    const off_t hdf5 = (off_t)number_at(fd, footer + 24, 8);
    CHECK_EQUAL_INT((int64_t)number_at(fd, footer + 32, 8), size - hdf5);
    const int64_t blocks = (int64_t)number_at(fd, footer + 40, 8);
    CHECK_EQUAL_INT(blocks, (hdf5 + (1 << 20) - 1) >> 20);
    CHECK_EQUAL_INT((int64_t)number_at(fd, footer + 48, 8), 5 + ((int64_t)1 << 52)); /* 5, 1 MiB */
    CHECK_EQUAL_INT((int64_t)number_at(fd, footer + 72, 4), 1);                      /* version */
    CHECK_EQUAL_INT(size - hdf5, 5 * 88 + 4 * blocks + 96);
    for (int64_t k = 0; k < blocks; k++) {
        static unsigned char bytes[8 + (1 << 20)];
        memcpy(bytes, &k, 8);
        const off_t from = (off_t)k << 20;
        const size_t length = (size_t)(hdf5 - from < 1 << 20 ? hdf5 - from : 1 << 20);
        CHECK(pread(fd, bytes + 8, length, from) == (ssize_t)length);
        CHECK_EQUAL_INT(crc32c(0, bytes, 8 + length),
                        (int64_t)number_at(fd, hdf5 + 5 * 88 + 4 * k, 4));
    }
    char name[12] = {0};
    CHECK(pread(fd, name, 11, hdf5) == 11); /* the first section */
    CHECK_EQUAL_TEXT(name, "temperature");
    CHECK_EQUAL_INT((int64_t)number_at(fd, hdf5 + 56, 8), ROWS);
    CHECK_EQUAL_INT((int64_t)number_at(fd, hdf5 + 64, 8), COLUMNS);
    double value = 0.0;
    CHECK(pread(fd, &value, 8, (off_t)number_at(fd, hdf5 + 72, 8) + 8) == 8);
    CHECK_EQUAL_DOUBLE(value, field[1]);
    (void)close(fd);
}

static void failures_name_the_path(void)
{
    struct checkpoint checkpoint = state(1, false);
    CHECK_FAILS(checkpoint_write("no such directory", &checkpoint, 1), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "no such directory");
    error_clear();
    CHECK_FAILS(checkpoint_open("no such file.h5", &checkpoint), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "no such file.h5: cannot be opened: No such file");
    error_clear();
    CHECK_FAILS(checkpoint_open(".", &checkpoint), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "not a regular file");
    error_clear();
    start("ck");
    CHECK_EQUAL_INT(system("mkfifo ck/checkpoint-7.h5"), 0);
    CHECK(!opens("ck/checkpoint-7.h5"));
}

int main(int argc, char **argv)
{
    const bool is_slow = argc > 1 && strcmp(argv[1], "slow") == 0;
    checksum_is_crc32c();
    what_was_written_is_read();
    only_the_newest_stay();
    leftovers_of_a_kill_go();
    nothing_found_is_no_failure();
    a_damaged_one_is_passed_over();
    every_flipped_bit_is_found();
    every_truncation_is_found();
    random_damage_is_found(is_slow ? 200000 : 2000);
    the_trailer_is_as_documented();
    failures_name_the_path();
    return check_result();
}
