/* Dimension scales as the HDF5 Dimension Scale Specification (2005) has them and the netCDF library
 * reads them: a dataset per dimension, named by the datasets that have it and naming them back. */
#ifndef ISOTHERM_IO_H5_SCALE_H
#define ISOTHERM_IO_H5_SCALE_H

#include <hdf5.h>

#include "base/error.h"

enum { H5_SCALED_RANK = 3 };

/* A dataset and which scale each of its dimensions has. */
struct h5_scaled {
    const char *name;
    int rank;
    int scales[H5_SCALED_RANK]; /* index into the names of all scales */
};

/* Makes the dataset a scale. */
enum status h5_scale_mark(hid_t dataset, const char *path, const char *name) MUST_CHECK;

/* Attaches the scales to datasets[dataset_count], all of which exist. */
enum status h5_scales_attach(hid_t file, const char *path, const char *const scales[],
                             int scale_count, const struct h5_scaled *datasets,
                             int dataset_count) MUST_CHECK;

#endif
