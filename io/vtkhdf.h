/* run.vtkhdf beside run.h5: what ParaView opens by a double click. It holds only the shape of the
 * grid and links to the fields and the times in run.h5 (layout in docs/output.md). */
#ifndef ISOTHERM_IO_VTKHDF_H
#define ISOTHERM_IO_VTKHDF_H

#include <stdint.h>

#include "base/error.h"
#include "io/snapshot.h"

/* Writes the file for a series `spec` of `frames` times; one that is there is replaced at once, so
 * a reader meets the old one or the new one. The links hold the bare name of spec->path: both files
 * must lie in one directory, which may then be moved. `frames` must not be more than run.h5 holds:
 * after an append this file comes second, for a cut first. */
enum status vtkhdf_write(const char *path, const struct snapshot_spec *spec,
                         int64_t frames) MUST_CHECK;

#endif
