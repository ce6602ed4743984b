#include "solver/tryout.h"

#include "solver/boundary.h"
#include "solver/initial.h"
#include "solver/sample.h"
#include "solver/source.h"

/* Evaluations, some 0.1 to 1 us each. */
static const double MOST_CELLS = 1e6, MOST_OF_SIDES = 1e6, MOST_OF_FACTORS = 1e6;

static void count(struct tryout *tryout, const int64_t n[2], const int64_t counts[2])
{
    tryout->tried += (double)counts[0] * (double)counts[1];
    tryout->all += (double)n[0] * (double)n[1];
}

static enum status try_initial(const struct plan *plan, struct tryout *tryout)
{
    const int64_t n[2] = {plan->layout.nx, plan->layout.ny};
    int64_t counts[2];
    if (plan->input->initial_temperature.kind != FIELD_EXPRESSION)
        return STATUS_OK;
    sample_pairs(n, MOST_CELLS, counts);
    count(tryout, n, counts);
    return initial_try(plan, counts);
}

/* The faces of a side at the steps at which a run asks for their values. */
static enum status try_side(const struct plan *plan, int side, struct tryout *tryout)
{
    const struct input_boundary *input = &plan->input->boundary[side];
    const bool is_y = side < SIDE_BOTTOM;
    const double d = is_y ? plan->dy : plan->dx;
    const bool has_s = boundary_depends_on(input, 's'), has_t = boundary_depends_on(input, 't');
    const int64_t n[2] = {has_s ? plan->input->cells[is_y ? 1 : 0] : 1,
                          has_t ? plan->schedule.steps : 1};
    int64_t counts[2];
    struct boundary boundary;
    struct boundary_values values;
    if ((!has_s && !has_t) || plan->schedule.steps == 0)
        return STATUS_OK;
    sample_pairs(n, MOST_OF_SIDES / SIDE_COUNT, counts);
    count(tryout, n, counts);
    enum status status = boundary_open(input, &boundary);
    for (int64_t b = 0; b < counts[1] && status == STATUS_OK; b++)
        for (int64_t a = 0; a < counts[0] && status == STATUS_OK; a++)
            status = boundary_at(&boundary, ((double)sample_at(n[0], counts[0], a) + 0.5) * d,
                                 plan_boundary_time(plan, sample_at(n[1], counts[1], b)), &values);
    boundary_close(&boundary);
    return status;
}

static enum status try_factors(const struct plan *plan, struct tryout *tryout)
{
    const struct input *input = plan->input;
    const int64_t n[2] = {1, plan->schedule.steps};
    struct sources sources;
    enum status status = sources_open(plan, &sources);
    for (int s = 0; s < input->source_count && status == STATUS_OK; s++) {
        const double most = MOST_OF_FACTORS / input->source_count;
        const int64_t counts[2] = {1, sample_count(n[1], most)};
        double factor = 0.0;
        if (!function_depends_on(&input->sources[s].factor, 't') || n[1] == 0)
            continue;
        count(tryout, n, counts);
        for (int64_t k = 0; k < counts[1] && status == STATUS_OK; k++)
            status = sources_factor(&sources, s, source_time(plan, sample_at(n[1], counts[1], k)),
                                    &factor);
    }
    sources_close(&sources);
    return status;
}

enum status tryout_make(const struct plan *plan, struct tryout *tryout)
{
    *tryout = (struct tryout){0.0, 0.0};
    TRY(try_initial(plan, tryout));
    for (int side = 0; side < SIDE_COUNT; side++)
        TRY(try_side(plan, side, tryout));
    return try_factors(plan, tryout);
}
