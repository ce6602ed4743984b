/* What a device can do: the interface between the program and its CPU and CUDA backends. Nothing
 * above this line of the program asks which one it has.
 *
 * Work is queued, not done, when a call returns (on the CPU a queue runs its work at once). Order
 * holds within a queue; between queues and processes it is made by events. Every call that returns
 * STATUS_DEVICE has a message with the failing call, its error and the device. */
#ifndef ISOTHERM_KERNELS_BACKEND_H
#define ISOTHERM_KERNELS_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/block.h"

struct shared; /* what all processes of a run must hold before they part: made before fork */
struct device; /* one open device of this process */
struct queue;  /* a stream */
struct event;
struct copy_list; /* rectangles copied together */

/* Handles travel as bytes through shared memory to other processes. */
struct memory_handle {
    unsigned char bytes[64];
};
struct event_handle {
    unsigned char bytes[64];
};

enum memory_kind {
    MEMORY_PRIVATE, /* of this process alone */
    MEMORY_EXPORTED /* other processes of the run may map it */
};

enum queue_priority { QUEUE_NORMAL, QUEUE_HIGH };

/* A rectangle of `rows` rows of `row_bytes` bytes; addresses as this process sees them. */
struct copy {
    const void *from;
    void *to;
    size_t from_pitch, to_pitch; /* bytes */
    size_t row_bytes;
    int rows;
};

enum { ZONES_MOST = 255, KINDS_MOST = 255, ZONES_FIELDS = 4, ZONES_SPOTS = 16 };

/* The ghost map of one side (see cell_ghost, cell_radiate) for the faces along it: face index f
 * counts from the block's first interior row or column and may be negative or beyond in ghost rows,
 * level l counts the steps of one call. Arrays are of the field's type. */
struct side_map {
    bool is_boundary;  /* false: the cells beyond are ghost cells of the field */
    bool is_radiating; /* not affine: cell_radiate with strength a and ambient b; for zones only */
    const void *a, *b; /* a[f + l * level_stride]: pointers to f = 0, l = 0 */
    int level_stride;  /* elements; 0: the same at every level */
    double reference;  /* K, from which cells and b deviate; for is_radiating */
    double *heat;      /* (faces), f = 0 first: += (ghost - cell) of each level, but at fixed cells;
                          NULL: not kept */
};

/* Coefficients by the zone of a cell: cells of one zone share their material and their sources. All
 * arrays are in the device's memory and, where void, of the field's type. A stride leads from a
 * level (a step of one call) to the next, in elements; 0: the same at every level. */
struct zones {
    const unsigned char *zone; /* in the field's layout, 1 byte a cell, < count */
    int count;
    const void *conductance[2]; /* x, y: [zone of the cell][zone of the neighbour], see
                                   cell_euler_zones; beyond a boundary is the cell's own zone */
    const void *loss;           /* [zone]: share of (ambient - cell) that a step adds */
    double ambient;
    const void *source; /* [level][zone]: what a step adds */
    int source_stride;
    bool has_gain; /* false: loss and source are 0 everywhere at every level, nothing else heats */
    bool has_loss; /* false: loss is 0 everywhere */
    bool is_equal; /* each zone by itself conducts alike in x and y: selects what
                      cell_euler_zones does where all faces are alike; of the whole problem */

    /* Conduction by kind of cell: cells of one kind lie in one zone and have the same four
     * conductances. Kinds below `count` are of cells whose four neighbours are in that zone, too
     * (kind = zone). Kinds from `kind_fixed` on are of cells that keep their value, with
     * conductances 0. */
    const unsigned char *kind; /* in the field's layout, 1 byte a cell, < kind_count; which one is
                                  open for ghost cells beyond a boundary, the outermost ring of
                                  the halo and the rest of the array. NULL: more than KINDS_MOST
                                  would be needed, or conduction goes by cell */
    int kind_count, kind_fixed;
    const void *kind_conductance; /* [kind][4]: rw, re, rs, rn of cell_change_zones, bit for bit the
                                     entries of `conductance` */
    const unsigned char *kind_zone; /* [kind] */
    const unsigned char *alike;     /* where cells are of one plain kind, see alike_fill; not NULL
                                       with `kind` where the backend uses it */

    /* Conduction cell by cell instead of by zone, see cell_change_faces; conductance, loss and unit
     * are then not looked at, and `source` is in W/m3. */
    const void *faces[2]; /* in the field's layout: k / d^2 (W/m3/K) of the face to the west, to the
                             south; of the last faces at the index after the last cell. At a
                             boundary k of the cell inside. NULL: by zone */
    const void *rate;     /* in the field's layout: 1 / (rho c), m3 K/J */
    double dt;            /* s, of a step */
    double loss_density;  /* W/m3/K */

    /* Densities (W/m3) that differ within a zone: the sum of one for each patch of cells, of
     * fields times factors and of products of a function of x and one of y. */
    const void *unit; /* [zone]: what a step adds per density */
    int field_count;
    const void *fields[ZONES_FIELDS]; /* in the field's layout */
    const void *factor;               /* [level][field_count] */
    int factor_stride;
    const uint16_t *patch;     /* in the field's layout: which patch heats the cell; NULL: none */
    const void *patch_density; /* [level][patch] */
    int patch_stride;
    int spot_count;
    const void *spot_x; /* [level][spot][column]: pointer to column 0, ghosts before it */
    const void *spot_y; /* [level][spot][row] */
    int spot_x_pitch, spot_y_pitch; /* from spot to spot */
    int spot_x_stride, spot_y_stride;
};

/* One stage of a super time step, see cell_stage: for zones and steps = 1 only. What `to` holds
 * before is the stage before `from`. The coefficients are those of the whole step. */
struct stage {
    int index; /* 1, 2, ... */
    bool is_last;
    double mu, nu, change, rate; /* weights */
    void *start, *start_change;  /* in the field's layout: kept by stage 1 for the others */
    double *heat[4]; /* of each side: (3, heat_pitch), f = 0 first: kept between stages; the last
                        one adds the heat of the step to that of side_map */
    int heat_pitch;
};

/* Advance `region` (cells of the block) by `steps` >= 1 time steps, from one field buffer to the
 * other. Reads `from` in region grown by `steps` cells (clipped at boundaries), writes `to` in
 * region alone. */
struct step {
    const struct block *block;
    const void *from;
    void *to;
    struct region region;
    int steps;
    double rx, ry;              /* of cell_euler; equal values select cell_euler_equal */
    const struct zones *zones;  /* NULL: rx, ry everywhere and nothing else */
    const struct stage *stage;  /* NULL: forward Euler */
    const unsigned char *fixed; /* in the field's layout, 1 byte a cell, != 0: keeps its value;
                                   NULL: no fixed cell */
    struct side_map sides[4];   /* left, right, bottom, top */
};

struct device_options {
    struct shared *shared;
    int rank;    /* index into what `share` prepared */
    int ordinal; /* which device; CPU: ignored */
};

/* How cells conduct and are heated: all alike; by kind of cell (see struct zones), with sources
 * that do not change at most; by kind with heat loss, radiation or sources that change; otherwise.
 */
enum step_cells { STEP_ALIKE, STEP_BY_KIND, STEP_BY_KIND_HEATED, STEP_BY_CELL };

/* What decides how many steps in one call pay. */
struct step_case {
    int64_t shortest; /* cells along the shortest side of a block */
    bool is_alone;    /* a block has no neighbour */
    bool is_double;
    enum step_cells cells;
    bool is_equal;  /* rx == ry, in all zones */
    bool has_fixed; /* cells that keep their value */
};

struct device_counts { /* all zero after an orderly end; checked by tests */
    int allocations, events, mappings, queues, copy_lists;
};

struct backend {
    const char *name;
    bool is_synchronous; /* queues run their work at once, so nothing can overlap */
    bool uses_alike;     /* `step` looks at zones.alike */
    /* How many steps a call of `step`, and so an exchange, should make when the user leaves it
     * open: the more, the less memory traffic, but edges are computed again. */
    int (*favoured_steps)(const struct step_case *step_case);
    /* When only `steps` are left until something is due: how many of them to make at once. */
    int (*fitting_steps)(const struct step_case *step_case, int steps);
    /* So many percent more than favoured take no longer a step where all cells conduct alike, so
     * that an interval need not be cut once more for the sake of a few steps. */
    int stretch_percent;

    /* Before fork, once: room for `exported_bytes` of exported memory in each of `ranks`. */
    enum status (*share)(int ranks, size_t exported_bytes, struct shared **shared);
    void (*unshare)(struct shared *shared);

    enum status (*open)(const struct device_options *options, struct device **device);
    void (*close)(struct device *device); /* NULL and half-open are fine */
    struct device_counts (*counts)(const struct device *device);

    /* What can still be allocated; SIZE_MAX where the backend does not know. */
    enum status (*free_memory)(struct device *device, size_t *bytes);
    enum status (*allocate)(struct device *device, size_t bytes, enum memory_kind kind,
                            void **memory); /* zeroed */
    void (*release)(struct device *device, void *memory);
    enum status (*export_memory)(struct device *device, void *memory, struct memory_handle *handle);
    enum status (*import_memory)(struct device *device, const struct memory_handle *handle,
                                 void **memory);
    void (*unmap_memory)(struct device *device, void *memory);
    /* Host memory shared by processes becomes usable by queued copies (pinned and mapped). *mapped
     * is its address for copy lists. */
    enum status (*register_host)(struct device *device, void *memory, size_t bytes, void **mapped);
    void (*unregister_host)(struct device *device, void *memory);

    enum status (*queue_open)(struct device *device, enum queue_priority priority,
                              struct queue **queue);
    void (*queue_close)(struct queue *queue);
    enum status (*queue_drain)(struct queue *queue); /* the host waits; not in the time loop */
    /* Runs function(argument) on some host thread when the queue gets there. It must be short and
     * call nothing of the backend. */
    enum status (*queue_call)(struct queue *queue, void (*function)(void *), void *argument);

    enum status (*event_open)(struct device *device, bool interprocess, struct event **event);
    enum status (*event_export)(struct event *event, struct event_handle *handle);
    enum status (*event_import)(struct device *device, const struct event_handle *handle,
                                struct event **event);
    void (*event_close)(struct event *event);
    enum status (*event_record)(struct queue *queue, struct event *event);
    enum status (*event_wait)(struct queue *queue, struct event *event);
    /* Whether the work before the latest record is done; does not wait. */
    enum status (*event_query)(struct event *event, bool *is_done);

    /* Any addresses the device can reach: its own, imported, registered host memory. */
    enum status (*copy_list_open)(struct device *device, const struct copy *copies, int count,
                                  struct copy_list **list);
    void (*copy_list_close)(struct copy_list *list);
    enum status (*copy_list_run)(struct queue *queue, const struct copy_list *list);
    /* One rectangle between host memory of this process and the device. */
    enum status (*copy)(struct queue *queue, const struct copy *copy);

    enum status (*step)(struct queue *queue, const struct step *step);

    /* Name what the host does from here to the end, for profilers; may be nested. */
    void (*range_begin)(const char *name);
    void (*range_end)(void);
};

extern const struct backend backend_cpu, backend_cuda;

#endif
