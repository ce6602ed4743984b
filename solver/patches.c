#include "solver/patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Lists that grow while patches are made. */
struct making {
    struct patches *patches;
    int patch_room, term_room;
};

/* A place in cells; on a face when it is there but for rounding. */
static double in_cells(double place, double d)
{
    const double cells = place / d, nearest = round(cells);
    return fabs(cells - nearest) <= 1e-9 * fmax(1.0, fabs(nearest)) ? nearest : cells;
}

static void add_blocks(struct patches *patches, int s)
{
    const struct plan *plan = patches->sources->plan;
    const struct input_source *source = &plan->input->sources[s];
    const struct floorplan *floorplan = &patches->sources->floorplans[s];
    const double d[2] = {plan->dx, plan->dy};
    for (int b = 0; b < floorplan->count; b++) {
        struct patch_block *block = &patches->blocks[patches->block_count++];
        double volume = source->thickness;
        *block = (struct patch_block){.source = s, .block = b};
        for (int axis = 0; axis < 2; axis++) {
            const struct floorplan_block *given = &floorplan->blocks[b];
            block->from[axis] = in_cells(source->origin[axis] + given->from[axis], d[axis]);
            block->to[axis] = in_cells(source->origin[axis] + given->to[axis], d[axis]);
            volume *= (block->to[axis] - block->from[axis]) * d[axis];
        }
        block->density_per_watt = 1.0 / volume;
    }
}

/* The cell in which a new class begins: 1 in starts[n + 1]. */
static void mark_edge(double edge, int64_t n, unsigned char *starts)
{
    const double at = fmin(fmax(floor(edge), 0.0), (double)n);
    starts[(int64_t)at] = 1;
    if (at != edge && (int64_t)at < n)
        starts[(int64_t)at + 1] = 1; /* the cell that is cut is alone */
}

static enum status make_classes(struct patches *patches, int axis)
{
    const int64_t n = patches->sources->plan->input->cells[axis];
    unsigned char *starts = NULL;
    TRY(memory_alloc(&patches->classes[axis], (size_t)n, sizeof(int), "floorplan"));
    TRY(memory_alloc(&starts, (size_t)n + 1, 1, "floorplan"));
    for (int b = 0; b < patches->block_count; b++) {
        mark_edge(patches->blocks[b].from[axis], n, starts);
        mark_edge(patches->blocks[b].to[axis], n, starts);
    }
    int class = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i > 0 && starts[i])
            class ++;
        patches->classes[axis][i] = class;
    }
    patches->class_count[axis] = class + 1;
    free(starts);
    return STATUS_OK;
}

/* The part of cell i, from 0 to 1, that a block covers along an axis. */
static double covered(const struct patch_block *block, int axis, int64_t i)
{
    const double from = fmax(block->from[axis], (double)i);
    return fmax(0.0, fmin(block->to[axis], (double)i + 1.0) - from);
}

/* Terms of cell (x, y) behind those of all patches; their number. */
static enum status find_terms(struct making *making, int64_t x, int64_t y, int *found)
{
    struct patches *patches = making->patches;
    const int end = patches->first[patches->count];
    *found = 0;
    for (int b = 0; b < patches->block_count; b++) {
        const double in_y = covered(&patches->blocks[b], 1, y);
        const double share = in_y > 0.0 ? in_y * covered(&patches->blocks[b], 0, x) : 0.0;
        if (!(share > 0.0))
            continue;
        if (end + *found == making->term_room) {
            const int room = making->term_room > 0 ? 2 * making->term_room : 1024;
            struct patch_term *terms =
                realloc(patches->terms, (size_t)room * sizeof *patches->terms);
            if (terms == NULL)
                return fail(STATUS_MEMORY, "no memory for a floorplan");
            patches->terms = terms;
            making->term_room = room;
        }
        patches->terms[end + (*found)++] = (struct patch_term){b, share};
    }
    return STATUS_OK;
}

/* Whether patch p has just the terms that were found last. */
static bool is_patch(const struct patches *patches, int p, int found)
{
    const struct patch_term *a = patches->terms + patches->first[p];
    const struct patch_term *b = patches->terms + patches->first[patches->count];
    if (patches->first[p + 1] - patches->first[p] != found)
        return false;
    for (int k = 0; k < found; k++)
        if (a[k].block != b[k].block || a[k].share != b[k].share)
            return false;
    return true;
}

static enum status add_patch(struct making *making, int found)
{
    struct patches *patches = making->patches;
    if (patches->count > UINT16_MAX)
        return fail(STATUS_INPUT,
                    "sources: the blocks of floorplans cut cells in more than %d "
                    "ways; use blocks whose edges lie on cell faces",
                    (int)UINT16_MAX);
    if (patches->count + 2 > making->patch_room) {
        const int room = 2 * making->patch_room;
        int *first = realloc(patches->first, (size_t)room * sizeof *first);
        if (first == NULL)
            return fail(STATUS_MEMORY, "no memory for a floorplan");
        patches->first = first;
        making->patch_room = room;
    }
    patches->first[patches->count + 1] = patches->first[patches->count] + found;
    patches->count++;
    return STATUS_OK;
}

/* The patch of a pair of classes: the empty one, that of the classes to the left or below when it
 * is the same, or a new one. Where a block's edge cuts cells it does so alike all along, so hardly
 * any patch is made twice. */
static enum status choose_patch(struct making *making, int64_t x, int64_t y, uint16_t *patch)
{
    struct patches *patches = making->patches;
    const int columns = patches->class_count[0];
    const uint16_t near[3] = {0, x > 0 && patches->classes[0][x] > 0 ? patch[-1] : 0,
                              y > 0 && patches->classes[1][y] > 0 ? patch[-columns] : 0};
    int found = 0;
    TRY(find_terms(making, x, y, &found));
    for (int k = 0; k < 3; k++)
        if (is_patch(patches, near[k], found)) {
            *patch = near[k];
            return STATUS_OK;
        }
    TRY(add_patch(making, found));
    *patch = (uint16_t)(patches->count - 1);
    return STATUS_OK;
}

static enum status make_patches(struct patches *patches)
{
    struct making making = {.patches = patches, .patch_room = 256};
    const int64_t *n = patches->sources->plan->input->cells;
    const int columns = patches->class_count[0];
    TRY(memory_alloc(&patches->of_classes, (size_t)columns * (size_t)patches->class_count[1],
                     sizeof *patches->of_classes, "floorplan"));
    TRY(memory_alloc(&patches->first, (size_t)making.patch_room, sizeof *patches->first,
                     "floorplan"));
    patches->count = 1;
    for (int64_t y = 0; y < n[1]; y++) {
        if (y > 0 && patches->classes[1][y] == patches->classes[1][y - 1])
            continue;
        for (int64_t x = 0; x < n[0]; x++)
            if (x == 0 || patches->classes[0][x] != patches->classes[0][x - 1])
                TRY(choose_patch(&making, x, y,
                                 &patches->of_classes[patches->classes[1][y] * columns +
                                                      patches->classes[0][x]]));
    }
    return STATUS_OK;
}

enum status patches_open(const struct sources *sources, struct patches *patches)
{
    const int source_count = sources->plan->input->source_count;
    size_t count = 0;
    *patches = (struct patches){.sources = sources};
    for (int s = 0; s < source_count; s++)
        count += (size_t)sources->floorplans[s].count;
    if (count == 0)
        return STATUS_OK;
    TRY(memory_alloc(&patches->blocks, count, sizeof *patches->blocks, "floorplan"));
    TRY(memory_alloc(&patches->powers, count, sizeof *patches->powers, "floorplan"));
    for (int s = 0; s < source_count; s++)
        add_blocks(patches, s);
    TRY(make_classes(patches, 0));
    TRY(make_classes(patches, 1));
    return make_patches(patches);
}

void patches_close(struct patches *patches)
{
    free(patches->blocks);
    free(patches->classes[0]);
    free(patches->classes[1]);
    free(patches->of_classes);
    free(patches->first);
    free(patches->terms);
    free(patches->powers);
    *patches = (struct patches){0};
}

int patches_at(const struct patches *patches, int64_t x, int64_t y)
{
    return patches
        ->of_classes[patches->classes[1][y] * patches->class_count[0] + patches->classes[0][x]];
}

enum status patches_densities(struct patches *patches, int64_t step, double *densities)
{
    double *powers = patches->powers;
    for (int s = 0; s < patches->sources->plan->input->source_count; s++) {
        const int blocks = patches->sources->floorplans[s].count;
        if (blocks == 0)
            continue;
        TRY(sources_powers(patches->sources, s, step, powers));
        powers += blocks;
    }
    for (int p = 0; p < patches->count; p++) {
        densities[p] = 0.0;
        for (int k = patches->first[p]; k < patches->first[p + 1]; k++) {
            const struct patch_term *term = &patches->terms[k];
            densities[p] += term->share * patches->powers[term->block] *
                            patches->blocks[term->block].density_per_watt;
        }
    }
    return STATUS_OK;
}
