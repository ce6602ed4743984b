/* Shared by the files of the halo exchange, for nobody else. */
#ifndef ISOTHERM_IPC_HALO_PRIVATE_H
#define ISOTHERM_IPC_HALO_PRIVATE_H

#include "ipc/halo.h"

enum { HALO_LEVELS = 2 };

/* Stages of struct control_rank.start; a rank goes on when all its neighbours have reached one. */
enum halo_stage {
    STAGE_PUBLISHED = 1,
    STAGE_IMPORTED,
    STAGE_PATTERN,
    STAGE_VERIFIED,
    STAGE_DRAINED,
    STAGE_UNMAPPED
};

struct neighbour {
    int rank;
    bool is_direct; /* both ranks can store into each other's ghost cells, and it was verified */
    void *fields;   /* imported; NULL where that failed or was not tried */
    struct event *events[CONTROL_EVENTS];
};

struct halo {
    struct halo_options options;
    struct event *events[CONTROL_EVENTS];
    int neighbour_count;
    struct neighbour *neighbours; /* (neighbour_count) */
    bool is_registered;           /* the staging memory */
    void *staging;                /* as the device sees it */
    struct copy_list *send[HALO_LEVELS];
    struct copy_list *receive[HALO_LEVELS]; /* from slots; empty where all is direct */
};

/* ---- halo_pairs.c ---- */

/* This rank's line of the control block. */
struct control_rank *halo_own_line(struct halo *halo);

/* Fills in the neighbours from the strips. */
enum status halo_find_neighbours(struct halo *halo) MUST_CHECK;
/* NULL when the rank is no neighbour. */
struct neighbour *halo_find_neighbour(struct halo *halo, int rank);

/* Tells the neighbours that this rank has reached a stage and waits until they have. */
enum status halo_wait_for_neighbours(struct halo *halo, enum halo_stage stage) MUST_CHECK;

/* Opens and exports what neighbours need; imports what they have exported. */
enum status halo_publish_handles(struct halo *halo) MUST_CHECK;
enum status halo_import_handles(struct halo *halo) MUST_CHECK;
void halo_unmap_neighbours(struct halo *halo);

/* Notes in the control block whether this rank's way to or from a neighbour works, and combines
 * both ranks' notes once a stage has been reached. */
void halo_note_direct(struct halo *halo, struct neighbour *neighbour, bool works);
void halo_agree_direct(struct halo *halo);

/* ---- halo_copies.c, halo_verify.c ---- */

/* The copies of one level, for the pairs as they are direct or not; replaces earlier ones. */
enum status halo_make_copies(struct halo *halo, int level) MUST_CHECK;

/* All ranks send a pattern the way halos go, and each checks what has come from every neighbour.
 * Pairs for which it was wrong in either direction stop being direct. Uses level 1, which holds
 * nothing yet. */
enum status halo_verify(struct halo *halo) MUST_CHECK;

/* The cell of a region's corner in a level, as an address. */
void *halo_cell_address(void *fields, const struct block *block, int level, struct region region);

#endif
