#include "solver/still.h"

#include <stdlib.h>

#include "base/memory.h"
#include "io/field.h"
#include "solver/material.h"
#include "solver/properties.h"

static double conductivity(const struct still *still, int axis, int64_t cell)
{
    const struct plan *plan = still->plan;
    if (plan->properties != NULL)
        return plan->properties->conductivity[axis][cell];
    const int material = still->materials == NULL ? 0 : still->materials[cell];
    return plan->input->materials[material].conductivity[axis].number;
}

static double capacity(const struct still *still, int64_t cell)
{
    const struct plan *plan = still->plan;
    if (plan->properties != NULL)
        return plan->properties->capacity[cell];
    return material_capacity(plan->input, still->materials == NULL ? 0 : still->materials[cell]);
}

/* W/m3 in the first step. */
static double source(const struct still *still, int64_t i, int64_t j)
{
    const struct input *input = still->plan->input;
    const int64_t nx = still->plan->layout.nx, ny = still->plan->layout.ny, cell = j * nx + i;
    double sum = still->files == NULL ? 0.0 : still->files[cell];
    if (still->patches.count > 0)
        sum += still->densities[patches_at(&still->patches, i, j)];
    for (int s = 0; s < input->source_count; s++) {
        const struct input_source *one = &input->sources[s];
        if (source_holds(still->plan, one, still->materials[cell], i, j))
            sum += still->factors[s] * one->power_density;
        if (one->type == SOURCE_GAUSSIAN)
            sum += still->factors[s] * one->power * still->spots[0][s * nx + i] *
                   still->spots[1][s * ny + j];
    }
    return sum;
}

static double value_of(const struct still *still, enum still_field field, int64_t i, int64_t j)
{
    const int64_t cell = j * still->plan->layout.nx + i;
    switch (field) {
    case STILL_CONDUCTIVITY_X:
        return conductivity(still, 0, cell);
    case STILL_CONDUCTIVITY_Y:
        return conductivity(still, 1, cell);
    case STILL_CAPACITY:
        return capacity(still, cell);
    default:
        return source(still, i, j);
    }
}

static void row(const void *state, enum still_field field, int64_t j, int64_t i, int64_t count,
                double *values)
{
    const struct still *still = state;
    if (still->control != NULL) /* all fields together may take much longer than a frame */
        control_beat(still->control, CONTROL_WRITER);
    for (int64_t k = 0; k < count; k++)
        values[k] = value_of(still, field, kept_cell(&still->kept, 0, i + k),
                             kept_cell(&still->kept, 1, j));
}

static bool has_one_material(const struct plan *plan)
{
    int used = 0;
    for (int m = 0; m < plan->input->material_count; m++)
        used += material_is_used(plan, m) ? 1 : 0;
    return plan->properties == NULL && used == 1;
}

struct snapshot_still still_fields(const struct plan *plan, const struct still *still)
{
    const unsigned of_materials =
        1U << STILL_CONDUCTIVITY_X | 1U << STILL_CONDUCTIVITY_Y | 1U << STILL_CAPACITY;
    return (struct snapshot_still){
        .fields = of_materials | (plan->input->source_count > 0 ? 1U << STILL_SOURCE : 0),
        .uniform = has_one_material(plan) ? of_materials : 0,
        .row = row,
        .state = still,
    };
}

/* ---- sources ---- */

/* Adds factor times the field of a file. */
static enum status add_file(struct still *still, const struct input_field *field, double factor)
{
    const int64_t nx = still->plan->layout.nx, ny = still->plan->layout.ny;
    const bool is_first = still->files == NULL;
    double *values = NULL;
    TRY(memory_alloc(&values, (size_t)(nx * ny), sizeof *values, "heat source"));
    const enum status status =
        field_read(field->file, field->dataset, field->from_top, nx, ny, field->where, values);
    for (int64_t c = 0; c < nx * ny && status == STATUS_OK; c++)
        values[c] = factor * values[c] + (is_first ? 0.0 : still->files[c]);
    free(still->files);
    still->files = values;
    return status;
}

static enum status open_source(struct still *still, int s)
{
    enum { PIECE = 1 << 20 };
    const struct plan *plan = still->plan;
    const struct input_source *source = &plan->input->sources[s];
    const double t = source_time(plan, 0);
    TRY(sources_factor(&still->sources, s, t, &still->factors[s]));
    if (source->type == SOURCE_FILE)
        return add_file(still, &source->field, still->factors[s]);
    for (int axis = 0; axis < 2 && source->type == SOURCE_GAUSSIAN; axis++) {
        const int64_t n = plan->input->cells[axis];
        for (int64_t first = 0; first < n; first += PIECE)
            source_spot(plan, source, t, axis, first, n - first < PIECE ? (int)(n - first) : PIECE,
                        still->spots[axis] + s * n + first);
    }
    return STATUS_OK;
}

enum status still_open(const struct plan *plan, struct control *control,
                       const unsigned char *materials, struct still *still)
{
    const size_t sources = (size_t)plan->input->source_count;
    *still = (struct still){
        .plan = plan, .control = control, .materials = materials, .kept = kept_find(plan->input)};
    if (sources == 0)
        return STATUS_OK;
    TRY(sources_open(plan, &still->sources));
    TRY(memory_alloc(&still->factors, sources, sizeof(double), "sources"));
    for (int axis = 0; axis < 2; axis++)
        TRY(memory_alloc(&still->spots[axis], sources * (size_t)plan->input->cells[axis],
                         sizeof(double), "sources"));
    for (size_t s = 0; s < sources; s++)
        TRY(open_source(still, (int)s));
    TRY(patches_open(&still->sources, &still->patches));
    TRY(memory_alloc(&still->densities, (size_t)still->patches.count, sizeof(double), "sources"));
    return still->patches.count > 0 ? patches_densities(&still->patches, 0, still->densities)
                                    : STATUS_OK;
}

void still_close(struct still *still)
{
    if (still->sources.plan != NULL)
        sources_close(&still->sources);
    patches_close(&still->patches);
    free(still->factors);
    free(still->spots[0]);
    free(still->spots[1]);
    free(still->files);
    free(still->densities);
    *still = (struct still){0};
}
