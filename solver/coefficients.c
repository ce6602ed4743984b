#include "solver/coefficients.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/faces.h"
#include "solver/material.h"
#include "solver/setup.h"
#include "solver/tables.h"
#include "solver/zoning.h"

enum { MOST_LEVELS = 1024, MOST_ELEMENTS = 1 << 22 };

void coefficients_put(const struct rank *rank, void *array, size_t at, double value)
{
    if (rank->plan->is_double)
        ((double *)array)[at] = value;
    else
        ((float *)array)[at] = (float)value;
}

unsigned char *coefficients_at(const struct rank *rank, void *memory, size_t element)
{
    return (unsigned char *)memory + element * rank->block.element_bytes;
}

/* ---- what does not change ---- */

bool coefficients_vary(const struct input *input)
{
    for (int side = 0; side < SIDE_COUNT; side++)
        if (boundary_depends_on(&input->boundary[side], 't'))
            return true;
    for (int s = 0; s < input->source_count; s++)
        if (source_varies(&input->sources[s]))
            return true;
    return false;
}

static size_t place(size_t *end, size_t elements)
{
    const size_t at = *end;
    *end += elements;
    return at;
}

/* How many levels of changing values are kept at once. */
static int64_t levels_of(size_t elements, int halo)
{
    int64_t levels = MOST_ELEMENTS / (int64_t)elements;
    if (levels > MOST_LEVELS)
        levels = MOST_LEVELS;
    return levels < halo + 1 ? halo + 1 : levels;
}

static void make_places(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    struct level_places *places = &own->places;
    const struct block *block = &rank->block;
    const size_t halo = (size_t)block->halo;
    const size_t columns = (size_t)block->nx + 2 * halo, rows = (size_t)block->ny + 2 * halo;
    size_t *end = &places->elements;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const size_t faces = side < SIDE_BOTTOM ? rows : columns;
        places->a[side] = place(end, faces) + halo;
        places->b[side] = place(end, faces) + halo;
    }
    places->source = place(end, (size_t)own->zones.count);
    places->patch = place(end, (size_t)own->patches.count);
    places->factor = place(end, (size_t)own->zones.field_count);
    places->spot_x = place(end, (size_t)own->zones.spot_count * columns) + halo;
    places->spot_y = place(end, (size_t)own->zones.spot_count * rows) + halo;
    own->zones.spot_x_pitch = (int)columns;
    own->zones.spot_y_pitch = (int)rows;
    own->levels = 1;
    if (!own->varies)
        return;
    own->levels = levels_of(*end, block->halo);
}

size_t coefficients_level_bytes(const struct plan *plan, const struct block *block)
{
    const struct input *input = plan->input;
    const size_t halo = (size_t)block->halo;
    const size_t lines = (size_t)block->nx + (size_t)block->ny + 4 * halo;
    size_t spots = 0;
    for (int s = 0; s < input->source_count; s++)
        spots += input->sources[s].type == SOURCE_GAUSSIAN ? 1 : 0;
    const size_t elements = (4 + spots) * lines;
    const size_t levels = coefficients_vary(input) ? (size_t)levels_of(elements, block->halo) : 1;
    return levels * elements * block->element_bytes;
}

static enum status allocate(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    const size_t element = rank->block.element_bytes;
    const size_t bytes = own->places.elements * (size_t)own->levels * element;
    const size_t tables = tables_elements(own) * element;
    TRY(memory_alloc(&own->host, bytes, 1, "boundary values and sources"));
    TRY(rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, &own->device));
    const size_t most = (size_t)(own->zones.spot_x_pitch + own->zones.spot_y_pitch);
    TRY(memory_alloc(&own->scratch, most + (size_t)own->patches.count, sizeof *own->scratch,
                     "sources"));
    if (tables == 0)
        return STATUS_OK;
    TRY(memory_alloc(&own->tables_host, tables, 1, "conductances"));
    return rank->backend->allocate(rank->device, tables, MEMORY_PRIVATE, &own->tables);
}

static void point_zones(struct rank *rank)
{
    const struct input *input = rank->plan->input;
    struct coefficients *own = rank->coefficients;
    struct zones *zones = &own->zones;
    const int stride = own->varies ? (int)own->places.elements : 0;
    zones->zone = own->zone;
    tables_point(rank);
    zones->has_gain = input->source_count > 0 || input->loss.coefficient > 0.0;
    zones->has_loss = input->loss.coefficient > 0.0;
    zones->ambient = input->loss.ambient - rank->reference;
    zones->source_stride = zones->patch_stride = zones->factor_stride = stride;
    zones->spot_x_stride = zones->spot_y_stride = stride;
    for (int f = 0; f < zones->field_count; f++)
        zones->fields[f] = own->fields[f];
    rank->step.zones = zones;
}

static void point_sides(struct rank *rank)
{
    const struct coefficients *own = rank->coefficients;
    for (int side = 0; side < SIDE_COUNT; side++)
        rank->step.sides[side] = (struct side_map){
            .is_boundary = rank_side_is_boundary(rank, (enum side)side),
            .is_radiating = rank->plan->input->boundary[side].type == BOUNDARY_RADIATION,
            .reference = rank->reference,
            .level_stride = own->varies ? (int)own->places.elements : 0,
            .heat = rank_face_sums(rank, (enum side)side),
        };
}

enum status coefficients_open(struct rank *rank)
{
    const struct input *input = rank->plan->input;
    TRY(memory_alloc(&rank->coefficients, 1, sizeof *rank->coefficients, "coefficients"));
    struct coefficients *own = rank->coefficients;
    own->first = -1;
    own->varies = coefficients_vary(input);
    for (int side = 0; side < SIDE_COUNT; side++)
        TRY(boundary_open(&input->boundary[side], &own->boundaries[side]));
    TRY(sources_open(rank->plan, &own->sources));
    TRY(patches_open(&own->sources, &own->patches));
    TRY(zoning_open(rank));
    TRY(faces_open(rank));
    make_places(rank);
    TRY(allocate(rank));
    point_sides(rank);
    if (own->zones.count > 0)
        point_zones(rank);
    return STATUS_OK;
}

void coefficients_close(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    if (own == NULL)
        return;
    zoning_close(rank);
    faces_close(rank);
    for (int side = 0; side < SIDE_COUNT; side++)
        boundary_close(&own->boundaries[side]);
    patches_close(&own->patches);
    sources_close(&own->sources);
    rank->backend->release(rank->device, own->device);
    rank->backend->release(rank->device, own->tables);
    free(own->host);
    free(own->tables_host);
    free(own->scratch);
    free(own);
    rank->coefficients = NULL;
}

/* ---- what changes with the step ---- */

/* The place of face f along the side, m; wrapped where ghost cells come from the other end. */
static double face_place(const struct rank *rank, int side, int f)
{
    const struct layout *layout = &rank->plan->layout;
    const bool is_y = side < SIDE_BOTTOM;
    const int64_t n = is_y ? layout->ny : layout->nx;
    const int64_t at = (is_y ? rank->extent.y0 : rank->extent.x0) + f;
    return ((double)((at % n + n) % n) + 0.5) * (is_y ? rank->plan->dy : rank->plan->dx);
}

/* For the deviation v = T - R: ghost - R = a + (b - 1) R + b v. */
static enum status fill_side(struct rank *rank, int side, int64_t step, size_t level)
{
    struct coefficients *own = rank->coefficients;
    const struct plan *plan = rank->plan;
    const int axis = side / 2, halo = rank->block.halo;
    const int n = side < SIDE_BOTTOM ? rank->block.ny : rank->block.nx;
    const bool depends_on_s = boundary_depends_on(&plan->input->boundary[side], 's');
    const double t = plan_boundary_time(plan, step);
    struct boundary_values values;
    TRY(boundary_at(&own->boundaries[side], face_place(rank, side, 0), t, &values));
    for (int f = -halo; f < n + halo; f++) {
        struct ghost_map map;
        if (depends_on_s)
            TRY(boundary_at(&own->boundaries[side], face_place(rank, side, f), t, &values));
        TRY(boundary_map(&values, (enum side)side, own->conductivities[side][f + halo],
                         axis == 0 ? plan->dx : plan->dy, &map));
        if (values.type == BOUNDARY_RADIATION)
            map.b -= rank->reference;
        else
            map.a += (map.b - 1.0) * rank->reference;
        coefficients_put(rank, own->host, level + own->places.a[side] + (size_t)f, map.a);
        coefficients_put(rank, own->host, level + own->places.b[side] + (size_t)f, map.b);
    }
    return STATUS_OK;
}

static enum status fill_sides(struct rank *rank, int64_t step, size_t index)
{
    struct coefficients *own = rank->coefficients;
    const size_t element = rank->block.element_bytes, level = index * own->places.elements;
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (!rank->step.sides[side].is_boundary)
            continue;
        if ((index == 0 && own->first < 0) ||
            boundary_depends_on(&rank->plan->input->boundary[side], 't')) {
            TRY(fill_side(rank, side, step, level));
            continue;
        }
        /* As in the first level. */
        const size_t halo = (size_t)rank->block.halo;
        const size_t from = own->places.a[side] - halo;
        const size_t faces = own->places.b[side] - own->places.a[side];
        if (index > 0)
            memcpy((unsigned char *)own->host + (level + from) * element,
                   (unsigned char *)own->host + from * element, 2 * faces * element);
    }
    return STATUS_OK;
}

static enum status fill_spot(struct rank *rank, int p, double t, double power, size_t level)
{
    struct coefficients *own = rank->coefficients;
    const struct plan *plan = rank->plan;
    const struct input_source *source = &plan->input->sources[own->spots[p]];
    const int halo = rank->block.halo;
    const int columns = own->zones.spot_x_pitch, rows = own->zones.spot_y_pitch;
    double *x = own->scratch, *y = own->scratch + columns;
    source_spot(plan, source, t, 0, rank->extent.x0 - halo, columns, x);
    source_spot(plan, source, t, 1, rank->extent.y0 - halo, rows, y);
    const size_t first_x = level + own->places.spot_x - (size_t)halo + (size_t)(p * columns);
    const size_t first_y = level + own->places.spot_y - (size_t)halo + (size_t)(p * rows);
    for (int i = 0; i < columns; i++)
        coefficients_put(rank, own->host, first_x + (size_t)i, x[i]);
    for (int j = 0; j < rows; j++)
        coefficients_put(rank, own->host, first_y + (size_t)j, power * y[j]);
    return STATUS_OK;
}

static enum status fill_patches(struct rank *rank, int64_t step, size_t level)
{
    struct coefficients *own = rank->coefficients;
    TRY(patches_densities(&own->patches, step, own->scratch));
    for (int p = 0; p < own->patches.count; p++)
        coefficients_put(rank, own->host, level + own->places.patch + (size_t)p, own->scratch[p]);
    return STATUS_OK;
}

static enum status fill_sources(struct rank *rank, int64_t step, size_t level)
{
    struct coefficients *own = rank->coefficients;
    const struct input *input = rank->plan->input;
    const double t = source_time(rank->plan, step), dt = schedule_dt(&rank->plan->schedule, step);
    double densities[64] = {0.0};
    double factor = 0.0;
    for (int s = 0; s < input->source_count; s++) {
        if (input->sources[s].type != SOURCE_UNIFORM)
            continue;
        TRY(sources_factor(&own->sources, s, t, &factor));
        densities[s] = factor * input->sources[s].power_density;
    }
    for (int z = 0; z < own->zones.count; z++) {
        double sum = 0.0; /* W/m3 */
        for (int s = 0; s < input->source_count; s++)
            if (own->makeup[z].sources >> s & 1)
                sum += densities[s];
        if (own->zones.rate == NULL)
            sum = sum * dt / material_capacity(input, own->makeup[z].material);
        coefficients_put(rank, own->host, level + own->places.source + (size_t)z, sum);
    }
    TRY(fill_patches(rank, step, level));
    for (int f = 0; f < own->zones.field_count; f++) {
        TRY(sources_factor(&own->sources, own->files[f], t, &factor));
        coefficients_put(rank, own->host, level + own->places.factor + (size_t)f, factor);
    }
    for (int p = 0; p < own->zones.spot_count; p++) {
        TRY(sources_factor(&own->sources, own->spots[p], t, &factor));
        TRY(fill_spot(rank, p, t, factor * input->sources[own->spots[p]].power, level));
    }
    return STATUS_OK;
}

static enum status refill(struct rank *rank, int64_t step)
{
    struct coefficients *own = rank->coefficients;
    const size_t element = rank->block.element_bytes;
    const size_t count = (size_t)own->zones.count;
    const int64_t left = rank->plan->schedule.steps - step;
    const int64_t levels = own->varies && left < own->levels ? left : own->levels;
    const double dt = schedule_dt(&rank->plan->schedule, step);
    for (int64_t l = 0; l < levels; l++) {
        TRY(fill_sides(rank, step + l, (size_t)l));
        if (count > 0)
            TRY(fill_sources(rank, step + l, (size_t)l * own->places.elements));
    }
    TRY(rank->backend->queue_drain(rank->edge_queue));
    TRY(rank->backend->queue_drain(rank->inner_queue));
    TRY(setup_upload(rank, own->host, own->device,
                     own->places.elements * (size_t)levels * element));
    if (tables_elements(own) > 0 && dt != own->dt) {
        tables_fill(rank, dt);
        TRY(setup_upload(rank, own->tables_host, own->tables, tables_elements(own) * element));
    }
    own->dt = own->zones.dt = dt;
    own->first = step;
    return STATUS_OK;
}

enum status coefficients_prepare(struct rank *rank, int64_t step, int steps)
{
    struct coefficients *own = rank->coefficients;
    const double dt = schedule_dt(&rank->plan->schedule, step);
    const bool is_held = own->first >= 0 && own->first <= step &&
                         (!own->varies || step + steps <= own->first + own->levels);
    if (!is_held || dt != own->dt)
        TRY(refill(rank, step));
    const size_t level = own->varies ? (size_t)(step - own->first) * own->places.elements : 0;
    const struct level_places *places = &own->places;
    for (int side = 0; side < SIDE_COUNT; side++) {
        rank->step.sides[side].a = coefficients_at(rank, own->device, level + places->a[side]);
        rank->step.sides[side].b = coefficients_at(rank, own->device, level + places->b[side]);
    }
    own->zones.source = coefficients_at(rank, own->device, level + places->source);
    own->zones.patch_density = coefficients_at(rank, own->device, level + places->patch);
    own->zones.factor = coefficients_at(rank, own->device, level + places->factor);
    own->zones.spot_x = coefficients_at(rank, own->device, level + places->spot_x);
    own->zones.spot_y = coefficients_at(rank, own->device, level + places->spot_y);
    plan_coefficients(rank->plan, dt, &rank->step.rx, &rank->step.ry);
    return STATUS_OK;
}
