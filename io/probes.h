/* probes.csv: one row per probe time, the temperatures of the probes. The first line names the
 * columns with their units: time_s,centre_K,wall_K. Every call opens the file, makes one change and
 * closes it; a row is there wholly or not at all, but for a kill in the middle of its write, which
 * probes_cut() mends. */
#ifndef ISOTHERM_IO_PROBES_H
#define ISOTHERM_IO_PROBES_H

#include <stdint.h>

#include "base/error.h"

/* A new file with its header for names[count]; an existing one is replaced. */
enum status probes_create(const char *path, const char *const names[], int count) MUST_CHECK;

/* Appends a row: time (s) and values[count] (K); NAN leaves a field empty, which tools read as a
 * missing value. After a failure the row is not in the file; wholly, when only closing failed. */
enum status probes_append(const char *path, double time, const double *values,
                          int count) MUST_CHECK;

/* Cuts the file to its header and its first `rows` rows, for a resume; a last line that a kill has
 * torn goes too. STATUS_FILE when it holds fewer. */
enum status probes_cut(const char *path, int64_t rows) MUST_CHECK;

/* Makes all rows durable (fsync): before a checkpoint that counts on them. */
enum status probes_sync(const char *path) MUST_CHECK;

/* STATUS_FILE when the file's columns are not those of names[count]: for a resume. */
enum status probes_check(const char *path, const char *const names[], int count) MUST_CHECK;

#endif
