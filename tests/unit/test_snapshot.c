/* run.h5: what is appended is read again, and whatever happens in between does not harm it. */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/deflate.h"
#include "io/h5.h"
#include "io/snapshot.h"
#include "io/snapshot_layout.h"
#include "tests/check.h"

enum { NX = 37, NY = 23 };

static const char path[] = "run.h5";

static struct snapshot_spec make_spec(enum precision precision, enum compression compression)
{
    return (struct snapshot_spec){.path = path,
                                  .title = "Plate",
                                  .source = "isotherm test",
                                  .history = "now",
                                  .input_text = "a = 1;\n",
                                  .nx = NX,
                                  .ny = NY,
                                  .size = {0.2, 0.05},
                                  .precision = precision,
                                  .compression = compression,
                                  .threads = 2};
}

static double value_of(int64_t frame, int64_t cell)
{
    return 293.15 + 20.0 * sin(0.37 * (double)cell + (double)frame); /* below 512 K */
}

static enum status append(const struct snapshot_spec *spec, int64_t frame)
{
    static double field[NX * NY];
    for (int64_t c = 0; c < NX * NY; c++)
        field[c] = value_of(frame, c);
    const double t = (double)frame;
    return snapshot_append(spec, &(struct snapshot_frame){.time = 0.25 * t,
                                                          .step = 10 * frame,
                                                          .temperature = field,
                                                          .energy = 5.0 * t,
                                                          .side_heat = {t, 2 * t, 3 * t, 4 * t},
                                                          .fixed_heat = 6 * t,
                                                          .residual = -t});
}

/* Every frame is as append() made it; the number of frames. */
static int64_t check_frames(double most)
{
    struct series *series = NULL;
    static double field[NX * NY];
    if (!CHECK_OK(series_open(path, &series)))
        return -1;
    const int64_t frames = series_frames(series);
    for (int64_t frame = 0; frame < frames; frame++) {
        CHECK_EQUAL_DOUBLE(series_times(series)[frame], 0.25 * (double)frame);
        CHECK_EQUAL_INT(series_steps(series)[frame], 10 * frame);
        if (!CHECK_OK(series_field(series, frame, field)))
            break;
        double worst = 0.0;
        for (int64_t c = 0; c < NX * NY; c++)
            worst = fmax(worst, fabs(field[c] - value_of(frame, c)));
        CHECK(worst <= most);
    }
    series_close(series);
    return frames;
}

static off_t size_of(const char *name)
{
    struct stat about;
    return stat(name, &about) == 0 ? about.st_size : -1;
}

/* Half a unit in the last place of a float from 256 to 512 is 2^-16. */
static void every_kind_of_storage_gives_the_values_back(void)
{
    for (int precision = PRECISION_DOUBLE; precision <= PRECISION_SINGLE; precision++)
        for (int compression = COMPRESSION_NONE; compression <= COMPRESSION_SMALL; compression++) {
            const struct snapshot_spec spec =
                make_spec((enum precision)precision, (enum compression)compression);
            CHECK_OK(snapshot_create(&spec));
            CHECK_EQUAL_INT(check_frames(0.0), 0);
            for (int64_t frame = 0; frame < 3; frame++)
                CHECK_OK(append(&spec, frame));
            CHECK_EQUAL_INT(check_frames(precision == PRECISION_DOUBLE ? 0.0 : 0x1p-16), 3);
        }
}

/* Random bits do not shrink: then a chunk is stored without the filter deflate. */
static void what_cannot_be_compressed_is_kept(void)
{
    const struct snapshot_spec spec = make_spec(PRECISION_DOUBLE, COMPRESSION_SMALL);
    static uint64_t bits[NX * NY], read[NX * NY];
    static double field[NX * NY];
    uint64_t state = 88172645463325252;
    for (int c = 0; c < NX * NY; c++) { /* xorshift64, Marsaglia 2003 */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bits[c] = state;
    }
    memcpy(field, bits, sizeof field);
    CHECK_OK(snapshot_create(&spec));
    CHECK_OK(snapshot_append(&spec, &(struct snapshot_frame){.temperature = field}));
    struct series *series = NULL;
    if (!CHECK_OK(series_open(path, &series)))
        return;
    CHECK_OK(series_field(series, 0, field));
    memcpy(read, field, sizeof read);
    CHECK(memcmp(read, bits, sizeof bits) == 0);
    series_close(series);
}

static void numbers_and_words_are_there(void)
{
    const struct snapshot_spec spec = make_spec(PRECISION_SINGLE, COMPRESSION_FAST);
    CHECK_OK(snapshot_create(&spec));
    for (int64_t frame = 0; frame < 4; frame++)
        CHECK_OK(append(&spec, frame));
    struct series *series = NULL;
    if (!CHECK_OK(series_open(path, &series)))
        return;
    static const struct {
        const char *name;
        double factor;
    } numbers[] = {{"energy", 5},   {"heat_left", 1},  {"heat_right", 2}, {"heat_bottom", 3},
                   {"heat_top", 4}, {"heat_fixed", 6}, {"residual", -1},  {"time", 0.25}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        double values[4] = {0};
        CHECK_OK(series_values(series, numbers[k].name, values));
        CHECK_EQUAL_DOUBLE(values[3], 3 * numbers[k].factor);
    }
    double none[4];
    CHECK_FAILS(series_values(series, "entropy", none), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "run.h5: holds no entropy");
    error_clear();
    CHECK_FAILS(series_field(series, 4, none), STATUS_FILE);
    error_clear();
    int64_t nx = 0, ny = 0;
    double size[2] = {0};
    series_shape(series, &nx, &ny, size);
    CHECK_EQUAL_INT(nx, NX);
    CHECK_EQUAL_INT(ny, NY);
    CHECK_NEAR(size[0], 0.2, 1e-15);
    CHECK_NEAR(size[1], 0.05, 1e-15);
    CHECK_EQUAL_TEXT(series_text(series, "title"), "Plate");
    CHECK_EQUAL_TEXT(series_text(series, "input"), "a = 1;\n");
    CHECK_EQUAL_TEXT(series_text(series, "Conventions"), "CF-1.11");
    CHECK_EQUAL_TEXT(series_text(series, "nothing"), "");
    series_close(series);
}

/* Beyond 64 KiB an attribute cannot lie in the header of its object. */
static void a_long_input_fits(void)
{
    struct snapshot_spec spec = make_spec(PRECISION_SINGLE, COMPRESSION_FAST);
    enum { LENGTH = 300000 };
    static char text[LENGTH + 1];
    memset(text, 'x', LENGTH);
    spec.input_text = text;
    CHECK_OK(snapshot_create(&spec));
    CHECK_OK(append(&spec, 0));
    struct series *series = NULL;
    if (!CHECK_OK(series_open(path, &series)))
        return;
    CHECK_EQUAL_INT((int64_t)strlen(series_text(series, "input")), LENGTH);
    series_close(series);
}

static void time_only_goes_forward(void)
{
    const struct snapshot_spec spec = make_spec(PRECISION_SINGLE, COMPRESSION_FAST);
    CHECK_OK(snapshot_create(&spec));
    CHECK_OK(append(&spec, 0));
    CHECK_OK(append(&spec, 1));
    CHECK_FAILS(append(&spec, 1), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "run.h5: the time 0.25 s is not later");
    error_clear();
    CHECK_EQUAL_INT(check_frames(0x1p-16), 2);
}

static void another_grid_is_refused(void)
{
    struct snapshot_spec spec = make_spec(PRECISION_SINGLE, COMPRESSION_FAST);
    CHECK_OK(snapshot_create(&spec));
    spec.nx = NY;
    spec.ny = NX;
    CHECK_FAILS(append(&spec, 0), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "37 x 23 cells, not 23 x 37");
    error_clear();
    CHECK_EQUAL_INT(check_frames(0x1p-16), 0);
}

static void a_cut_series_goes_on(void)
{
    const struct snapshot_spec spec = make_spec(PRECISION_SINGLE, COMPRESSION_FAST);
    CHECK_OK(snapshot_create(&spec));
    for (int64_t frame = 0; frame < 150; frame++) /* so that the chunk index has two levels */
        CHECK_OK(append(&spec, frame));
    CHECK_FAILS(snapshot_cut(&spec, 151), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "150 times, 151 are needed");
    error_clear();
    static const int64_t cuts[] = {150, 149, 70, 64, 3, 0};
    for (size_t k = 0; k < sizeof cuts / sizeof cuts[0]; k++) {
        CHECK_OK(snapshot_cut(&spec, cuts[k]));
        CHECK_EQUAL_INT(check_frames(0x1p-16), cuts[k]);
        for (int64_t frame = cuts[k]; frame < cuts[k] + 2; frame++)
            CHECK_OK(append(&spec, frame));
        CHECK_EQUAL_INT(check_frames(0x1p-16), cuts[k] + 2);
        CHECK_OK(snapshot_cut(&spec, cuts[k]));
    }
}

/* 1 to 4 MiB, or the whole frame where that is smaller; grids from 1 x 1 to beyond 2^31 cells. */
static void chunks_have_a_good_size(void)
{
    static const int64_t shapes[][2] = {{1, 1},         {37, 23},       {1024, 1024}, {2048, 1024},
                                        {1000, 3000},   {16384, 16384}, {2000000, 5}, {3, 40000000},
                                        {65536, 65536}, {1048577, 2},   {524289, 3}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (size_t bytes = 4; bytes <= 8; bytes += 4) {
            int64_t columns = 0, rows = 0;
            const int64_t nx = shapes[k][0], ny = shapes[k][1];
            snapshot_chunk(nx, ny, bytes, &columns, &rows);
            const int64_t size = columns * rows * (int64_t)bytes;
            CHECK(columns >= 1 && columns <= nx && rows >= 1 && rows <= ny);
            CHECK(size <= 4 << 20);
            CHECK(size >= 1 << 20 || (columns == nx && rows == ny));
        }
}

/* The definition, word by word, with the modulus at each: 65535 stands for 0 once there was a word.
 */
static uint32_t plain_fletcher32(const unsigned char *bytes, size_t count)
{
    uint32_t first = 0, second = 0;
    for (size_t k = 0; k < count; k += 2) {
        const uint32_t low = k + 1 < count ? bytes[k + 1] : 0;
        first += (uint32_t)bytes[k] << 8 | low;
        first = first > 65535 ? first - 65535 : first;
        second += first;
        second = second > 65535 ? second - 65535 : second;
    }
    return second << 16 | first;
}

/* The example of Fletcher 1982 in the form of Wikipedia's test vectors, which take the bytes in
 * little-endian words; with the bytes swapped: "badcfe" for "abcdef". */
static void checksum_is_fletcher32(void)
{
    CHECK_EQUAL_INT(fletcher32("badcfe", 6), 0x56502d2a);
    CHECK_EQUAL_INT(fletcher32("badcfehg", 8), 0xebe19591);
    CHECK_EQUAL_INT(fletcher32("\xff\xff", 2), 0xffffffff); /* no 0 in one's complement sums */
    CHECK_EQUAL_INT(fletcher32("\x01", 1), 0x01000100);     /* an odd byte is the upper half */
    static unsigned char bytes[5001];
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k < 2000 ? 255 : k * k / 7);
    for (size_t count = 0; count <= sizeof bytes; count += 271)
        CHECK_EQUAL_INT(fletcher32(bytes, count), plain_fletcher32(bytes, count));
}

/* Without room the file stays as it was, byte for byte, and goes on later. */
static void a_full_disk_changes_nothing(void)
{
    const struct snapshot_spec spec = make_spec(PRECISION_DOUBLE, COMPRESSION_FAST);
    CHECK_OK(snapshot_create(&spec));
    for (int64_t frame = 0; frame < 2; frame++)
        CHECK_OK(append(&spec, frame));
    CHECK_EQUAL_INT(system("cp run.h5 before.h5"), 0);
    const off_t size = size_of(path);
    struct rlimit all;
    if (getrlimit(RLIMIT_FSIZE, &all) != 0 || signal(SIGXFSZ, SIG_IGN) == SIG_ERR)
        abort();
    int failed = 0;
    for (off_t room = 0; room < 8192; room += 100) {
        const struct rlimit little = {(rlim_t)(size + room), all.rlim_max};
        if (setrlimit(RLIMIT_FSIZE, &little) != 0)
            abort();
        const enum status status = append(&spec, 2);
        if (setrlimit(RLIMIT_FSIZE, &all) != 0)
            abort();
        if (status == STATUS_OK)
            break;
        failed++;
        CHECK(status == STATUS_FILE);
        CHECK_CONTAINS(error_message(), "run.h5");
        error_clear();
        CHECK_EQUAL_INT(system("cmp -s run.h5 before.h5 && test ! -e run.h5.journal"), 0);
    }
    CHECK(failed > 10);
    CHECK_EQUAL_INT(check_frames(0.0), 3);
}

static void sleep_us(long us)
{
    const struct timespec pause = {0, us * 1000};
    (void)nanosleep(&pause, NULL);
}

/* A process that appends without pause is killed at some moment; what it had acknowledged is there,
 * the file can be read as it is, cut and continued. */
static void a_kill_loses_no_frame(int kills)
{
    const struct snapshot_spec spec = make_spec(PRECISION_SINGLE, COMPRESSION_FAST);
    CHECK_OK(snapshot_create(&spec));
    int64_t known = 0;
    for (; known < 60;
         known++) /* the chunk index splits a node at 64 and then at every 32 frames */
        CHECK_OK(append(&spec, known));
    srand(4711);
    for (int k = 0; k < kills; k++) {
        int pipes[2];
        if (pipe(pipes) != 0)
            abort();
        const pid_t child = fork();
        if (child == 0) {
            for (int64_t frame = known;; frame++)
                if (append(&spec, frame) != STATUS_OK || write(pipes[1], "x", 1) != 1)
                    _exit(1);
        }
        (void)close(pipes[1]);
        sleep_us(200 + rand() % 8000);
        (void)kill(child, SIGKILL);
        int how = 0;
        CHECK(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
        char acknowledged[4096];
        const ssize_t count = read(pipes[0], acknowledged, sizeof acknowledged);
        (void)close(pipes[0]);
        const int64_t frames = check_frames(0x1p-16);
        CHECK(frames >= known + count && frames <= known + count + 1);
        if (frames < 0)
            return;
        known = frames > 200 ? 60 + rand() % 60 : frames > 2 ? frames - rand() % 3 : frames;
        CHECK_OK(snapshot_cut(&spec, known));
        CHECK_EQUAL_INT(check_frames(0x1p-16), known);
    }
    (void)printf("%lld frames after %d kills\n", (long long)known, kills);
}

static void what_is_no_series_is_refused(void)
{
    struct series *series = NULL;
    CHECK_EQUAL_INT(system("echo hello >text.h5 && : >empty.h5 && rm -f fifo.h5 && mkfifo fifo.h5"),
                    0);
    static const char *const names[] = {"text.h5", "empty.h5", "fifo.h5", ".", "none.h5"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        CHECK_FAILS(series_open(names[k], &series), STATUS_FILE);
        CHECK_CONTAINS(error_message(), names[k]);
        CHECK(series == NULL);
        error_clear();
    }
    CHECK_FAILS(snapshot_append(&(struct snapshot_spec){.path = "text.h5"},
                                &(struct snapshot_frame){.time = 1.0}),
                STATUS_FILE);
    error_clear();
}

int main(int argc, char **argv)
{
    const bool is_slow = argc > 1 && strcmp(argv[1], "slow") == 0;
    every_kind_of_storage_gives_the_values_back();
    what_cannot_be_compressed_is_kept();
    numbers_and_words_are_there();
    a_long_input_fits();
    time_only_goes_forward();
    another_grid_is_refused();
    a_cut_series_goes_on();
    chunks_have_a_good_size();
    checksum_is_fletcher32();
    a_full_disk_changes_nothing();
    what_is_no_series_is_refused();
    a_kill_loses_no_frame(is_slow ? 2000 : 60);
    return check_result();
}
