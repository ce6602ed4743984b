/* What run.h5 holds of every cell that does not change with time: conductivity, heat capacity and
 * the heat of the sources, as the kernels take them. */
#ifndef ISOTHERM_SOLVER_STILL_H
#define ISOTHERM_SOLVER_STILL_H

#include "io/snapshot.h"
#include "ipc/control.h"
#include "solver/patches.h"

struct still {
    const struct plan *plan;        /* not owned */
    struct control *control;        /* not owned: the writer shows that it lives */
    const unsigned char *materials; /* (ny, nx), not owned; NULL: the first everywhere */
    struct kept kept;
    struct sources sources;
    double *factors;        /* (source_count), of the first step */
    double *spots[2];       /* (source_count, nx or ny): of gaussian sources, see source_spot() */
    double *files;          /* (ny, nx): sum of all fields from files, W/m3; NULL without them */
    struct patches patches; /* of floorplans */
    double *densities;      /* (patches.count), W/m3 */
};

/* The fields there will be, for spec->still; nothing of `still` but its address is used before
 * still_open(). */
struct snapshot_still still_fields(const struct plan *plan, const struct still *still);

/* Before a file is made. On failure still_close() may still be called. */
enum status still_open(const struct plan *plan, struct control *control,
                       const unsigned char *materials, struct still *still) MUST_CHECK;
void still_close(struct still *still);

#endif
