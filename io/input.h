/* The input file, read and checked: libconfig text in, plain data in SI units out.
 *
 * Every setting stands once in the table of io/schema.c (path, type, unit, default, range, one line
 * of explanation); reading, writing run.cfg and docs/input.md all come from that table. */
#ifndef ISOTHERM_IO_INPUT_H
#define ISOTHERM_IO_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum side { SIDE_LEFT, SIDE_RIGHT, SIDE_BOTTOM, SIDE_TOP, SIDE_COUNT };
extern const char *const side_names[SIDE_COUNT];

enum precision { PRECISION_DOUBLE, PRECISION_SINGLE };
enum compression { COMPRESSION_AUTO, COMPRESSION_NONE, COMPRESSION_FAST, COMPRESSION_SMALL };
/* What a snapshot may hold of every cell. */
enum output_field {
    OUTPUT_TEMPERATURE,
    OUTPUT_HEAT_FLUX_X,
    OUTPUT_HEAT_FLUX_Y,
    OUTPUT_GRADIENT,
    OUTPUT_MATERIAL, /* does not change with time */
    OUTPUT_FIELDS
};
extern const char *const output_field_names[OUTPUT_FIELDS + 1]; /* the last is NULL */

enum backend_choice { BACKEND_AUTO, BACKEND_CUDA, BACKEND_CPU };
enum transport_choice { TRANSPORT_AUTO, TRANSPORT_IPC, TRANSPORT_HOST };
enum scheme { SCHEME_AUTO, SCHEME_EULER, SCHEME_RKL2 };
enum overlap { OVERLAP_AUTO, OVERLAP_ON, OVERLAP_OFF };
enum on_error { ON_ERROR_STOP, ON_ERROR_CONTINUE };

enum boundary_type {
    BOUNDARY_INSULATED,
    BOUNDARY_TEMPERATURE,
    BOUNDARY_FLUX,
    BOUNDARY_CONVECTION,
    BOUNDARY_PERIODIC,
    BOUNDARY_RADIATION
};

/* Where the values of a field come from. */
enum field_kind { FIELD_NUMBER, FIELD_EXPRESSION, FIELD_FILE };

struct input_field {
    enum field_kind kind;
    double number;
    char *expression; /* in x and y */
    char *file;       /* absolute, or relative to the directory of the input file as resolved */
    char *dataset;    /* NULL: a text array */
    bool from_top;    /* text array whose first row is the top one */
    char *where;      /* "plate.cfg:12: initial.temperature", for messages */
};

/* A value that may change with time, and along a side. */
enum function_kind { FUNCTION_NUMBER, FUNCTION_EXPRESSION, FUNCTION_TABLE };

struct input_function {
    enum function_kind kind;
    double number;
    char *expression;
    char *table; /* file of t, value: linear between, constant outside */
    char *where; /* "plate.cfg:12: boundary.left.value", for messages */
};

struct input_points {
    double *values; /* (count, width) */
    int count;
};

struct input_material {
    char *name;
    struct input_field conductivity[2]; /* W/m/K, in x and y */
    struct input_field density;         /* kg/m3 */
    struct input_field heat_capacity;   /* J/kg/K */
};

enum shape_type { SHAPE_RECTANGLE, SHAPE_CIRCLE, SHAPE_ELLIPSE, SHAPE_POLYGON };

/* All cells whose centre lies in it are of a material. */
struct input_shape {
    enum shape_type type;
    double from[2], to[2];      /* m, rectangle: from <= centre <= to */
    double centre[2];           /* m, circle and ellipse */
    double radius;              /* m, circle */
    double radii[2];            /* m, ellipse: half axes along x and y */
    struct input_points points; /* m, polygon: its corners (x, y) */
    char *material;
    int index;   /* of the material; set by input_resolve() */
    char *where; /* "plate.cfg:12: geometry.shapes.[0]", for messages */
};

/* Heat passes from one material to another through a resistance. */
struct input_contact {
    char *material, *beside;
    double resistance;       /* m2 K/W */
    int index, beside_index; /* of the materials; set by input_resolve() */
};

/* Cells held at a temperature: one side's outermost cells, all cells of a material, or all cells
 * whose centre lies in the rectangle from <= centre <= to. */
struct input_fixed {
    bool is_side, is_material;
    enum side side;
    char *material;
    int index;             /* of the material; set by input_resolve() */
    double from[2], to[2]; /* m */
    bool has_temperature;  /* false: every cell keeps its initial value */
    double temperature;    /* K */
};

struct input_boundary { /* functions of s (m along the side, from the left or bottom) and t (s) */
    enum boundary_type type;
    struct input_function value;       /* temperature: K; flux: W/m2, positive into the domain */
    struct input_function coefficient; /* convection: W/m2/K */
    struct input_function emissivity;  /* radiation */
    struct input_function ambient;     /* convection and radiation: K */
};

enum source_type { SOURCE_UNIFORM, SOURCE_GAUSSIAN, SOURCE_FILE, SOURCE_FLOORPLAN };

/* What a power trace does before its first and after its last row. */
enum past_end { PAST_END_ERROR, PAST_END_HOLD, PAST_END_REPEAT, PAST_END_OFF };

/* Heat that arises in the volume, W/m3. */
struct input_source {
    enum source_type type;
    double power_density;  /* W/m3, uniform */
    bool has_from, has_to; /* uniform: in the rectangle from <= centre <= to; else everywhere */
    double from[2], to[2]; /* m */
    bool is_material;      /* uniform: in this material */
    char *material;
    int index;                /* of the material; set by input_resolve() */
    double power;             /* W per m of depth, gaussian */
    double radius;            /* m, gaussian: within it are 1 - exp(-2) of the power */
    struct input_points path; /* t, x, y; gaussian: its centre, linear between, resting outside */
    struct input_field field; /* file: W/m3 */
    char *floorplan, *trace;  /* floorplan: files, see io/floorplan.h */
    char *floorplan_where, *trace_where; /* for messages */
    double interval;  /* s, floorplan: of each row of the trace, the first from t = 0 */
    double thickness; /* m, floorplan: of what the power heats */
    double origin[2]; /* m, floorplan: where its (0, 0) lies in the domain */
    enum past_end past_end;
    struct input_function factor; /* of t, for any of them */
};

struct input_probe {
    char *name;
    double at[2];    /* m */
    double interval; /* s */
};

struct input_region {
    double from[2], to[2]; /* m: from <= centre <= to */
};

struct input_interval {
    double seconds; /* 0: never */
    bool is_wall;   /* of wall time, else of simulated time */
};

struct input {
    char *path; /* of the input file as given, for messages */
    char *text; /* the file as read, includes resolved: goes into run.h5 */
    char *title;

    double size[2]; /* m */
    int64_t cells[2];

    struct input_material *materials; /* (material_count); the first fills the domain */
    int material_count;

    struct {
        bool has_image;
        char *image;       /* PNG: palette index or grey level i is material i */
        char *image_where; /* for messages */
        bool has_material;
        struct input_field material; /* index of the material of each cell */
    } geometry;                      /* one of them at most, under the shapes */
    struct input_shape *shapes;      /* (shape_count), painted in order */
    int shape_count;

    struct input_contact *contacts; /* (contact_count); of the same two, all agree */
    int contact_count;

    struct input_source *sources; /* (source_count), added up */
    int source_count;

    struct {
        double coefficient; /* W/m3/K: heat lost to ... */
        bool has_ambient;
        double ambient; /* K */
    } loss;

    struct input_fixed *fixed; /* (fixed_count), later ones win */
    int fixed_count;

    struct input_field initial_temperature; /* K */
    struct input_boundary boundary[SIDE_COUNT];

    struct {
        bool is_steady;    /* look for the state in which nothing changes any more */
        double tolerance;  /* of the steady state, see solver/steady.h */
        double start, end; /* s; end of a steady run: when to give up */
        bool has_end;
        enum scheme scheme;
        double step;      /* s; 0: "auto" */
        double safety;    /* factor on the largest stable step when "auto" */
        char *step_where; /* for the message about the stability limit */
    } time;

    struct {
        char *directory;
        double interval; /* s; 0: only start and end */
        enum precision precision;
        enum compression compression;
        unsigned fields; /* bit set of enum output_field; 0: "auto" */
        bool has_region;
        struct input_region region; /* cells that snapshots keep; else all */
        int stride[2];              /* of these every so many in x and y */
        int threads;                /* of the writer, 0: "auto" */
        struct input_probe *probes; /* (probe_count) */
        int probe_count;
    } output;

    struct {
        struct input_interval interval;
        int keep;
        enum on_error on_error;
    } checkpoint;

    struct {
        int ranks;     /* 0: "auto" */
        int layout[2]; /* 0, 0: "auto" */
        enum backend_choice backend;
        enum precision precision;
        enum transport_choice transport;
        int steps_per_exchange; /* 0: "auto" */
        enum overlap overlap;   /* edges before the interior, to hide the exchange behind it */
        double wall_time;       /* s; 0: no limit */
        double hang_time; /* s without progress after which a rank counts as hung; 0: watch off */
    } run;
};

/* Reads and checks the file at `path`, with `sets[set_count]` of the form "path.to.setting=value"
 * (list elements as `fixed.[0].temperature`) laid over it first. Values of --set that are no
 * libconfig value are taken as text, so `run.backend=cpu` needs no quotes.
 * STATUS_INPUT with "file:line: setting: what is wrong; what to do", up to ERROR_MOST such messages
 * by their lines (error_message_at()): of all that does not fit the table of settings, and of the
 * rest what does not fit each other; then files that are named and not there are told too, which
 * alone are no mistake of the input. STATUS_FILE when the file cannot be read. On failure *input is
 * empty and input_free() may still be called. */
enum status input_read(const char *path, const char *const sets[], int set_count,
                       struct input *input) MUST_CHECK;

void input_free(struct input *input);

/* Writes all settings, defaults filled in, as an input file that runs again as it is. */
enum status input_write(const struct input *input, FILE *file) MUST_CHECK;

/* The first setting, as path, in which two texts made by input_write() differ in a way that makes
 * a resumed run another run: everything but title, checkpoint, where results go, how the run is
 * split over the machine, and time.end, which input_end() tells.
 * Copies "boundary.left.value: 300.0 in the checkpoint, 310.0 now" into `difference`; returns false
 * when they agree. */
bool input_differs(const char *text_a, const char *text_b, char *difference, size_t bytes);

/* time.end of a text made by input_write(). */
enum status input_end(const char *text, double *end) MUST_CHECK;

/* The reference of all settings as Markdown: docs/input.md. */
enum status input_reference(FILE *file) MUST_CHECK;

#endif
