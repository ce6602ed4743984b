#include "solver/material.h"

#include <math.h>

static double centre(int64_t index, double d)
{
    return ((double)index + 0.5) * d;
}

bool material_in_rectangle(const struct plan *plan, const double from[2], const double to[2],
                           int64_t i, int64_t j)
{
    const double at[2] = {centre(i, plan->dx), centre(j, plan->dy)};
    const double hair[2] = {1e-9 * plan->dx, 1e-9 * plan->dy};
    for (int axis = 0; axis < 2; axis++)
        if (at[axis] < from[axis] - hair[axis] || at[axis] > to[axis] + hair[axis])
            return false;
    return true;
}

static bool is_in_ellipse(const struct input_shape *shape, double rx, double ry, double x, double y)
{
    const double u = (x - shape->centre[0]) / rx, v = (y - shape->centre[1]) / ry;
    return u * u + v * v <= 1.0 + 1e-9;
}

/* Inside when a ray to the right crosses the outline an odd number of times. */
static bool is_in_polygon(const struct input_points *points, double x, double y)
{
    bool is_inside = false;
    const double *last = &points->values[(ptrdiff_t)2 * (points->count - 1)];
    for (int n = 0; n < points->count; n++) {
        const double *next = &points->values[(ptrdiff_t)2 * n];
        if ((next[1] > y) != (last[1] > y) &&
            x < (last[0] - next[0]) * (y - next[1]) / (last[1] - next[1]) + next[0])
            is_inside = !is_inside;
        last = next;
    }
    return is_inside;
}

bool material_in_shape(const struct plan *plan, const struct input_shape *shape, int64_t i,
                       int64_t j)
{
    const double x = centre(i, plan->dx), y = centre(j, plan->dy);
    switch (shape->type) {
    case SHAPE_CIRCLE:
        return is_in_ellipse(shape, shape->radius, shape->radius, x, y);
    case SHAPE_ELLIPSE:
        return is_in_ellipse(shape, shape->radii[0], shape->radii[1], x, y);
    case SHAPE_POLYGON:
        return is_in_polygon(&shape->points, x, y);
    case SHAPE_RECTANGLE:
        break;
    }
    return material_in_rectangle(plan, shape->from, shape->to, i, j);
}

int material_at(const struct plan *plan, int64_t i, int64_t j)
{
    const struct input *input = plan->input;
    for (int s = input->shape_count - 1; s >= 0; s--)
        if (material_in_shape(plan, &input->shapes[s], i, j))
            return input->shapes[s].index;
    return map_at(&plan->map, i, j, input->cells[0], input->cells[1]);
}

bool material_is_used(const struct plan *plan, int material)
{
    const struct input *input = plan->input;
    if (plan->map.is_used >> material & 1)
        return true;
    for (int s = 0; s < input->shape_count; s++)
        if (input->shapes[s].index == material)
            return true;
    return false;
}

double material_between(double k, double other)
{
    if (k == other)
        return k;
    return k > 0.0 && other > 0.0 ? 2.0 * k * other / (k + other) : 0.0;
}

double material_with_contact(const struct input *input, int material, int other, double between,
                             double d)
{
    double resistance = 0.0;
    for (int c = 0; c < input->contact_count; c++) {
        const struct input_contact *contact = &input->contacts[c];
        if ((contact->index == material && contact->beside_index == other) ||
            (contact->index == other && contact->beside_index == material))
            resistance = contact->resistance;
    }
    return resistance > 0.0 ? between * d / (d + between * resistance) : between;
}

double material_face(const struct input *input, int material, int other, int axis, double d)
{
    const double k = input->materials[material].conductivity[axis].number;
    const double beside = input->materials[other].conductivity[axis].number;
    return material_with_contact(input, material, other, material_between(k, beside), d);
}

double material_capacity(const struct input *input, int material)
{
    return input->materials[material].density.number *
           input->materials[material].heat_capacity.number;
}
