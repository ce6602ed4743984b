/* The writer process: takes items from the ring in order, sums, checks and writes them. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "io/disk.h"
#include "io/probes.h"
#include "io/vtkhdf.h"
#include "ipc/fault.h"
#include "solver/frame.h"
#include "solver/writer.h"

static enum status not_finite(const struct writer *writer, const struct output_item *item,
                              int64_t cell)
{
    const struct plan *plan = writer->plan;
    const int64_t i = cell % plan->layout.nx, j = cell / plan->layout.nx;
    return fail(STATUS_NOT_FINITE,
                "the temperature of cell (%lld, %lld) at x = %.6g m, y = %.6g m is not finite at "
                "t = %.9g s (step %lld); check boundary values and material, and that the start "
                "field is of a sensible size",
                (long long)i, (long long)j, ((double)i + 0.5) * plan->dx,
                ((double)j + 0.5) * plan->dy, item->time, (long long)item->step);
}

/* Checks and sums the field of a frame. */
static enum status take_field(struct writer *writer, const struct output_item *item,
                              struct exact_sum *sum, struct guarded *seen)
{
    struct output_totals *totals = &writer->run->output.shared->totals;
    const int threads = writer->crew.size;
    const double start = clock_seconds();
    struct frame_sums sums = {0};
    seen->field = output_frame_field(&writer->run->output, item->frame);
    seen->reference = writer->balance_state.reference;
    TRY(frame_sum(writer->run, &writer->account, seen->field, seen->reference, threads, &sums));
    crew_note(&writer->crew, threads * (clock_seconds() - start), threads);
    totals->reference = seen->reference;
    totals->minimum = sums.minimum;
    totals->maximum = sums.maximum;
    seen->extremes = (struct extremes){sums.minimum, sums.maximum};
    *sum = sums.sum;
    return sums.not_finite < 0 ? STATUS_OK : not_finite(writer, item, sums.not_finite);
}

static int64_t side_faces(const struct plan *plan, int side)
{
    return side == SIDE_LEFT || side == SIDE_RIGHT ? plan->layout.ny : plan->layout.nx;
}

/* The sum over the faces of a side, with zones each times the conductivity of its cell. */
static double sum_side(const struct writer *writer, const double *faces, int side)
{
    const struct plan *plan = writer->plan;
    const int64_t nx = plan->layout.nx, ny = plan->layout.ny, count = side_faces(plan, side);
    struct exact_sum sum = {0};
    if (!plan->has_zones) {
        exact_sum_add_all(&sum, faces, count);
        return exact_sum_value(&sum);
    }
    for (int64_t f = 0; f < count; f++) {
        const int64_t i = side == SIDE_LEFT ? 0 : side == SIDE_RIGHT ? nx - 1 : f;
        const int64_t j = side == SIDE_BOTTOM ? 0 : side == SIDE_TOP ? ny - 1 : f;
        exact_sum_add(&sum,
                      faces[f] * account_conductivity(&writer->account, side / 2, j * nx + i));
    }
    return exact_sum_value(&sum);
}

static void sum_sides(const struct writer *writer, const struct output_item *item,
                      double sums[SIDE_COUNT])
{
    for (int side = 0; side < SIDE_COUNT; side++) {
        sums[side] = 0.0;
        if (writer->plan->input->boundary[side].type != BOUNDARY_PERIODIC)
            sums[side] = sum_side(
                writer, output_frame_side(&writer->run->output, item->frame, (enum side)side),
                side);
    }
}

static void note_totals(struct writer *writer, const struct output_item *item,
                        const struct balance *balance)
{
    struct output_totals *totals = &writer->run->output.shared->totals;
    totals->step = item->step;
    totals->time = item->time;
    totals->energy = balance->energy;
    totals->stored = balance->stored;
    memcpy(totals->side_heat, balance->side_heat, sizeof totals->side_heat);
    totals->fixed_heat = balance->fixed_heat;
    totals->source_heat = balance->source_heat;
    totals->loss_heat = balance->loss_heat;
    totals->residual = balance->residual;
    totals->scale = balance_scale(balance);
}

/* Of the last look; before the first there is nothing to tell. */
static void note_flows(const struct steady_record *record, struct snapshot_frame *frame)
{
    const bool has_looked = record->looks > 0.0;
    for (int side = 0; side < SIDE_COUNT; side++)
        frame->side_flow[side] = has_looked ? record->flows.sides[side] : NAN;
    frame->fixed_flow = has_looked ? record->flows.fixed : NAN;
    frame->source_flow = has_looked ? record->flows.sources : NAN;
    frame->loss_flow = has_looked ? record->flows.loss : NAN;
    frame->stored_flow = has_looked ? record->flows.stored : NAN;
}

/* Bytes of a frame in run.h5 before it is compressed. */
static double bytes_of_snapshot(const struct writer *writer)
{
    const struct snapshot_spec *spec = &writer->snapshots;
    const double element = spec->precision == PRECISION_DOUBLE ? 8.0 : 4.0;
    int fields = 0;
    for (int field = 0; field < OUTPUT_MATERIAL; field++)
        fields += (int)(spec->fields >> field & 1U);
    return element * (double)spec->kept.count[0] * (double)spec->kept.count[1] *
           (fields > 0 ? fields : 1);
}

/* No room is known where the disk does not tell. */
static bool find_disk_room(const struct writer *writer)
{
    const struct plan *plan = writer->plan;
    const int64_t all =
        schedule_outputs(&plan->schedule) / (plan->snapshot_every > 0 ? plan->snapshot_every : 1);
    const int64_t left = all > writer->counts.frames ? all - writer->counts.frames : 1;
    double room = 0.0;
    if (disk_room(plan->input->output.directory, &room) != STATUS_OK) {
        error_clear();
        return false;
    }
    return room >= (double)left * bytes_of_snapshot(writer);
}

bool writer_is_urgent(const void *state)
{
    const struct writer *writer = state;
    struct output_shared *shared = writer->run->output.shared;
    if (writer->kinds & (ITEM_LOOK | ITEM_END))
        return true;
    for (uint64_t next = writer->index + 1; next < writer->index + OUTPUT_ITEMS; next++) {
        for (int rank = 0; rank < writer->plan->ranks; rank++)
            if (atomic_load(&shared->given[rank].value) <= next)
                return false;
        const int kinds = shared->items[next % OUTPUT_ITEMS].kinds;
        if (kinds & ITEM_WITH_FRAME)
            return (kinds & ITEM_END) == 0; /* then the ranks have nothing more to do */
    }
    return false;
}

bool writer_is_late(const void *state)
{
    const struct writer *writer = state;
    return writer->has_disk_room && (writer->kinds & ITEM_END) == 0 && writer_is_urgent(writer);
}

static enum status write_snapshot(struct writer *writer, const struct output_item *item,
                                  const struct balance *balance)
{
    TRY(derived_frame(&writer->derived, output_frame_field(&writer->run->output, item->frame),
                      writer->balance_state.reference, item->time));
    struct snapshot_frame frame = {
        .time = item->time,
        .step = item->step,
        .row = derived_row,
        .state = &writer->derived,
        .energy = balance->energy,
        .fixed_heat = balance->fixed_heat,
        .source_heat = balance->source_heat,
        .loss_heat = balance->loss_heat,
        .residual = balance->residual,
    };
    memcpy(frame.side_heat, balance->side_heat, sizeof frame.side_heat);
    if (writer->plan->input->time.is_steady)
        note_flows(&writer->steady.record, &frame);
    writer->has_disk_room = find_disk_room(writer);
    TRY(snapshot_append(&writer->snapshots, &frame));
    writer->counts.frames++;
    writer->run->output.shared->totals.chunks = writer->pace.chunks;
    writer->run->output.shared->totals.plain_chunks = writer->pace.plain;
    return vtkhdf_write(writer->view_path, &writer->snapshots, writer->counts.frames);
}

static enum status write_checkpoint(struct writer *writer, const struct output_item *item)
{
    const struct plan *plan = writer->plan;
    const struct run *run = writer->run;
    struct state_values values = {.reference = writer->balance_state.reference,
                                  .start_low = writer->start.low,
                                  .start_high = writer->start.high};
    memcpy(values.full_sums, writer->balance_state.full_sums, sizeof values.full_sums);
    struct checkpoint checkpoint = {
        .step = item->step, .time = item->time, .run_id = run->run_id, .fd = -1};
    state_add(&checkpoint, state_field_name(plan->is_double),
              plan->is_double ? SECTION_F64 : SECTION_F32, plan->layout.ny, plan->layout.nx,
              output_frame_field(&run->output, item->frame));
    for (int side = 0; side < SIDE_COUNT; side++)
        state_add(&checkpoint, state_side_name((enum side)side), SECTION_F64, 1,
                  side_faces(plan, side),
                  output_frame_side(&run->output, item->frame, (enum side)side));
    state_add(&checkpoint, "counts", SECTION_I64, 1, sizeof writer->counts / 8, &writer->counts);
    state_add(&checkpoint, "values", SECTION_F64, 1, sizeof values / 8, &values);
    state_add(&checkpoint, "start_sum", SECTION_I64, 1, EXACT_SUM_LIMBS,
              writer->balance_state.start.limbs);
    if (plan->input->time.is_steady)
        steady_save(&writer->steady, &checkpoint);
    state_add(&checkpoint, STATE_SECTION_SETTINGS, SECTION_U8, 1, (int64_t)strlen(run->settings),
              run->settings);
    state_add(&checkpoint, STATE_SECTION_FILES, SECTION_U8, 1, (int64_t)strlen(run->files),
              run->files);
    /* The checkpoint counts these frames and rows, so they must be on the disk before it is. */
    TRY(snapshot_sync(writer->snapshots.path));
    if (plan->input->output.probe_count > 0)
        TRY(probes_sync(writer->probe_path));
    const enum status status =
        checkpoint_write(plan->input->output.directory, &checkpoint, plan->input->checkpoint.keep);
    if (status == STATUS_OK) {
        run->output.shared->totals.checkpoint_time = item->time;
        run->output.shared->totals.checkpoints++;
    }
    return status;
}

/* A failed checkpoint ends the run or, if the input says so, is a warning. */
static enum status try_checkpoint(struct writer *writer, const struct output_item *item)
{
    const enum status status = write_checkpoint(writer, item);
    if (status == STATUS_OK || writer->plan->input->checkpoint.on_error == ON_ERROR_STOP ||
        (item->kinds & ITEM_END))
        return status;
    writer->run->notice(error_message());
    error_clear();
    return STATUS_OK;
}

/* The first field of the run: what comes later is compared with it. */
static void note_start(struct writer *writer, const struct output_item *item,
                       const struct exact_sum *sum, const struct extremes *extremes)
{
    writer->balance_state.start = *sum;
    writer->start = *extremes;
    guard_start(&writer->guard, extremes);
    if (writer->plan->input->time.is_steady)
        steady_start(&writer->steady, output_frame_field(&writer->run->output, item->frame),
                     extremes, item->time);
    writer->has_start = true;
}

/* Whether this is the steady state: then the run ends here, with what ends have. */
static void look(struct writer *writer, struct output_item *item, const struct extremes *extremes,
                 const struct balance *balance)
{
    struct output_shared *shared = writer->run->output.shared;
    const void *field = output_frame_field(&writer->run->output, item->frame);
    const bool is_steady = steady_look(&writer->steady, field, extremes, item->time, balance);
    shared->totals.steady = writer->steady.record;
    atomic_store(&shared->still_to_come, writer->steady.record.distance);
    if (!is_steady)
        return;
    item->kinds |= ITEM_SNAPSHOT | ITEM_END;
    if (writer->plan->input->checkpoint.interval.seconds > 0.0)
        item->kinds |= ITEM_CHECKPOINT;
    atomic_store(&shared->is_steady, 1);
}

static enum status take_frame(struct writer *writer, struct output_item *item)
{
    struct exact_sum sum = {0};
    struct guarded field = {.time = item->time, .step = item->step};
    double side_sums[SIDE_COUNT], source_heat = 0.0;
    fault_point("frame", CONTROL_WRITER);
    crew_begin(&writer->crew, (item->kinds & ITEM_SNAPSHOT) != 0);
    TRY(take_field(writer, item, &sum, &field));
    sum_sides(writer, item, side_sums);
    TRY(account_heat(&writer->account, item->step, &source_heat));
    if (!writer->has_start)
        note_start(writer, item, &sum, &field.extremes);
    guard_look(&writer->guard, &field, writer->run->notice);
    const struct balance balance =
        balance_at(writer->plan, &writer->balance_state, item->step, &sum, side_sums, source_heat);
    note_totals(writer, item, &balance);
    if (item->kinds & ITEM_LOOK)
        look(writer, item, &field.extremes, &balance);
    if (item->kinds & ITEM_SNAPSHOT)
        TRY(write_snapshot(writer, item, &balance));
    control_beat(writer->run->control, CONTROL_WRITER);
    if (item->kinds & ITEM_CHECKPOINT)
        TRY(try_checkpoint(writer, item));
    sequence_publish(&writer->run->output.shared->frames_done, item->frame + 1);
    return STATUS_OK;
}

static enum status probe_not_finite(const struct writer *writer, const struct output_item *item,
                                    int probe)
{
    const struct input_probe *at = &writer->plan->input->output.probes[probe];
    return fail(STATUS_NOT_FINITE,
                "the temperature of probe %s at x = %.6g m, y = %.6g m is not finite at t = %.9g s "
                "(step %lld); check boundary values and material, and that the start field is of a "
                "sensible size",
                at->name, at->at[0], at->at[1], item->time, (long long)item->step);
}

static enum status take_probes(struct writer *writer, uint64_t index,
                               const struct output_item *item)
{
    const int probes = writer->plan->input->output.probe_count;
    for (int p = 0; p < probes; p++) {
        double value = writer->balance_state.reference;
        for (int corner = 0; corner < PROBE_CORNERS; corner++) {
            const void *held = output_probe_value(&writer->run->output, index, p, corner);
            value +=
                writer->stencils[p].weight[corner] *
                (writer->plan->is_double ? *(const double *)held : (double)*(const float *)held);
        }
        if (!isfinite(value))
            return probe_not_finite(writer, item, p);
        writer->probe_values[p] = value;
    }
    fault_point("probes", CONTROL_WRITER);
    TRY(probes_append(writer->probe_path, item->time, writer->probe_values, probes));
    writer->counts.probe_rows++;
    return STATUS_OK;
}

/* One item, once every rank has given its part. */
static enum status take(struct writer *writer, uint64_t index, int *kinds)
{
    struct run *run = writer->run;
    struct output_shared *shared = run->output.shared;
    const double start = clock_seconds();
    for (int rank = 0; rank < writer->plan->ranks; rank++)
        TRY(control_wait(run->control, CONTROL_WRITER, &shared->given[rank], index + 1));
    crew_idle(&writer->crew, clock_seconds() - start);
    if (index == 0) /* not before: a run that cannot start leaves no results in the way */
        TRY(writer_open_files(writer));
    struct output_item item = shared->items[index % OUTPUT_ITEMS];
    writer->index = index;
    writer->kinds = item.kinds;
    /* Probes first: a checkpoint of the same step then counts their row. */
    if (item.kinds & ITEM_PROBES)
        TRY(take_probes(writer, index, &item));
    if (item.kinds & ITEM_WITH_FRAME)
        TRY(take_frame(writer, &item));
    *kinds = item.kinds;
    shared->totals.frames = writer->counts.frames;
    shared->totals.probe_rows = writer->counts.probe_rows;
    return STATUS_OK;
}

enum status writer_run(struct run *run)
{
    struct writer writer;
    enum status status = writer_open(run, &writer);
    int kinds = 0;
    for (uint64_t index = 0; status == STATUS_OK && !(kinds & ITEM_END); index++) {
        status = take(&writer, index, &kinds);
        if (status == STATUS_OK)
            sequence_publish(&run->output.shared->done, index + 1);
    }
    writer_close(&writer);
    return status;
}
