#include "solver/zoning.h"

#include <stdlib.h>

#include "base/memory.h"
#include "io/field.h"
#include "kernels/alike.h"
#include "solver/initial.h"
#include "solver/material.h"
#include "solver/properties.h"
#include "solver/setup.h"

static int64_t wrapped(bool is_periodic, int64_t index, int64_t n)
{
    return is_periodic ? (index % n + n) % n : index;
}

bool zoning_cell(const struct rank *rank, int i, int j, int64_t *x, int64_t *y)
{
    const struct layout *layout = &rank->plan->layout;
    *x = wrapped(layout->is_periodic_x, rank->extent.x0 + i, layout->nx);
    *y = wrapped(layout->is_periodic_y, rank->extent.y0 + j, layout->ny);
    return *x >= 0 && *x < layout->nx && *y >= 0 && *y < layout->ny;
}

static struct zone zone_at(const struct plan *plan, int64_t x, int64_t y)
{
    const struct input *input = plan->input;
    const int material = material_at(plan, x, y);
    struct zone zone = {.material = plan->properties == NULL ? material : 0};
    for (int s = 0; s < input->source_count; s++)
        if (source_holds(plan, &input->sources[s], material, x, y))
            zone.sources |= (uint64_t)1 << s;
    return zone;
}

/* The number of a zone, a new one when it was not met before. Numbers are the rank's own. */
static enum status number_of(struct coefficients *own, struct zone zone, int *number)
{
    int *count = &own->zones.count;
    /* Mostly the one that was met last. */
    for (int z = *number < *count ? *number : 0, tried = 0; tried < *count; tried++) {
        if (own->makeup[z].material == zone.material && own->makeup[z].sources == zone.sources) {
            *number = z;
            return STATUS_OK;
        }
        z = z + 1 < *count ? z + 1 : 0;
    }
    if (*count == ZONES_MOST)
        return fail(STATUS_INPUT,
                    "sources: materials and the regions of uniform sources overlap in more than %d "
                    "ways; give the heat as a field from a file",
                    (int)ZONES_MOST);
    *number = *count;
    own->makeup[(*count)++] = zone;
    return STATUS_OK;
}

static enum status number_cells(struct rank *rank, unsigned char *zones)
{
    const struct block *block = &rank->block;
    int number = 0;
    for (int j = -block->halo; j < block->ny + block->halo; j++) {
        for (int i = -block->halo; i < block->nx + block->halo; i++) {
            int64_t x = 0, y = 0;
            if (!zoning_cell(rank, i, j, &x, &y))
                continue;
            TRY(number_of(rank->coefficients, zone_at(rank->plan, x, y), &number));
            zones[block_index(block, i, j)] = (unsigned char)number;
        }
        control_beat(rank->run->control, rank->index);
    }
    return STATUS_OK;
}

/* Where cells are of one plain kind. Made for all zones: which kernel makes a step is the backend's
 * choice, step by step. */
static enum status upload_alike(struct rank *rank, const struct kinds_cells *cells,
                                const unsigned char *kind)
{
    struct coefficients *own = rank->coefficients;
    const size_t bytes = alike_bytes(&rank->block);
    unsigned char *alike = NULL;
    if (!rank->backend->uses_alike)
        return STATUS_OK;
    TRY(memory_alloc(&alike, bytes, 1, "kinds of cells"));
    alike_fill(&rank->block, kinds_region(cells), cells->zone_count, kind, alike);
    control_beat(rank->run->control, rank->index);
    enum status status = rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, &own->alike);
    if (status == STATUS_OK)
        status = setup_upload(rank, alike, own->alike, bytes);
    free(alike);
    return status;
}

/* The kinds of cells, and behind their map in the device's memory the zone of each. */
static enum status upload_kinds(struct rank *rank, const struct kinds_cells *cells)
{
    struct coefficients *own = rank->coefficients;
    const size_t count = block_bytes(&rank->block) / rank->block.element_bytes;
    unsigned char *kind = NULL;
    TRY(memory_alloc(&kind, count + KINDS_MOST, 1, "kinds of cells"));
    kinds_find(cells, &own->kinds, kind);
    control_beat(rank->run->control, rank->index);
    enum status status = STATUS_OK;
    if (own->kinds.count > 0) {
        for (int k = 0; k < own->kinds.count; k++)
            kind[count + (size_t)k] = own->kinds.list[k].zone;
        status =
            rank->backend->allocate(rank->device, count + KINDS_MOST, MEMORY_PRIVATE, &own->kind);
        if (status == STATUS_OK)
            status = setup_upload(rank, kind, own->kind, count + KINDS_MOST);
        if (status == STATUS_OK)
            status = upload_alike(rank, cells, kind);
    }
    free(kind);
    return status;
}

static enum status make_kinds(struct rank *rank, const unsigned char *zones)
{
    struct coefficients *own = rank->coefficients;
    int material[ZONES_MOST];
    unsigned char *fixed = NULL;
    if (rank->plan->properties != NULL)
        return STATUS_OK;
    if (rank->plan->input->fixed_count > 0) {
        const size_t cells = block_bytes(&rank->block) / rank->block.element_bytes;
        TRY(memory_alloc(&fixed, cells, 1, "fixed cells"));
        initial_fixed_mask(rank->plan, &rank->block, rank->extent, fixed);
    }
    for (int z = 0; z < own->zones.count; z++)
        material[z] = own->makeup[z].material;
    struct kinds_cells cells = {.block = &rank->block,
                                .zone_count = own->zones.count,
                                .material = material,
                                .zone = zones,
                                .fixed = fixed};
    for (int side = 0; side < SIDE_COUNT; side++)
        cells.is_boundary[side] = rank_side_is_boundary(rank, (enum side)side);
    const enum status status = upload_kinds(rank, &cells);
    free(fixed);
    return status;
}

static enum status make_zones(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    const size_t cells = block_bytes(&rank->block) / rank->block.element_bytes;
    unsigned char *zones = NULL;
    TRY(memory_alloc(&own->makeup, ZONES_MOST, sizeof *own->makeup, "zones"));
    TRY(memory_alloc(&zones, cells, 1, "zones"));
    enum status status = number_cells(rank, zones);
    if (status == STATUS_OK)
        status = rank->backend->allocate(rank->device, cells, MEMORY_PRIVATE, &own->zone);
    if (status == STATUS_OK)
        status = setup_upload(rank, zones, own->zone, cells);
    if (status == STATUS_OK)
        status = make_kinds(rank, zones);
    free(zones);
    return status;
}

/* The block's part of a field of the whole domain, ghost cells included. */
static void cut_block(const struct rank *rank, const double *all, void *to)
{
    const struct block *block = &rank->block;
    for (int j = -block->halo; j < block->ny + block->halo; j++)
        for (int i = -block->halo; i < block->nx + block->halo; i++) {
            int64_t x = 0, y = 0;
            if (!zoning_cell(rank, i, j, &x, &y))
                continue;
            const double value = all[y * rank->plan->layout.nx + x];
            if (rank->plan->is_double)
                ((double *)to)[block_index(block, i, j)] = value;
            else
                ((float *)to)[block_index(block, i, j)] = (float)value;
        }
}

static enum status make_field(struct rank *rank, const struct input_field *field, void **memory)
{
    const struct layout *layout = &rank->plan->layout;
    const size_t bytes = block_bytes(&rank->block);
    double *all = NULL;
    void *cut = NULL;
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&all, (size_t)(layout->nx * layout->ny), sizeof *all, "heat source"));
    TRY_DONE(memory_alloc(&cut, bytes, 1, "heat source"));
    TRY_DONE(field_read(field->file, field->dataset, field->from_top, layout->nx, layout->ny,
                        field->where, all));
    cut_block(rank, all, cut);
    TRY_DONE(rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, memory));
    TRY_DONE(setup_upload(rank, cut, *memory, bytes));
done:
    free(all);
    free(cut);
    return status;
}

/* Which patch of floorplans heats each cell. */
static enum status make_patch_field(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    const struct block *block = &rank->block;
    const size_t cells = block_bytes(block) / block->element_bytes;
    const size_t bytes = cells * sizeof(uint16_t);
    uint16_t *patch = NULL;
    if (own->patches.count == 0)
        return STATUS_OK;
    TRY(memory_alloc(&patch, cells, sizeof *patch, "floorplan"));
    for (int j = -block->halo; j < block->ny + block->halo; j++)
        for (int i = -block->halo; i < block->nx + block->halo; i++) {
            int64_t x = 0, y = 0;
            if (zoning_cell(rank, i, j, &x, &y))
                patch[block_index(block, i, j)] = (uint16_t)patches_at(&own->patches, x, y);
        }
    enum status status = rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, &own->patch);
    if (status == STATUS_OK)
        status = setup_upload(rank, patch, own->patch, bytes);
    free(patch);
    own->zones.patch = own->patch;
    return status;
}

static double conductivity_at(const struct plan *plan, int axis, int64_t x, int64_t y)
{
    if (plan->properties != NULL)
        return plan->properties->conductivity[axis][y * plan->layout.nx + x];
    return plan->input->materials[material_at(plan, x, y)].conductivity[axis].number;
}

static enum status note_conductivities(struct rank *rank, int side)
{
    struct coefficients *own = rank->coefficients;
    const struct plan *plan = rank->plan;
    const struct block *block = &rank->block;
    const bool is_y = side < SIDE_BOTTOM;
    const int n = is_y ? block->ny : block->nx;
    const int across = side == SIDE_RIGHT ? block->nx - 1 : side == SIDE_TOP ? block->ny - 1 : 0;
    TRY(memory_alloc(&own->conductivities[side], (size_t)(n + 2 * block->halo), sizeof(double),
                     "conductivities"));
    for (int f = -block->halo; f < n + block->halo; f++) {
        int64_t x = 0, y = 0;
        int face = f; /* beyond the domain as at its end */
        if (!zoning_cell(rank, is_y ? across : f, is_y ? f : across, &x, &y))
            face = f < 0 ? 0 : n - 1;
        (void)zoning_cell(rank, is_y ? across : face, is_y ? face : across, &x, &y);
        own->conductivities[side][f + block->halo] = conductivity_at(plan, side / 2, x, y);
    }
    return STATUS_OK;
}

enum status zoning_open(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    const struct input *input = rank->plan->input;
    for (int side = 0; side < SIDE_COUNT; side++)
        TRY(note_conductivities(rank, side));
    if (!rank->plan->has_zones)
        return STATUS_OK;
    for (int s = 0; s < input->source_count; s++) {
        const struct input_source *source = &input->sources[s];
        if (source->type == SOURCE_GAUSSIAN)
            own->spots[own->zones.spot_count++] = s;
        if (source->type != SOURCE_FILE)
            continue;
        TRY(make_field(rank, &source->field, &own->fields[own->zones.field_count]));
        own->files[own->zones.field_count++] = s;
    }
    TRY(make_patch_field(rank));
    return make_zones(rank);
}

void zoning_close(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    for (int f = 0; f < ZONES_FIELDS; f++)
        rank->backend->release(rank->device, own->fields[f]);
    rank->backend->release(rank->device, own->zone);
    rank->backend->release(rank->device, own->kind);
    rank->backend->release(rank->device, own->alike);
    rank->backend->release(rank->device, own->patch);
    for (int side = 0; side < SIDE_COUNT; side++)
        free(own->conductivities[side]);
    free(own->makeup);
}
