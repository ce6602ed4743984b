#include "io/input_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Past these, counts of steps and frames are no longer exact in a double, or never end. */
static const double most_cells = 9007199254740992.0; /* 2^53 */
static const double most_steps = 1e15;
static const double most_frames = 1e9;

static const char axis_names[2] = {'x', 'y'};

static bool has_domain(const struct tree *tree)
{
    return tree_is_known(tree, "domain.size") && tree_is_known(tree, "domain.cells");
}

static enum status check_domain(const struct input *input, const struct tree *tree)
{
    if (tree_is_known(tree, "domain.cells") &&
        (double)input->cells[0] * (double)input->cells[1] > most_cells)
        return tree_fail(tree, NULL, "domain.cells", "%lld x %lld cells are more than 2^53",
                         (long long)input->cells[0], (long long)input->cells[1]);
    return STATUS_OK;
}

/* Some cell centre (i + 0.5) dx lies in from..to, on one axis; a hair's breadth counts. */
static bool has_centre(double from, double to, double size, int64_t cells)
{
    const double dx = size / (double)cells;
    const double first = fmax(0.0, ceil(from / dx - 0.5 - 1e-9));
    const double last = fmin((double)(cells - 1), floor(to / dx - 0.5 + 1e-9));
    return first <= last;
}

/* A rectangle that holds some cell, in the group `region`. */
static enum status check_rectangle(const struct input *input, const struct tree *tree,
                                   const char *region, const double from[2], const double to[2])
{
    char path[64];
    (void)snprintf(path, sizeof path, "%.50s.from", region);
    const bool has_from = tree_is_known(tree, path);
    (void)snprintf(path, sizeof path, "%.50s.to", region);
    if (!has_from || !tree_is_known(tree, path))
        return STATUS_OK;
    for (int axis = 0; axis < 2; axis++) {
        if (!(from[axis] < to[axis]))
            return tree_fail(tree, NULL, path,
                             "the region ends in %c at %.9g m but starts at %.9g m",
                             axis_names[axis], to[axis], from[axis]);
        if (!has_domain(tree))
            continue;
        if (to[axis] < 0.0 || from[axis] > input->size[axis])
            return tree_fail(tree, NULL, path,
                             "the region lies outside the domain, which is 0 to %.9g m in %c",
                             input->size[axis], axis_names[axis]);
        if (!has_centre(from[axis], to[axis], input->size[axis], input->cells[axis]))
            return tree_fail(tree, NULL, path,
                             "the region holds no cell centre in %c; cells are %.9g m wide",
                             axis_names[axis], input->size[axis] / (double)input->cells[axis]);
    }
    return STATUS_OK;
}

static enum status check_fixed(const struct input *input, const struct tree *tree)
{
    char path[64];
    enum status status = STATUS_OK;
    for (int i = 0; i < input->fixed_count; i++) {
        const struct input_fixed *fixed = &input->fixed[i];
        if (fixed->is_side || fixed->is_material)
            continue;
        (void)snprintf(path, sizeof path, "fixed.[%d].region", i);
        TRY_EACH(check_rectangle(input, tree, path, fixed->from, fixed->to));
    }
    return status;
}

static enum status check_source_regions(const struct input *input, const struct tree *tree)
{
    char path[64];
    enum status status = STATUS_OK;
    for (int s = 0; s < input->source_count; s++) {
        const struct input_source *source = &input->sources[s];
        (void)snprintf(path, sizeof path, "sources.[%d].type", s);
        const bool is_uniform = source->type == SOURCE_UNIFORM && tree_is_known(tree, path);
        (void)snprintf(path, sizeof path, "sources.[%d].region", s);
        if (source->has_from && source->has_to && !source->is_material && is_uniform)
            TRY_EACH(check_rectangle(input, tree, path, source->from, source->to));
    }
    return status;
}

static enum status check_boundary(const struct input *input, const struct tree *tree)
{
    char path[64], beside[64];
    for (int side = 0; side < SIDE_COUNT; side++) {
        const int opposite = side ^ 1; /* left and right, bottom and top are neighbours */
        if (input->boundary[side].type != BOUNDARY_PERIODIC ||
            input->boundary[opposite].type == BOUNDARY_PERIODIC)
            continue;
        (void)snprintf(path, sizeof path, "boundary.%s.type", side_names[side]);
        (void)snprintf(beside, sizeof beside, "boundary.%s.type", side_names[opposite]);
        if (!tree_is_known(tree, path) || !tree_is_known(tree, beside))
            continue;
        return tree_fail(tree, NULL, path,
                         "a periodic side joins the opposite one; make boundary.%s "
                         "periodic too",
                         side_names[opposite]);
    }
    return STATUS_OK;
}

static bool has_span(const struct tree *tree)
{
    return tree_is_known(tree, "time.start") && tree_is_known(tree, "time.end");
}

static enum status check_time(const struct input *input, const struct tree *tree)
{
    const double span = input->time.end - input->time.start;
    if (!has_span(tree))
        return STATUS_OK;
    if (!input->time.has_end)
        return input->time.is_steady || !tree_is_known(tree, "time.steady")
                   ? STATUS_OK
                   : tree_fail(tree, NULL, "time.end", "is missing and has no default");
    if (span < 0.0)
        return tree_fail(tree, NULL, "time.end", "%.15g s lies before time.start, %.15g s",
                         input->time.end, input->time.start);
    if (tree_is_known(tree, "time.step") && input->time.step > 0.0 &&
        span / input->time.step > most_steps)
        return tree_fail(tree, NULL, "time.step", "%.3g steps; at most %.3g can be counted",
                         span / input->time.step, most_steps);
    return STATUS_OK;
}

/* An interval of simulated time; 0: none. */
static enum status check_interval(const struct input *input, const struct tree *tree,
                                  const char *path, double interval)
{
    const double span = input->time.end - input->time.start;
    if (has_span(tree) && tree_is_known(tree, path) && interval > 0.0 &&
        span / interval > most_frames)
        return tree_fail(tree, NULL, path, "%.3g times between start and end; at most %.3g",
                         span / interval, most_frames);
    return STATUS_OK;
}

static enum status check_region(const struct input *input, const struct tree *tree)
{
    const struct input_region *region = &input->output.region;
    const bool has_region = input->output.has_region && tree_is_known(tree, "output.region.from") &&
                            tree_is_known(tree, "output.region.to");
    for (int axis = 0; has_region && axis < 2; axis++) {
        const double from = region->from[axis], to = region->to[axis];
        if (!(from < to))
            return tree_fail(tree, NULL, "output.region",
                             "the region ends in %c at %.9g m but starts at %.9g m",
                             axis_names[axis], to, from);
        if (has_domain(tree) && !has_centre(from, to, input->size[axis], input->cells[axis]))
            return tree_fail(tree, NULL, "output.region",
                             "the region holds no cell centre in %c; the domain is 0 to %.9g m, "
                             "cells are %.9g m wide",
                             axis_names[axis], input->size[axis],
                             input->size[axis] / (double)input->cells[axis]);
    }
    if (tree_is_known(tree, "output.fields") && input->output.fields == 1U << OUTPUT_MATERIAL)
        return tree_fail(tree, NULL, "output.fields",
                         "the material does not change with time; name another field too");
    return STATUS_OK;
}

/* A name is a column of probes.csv. */
static enum status check_probe_name(const struct input *input, const struct tree *tree, int i)
{
    char path[64];
    (void)snprintf(path, sizeof path, "output.probes.[%d].name", i);
    const char *name = input->output.probes[i].name;
    if (name == NULL)
        return STATUS_OK;
    const size_t length = strlen(name);
    if (length == 0 || length > 60)
        return tree_fail(tree, NULL, path, "a name has 1 to 60 bytes, not %zu", length);
    if (strpbrk(name, ",;\"'") != NULL)
        return tree_fail(tree, NULL, path,
                         "commas, semicolons and quotes have no place in a column's "
                         "name");
    if (strcmp(name, "time") == 0)
        return tree_fail(tree, NULL, path, "the column time is there already; choose another name");
    for (int j = 0; j < i; j++)
        if (input->output.probes[j].name != NULL && strcmp(name, input->output.probes[j].name) == 0)
            return tree_fail(tree, NULL, path, "another probe has the name %s too", name);
    return STATUS_OK;
}

static enum status check_probe(const struct input *input, const struct tree *tree, int i)
{
    char path[64];
    const struct input_probe *probe = &input->output.probes[i];
    enum status status = STATUS_OK;
    TRY_EACH(check_probe_name(input, tree, i));
    (void)snprintf(path, sizeof path, "output.probes.[%d].at", i);
    const bool has_place = tree_is_known(tree, path) && tree_is_known(tree, "domain.size");
    for (int axis = 0; has_place && axis < 2; axis++)
        if (!(probe->at[axis] >= 0.0 && probe->at[axis] <= input->size[axis]))
            TRY_EACH(tree_fail(tree, NULL, path,
                               "%c = %.9g m lies outside the domain, which is 0 to %.9g m",
                               axis_names[axis], probe->at[axis], input->size[axis]));
    (void)snprintf(path, sizeof path, "output.probes.[%d].interval", i);
    TRY_EACH(check_interval(input, tree, path, probe->interval));
    return status;
}

static enum status check_probes(const struct input *input, const struct tree *tree)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < input->output.probe_count; i++)
        TRY_EACH(check_probe(input, tree, i));
    return status;
}

static enum status check_run(const struct input *input, const struct tree *tree)
{
    const int *layout = input->run.layout;
    const int blocks = layout[0] * layout[1];
    if (tree_is_known(tree, "run.layout") && tree_is_known(tree, "run.ranks") && blocks > 0 &&
        input->run.ranks > 0 && blocks != input->run.ranks)
        return tree_fail(tree, NULL, "run.layout", "%d x %d blocks are %d, but run.ranks is %d",
                         layout[0], layout[1], blocks, input->run.ranks);
    return STATUS_OK;
}

enum status input_check(const struct input *input, const struct tree *tree)
{
    enum status status = STATUS_OK;
    TRY_EACH(check_domain(input, tree));
    TRY_EACH(check_fixed(input, tree));
    TRY_EACH(check_source_regions(input, tree));
    TRY_EACH(check_boundary(input, tree));
    TRY_EACH(check_time(input, tree));
    TRY_EACH(check_interval(input, tree, "output.interval", input->output.interval));
    if (!input->checkpoint.interval.is_wall)
        TRY_EACH(
            check_interval(input, tree, "checkpoint.interval", input->checkpoint.interval.seconds));
    TRY_EACH(check_region(input, tree));
    TRY_EACH(check_probes(input, tree));
    TRY_EACH(check_run(input, tree));
    return status;
}
