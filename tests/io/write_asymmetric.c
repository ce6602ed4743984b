/* Writes run.h5 of a case without any symmetry, for read_snapshot.py:
 * T(i, j) = 300 + i + 100 j + 0.5 n in frame n, on 5 x 3 cells of 0.5 m x 0.9 m.
 *
 * usage: write_asymmetric FILE single|double none|fast|small */
#include <stdio.h>
#include <string.h>

#include "io/snapshot.h"

enum { NX = 5, NY = 3, FRAMES = 4 };

static enum status write_all(const struct snapshot_spec *spec)
{
    TRY(snapshot_create(spec));
    for (int n = 0; n < FRAMES; n++) {
        double field[NY][NX];
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                field[j][i] = 300.0 + i + 100.0 * j + 0.5 * n;
        TRY(snapshot_append(spec,
                            &(struct snapshot_frame){.time = 0.1 * n,
                                                     .step = 7 * n,
                                                     .temperature = &field[0][0],
                                                     .energy = 1000.0 + n,
                                                     .side_heat = {n, 2.0 * n, 3.0 * n, 4.0 * n},
                                                     .fixed_heat = 5.0 * n,
                                                     .residual = -1e-9 * n}));
    }
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const struct snapshot_spec spec = {
        .path = argv[1],
        .title = "Platte aus Kupfer, 20 \u00b0C",
        .source = "isotherm test",
        .history = "now: isotherm run plate.cfg",
        .input_text = "title = \"x\";\ncells = [5, 3];\n",
        .nx = NX,
        .ny = NY,
        .size = {0.5, 0.9},
        .precision = strcmp(argv[2], "single") == 0 ? PRECISION_SINGLE : PRECISION_DOUBLE,
        .compression = strcmp(argv[3], "none") == 0   ? COMPRESSION_NONE
                       : strcmp(argv[3], "fast") == 0 ? COMPRESSION_FAST
                                                      : COMPRESSION_SMALL};
    const enum status status = write_all(&spec);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "%s\n", error_message());
    return status_exit_code(status);
}
