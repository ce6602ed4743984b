#include "solver/tables.h"

#include "solver/material.h"

/* In elements: conductances in x and y by pair of zones, loss and unit by zone, conductances by
 * kind. */
struct places {
    size_t conductance[2], loss, unit, kinds, end;
};

static struct places places_of(const struct coefficients *own)
{
    const size_t count = (size_t)own->zones.count, pairs = count * count;
    struct places places = {.conductance = {0, pairs}, .loss = 2 * pairs};
    places.unit = places.loss + count;
    places.kinds = places.unit + count;
    places.end = places.kinds + 4 * (size_t)own->kinds.count;
    return places;
}

size_t tables_elements(const struct coefficients *own)
{
    return own->zones.rate == NULL ? places_of(own).end : 0;
}

void tables_point(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    struct zones *zones = &own->zones;
    const struct places places = places_of(own);
    if (zones->rate != NULL)
        return;
    zones->is_equal = rank->plan->step_case.is_equal;
    for (int axis = 0; axis < 2; axis++)
        zones->conductance[axis] = coefficients_at(rank, own->tables, places.conductance[axis]);
    zones->loss = coefficients_at(rank, own->tables, places.loss);
    zones->unit = coefficients_at(rank, own->tables, places.unit);
    if (own->kinds.count == 0)
        return;
    zones->kind = own->kind;
    zones->alike = own->alike;
    zones->kind_count = own->kinds.count;
    zones->kind_fixed = own->kinds.fixed;
    zones->kind_zone = zones->kind + block_bytes(&rank->block) / rank->block.element_bytes;
    zones->kind_conductance = coefficients_at(rank, own->tables, places.kinds);
}

/* What a step moves through a face between cells of two zones, per kelvin, in the first. */
static double conductance(const struct rank *rank, int zone, int beside, int axis, double unit)
{
    const struct zone *makeup = rank->coefficients->makeup;
    const double d = axis == 0 ? rank->plan->dx : rank->plan->dy;
    const double k =
        material_face(rank->plan->input, makeup[zone].material, makeup[beside].material, axis, d);
    return k * unit / (d * d);
}

static double unit_of(const struct rank *rank, int zone, double dt)
{
    return dt / material_capacity(rank->plan->input, rank->coefficients->makeup[zone].material);
}

static void fill_kinds(struct rank *rank, double dt, size_t at)
{
    struct coefficients *own = rank->coefficients;
    for (int k = 0; k < own->kinds.count; k++) {
        const struct kind *kind = &own->kinds.list[k];
        const double unit = unit_of(rank, kind->zone, dt);
        for (int n = 0; n < 4; n++, at++)
            coefficients_put(rank, own->tables_host, at,
                             k < own->kinds.fixed
                                 ? conductance(rank, kind->zone, kind->beside[n], n / 2, unit)
                                 : 0.0);
    }
}

void tables_fill(struct rank *rank, double dt)
{
    struct coefficients *own = rank->coefficients;
    const struct places places = places_of(own);
    const int count = own->zones.count;
    void *host = own->tables_host;
    for (int z = 0; z < count; z++) {
        const double unit = unit_of(rank, z, dt);
        for (int axis = 0; axis < 2; axis++)
            for (int other = 0; other < count; other++)
                coefficients_put(rank, host, places.conductance[axis] + (size_t)(z * count + other),
                                 conductance(rank, z, other, axis, unit));
        coefficients_put(rank, host, places.loss + (size_t)z,
                         rank->plan->input->loss.coefficient * unit);
        coefficients_put(rank, host, places.unit + (size_t)z, unit);
    }
    fill_kinds(rank, dt, places.kinds);
}
