#include "solver/kinds.h"

#include <string.h>

#include "kernels/block.h"

enum { NONE = -1 };

/* The work of kinds_find. */
struct search {
    const struct kinds_cells *cells;
    struct kinds *kinds;
    unsigned char first[ZONES_MOST]; /* (zone_count) the first zone that conducts like this one */
    int last;                        /* the kind that was found last */
};

static void note_first(struct search *search)
{
    const struct kinds_cells *cells = search->cells;
    for (int z = 0; z < cells->zone_count; z++) {
        int first = 0;
        while (cells->material[first] != cells->material[z])
            first++;
        search->first[z] = (unsigned char)first;
    }
}

/* The zones of a cell's neighbours; beyond a boundary is the cell's own. */
static void neighbours(const struct kinds_cells *cells, int i, int j, unsigned char beside[4])
{
    const struct block *block = cells->block;
    const unsigned char *zone = cells->zone + block_index(block, i, j);
    const bool *is_boundary = cells->is_boundary;
    beside[0] = is_boundary[0] && i == 0 ? *zone : zone[-1];
    beside[1] = is_boundary[1] && i == block->nx - 1 ? *zone : zone[1];
    beside[2] = is_boundary[2] && j == 0 ? *zone : zone[-block->pitch];
    beside[3] = is_boundary[3] && j == block->ny - 1 ? *zone : zone[block->pitch];
}

static bool kind_is(const struct kind *kind, const struct kind *other)
{
    return kind->zone == other->zone && memcmp(kind->beside, other->beside, 4) == 0;
}

/* The number of `kind` from `from` on, where a new one is added when there is none; NONE when there
 * is no room. */
static int number_of(struct search *search, const struct kind *kind, int from)
{
    struct kinds *kinds = search->kinds;
    if (search->last >= from && kind_is(&kinds->list[search->last], kind))
        return search->last;
    int k = from;
    while (k < kinds->count && !kind_is(&kinds->list[k], kind))
        k++;
    if (k == KINDS_MOST)
        return NONE;
    if (k == kinds->count)
        kinds->list[kinds->count++] = *kind;
    search->last = k;
    return k;
}

/* The kind of a cell that does not keep its value. */
static int free_kind(struct search *search, int i, int j)
{
    const struct kinds_cells *cells = search->cells;
    const unsigned char zone = cells->zone[block_index(cells->block, i, j)];
    struct kind kind = {.zone = zone};
    neighbours(cells, i, j, kind.beside);
    if (kind.beside[0] == zone && kind.beside[1] == zone && kind.beside[2] == zone &&
        kind.beside[3] == zone)
        return zone;
    for (int n = 0; n < 4; n++)
        kind.beside[n] = search->first[kind.beside[n]];
    return number_of(search, &kind, cells->zone_count);
}

struct region kinds_region(const struct kinds_cells *cells)
{
    const struct block *block = cells->block;
    const bool *is_boundary = cells->is_boundary;
    const int ring = block->halo - 1;
    return (struct region){is_boundary[0] ? 0 : -ring, block->nx + (is_boundary[1] ? 0 : ring),
                           is_boundary[2] ? 0 : -ring, block->ny + (is_boundary[3] ? 0 : ring)};
}

/* The kinds of either all cells that keep their value or all others. */
static bool find(struct search *search, bool is_fixed, unsigned char *kind)
{
    const struct kinds_cells *cells = search->cells;
    const struct region region = kinds_region(cells);
    for (int j = region.y0; j < region.y1; j++)
        for (int i = region.x0; i < region.x1; i++) {
            const int64_t at = block_index(cells->block, i, j);
            if ((cells->fixed != NULL && cells->fixed[at] != 0) != is_fixed)
                continue;
            const struct kind fixed = {.zone = cells->zone[at]};
            const int number = is_fixed ? number_of(search, &fixed, search->kinds->fixed)
                                        : free_kind(search, i, j);
            if (number == NONE)
                return false;
            kind[at] = (unsigned char)number;
        }
    return true;
}

void kinds_find(const struct kinds_cells *cells, struct kinds *kinds, unsigned char *kind)
{
    const size_t bytes = block_bytes(cells->block) / cells->block->element_bytes;
    struct search search = {.cells = cells, .kinds = kinds, .last = NONE};
    memset(kind, 0, bytes);
    note_first(&search);
    kinds->count = cells->zone_count;
    for (int z = 0; z < cells->zone_count; z++) {
        const unsigned char zone = (unsigned char)z;
        kinds->list[z] = (struct kind){zone, {zone, zone, zone, zone}};
    }
    bool is_complete = find(&search, false, kind);
    kinds->fixed = kinds->count;
    search.last = NONE;
    if (is_complete && cells->fixed != NULL)
        is_complete = find(&search, true, kind);
    if (!is_complete)
        kinds->count = 0;
}
