#include "solver/source.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "solver/material.h"

enum status sources_open(const struct plan *plan, struct sources *sources)
{
    const struct input *input = plan->input;
    *sources = (struct sources){.plan = plan};
    TRY(memory_alloc(&sources->factors, (size_t)input->source_count, sizeof *sources->factors,
                     "sources"));
    for (int s = 0; s < input->source_count; s++)
        TRY(function_open(&input->sources[s].factor, "t", &sources->factors[s]));
    return STATUS_OK;
}

void sources_close(struct sources *sources)
{
    for (int s = 0; sources->factors != NULL && s < sources->plan->input->source_count; s++)
        function_close(&sources->factors[s]);
    free(sources->factors);
    *sources = (struct sources){0};
}

bool source_varies(const struct input_source *source)
{
    return function_depends_on(&source->factor, 't') ||
           (source->type == SOURCE_GAUSSIAN && source->path.count > 1);
}

double source_time(const struct plan *plan, int64_t step)
{
    return schedule_time(&plan->schedule, step) + 0.5 * schedule_dt(&plan->schedule, step);
}

enum status sources_factor(const struct sources *sources, int s, double t, double *factor)
{
    return function_at(&sources->factors[s], 0.0, t, factor);
}

/* Where the spot's centre is along an axis. */
static double path_at(const struct input_points *path, int axis, double t)
{
    const double *points = path->values;
    const int last = path->count - 1;
    if (t <= points[0])
        return points[1 + axis];
    for (int n = 0; n < last; n++) {
        const double *from = &points[(ptrdiff_t)3 * n], *to = from + 3;
        if (t < to[0])
            return from[1 + axis] +
                   (t - from[0]) / (to[0] - from[0]) * (to[1 + axis] - from[1 + axis]);
    }
    return points[3 * last + 1 + axis];
}

void source_spot(const struct plan *plan, const struct input_source *source, double t, int axis,
                 int64_t first, int count, double *values)
{
    const int64_t n = axis == 0 ? plan->layout.nx : plan->layout.ny;
    const bool is_periodic = axis == 0 ? plan->layout.is_periodic_x : plan->layout.is_periodic_y;
    const double d = axis == 0 ? plan->dx : plan->dy;
    const double centre = path_at(&source->path, axis, t), scale = sqrt(2.0) / source->radius;
    for (int k = 0; k < count; k++) {
        int64_t i = first + k;
        if (is_periodic)
            i = (i % n + n) % n;
        const double low = ((double)i * d - centre) * scale;
        const double high = ((double)(i + 1) * d - centre) * scale;
        values[k] = 0.5 * (erf(high) - erf(low)) / d;
    }
}

bool source_holds(const struct plan *plan, const struct input_source *source, int material,
                  int64_t i, int64_t j)
{
    if (source->type != SOURCE_UNIFORM)
        return false;
    if (source->is_material)
        return source->index == material;
    return !source->has_from || material_in_rectangle(plan, source->from, source->to, i, j);
}
