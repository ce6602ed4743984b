/* A series whose frames are partly late: argv[1]. Frame 0: nobody waits; frame 1: somebody waits
 * all the time; frame 2: from its third chunk on. The last one is cut off and appended again, as a
 * resume does. Reads all back with the program's own reader. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/snapshot.h"

enum { NX = 1000, NY = 1300, FRAMES = 3, CHUNKS = 3 };

/* How often the writer may still ask before somebody waits. */
static int asked_before;

static bool is_late(const void *state)
{
    (void)state;
    return asked_before-- <= 0;
}

/* The field that read_late.py expects. */
static double value_of(int frame, int64_t i, int64_t j)
{
    return 300.0 + frame + 0.25 * (double)(i / 8) + 0.5 * (double)(j / 16);
}

static void fill(int frame, double *field)
{
    for (int64_t j = 0; j < NY; j++)
        for (int64_t i = 0; i < NX; i++)
            field[j * NX + i] = value_of(frame, i, j);
}

static enum status append(const struct snapshot_spec *spec, int frame, double *field)
{
    static const int patience[FRAMES] = {1000, 0, 1};
    asked_before = patience[frame];
    fill(frame, field);
    return snapshot_append(
        spec, &(struct snapshot_frame){.time = frame, .step = frame, .temperature = field});
}

static enum status write_all(const struct snapshot_spec *spec, double *field)
{
    TRY(snapshot_create(spec));
    for (int frame = 0; frame < FRAMES; frame++)
        TRY(append(spec, frame, field));
    TRY(snapshot_cut(spec, FRAMES - 1));
    return append(spec, FRAMES - 1, field);
}

static enum status read_all(const char *path, double *field, double *expected)
{
    struct series *series = NULL;
    enum status status = series_open(path, &series);
    for (int frame = 0; frame < FRAMES && status == STATUS_OK; frame++) {
        fill(frame, expected);
        status = series_field(series, frame, field);
        for (int64_t c = 0; c < (int64_t)NX * NY && status == STATUS_OK; c++)
            if (field[c] != expected[c])
                status =
                    fail(STATUS_BUG, "frame %d, cell %lld: %.17g", frame, (long long)c, field[c]);
    }
    series_close(series);
    return status;
}

int main(int argc, char **argv)
{
    static double field[NX * NY], expected[NX * NY];
    /* Compressing seems to take for ever, however slow the disk is. */
    struct pace pace = {.is_late = is_late, .packed_s = 1e9};
    if (argc != 2)
        return 2;
    const struct snapshot_spec spec = {.path = argv[1],
                                       .title = "late",
                                       .source = "isotherm test",
                                       .history = "now",
                                       .input_text = "",
                                       .nx = NX,
                                       .ny = NY,
                                       .size = {1.0, 1.3},
                                       .precision = PRECISION_DOUBLE,
                                       .compression = COMPRESSION_AUTO,
                                       .pace = &pace};
    enum status status = write_all(&spec, field);
    if (status == STATUS_OK)
        status = read_all(argv[1], field, expected);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "%s\n", error_message());
    (void)printf("%lld of %lld chunks plain\n", (long long)pace.plain, (long long)pace.chunks);
    return status_exit_code(status);
}
