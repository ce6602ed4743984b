/* What the kernels multiply with, of one rank's block: ghost maps of the sides, and by zone the
 * conductances, loss and sources. Values that change with time are worked out on the host for many
 * steps ahead and sent to the device in one go; each is a function of the number of the step alone,
 * so that results do not depend on how steps are gathered. */
#ifndef ISOTHERM_SOLVER_COEFFICIENTS_H
#define ISOTHERM_SOLVER_COEFFICIENTS_H

#include "solver/boundary.h"
#include "solver/kinds.h"
#include "solver/patches.h"
#include "solver/rank.h"
#include "solver/source.h"

enum { FACES_ARRAYS = 3 }; /* see faces.h */

/* Cells that share everything: a material (0 where properties go by cell) and the uniform sources
 * that heat them. */
struct zone {
    int material;
    uint64_t sources; /* bit s: source s */
};

/* Where things are in one level of the host's and the device's memory, in elements. */
struct level_places {
    size_t a[SIDE_COUNT], b[SIDE_COUNT]; /* of face 0 */
    size_t source, patch, factor, spot_x, spot_y;
    size_t elements; /* of a level */
};

/* Whether values at the sides or sources change with time. */
bool coefficients_vary(const struct input *input);

struct coefficients {
    struct zones zones;                 /* for the step; count 0 without zones */
    struct zone *makeup;                /* (zones.count) */
    struct kinds kinds;                 /* of cells; count 0 where conduction goes by cell, too */
    double *conductivities[SIDE_COUNT]; /* of the cells along each side, ghosts included */
    struct boundary boundaries[SIDE_COUNT];
    struct sources sources;
    struct patches patches;
    int files[ZONES_FIELDS], spots[ZONES_SPOTS]; /* which sources they are */

    struct level_places places;
    int64_t first, levels; /* steps [first, first + levels) are in memory; first < 0: none */
    bool varies;           /* else one level serves all steps */
    double dt;             /* that tables and levels are for */
    void *host, *tables_host;
    void *device, *tables, *zone, *kind, *alike, *fields[ZONES_FIELDS]; /* on the device */
    void *faces[FACES_ARRAYS], *patch;
    double *scratch;
};

enum status coefficients_open(struct rank *rank) MUST_CHECK;
void coefficients_close(struct rank *rank); /* after a failed open too */

/* Device memory of what changes with the step: about, as the zones are not counted. */
size_t coefficients_level_bytes(const struct plan *plan, const struct block *block);

/* Sets an element of an array of the field's type. */
void coefficients_put(const struct rank *rank, void *array, size_t at, double value);
/* The address of an element of such an array, which may be on the device. */
unsigned char *coefficients_at(const struct rank *rank, void *array, size_t element);

/* Makes rank->step ready for steps [step, step + steps). */
enum status coefficients_prepare(struct rank *rank, int64_t step, int steps) MUST_CHECK;

#endif
