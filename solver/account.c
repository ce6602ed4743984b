#include "solver/account.h"

#include <stdlib.h>

#include "base/exact_sum.h"
#include "base/memory.h"
#include "io/field.h"
#include "solver/material.h"
#include "solver/properties.h"

static enum status sum_file(const struct plan *plan, const struct input_field *field, double *sum)
{
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny;
    double *values = NULL;
    TRY(memory_alloc(&values, (size_t)(nx * ny), sizeof *values, "heat source"));
    const enum status status =
        field_read(field->file, field->dataset, field->from_top, nx, ny, field->where, values);
    if (status == STATUS_OK) {
        struct exact_sum all = {0};
        exact_sum_add_all(&all, values, nx * ny);
        *sum = exact_sum_value(&all);
    }
    free(values);
    return status;
}

/* Counts cells by material and, into powers, by uniform source. */
static void count_cells(struct account *account, int64_t *cells)
{
    const struct plan *plan = account->plan;
    const struct input *input = plan->input;
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny;
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++) {
            const int material = material_at(plan, i, j);
            account->materials[j * nx + i] = (unsigned char)material;
            cells[material]++;
            for (int s = 0; s < input->source_count; s++)
                if (source_holds(plan, &input->sources[s], material, i, j))
                    account->powers[s] += 1.0;
        }
}

static enum status find_powers(struct account *account)
{
    const struct plan *plan = account->plan;
    const double area = plan->dx * plan->dy;
    for (int s = 0; s < plan->input->source_count; s++) {
        const struct input_source *source = &plan->input->sources[s];
        double sum = 0.0;
        if (source->type == SOURCE_UNIFORM)
            account->powers[s] *= source->power_density * area;
        if (source->type == SOURCE_GAUSSIAN)
            account->powers[s] = source->power;
        if (source->type != SOURCE_FILE)
            continue;
        TRY(sum_file(plan, &source->field, &sum));
        account->powers[s] = sum * area;
    }
    return STATUS_OK;
}

enum status account_open(const struct plan *plan, struct account *account)
{
    const struct input *input = plan->input;
    int64_t *cells = NULL;
    *account = (struct account){.plan = plan};
    if (!plan->has_zones)
        return STATUS_OK;
    const size_t materials = (size_t)input->material_count;
    TRY(sources_open(plan, &account->sources));
    TRY(memory_alloc(&account->materials, (size_t)(plan->layout.nx * plan->layout.ny), 1,
                     "materials"));
    TRY(memory_alloc(&account->capacities, materials, sizeof *account->capacities, "materials"));
    TRY(memory_alloc(&account->powers, (size_t)input->source_count, sizeof *account->powers,
                     "sources"));
    TRY(memory_alloc(&account->block_powers, FLOORPLAN_MOST_BLOCKS, sizeof(double), "sources"));
    TRY(memory_alloc(&cells, materials, sizeof *cells, "materials"));
    count_cells(account, cells);
    for (size_t m = 0; m < materials; m++) {
        account->capacities[m] = material_capacity(input, (int)m);
        account->capacity += account->capacities[m] * (double)cells[m] * plan->dx * plan->dy;
    }
    free(cells);
    if (plan->properties != NULL) {
        struct exact_sum sum = {0};
        exact_sum_add_all(&sum, plan->properties->capacity, plan->layout.nx * plan->layout.ny);
        account->capacity = exact_sum_value(&sum) * plan->dx * plan->dy;
    }
    return find_powers(account);
}

void account_close(struct account *account)
{
    if (account->plan != NULL && account->plan->has_zones)
        sources_close(&account->sources);
    free(account->materials);
    free(account->capacities);
    free(account->powers);
    free(account->block_powers);
    *account = (struct account){0};
}

double account_capacity(const struct account *account, int64_t cell)
{
    const struct properties *properties = account->plan->properties;
    return properties != NULL ? properties->capacity[cell]
                              : account->capacities[account->materials[cell]];
}

double account_conductivity(const struct account *account, int axis, int64_t cell)
{
    const struct plan *plan = account->plan;
    return plan->properties != NULL
               ? plan->properties->conductivity[axis][cell]
               : plan->input->materials[account->materials[cell]].conductivity[axis].number;
}

/* The share of a spot's heat that falls into the domain along an axis. */
static double share_inside(const struct plan *plan, const struct input_source *source, double t,
                           int axis)
{
    enum { PIECE = 256 };
    const int64_t n = axis == 0 ? plan->layout.nx : plan->layout.ny;
    double values[PIECE], sum = 0.0;
    for (int64_t first = 0; first < n; first += PIECE) {
        const int count = n - first < PIECE ? (int)(n - first) : PIECE;
        source_spot(plan, source, t, axis, first, count, values);
        for (int k = 0; k < count; k++)
            sum += values[k];
    }
    return sum * (axis == 0 ? plan->dx : plan->dy);
}

/* W/m of the floorplan of source s in a step. */
static enum status floorplan_power(const struct account *account, int s, int64_t step,
                                   double *power)
{
    TRY(sources_powers(&account->sources, s, step, account->block_powers));
    double sum = 0.0;
    for (int b = 0; b < account->sources.floorplans[s].count; b++)
        sum += account->block_powers[b];
    *power = sum / account->plan->input->sources[s].thickness;
    return STATUS_OK;
}

enum status account_power(const struct account *account, int s, int64_t step, double *power)
{
    const struct plan *plan = account->plan;
    const struct input_source *source = &plan->input->sources[s];
    const double t = source_time(plan, step);
    double factor = 0.0;
    if (source->type == SOURCE_FLOORPLAN)
        return floorplan_power(account, s, step, power);
    TRY(sources_factor(&account->sources, s, t, &factor));
    *power = factor * account->powers[s];
    if (source->type == SOURCE_GAUSSIAN)
        *power *= share_inside(plan, source, t, 0) * share_inside(plan, source, t, 1);
    return STATUS_OK;
}

static enum status add_step(struct account *account, int64_t step)
{
    const struct plan *plan = account->plan;
    double power = 0.0;
    for (int s = 0; s < plan->input->source_count; s++) {
        if (!source_varies(&plan->input->sources[s]))
            continue;
        TRY(account_power(account, s, step, &power));
        account->heat += power * schedule_dt(&plan->schedule, step);
    }
    return STATUS_OK;
}

enum status account_heat(struct account *account, int64_t step, double *heat)
{
    const struct plan *plan = account->plan;
    const struct schedule *schedule = &plan->schedule;
    bool varies = false;
    double steady = 0.0, power = 0.0;
    for (int s = 0; plan->has_zones && s < plan->input->source_count; s++) {
        if (source_varies(&plan->input->sources[s])) {
            varies = true;
            continue;
        }
        TRY(account_power(account, s, 0, &power));
        steady += power;
    }
    for (; varies && account->step < step; account->step++)
        TRY(add_step(account, account->step));
    *heat = account->heat + steady * (schedule_time(schedule, step) - schedule->start);
    return STATUS_OK;
}
