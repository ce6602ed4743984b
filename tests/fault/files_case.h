/* What the program under test (change_file.c) changes and test_files.c looks at. */
#ifndef ISOTHERM_TESTS_FAULT_FILES_CASE_H
#define ISOTHERM_TESTS_FAULT_FILES_CASE_H

#include <math.h>

#include "io/checkpoint.h"
#include "io/probes.h"
#include "io/snapshot.h"

enum { NX = 20, NY = 12, OLD_FRAMES = 64, CUT_FRAMES = 10, OLD_ROWS = 3 };
enum { OLD_STEP = 10, NEW_STEP = 20 };

static const char *const probe_names[] = {"centre"};

static inline double value_of(int64_t frame, int64_t cell)
{
    return 300.0 + sin(1.7 * (double)cell) + (double)frame;
}

static inline struct snapshot_spec case_spec(void)
{
    return (struct snapshot_spec){.path = "run.h5",
                                  .title = "fault",
                                  .source = "test",
                                  .history = "",
                                  .input_text = "",
                                  .nx = NX,
                                  .ny = NY,
                                  .size = {1.0, 1.0},
                                  .precision = PRECISION_DOUBLE,
                                  .compression = COMPRESSION_FAST};
}

static inline enum status case_append(int64_t frame)
{
    static double field[NX * NY];
    const struct snapshot_spec spec = case_spec();
    for (int64_t c = 0; c < NX * NY; c++)
        field[c] = value_of(frame, c);
    return snapshot_append(&spec, &(struct snapshot_frame){
                                      .time = (double)frame, .step = frame, .temperature = field});
}

static inline enum status case_checkpoint(int64_t step)
{
    static double field[NX * NY];
    for (int64_t c = 0; c < NX * NY; c++)
        field[c] = value_of(step, c);
    struct checkpoint checkpoint = {.step = step,
                                    .time = (double)step,
                                    .run_id = 7,
                                    .section_count = 1,
                                    .sections = {{"temperature", SECTION_F64, NY, NX, field, 0}}};
    return checkpoint_write(".", &checkpoint, 1);
}

#endif
