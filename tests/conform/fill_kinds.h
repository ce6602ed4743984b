/* Kinds of cells for a step with zones, found the obvious way: see struct zones. */
#ifndef ISOTHERM_TESTS_CONFORM_FILL_KINDS_H
#define ISOTHERM_TESTS_CONFORM_FILL_KINDS_H

#include "tests/conform/reference_step.h"

struct made_kinds {
    int count, fixed;         /* count 0: there are too many */
    int zones[KINDS_MOST][5]; /* of the cell and its neighbours; of cells with a fixed value -1 */
};

static inline int made_kind(struct made_kinds *made, int from, const int zones[5])
{
    int k = from;
    while (k < made->count && memcmp(made->zones[k], zones, sizeof made->zones[k]) != 0)
        k++;
    if (k < KINDS_MOST && k == made->count)
        memcpy(made->zones[made->count++], zones, sizeof made->zones[k]);
    return k;
}

/* The zones of the cell at (i, j) and its neighbours, beyond a boundary its own; the first is >= 0.
 */
static inline void made_zones(const struct step *step, int i, int j, int zones[5])
{
    const struct block *const block = step->block;
    const unsigned char *const zone = step->zones->zone + block_index(block, i, j);
    const struct side_map *const sides = step->sides;
    zones[0] = zone[0];
    zones[1] = sides[0].is_boundary && i == 0 ? zone[0] : zone[-1];
    zones[2] = sides[1].is_boundary && i == block->nx - 1 ? zone[0] : zone[1];
    zones[3] = sides[2].is_boundary && j == 0 ? zone[0] : zone[-block->pitch];
    zones[4] = sides[3].is_boundary && j == block->ny - 1 ? zone[0] : zone[block->pitch];
}

/* Of the cells that the step makes at some level. What lies elsewhere has any kind. */
static inline void made_numbers(const struct step *step, struct made_kinds *made, bool is_fixed,
                                unsigned char *kind)
{
    const struct region used = reference_grown(step, step->steps - 1);
    for (int j = used.y0; j < used.y1; j++)
        for (int i = used.x0; i < used.x1; i++) {
            const int64_t at = block_index(step->block, i, j);
            int zones[5];
            made_zones(step, i, j, zones);
            if ((step->fixed != NULL && step->fixed[at] != 0) != is_fixed)
                continue;
            for (int n = 1; is_fixed && n < 5; n++)
                zones[n] = -1;
            const bool is_plain = zones[1] == zones[0] && zones[2] == zones[0] &&
                                  zones[3] == zones[0] && zones[4] == zones[0];
            const int from = is_fixed ? made->fixed : step->zones->count;
            const int number = is_plain ? zones[0] : made_kind(made, from, zones);
            if (number == KINDS_MOST) {
                made->count = KINDS_MOST + 1;
                return;
            }
            kind[at] = (unsigned char)number;
        }
}

static inline void made_conductances(const struct step *step, const struct made_kinds *made,
                                     unsigned char *kind_zone, void *conductance)
{
    const size_t element = step->block->element_bytes, count = (size_t)step->zones->count;
    for (size_t k = 0; k < (size_t)made->count; k++) {
        kind_zone[k] = (unsigned char)made->zones[k][0];
        for (size_t n = 0; n < 4; n++) {
            unsigned char *const to = (unsigned char *)conductance + (4 * k + n) * element;
            memset(to, 0, element);
            if ((int)k < made->fixed)
                memcpy(to,
                       (const unsigned char *)step->zones->conductance[n / 2] +
                           (kind_zone[k] * count + (size_t)made->zones[k][n + 1]) * element,
                       element);
        }
    }
}

/* Fills the map kind[cells of the block's array], kind_zone[KINDS_MOST] and
 * conductance[KINDS_MOST][4] from the zones and fixed cells of the step. */
static inline struct made_kinds fill_kinds(uint64_t *state, const struct step *step,
                                           unsigned char *kind, unsigned char *kind_zone,
                                           void *conductance)
{
    const size_t cells = block_bytes(step->block) / step->block->element_bytes;
    struct made_kinds made = {.count = step->zones->count};
    for (int z = 0; z < made.count; z++)
        for (int n = 0; n < 5; n++)
            made.zones[z][n] = z;
    made_numbers(step, &made, false, kind);
    if (made.count > KINDS_MOST)
        return (struct made_kinds){0};
    made.fixed = made.count;
    made_numbers(step, &made, true, kind);
    if (made.count > KINDS_MOST)
        return (struct made_kinds){0};
    made_conductances(step, &made, kind_zone, conductance);
    const struct region used = reference_grown(step, step->steps - 1);
    for (size_t at = 0; at < cells; at++) {
        const int j = (int)(at / (size_t)step->block->pitch) - step->block->halo;
        const int i = (int)(at % (size_t)step->block->pitch) - step->block->lead;
        if (i < used.x0 || i >= used.x1 || j < used.y0 || j >= used.y1)
            kind[at] = (unsigned char)random_below(state, made.count);
    }
    return made;
}

#endif
