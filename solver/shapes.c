#include "solver/shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/material.h"

/* Tests of a cell against a shape, some nanoseconds each; what would take more stays untold. */
static const double MOST_LOOKS = 1e8;

enum fate { SHAPE_SEEN, SHAPE_OUTSIDE, SHAPE_BETWEEN_CENTRES, SHAPE_COVERED };

/* The rectangle around a shape, m. */
static void find_bounds(const struct input_shape *shape, double low[2], double high[2])
{
    for (int axis = 0; axis < 2; axis++) {
        const double radius = shape->type == SHAPE_CIRCLE ? shape->radius : shape->radii[axis];
        low[axis] =
            shape->type == SHAPE_RECTANGLE ? shape->from[axis] : shape->centre[axis] - radius;
        high[axis] =
            shape->type == SHAPE_RECTANGLE ? shape->to[axis] : shape->centre[axis] + radius;
        for (int n = 0; shape->type == SHAPE_POLYGON && n < shape->points.count; n++) {
            const double at = shape->points.values[2 * n + axis];
            low[axis] = n == 0 ? at : fmin(low[axis], at);
            high[axis] = n == 0 ? at : fmax(high[axis], at);
        }
    }
}

static bool is_covered(const struct plan *plan, int shape, int64_t i, int64_t j, double *looks)
{
    const struct input *input = plan->input;
    for (int later = shape + 1; later < input->shape_count; later++) {
        *looks += 1.0;
        if (material_in_shape(plan, &input->shapes[later], i, j))
            return true;
    }
    return false;
}

/* Looks for a cell that has its material from the shape, which is mostly the first one or so. */
static enum fate find_fate(const struct plan *plan, int index, double *looks)
{
    const struct input_shape *shape = &plan->input->shapes[index];
    const int64_t *cells = plan->input->cells;
    const double d[2] = {plan->dx, plan->dy};
    double low[2] = {0.0}, high[2] = {0.0};
    int64_t first[2], last[2];
    find_bounds(shape, low, high);
    for (int axis = 0; axis < 2; axis++) {
        if (high[axis] < 0.0 || low[axis] > plan->input->size[axis])
            return SHAPE_OUTSIDE;
        first[axis] = (int64_t)fmax(0.0, floor(low[axis] / d[axis]) - 1.0);
        last[axis] = (int64_t)fmin((double)(cells[axis] - 1), ceil(high[axis] / d[axis]) + 1.0);
    }
    bool has_cells = false;
    for (int64_t j = first[1]; j <= last[1]; j++)
        for (int64_t i = first[0]; i <= last[0]; i++) {
            *looks += shape->type == SHAPE_POLYGON ? shape->points.count : 1.0;
            if (*looks > MOST_LOOKS)
                return SHAPE_SEEN;
            if (!material_in_shape(plan, shape, i, j))
                continue;
            has_cells = true;
            if (!is_covered(plan, index, i, j, looks))
                return SHAPE_SEEN;
        }
    return has_cells ? SHAPE_COVERED : SHAPE_BETWEEN_CENTRES;
}

static void describe(const struct plan *plan, const struct input_shape *shape, enum fate fate,
                     char *line, size_t bytes)
{
    if (fate == SHAPE_OUTSIDE)
        (void)snprintf(
            line, bytes,
            "%s: the shape has no effect: it lies outside the domain, which is 0 to %.9g m "
            "in x and 0 to %.9g m in y",
            shape->where, plan->input->size[0], plan->input->size[1]);
    else if (fate == SHAPE_BETWEEN_CENTRES)
        (void)snprintf(
            line, bytes,
            "%s: the shape has no effect: no cell centre lies in it; cells are %.9g x %.9g "
            "m wide",
            shape->where, plan->dx, plan->dy);
    else
        (void)snprintf(line, bytes,
                       "%s: the shape has no effect: later ones cover all of its cells",
                       shape->where);
}

void shapes_look(const struct plan *plan, char *line, size_t bytes)
{
    double looks = 0.0;
    int count = 0;
    line[0] = '\0';
    for (int s = 0; s < plan->input->shape_count; s++) {
        const enum fate fate = find_fate(plan, s, &looks);
        if (fate == SHAPE_SEEN)
            continue;
        if (count++ == 0)
            describe(plan, &plan->input->shapes[s], fate, line, bytes);
    }
    const size_t used = strlen(line);
    if (count > 1)
        (void)snprintf(line + used, bytes - used, "; nor have %d more", count - 1);
}
