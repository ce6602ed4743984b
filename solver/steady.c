#include "solver/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/state.h"

enum { LOOKS_IN_A_ROW = 2, LOOKS_AT_REST = 8 };

/* Of the heat that flows: what may still be stored where a field changes no more but for rounding.
 */
static const double REST_SHARE = 5e-3;

static const char FIELD_SECTION[] = "steady_field", RECORD_SECTION[] = "steady_record";

static size_t field_bytes(const struct plan *plan)
{
    return (size_t)(plan->layout.nx * plan->layout.ny) *
           (plan->is_double ? sizeof(double) : sizeof(float));
}

enum status steady_open(const struct plan *plan, const struct extremes *surroundings,
                        struct steady *steady)
{
    *steady = (struct steady){.plan = plan};
    steady->record.distance = INFINITY;
    steady->record.low = isfinite(surroundings->low) ? surroundings->low : INFINITY;
    steady->record.high = isfinite(surroundings->high) ? surroundings->high : -INFINITY;
    return memory_alloc(&steady->previous, field_bytes(plan), 1, "steady state");
}

void steady_close(struct steady *steady)
{
    free(steady->previous);
    *steady = (struct steady){0};
}

static void widen(struct steady_record *record, const struct extremes *extremes)
{
    record->low = fmin(record->low, extremes->low);
    record->high = fmax(record->high, extremes->high);
}

void steady_start(struct steady *steady, const void *field, const struct extremes *extremes,
                  double time)
{
    memcpy(steady->previous, field, field_bytes(steady->plan));
    widen(&steady->record, extremes);
    steady->record.time = time;
}

static double largest_change(const struct steady *steady, const void *field)
{
    const struct plan *plan = steady->plan;
    const int64_t cells = plan->layout.nx * plan->layout.ny;
    const double *now = field, *before = steady->previous;
    const float *now_single = field, *before_single = steady->previous;
    double change = 0.0;
    if (plan->is_double)
        for (int64_t c = 0; c < cells; c++)
            change = fmax(change, fabs(now[c] - before[c]));
    else
        for (int64_t c = 0; c < cells; c++)
            change = fmax(change, fabs((double)now_single[c] - (double)before_single[c]));
    return change;
}

/* What rounding alone can keep moving: some last places of the numbers that the field consists of.
 */
static double least_change(const struct steady *steady)
{
    const struct steady_record *record = &steady->record;
    if (steady->plan->is_double)
        return 0x1p-49 * fmax(fabs(record->low), fabs(record->high));
    return 0x1p-20 * (record->high - record->low);
}

/* Changes up to this that do not fall from look to look are rounding as well: many steps, each with
 * an error of its own. */
static double rounding_change(const struct steady *steady)
{
    return 64.0 * least_change(steady);
}

static void judge_cells(struct steady *steady, double change)
{
    struct steady_record *record = &steady->record;
    const double range = record->high - record->low, q = change / record->change;
    if (change <= least_change(steady))
        record->distance = 0.0;
    else if (record->change > 0.0 && q < 1.0)
        record->distance = change * fmax(1.0, q / (1.0 - q)) / range;
    else
        record->distance = INFINITY;
    const bool is_smaller = record->looks == 0.0 || change < 0.9 * record->smallest;
    record->still = !is_smaller && change <= rounding_change(steady) ? record->still + 1.0 : 0.0;
    if (is_smaller)
        record->smallest = change;
    if (record->still >= LOOKS_AT_REST)
        record->distance = 0.0;
    record->change = change;
}

/* The heat of a balance that is not known for itself is part of another. */
static double known(double heat)
{
    return isfinite(heat) ? heat : 0.0;
}

static void find_flows(struct steady_record *record, double time, const struct balance *balance)
{
    double now[SIDE_COUNT + 4], rates[SIDE_COUNT + 4];
    memcpy(now, balance->side_heat, sizeof balance->side_heat);
    now[SIDE_COUNT] = known(balance->fixed_heat);
    now[SIDE_COUNT + 1] = balance->source_heat;
    now[SIDE_COUNT + 2] = known(balance->loss_heat);
    now[SIDE_COUNT + 3] = balance->stored;
    for (int h = 0; h < SIDE_COUNT + 4; h++)
        rates[h] = (now[h] - record->heats[h]) / (time - record->time);
    memcpy(record->heats, now, sizeof now);
    memcpy(record->flows.sides, rates, sizeof record->flows.sides);
    record->flows.fixed = rates[SIDE_COUNT];
    record->flows.sources = rates[SIDE_COUNT + 1];
    record->flows.loss = rates[SIDE_COUNT + 2];
    record->flows.stored = rates[SIDE_COUNT + 3];
}

static double through(const struct steady_flows *flows)
{
    double sum = fabs(flows->fixed) + fabs(flows->sources) + fabs(flows->loss);
    for (int side = 0; side < SIDE_COUNT; side++)
        sum += fabs(flows->sides[side]);
    return 0.5 * sum;
}

static bool heat_is_balanced(struct steady *steady)
{
    struct steady_record *record = &steady->record;
    const double tolerance = steady->plan->input->time.tolerance;
    const double flow = through(&record->flows), stored = fabs(record->flows.stored);
    record->largest = fmax(record->largest, flow);
    record->missing = flow > 0.0 ? stored / flow : 0.0;
    return steady->plan->input->fixed_count > 0 || stored <= tolerance * flow ||
           flow <= tolerance * record->largest;
}

bool steady_look(struct steady *steady, const void *field, const struct extremes *extremes,
                 double time, const struct balance *balance)
{
    struct steady_record *record = &steady->record;
    widen(record, extremes);
    judge_cells(steady, largest_change(steady, field));
    find_flows(record, time, balance);
    const bool is_balanced = heat_is_balanced(steady);
    const bool has_come_to_rest =
        record->distance == 0.0 && (is_balanced || record->missing <= REST_SHARE);
    if ((record->distance <= steady->plan->input->time.tolerance && is_balanced) ||
        has_come_to_rest)
        record->held += 1.0;
    else
        record->held = 0.0;
    record->is_reached = record->held >= LOOKS_IN_A_ROW ? 1.0 : 0.0;
    record->looks += 1.0;
    record->tolerance = steady->plan->input->time.tolerance;
    record->time = time;
    memcpy(steady->previous, field, field_bytes(steady->plan));
    return record->is_reached > 0.0;
}

void steady_save(const struct steady *steady, struct checkpoint *checkpoint)
{
    const struct plan *plan = steady->plan;
    state_add(checkpoint, RECORD_SECTION, SECTION_F64, 1, sizeof steady->record / 8,
              &steady->record);
    state_add(checkpoint, FIELD_SECTION, plan->is_double ? SECTION_F64 : SECTION_F32,
              plan->layout.ny, plan->layout.nx, steady->previous);
}

enum status steady_read_record(const struct checkpoint *checkpoint, double tolerance,
                               struct steady_record *record)
{
    TRY(state_read_whole(checkpoint, RECORD_SECTION, sizeof *record, record));
    if (tolerance < record->tolerance)
        record->is_reached = record->held = 0.0;
    return STATUS_OK;
}

enum status steady_restore(struct steady *steady, const struct checkpoint *checkpoint)
{
    const struct layout *layout = &steady->plan->layout;
    TRY(steady_read_record(checkpoint, steady->plan->input->time.tolerance, &steady->record));
    return state_read_block(checkpoint, FIELD_SECTION, 0, layout->nx, 0, layout->ny,
                            steady->plan->is_double ? sizeof(double) : sizeof(float),
                            steady->previous);
}
