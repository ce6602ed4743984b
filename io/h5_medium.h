/* What io/h5_driver.c offers to the two that build on it, io/h5_update.c and h5_image_create(). */
#ifndef ISOTHERM_IO_H5_MEDIUM_H
#define ISOTHERM_IO_H5_MEDIUM_H

#include "io/h5_driver.h"

enum h5_format {
    H5_FORMAT_OLDEST, /* bounds earliest to v110: readable after a kill, see docs/output.md */
    H5_FORMAT_CHECKED /* bounds v110: metadata with checksums, for files written once; page-aligned
                       */
};

/* Creates (creation != H5P_DEFAULT) or opens a file on the medium. */
enum status h5_medium_open(struct h5_medium *medium, const char *path, hid_t creation,
                           enum h5_format format, hid_t *file) MUST_CHECK;

/* False and medium->error when the disk fails. */
bool h5_medium_read(struct h5_medium *medium, uint64_t address, size_t bytes, void *data);
/* A failure is kept in medium->error. */
void h5_medium_write(struct h5_medium *medium, uint64_t address, size_t bytes, const void *data);

#endif
