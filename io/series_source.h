/* The open file behind a series, for the other files of io/ that read it. */
#ifndef ISOTHERM_IO_SERIES_SOURCE_H
#define ISOTHERM_IO_SERIES_SOURCE_H

#include "io/h5.h"
#include "io/snapshot.h"

/* Owned by the series. */
const struct h5_source *series_source(const struct series *series);

#endif
