#include "solver/extremes.h"

#include <math.h>

#include "solver/function.h"

void extremes_add(struct extremes *extremes, double value)
{
    extremes->low = fmin(extremes->low, value);
    extremes->high = fmax(extremes->high, value);
}

static void add_unknown(struct extremes *extremes)
{
    extremes_add(extremes, INFINITY);
    extremes_add(extremes, -INFINITY);
}

static void add_table(const struct function *function, struct extremes *extremes)
{
    for (int64_t row = 0; row < function->table.rows; row++)
        extremes_add(extremes, function->table.values[1][row]);
}

/* At the centre of every face of the side. */
static enum status add_faces(const struct function *function, double d, int64_t faces,
                             struct extremes *extremes)
{
    for (int64_t f = 0; f < faces; f++) {
        double value = 0.0;
        TRY(function_at(function, ((double)f + 0.5) * d, 0.0, &value));
        extremes_add(extremes, value);
    }
    return STATUS_OK;
}

static enum status add_function(const struct plan *plan, const struct input_function *input,
                                int side, bool numbers_only, struct extremes *extremes)
{
    const bool is_y = side < SIDE_BOTTOM;
    const int64_t faces = plan->input->cells[is_y ? 1 : 0];
    if (input->kind == FUNCTION_NUMBER) {
        extremes_add(extremes, input->number);
        return STATUS_OK;
    }
    if (numbers_only || (input->kind == FUNCTION_EXPRESSION && function_depends_on(input, 't'))) {
        add_unknown(extremes);
        return STATUS_OK;
    }
    struct function function;
    enum status status = function_open(input, "st", &function);
    if (status == STATUS_OK && input->kind == FUNCTION_TABLE)
        add_table(&function, extremes);
    else if (status == STATUS_OK)
        status = add_faces(&function, is_y ? plan->dy : plan->dx, faces, extremes);
    function_close(&function);
    return status;
}

/* Heat that may come in lifts the upper bound, heat that may go the lower one. */
static void add_heat(struct extremes *extremes, double least, double most)
{
    if (most > 0.0)
        extremes_add(extremes, INFINITY);
    if (least < 0.0)
        extremes_add(extremes, -INFINITY);
}

static enum status add_side(const struct plan *plan, int side, bool numbers_only,
                            struct extremes *extremes)
{
    const struct input_boundary *boundary = &plan->input->boundary[side];
    struct extremes flux = {INFINITY, -INFINITY};
    switch (boundary->type) {
    case BOUNDARY_TEMPERATURE:
        return add_function(plan, &boundary->value, side, numbers_only, extremes);
    case BOUNDARY_CONVECTION:
    case BOUNDARY_RADIATION:
        return add_function(plan, &boundary->ambient, side, numbers_only, extremes);
    case BOUNDARY_FLUX:
        TRY(add_function(plan, &boundary->value, side, numbers_only, &flux));
        add_heat(extremes, flux.low, flux.high);
        return STATUS_OK;
    case BOUNDARY_INSULATED:
    case BOUNDARY_PERIODIC:
        break;
    }
    return STATUS_OK;
}

static void add_source(const struct input_source *source, struct extremes *extremes)
{
    const double power = source->type == SOURCE_UNIFORM ? source->power_density : source->power;
    if (source->type == SOURCE_FILE || source->type == SOURCE_FLOORPLAN ||
        source->factor.kind != FUNCTION_NUMBER)
        add_unknown(extremes);
    else
        add_heat(extremes, power * source->factor.number, power * source->factor.number);
}

enum status extremes_of_surroundings(const struct plan *plan, bool numbers_only,
                                     struct extremes *extremes)
{
    const struct input *input = plan->input;
    *extremes = (struct extremes){INFINITY, -INFINITY};
    for (int side = 0; side < SIDE_COUNT; side++)
        TRY(add_side(plan, side, numbers_only, extremes));
    for (int s = 0; s < input->source_count; s++)
        add_source(&input->sources[s], extremes);
    if (input->loss.coefficient > 0.0)
        extremes_add(extremes, input->loss.ambient);
    return STATUS_OK;
}

double extremes_hottest(const struct plan *plan)
{
    const struct input *input = plan->input;
    struct extremes extremes;
    if (input->initial_temperature.kind != FIELD_NUMBER)
        return INFINITY;
    if (extremes_of_surroundings(plan, true, &extremes) != STATUS_OK) {
        error_clear();
        return INFINITY;
    }
    extremes_add(&extremes, input->initial_temperature.number);
    for (int f = 0; f < input->fixed_count; f++)
        if (input->fixed[f].has_temperature)
            extremes_add(&extremes, input->fixed[f].temperature);
    return extremes.high;
}
