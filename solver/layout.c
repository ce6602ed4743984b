#include "solver/layout.h"

#include <stdlib.h>

#include "base/memory.h"

/* First cell of block b when n cells are split into p blocks: sizes differ by one at most. */
static int64_t split(int64_t n, int p, int b)
{
    const int64_t size = n / p, larger = n % p;
    return b * size + (b < larger ? b : larger);
}

struct extent layout_extent(const struct layout *layout, int rank)
{
    const int bx = rank % layout->px, by = rank / layout->px;
    return (struct extent){
        .x0 = split(layout->nx, layout->px, bx),
        .x1 = split(layout->nx, layout->px, bx + 1),
        .y0 = split(layout->ny, layout->py, by),
        .y1 = split(layout->ny, layout->py, by + 1),
    };
}

bool layout_choose(struct layout *layout, int ranks)
{
    double least = 0.0;
    bool is_found = false;
    for (int px = 1; px <= ranks; px++) {
        const int py = ranks / px;
        if (px * py != ranks || px > layout->nx || py > layout->ny)
            continue;
        const double edges =
            (double)(px - 1) * (double)layout->ny + (double)(py - 1) * (double)layout->nx;
        if (is_found && edges >= least)
            continue;
        is_found = true;
        least = edges;
        layout->px = px;
        layout->py = py;
    }
    return is_found;
}

int layout_largest(const struct layout *layout, int wanted)
{
    for (int ranks = wanted; ranks > 1; ranks--) {
        struct layout candidate = *layout;
        if (layout_choose(&candidate, ranks))
            return ranks;
    }
    return 1;
}

/* A growing array of strips. */
struct list {
    struct halo_strip *strips;
    int count, room;
};

static enum status append(struct list *list, const struct halo_strip *strip)
{
    if (list->count == list->room) {
        const int room = list->room > 0 ? 2 * list->room : 64;
        struct halo_strip *strips = NULL;
        TRY(memory_alloc(&strips, (size_t)room, sizeof *strips, "halo strips"));
        for (int s = 0; s < list->count; s++)
            strips[s] = list->strips[s];
        free(list->strips);
        list->strips = strips;
        list->room = room;
    }
    list->strips[list->count++] = *strip;
    return STATUS_OK;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The cells of `source`, moved by (sx, sy), that lie in the rectangle `ghost` beside `target`. */
static enum status overlap(struct list *list, const struct layout *layout, int source, int target,
                           const int64_t shift[2], struct extent ghost)
{
    const struct extent s = layout_extent(layout, source), t = layout_extent(layout, target);
    const struct extent common = {
        .x0 = larger(ghost.x0, s.x0 + shift[0]),
        .x1 = smaller(ghost.x1, s.x1 + shift[0]),
        .y0 = larger(ghost.y0, s.y0 + shift[1]),
        .y1 = smaller(ghost.y1, s.y1 + shift[1]),
    };
    if (common.x0 >= common.x1 || common.y0 >= common.y1)
        return STATUS_OK;
    return append(
        list, &(struct halo_strip){
                  .from_rank = source,
                  .to_rank = target,
                  .from = {(int)(common.x0 - shift[0] - s.x0), (int)(common.x1 - shift[0] - s.x0),
                           (int)(common.y0 - shift[1] - s.y0), (int)(common.y1 - shift[1] - s.y0)},
                  .to = {(int)(common.x0 - t.x0), (int)(common.x1 - t.x0), (int)(common.y0 - t.y0),
                         (int)(common.y1 - t.y0)},
              });
}

/* How often a halo can wrap around a periodic domain of n cells. */
static int64_t wraps(bool is_periodic, int64_t n, int halo)
{
    return is_periodic ? (halo + n - 1) / n : 0;
}

static enum status strips_between(struct list *list, const struct layout *layout, int source,
                                  int target)
{
    const struct extent t = layout_extent(layout, target);
    const int64_t halo = layout->halo;
    /* The ring around the target: below, above, left, right. */
    const struct extent ring[4] = {
        {t.x0 - halo, t.x1 + halo, t.y0 - halo, t.y0},
        {t.x0 - halo, t.x1 + halo, t.y1, t.y1 + halo},
        {t.x0 - halo, t.x0, t.y0, t.y1},
        {t.x1, t.x1 + halo, t.y0, t.y1},
    };
    const int64_t wx = wraps(layout->is_periodic_x, layout->nx, layout->halo);
    const int64_t wy = wraps(layout->is_periodic_y, layout->ny, layout->halo);
    for (int64_t ky = -wy; ky <= wy; ky++)
        for (int64_t kx = -wx; kx <= wx; kx++)
            for (int side = 0; side < 4; side++)
                TRY(overlap(list, layout, source, target,
                            (const int64_t[]){kx * layout->nx, ky * layout->ny}, ring[side]));
    return STATUS_OK;
}

enum status layout_strips(const struct layout *layout, struct halo_strip **strips, int *count)
{
    struct list list = {0};
    const int ranks = layout_ranks(layout);
    for (int target = 0; target < ranks; target++) {
        for (int source = 0; source < ranks; source++) {
            const enum status status = strips_between(&list, layout, source, target);
            if (status != STATUS_OK) {
                free(list.strips);
                return status;
            }
        }
    }
    *strips = list.strips;
    *count = list.count;
    return STATUS_OK;
}
