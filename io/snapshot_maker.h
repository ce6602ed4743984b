/* A new run.h5 while it is made: shared by the files that do so. */
#ifndef ISOTHERM_IO_SNAPSHOT_MAKER_H
#define ISOTHERM_IO_SNAPSHOT_MAKER_H

#include "io/h5_scale.h"
#include "io/snapshot_layout.h"

enum { SNAPSHOT_MOST_VARIABLES = 32 };

/* The file, and what was created in it, for the scales to be attached at the end. */
struct snapshot_maker {
    const struct snapshot_spec *spec;
    hid_t file;
    struct h5_scaled variables[SNAPSHOT_MOST_VARIABLES];
    int count;
};

struct snapshot_variable {
    const char *name, *units, *long_name, *bounds; /* NULL: no such attribute */
    const char *vtk_role;                          /* likewise, for VTK: what it colours by */
    hid_t type, held; /* in the file, and of the values in memory: 0 for doubles */
    int rank;
    int dimensions[3];        /* enum dimension */
    bool is_packed;           /* of cells, which do not change with time: in chunks */
    const double *everywhere; /* of those: what a chunk holds that is never written; NULL: 0 */
};

/* Creates the dataset with its attributes; `values` may be NULL. */
enum status snapshot_make_variable(struct snapshot_maker *maker,
                                   const struct snapshot_variable *variable,
                                   const void *values) MUST_CHECK;

/* snapshot_still.c: what does not change with time. */
enum status snapshot_make_material(struct snapshot_maker *maker) MUST_CHECK;
enum status snapshot_make_stills(struct snapshot_maker *maker) MUST_CHECK;

#endif
