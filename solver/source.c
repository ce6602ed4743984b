#include "solver/source.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "solver/material.h"

static enum status check_blocks(const struct plan *plan, const struct input_source *source,
                                const struct floorplan *floorplan)
{
    for (int b = 0; b < floorplan->count; b++)
        for (int axis = 0; axis < 2; axis++) {
            const struct floorplan_block *block = &floorplan->blocks[b];
            const double size = plan->input->size[axis], hair = 1e-9 * size;
            const double from = source->origin[axis] + block->from[axis];
            const double to = source->origin[axis] + block->to[axis];
            if (from < -hair || to > size + hair)
                return fail(STATUS_INPUT,
                            "%s: block %.60s reaches from %.9g to %.9g m in %c, the domain from 0 "
                            "to %.9g m; make the domain larger, or shift the floorplan by origin",
                            source->floorplan_where, block->name, from, to, "xy"[axis], size);
        }
    return STATUS_OK;
}

static enum status check_trace(const struct plan *plan, const struct input_source *source,
                               const struct floorplan *floorplan)
{
    const double start = plan->input->time.start, end = plan->input->time.end;
    const double covered = (double)floorplan->rows * source->interval;
    if (source->past_end != PAST_END_ERROR ||
        (start >= 0.0 && end <= covered + 1e-9 * source->interval))
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s: the %lld rows of the trace last from 0 to %.9g s, the run goes from %.9g to "
                "%.9g s; say what is to happen beyond with past_end = \"hold\", \"repeat\" or "
                "\"off\"",
                source->trace_where, (long long)floorplan->rows, covered, start, end);
}

static enum status open_floorplan(const struct plan *plan, const struct input_source *source,
                                  struct floorplan *floorplan)
{
    const struct floorplan_file blocks = {source->floorplan, source->floorplan_where};
    const struct floorplan_file trace = {source->trace, source->trace_where};
    if (source->type != SOURCE_FLOORPLAN)
        return STATUS_OK;
    TRY(floorplan_read(&blocks, &trace, floorplan));
    TRY(check_blocks(plan, source, floorplan));
    return check_trace(plan, source, floorplan);
}

enum status sources_open(const struct plan *plan, struct sources *sources)
{
    const struct input *input = plan->input;
    const size_t count = (size_t)input->source_count;
    *sources = (struct sources){.plan = plan};
    TRY(memory_alloc(&sources->factors, count, sizeof *sources->factors, "sources"));
    TRY(memory_alloc(&sources->floorplans, count, sizeof *sources->floorplans, "sources"));
    for (int s = 0; s < input->source_count; s++) {
        TRY(function_open(&input->sources[s].factor, "t", &sources->factors[s]));
        TRY(open_floorplan(plan, &input->sources[s], &sources->floorplans[s]));
    }
    return STATUS_OK;
}

void sources_close(struct sources *sources)
{
    for (int s = 0; sources->floorplans != NULL && s < sources->plan->input->source_count; s++) {
        function_close(&sources->factors[s]);
        floorplan_free(&sources->floorplans[s]);
    }
    free(sources->factors);
    free(sources->floorplans);
    *sources = (struct sources){0};
}

bool source_varies(const struct input_source *source)
{
    return function_depends_on(&source->factor, 't') || source->type == SOURCE_FLOORPLAN ||
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

/* The row that counts for interval `index` of a trace, -1: none. */
static int64_t trace_row(enum past_end past_end, int64_t rows, int64_t index)
{
    if (index >= 0 && index < rows)
        return index;
    if (past_end == PAST_END_OFF)
        return -1;
    if (past_end == PAST_END_REPEAT)
        return (index % rows + rows) % rows;
    return index < 0 ? 0 : rows - 1;
}

/* A time in intervals of a trace; between two when it is there but for rounding. */
static double in_intervals(double t, double interval)
{
    const double count = t / interval, nearest = round(count);
    return fabs(count - nearest) <= 1e-9 * fmax(1.0, fabs(nearest)) ? nearest : count;
}

enum status sources_powers(const struct sources *sources, int s, int64_t step, double *powers)
{
    const struct plan *plan = sources->plan;
    const struct input_source *source = &plan->input->sources[s];
    const struct floorplan *floorplan = &sources->floorplans[s];
    const double from = in_intervals(schedule_time(&plan->schedule, step), source->interval);
    const double to = in_intervals(schedule_time(&plan->schedule, step + 1), source->interval);
    double factor = 0.0;
    TRY(sources_factor(sources, s, source_time(plan, step), &factor));
    for (int b = 0; b < floorplan->count; b++)
        powers[b] = 0.0;
    const bool is_tiny = !(to > from); /* beside an interval, and where one ends */
    for (int64_t index = (int64_t)floor(from); is_tiny || (double)index < to; index++) {
        const int64_t row = trace_row(source->past_end, floorplan->rows, index);
        const double both = fmin(to, (double)index + 1.0) - fmax(from, (double)index);
        const double share = is_tiny ? 1.0 : both / (to - from);
        for (int b = 0; b < floorplan->count && row >= 0; b++)
            powers[b] += factor * share * floorplan->powers[row * floorplan->count + b];
        if (is_tiny)
            break;
    }
    return STATUS_OK;
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
