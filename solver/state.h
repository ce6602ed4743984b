/* What a checkpoint of a run consists of: the names of its sections and how they are read. Written
 * by the writer (writer.c), read by the launcher, the ranks and the writer of the resumed run.
 *
 *   temperature             (ny, nx) f64, or
 *   temperature_deviation   (ny, nx) f32, from the reference temperature, in single precision
 *   face_sum_left, ..._top  (1, faces) f64: sum over the steps of (ghost - cell)
 *   counts                  (1, 2) i64: struct state_counts
 *   values                  (1, 7) f64: struct state_values
 *   start_sum               (1, EXACT_SUM_LIMBS) i64: exact sum of the start field
 *   steady_record, steady_field   of a steady run: see steady.c
 *   settings                (1, bytes) u8: text of input_write()
 *   files                   (1, bytes) u8: text of input_files_write()  */
#ifndef ISOTHERM_SOLVER_STATE_H
#define ISOTHERM_SOLVER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/exact_sum.h"
#include "io/checkpoint.h"
#include "io/input.h"

#define STATE_SECTION_SETTINGS CHECKPOINT_SETTINGS
#define STATE_SECTION_FILES    "files"

struct state_counts {
    int64_t frames;     /* snapshots written before this checkpoint */
    int64_t probe_rows; /* likewise */
};

struct state_values {
    double reference;             /* K, see initial.h */
    double full_sums[SIDE_COUNT]; /* of the face sums where the full intervals end */
    double start_low, start_high; /* K: the extremes of the start field */
};

const char *state_field_name(bool is_double);
const char *state_side_name(enum side side);

/* A section of doubles or integers that is `bytes` long. */
enum status state_read_whole(const struct checkpoint *checkpoint, const char *name, size_t bytes,
                             void *to) MUST_CHECK;
enum status state_read_counts(const struct checkpoint *checkpoint,
                              struct state_counts *counts) MUST_CHECK;
enum status state_read_values(const struct checkpoint *checkpoint,
                              struct state_values *values) MUST_CHECK;
enum status state_read_start_sum(const struct checkpoint *checkpoint,
                                 struct exact_sum *sum) MUST_CHECK;

/* columns [x0, x0 + nx) of rows [y0, y0 + ny) of a (rows, columns) section, tightly packed. */
enum status state_read_block(const struct checkpoint *checkpoint, const char *name, int64_t x0,
                             int64_t nx, int64_t y0, int64_t ny, size_t element_bytes,
                             void *to) MUST_CHECK;

/* Adds a section; the data must stay until the checkpoint is written. */
void state_add(struct checkpoint *checkpoint, const char *name, enum section_type type,
               int64_t rows, int64_t columns, const void *data);

#endif
