#include "solver/limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/boundary.h"
#include "solver/extremes.h"
#include "solver/function.h"
#include "solver/material.h"
#include "solver/properties.h"

/* Looking at every cell takes some nanoseconds for each corner of a shape: beyond this many in all
 * the bound by materials has to do. */
static const double MOST_LOOKS = 2e8;

/* The largest h of a side, INFINITY where it changes. Of radiation: d/dT of what a wall at the
 * hottest temperature sends out. */
static double transfer(const struct input_boundary *boundary, double hottest)
{
    if (boundary->type == BOUNDARY_CONVECTION)
        return boundary->coefficient.kind == FUNCTION_NUMBER ? boundary->coefficient.number
                                                             : INFINITY;
    const double emissivity =
        boundary->emissivity.kind == FUNCTION_NUMBER ? boundary->emissivity.number : 1.0;
    return emissivity > 0.0 ? 4.0 * emissivity * STEFAN_BOLTZMANN * pow(hottest, 3.0) : 0.0;
}

/* 1 - b of the ghost map of a side. */
static double wall_share(const struct plan *plan, int side, double k)
{
    const struct input_boundary *boundary = &plan->input->boundary[side];
    const double d = side < SIDE_BOTTOM ? plan->dx : plan->dy;
    if (boundary->type == BOUNDARY_TEMPERATURE)
        return 2.0;
    if (boundary->type != BOUNDARY_CONVECTION && boundary->type != BOUNDARY_RADIATION)
        return 0.0;
    const double h = transfer(boundary, extremes_hottest(plan));
    if (isinf(h))
        return 2.0;
    return h > 0.0 ? 2.0 * h * d / (2.0 * k + h * d) : 0.0;
}

/* The best conduction from one material to any that may lie beside it. */
static double best_conduction(const struct plan *plan, int material, int axis)
{
    const struct input *input = plan->input;
    double best = 0.0;
    const double k = input->materials[material].conductivity[axis].number;
    for (int other = 0; other < input->material_count; other++)
        if (material_is_used(plan, other))
            best =
                fmax(best, material_between(k, input->materials[other].conductivity[axis].number));
    return best;
}

/* 1/s: the largest of the sums for cells of one material. */
static double rate_of(const struct plan *plan, int material)
{
    const struct input *input = plan->input;
    const double d[2] = {plan->dx, plan->dy};
    double sum = input->loss.coefficient;
    for (int axis = 0; axis < 2; axis++) {
        const double k = input->materials[material].conductivity[axis].number;
        const double walls[2] = {wall_share(plan, 2 * axis, k), wall_share(plan, 2 * axis + 1, k)};
        const bool is_periodic = input->boundary[2 * axis].type == BOUNDARY_PERIODIC;
        sum += boundary_spectrum(input->cells[axis], is_periodic ? NULL : walls, k,
                                 best_conduction(plan, material, axis)) /
               (d[axis] * d[axis]);
    }
    return sum / material_capacity(input, material);
}

/* ---- several materials: cell by cell ---- */

enum { MATERIALS = 64 };

/* What a face adds to the sum of its cell's row of the matrix, W/m3/K. */
struct rows {
    const struct plan *plan;
    double faces[2][MATERIALS][MATERIALS]; /* to a neighbour: diagonal and off-diagonal element */
    double walls[SIDE_COUNT][MATERIALS];
    unsigned char *below, *here, *above; /* (nx) materials of three rows of cells */
};

static double looks(const struct input *input)
{
    double corners = 1.0;
    for (int s = 0; s < input->shape_count; s++)
        corners += input->shapes[s].type == SHAPE_POLYGON ? input->shapes[s].points.count : 1;
    return corners * (double)input->cells[0] * (double)input->cells[1];
}

static void fill_faces(struct rows *rows)
{
    const struct plan *plan = rows->plan;
    const struct input *input = plan->input;
    const double d[2] = {plan->dx, plan->dy};
    for (int m = 0; m < input->material_count; m++) {
        for (int axis = 0; axis < 2; axis++)
            for (int other = 0; other < input->material_count; other++)
                rows->faces[axis][m][other] =
                    2.0 * material_face(input, m, other, axis, d[axis]) / (d[axis] * d[axis]);
        for (int side = 0; side < SIDE_COUNT; side++) {
            const double k = input->materials[m].conductivity[side / 2].number;
            rows->walls[side][m] = k * wall_share(plan, side, k) / (d[side / 2] * d[side / 2]);
        }
    }
}

static void fill_row(const struct plan *plan, int64_t j, unsigned char *materials)
{
    for (int64_t i = 0; i < plan->input->cells[0]; i++)
        materials[i] = (unsigned char)material_at(plan, i, j);
}

/* From the cell of material m at index `at` of n to the neighbour before or behind it. */
static double face_of(const struct rows *rows, int side, int m, bool is_last, int other)
{
    const struct input *input = rows->plan->input;
    const int axis = side / 2;
    if (!is_last)
        return rows->faces[axis][m][other];
    if (input->boundary[side].type != BOUNDARY_PERIODIC)
        return rows->walls[side][m];
    return input->cells[axis] > 1 ? rows->faces[axis][m][other] : 0.0;
}

/* 1/s: the largest sum of a row of cells. */
static double rate_of_row(const struct rows *rows, int64_t j)
{
    const struct input *input = rows->plan->input;
    const int64_t nx = input->cells[0], ny = input->cells[1];
    double rate = 0.0;
    for (int64_t i = 0; i < nx; i++) {
        const int m = rows->here[i];
        const double sum =
            input->loss.coefficient +
            face_of(rows, SIDE_LEFT, m, i == 0, rows->here[i > 0 ? i - 1 : nx - 1]) +
            face_of(rows, SIDE_RIGHT, m, i == nx - 1, rows->here[i < nx - 1 ? i + 1 : 0]) +
            face_of(rows, SIDE_BOTTOM, m, j == 0, rows->below[i]) +
            face_of(rows, SIDE_TOP, m, j == ny - 1, rows->above[i]);
        rate = fmax(rate, sum / material_capacity(input, m));
    }
    return rate;
}

static enum status rate_of_cells(const struct plan *plan, double *rate)
{
    const int64_t nx = plan->input->cells[0], ny = plan->input->cells[1];
    struct rows *rows = NULL;
    unsigned char *memory = NULL;
    enum status status = STATUS_OK;
    *rate = 0.0;
    TRY_DONE(memory_alloc(&rows, 1, sizeof *rows, "stability limit"));
    TRY_DONE(memory_alloc(&memory, 3 * (size_t)nx, 1, "stability limit"));
    rows->plan = plan;
    rows->below = memory;
    rows->here = memory + nx;
    rows->above = memory + 2 * nx;
    fill_faces(rows);
    fill_row(plan, ny - 1, rows->below);
    fill_row(plan, 0, rows->here);
    for (int64_t j = 0; j < ny; j++) {
        fill_row(plan, j + 1 < ny ? j + 1 : 0, rows->above);
        *rate = fmax(*rate, rate_of_row(rows, j));
        unsigned char *const free_row = rows->below;
        rows->below = rows->here;
        rows->here = rows->above;
        rows->above = free_row;
    }
done:
    free(rows);
    free(memory);
    return status;
}

/* With one material it is known before the run that a flux cannot enter. */
static enum status check_fluxes(const struct plan *plan)
{
    const struct input *input = plan->input;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct input_boundary *boundary = &input->boundary[side];
        const struct input_function *value = &boundary->value;
        if (boundary->type != BOUNDARY_FLUX || input->shape_count > 0 ||
            plan->map.materials != NULL || plan->properties != NULL ||
            input->materials[0].conductivity[side / 2].number > 0.0 ||
            (value->kind == FUNCTION_NUMBER && value->number == 0.0))
            continue;
        return boundary_fail_flux((enum side)side);
    }
    return STATUS_OK;
}

/* 1/s: the sum for cell (i, j), where properties go by cell. */
static double rate_of_cell(const struct plan *plan, int64_t i, int64_t j)
{
    const struct input *input = plan->input;
    const int64_t nx = input->cells[0], at[2] = {i, j};
    const double d[2] = {plan->dx, plan->dy};
    double sum = input->loss.coefficient;
    for (int axis = 0; axis < 2; axis++)
        for (int end = 0; end < 2; end++) {
            const struct input_boundary *side = &input->boundary[2 * axis + end];
            const bool is_wall = side->type != BOUNDARY_PERIODIC &&
                                 at[axis] == (end == 0 ? 0 : input->cells[axis] - 1);
            const double k =
                properties_face(plan, axis, i + (axis == 0 ? end : 0), j + (axis == 1 ? end : 0));
            const double share = is_wall ? wall_share(plan, 2 * axis + end, k) : 2.0;
            sum += share * k / (d[axis] * d[axis]);
        }
    return sum / plan->properties->capacity[j * nx + i];
}

static double rate_of_properties(const struct plan *plan)
{
    double rate = 0.0;
    for (int64_t j = 0; j < plan->input->cells[1]; j++)
        for (int64_t i = 0; i < plan->input->cells[0]; i++)
            rate = fmax(rate, rate_of_cell(plan, i, j));
    return rate;
}

enum status limit_of_step(const struct plan *plan, double *limit)
{
    const struct input *input = plan->input;
    double rate = 0.0;
    TRY(check_fluxes(plan));
    const bool has_map = input->shape_count > 0 || plan->map.materials != NULL;
    if (plan->properties != NULL)
        rate = rate_of_properties(plan);
    else if (has_map && input->material_count <= MATERIALS && looks(input) <= MOST_LOOKS)
        TRY(rate_of_cells(plan, &rate));
    else
        for (int m = 0; m < input->material_count; m++)
            if (material_is_used(plan, m))
                rate = fmax(rate, rate_of(plan, m));
    *limit = rate > 0.0 ? 2.0 / rate : INFINITY;
    return STATUS_OK;
}
