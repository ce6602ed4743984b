/* run.h5, the series of snapshots: one flat netCDF-4/CF file (layout in docs/output.md). Every call
 * opens the file, makes one change and closes it, so that any reader can open it between two frames
 * while the run goes on. A change is made wholly or not at all, also when the process is killed
 * (io/h5_driver.h); the next call then finishes what has begun. */
#ifndef ISOTHERM_IO_SNAPSHOT_H
#define ISOTHERM_IO_SNAPSHOT_H

#include <stdint.h>

#include "base/error.h"
#include "io/crew.h"
#include "io/input.h"
#include "io/kept.h"
#include "io/pace.h"
#include "io/pack.h"

/* Fields of cells, beside the material, that do not change with time. */
enum still_field {
    STILL_CONDUCTIVITY_X,
    STILL_CONDUCTIVITY_Y,
    STILL_CAPACITY,
    STILL_SOURCE,
    STILL_FIELDS
};

struct snapshot_still_name {
    const char *name, *units, *long_name;
};
extern const struct snapshot_still_name snapshot_stills[STILL_FIELDS];

struct snapshot_still {
    unsigned fields;  /* bit set of enum still_field: those that a new file gets */
    unsigned uniform; /* of these: the same in all cells */
    /* As that of struct snapshot_frame. */
    void (*row)(const void *state, enum still_field field, int64_t j, int64_t i, int64_t count,
                double *values);
    const void *state;
};

struct snapshot_spec {
    const char *path; /* of the file */
    const char *title;
    const char *source;     /* "isotherm 0.1.0 (revision)" */
    const char *history;    /* time and command line */
    const char *input_text; /* goes into the attribute `input` */
    int64_t nx, ny;         /* of the grid */
    double size[2];         /* m */
    struct kept kept;       /* cells that the file holds; all zero: all */
    unsigned fields;        /* bit set of enum output_field; 0: the temperature */
    enum precision precision;
    enum compression compression;
    int threads;                    /* that compress; 0 and 1: none but the caller */
    struct pace *pace;              /* of COMPRESSION_AUTO, not owned; NULL: all is compressed */
    struct crew *crew;              /* of `threads`, not owned; NULL: all work at each frame */
    struct pack_room *room;         /* kept between frames, not owned; NULL: nothing is kept */
    bool is_steady;                 /* frames have flows */
    const unsigned char *materials; /* (ny, nx) of the grid; NULL: not written */
    const struct input *input;      /* for the names of the materials; may be NULL without them */
    struct snapshot_still still;
};

/* One time of the series. Heat counts are per metre of depth and since the start of the run,
 * positive into the domain. */
struct snapshot_frame {
    double time; /* s */
    int64_t step;
    const double *temperature; /* (ny, nx) of the kept cells, K, row 0 at the bottom; or NULL: */
    /* Gives values[count] of a field in cells [i, i + count) of row j, counting kept cells. Called
     * by several threads at a time. */
    void (*row)(const void *state, enum output_field field, int64_t j, int64_t i, int64_t count,
                double *values);
    const void *state;
    double energy;                /* J/m: sum of rho c T dx dy */
    double side_heat[SIDE_COUNT]; /* J/m through each side */
    double fixed_heat;            /* J/m from the fixed cells */
    double source_heat;           /* J/m from sources */
    double loss_heat;             /* J/m by linear loss, negative where heat is lost */
    double residual;              /* J/m: energy gained minus all heat that came in */

    /* Of a steady run: W/m into the domain, and what it still stores. */
    double side_flow[SIDE_COUNT], fixed_flow, source_flow, loss_flow, stored_flow;
};

/* Unit, name for people and label of an axis of each field of a snapshot. */
struct snapshot_field {
    const char *units, *long_name, *label;
};
extern const struct snapshot_field snapshot_fields[OUTPUT_FIELDS];

/* Creates the file with coordinates and no frame; an existing one is replaced. */
enum status snapshot_create(const struct snapshot_spec *spec) MUST_CHECK;

/* Appends a frame: the fields first, time last. Refuses a time that is not later than the last. */
enum status snapshot_append(const struct snapshot_spec *spec,
                            const struct snapshot_frame *frame) MUST_CHECK;

/* Cuts the series to the first `frames` times; for a resume. STATUS_FILE when it holds fewer. */
enum status snapshot_cut(const struct snapshot_spec *spec, int64_t frames) MUST_CHECK;

/* Makes all frames durable (fsync): before a checkpoint that counts on them. */
enum status snapshot_sync(const char *path) MUST_CHECK;

/* ---- reading; files may come from anywhere, so everything is checked ---- */

struct series; /* an open run.h5 */

enum status series_open(const char *path, struct series **series) MUST_CHECK;
void series_close(struct series *series);

int64_t series_frames(const struct series *series);
/* Cells, and width and height of the part of the plate that they cover. */
void series_shape(const struct series *series, int64_t *nx, int64_t *ny, double size[2]);
/* Where that part begins: its lower left corner, m. 0, 0 where a file holds the whole plate. */
void series_origin(const struct series *series, double origin[2]);
/* Centres of the columns (axis 0, nx) or rows (axis 1, ny), m. */
const double *series_places(const struct series *series, int axis);
const double *series_times(const struct series *series);  /* (frames), s */
const int64_t *series_steps(const struct series *series); /* (frames) */
/* An attribute of the file: title, source, history, input; "" when missing. */
const char *series_text(const struct series *series, const char *name);
/* A per-frame number by name (energy, residual, heat_left, ...): STATUS_FILE when there is none. */
enum status series_values(struct series *series, const char *name, double *values) MUST_CHECK;

/* The fields of cells that this program calls so, in the order of enum output_field: the first is
 * the temperature where there is one. io/series_variable.h has all that a file holds. */
int series_field_count(const struct series *series);
const char *series_field_name(const struct series *series, int field);
/* values[ny * nx] of frame `index` of the first field, as double. */
enum status series_field(struct series *series, int64_t index, double *values) MUST_CHECK;

#endif
