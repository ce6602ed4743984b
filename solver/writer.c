/* The writer process: takes items from the ring in order, sums, checks and writes them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/version.h"
#include "io/probes.h"
#include "io/rundir.h"
#include "io/snapshot.h"
#include "io/vtkhdf.h"
#include "ipc/fault.h"
#include "solver/account.h"
#include "solver/balance.h"
#include "solver/initial.h"
#include "solver/run.h"
#include "solver/state.h"

enum {
    PATH_BYTES = 4096,
    BEAT_CELLS = 1 << 20 /* between signs of life */
};

struct writer {
    struct run *run;
    const struct plan *plan;
    struct snapshot_spec snapshots;
    char snapshot_path[PATH_BYTES], view_path[PATH_BYTES], probe_path[PATH_BYTES], source[128];
    const char **probe_names;       /* (probe_count) */
    struct probe_stencil *stencils; /* (probe_count) */
    double *probe_values;           /* (probe_count) */
    double *temperature;            /* (ny, nx), K: NULL where the frame itself is that */
    struct balance_state balance_state;
    struct account account;
    struct state_counts counts;
    bool has_start; /* balance_state.start is known */
};

/* Whether a run that is resumed finds the file as it left it. Somebody may have moved it away, to
 * an archive or because it was damaged: then a new one begins, with a line that says so. */
static bool goes_on(const struct writer *writer, const char *path)
{
    const struct resume *resume = &writer->run->resume;
    if (!resume->is_resumed)
        return false;
    if (access(path, F_OK) == 0 || errno != ENOENT)
        return true;
    char line[PATH_BYTES + 80];
    (void)snprintf(line, sizeof line, "%s is gone: a new one begins at step %lld", path,
                   (long long)resume->step);
    writer->run->notice(line);
    return false;
}

static enum status open_snapshots(struct writer *writer)
{
    const bool is_there = goes_on(writer, writer->snapshot_path);
    if (!is_there)
        writer->counts.frames = 0;
    /* First, so that it names no frame that is cut. */
    TRY(vtkhdf_write(writer->view_path, &writer->snapshots, writer->counts.frames));
    return is_there ? snapshot_cut(&writer->snapshots, writer->counts.frames)
                    : snapshot_create(&writer->snapshots);
}

static enum status open_probes(struct writer *writer)
{
    const int probes = writer->plan->input->output.probe_count;
    if (probes == 0)
        return STATUS_OK;
    if (goes_on(writer, writer->probe_path)) {
        TRY(probes_check(writer->probe_path, writer->probe_names, probes));
        return probes_cut(writer->probe_path, writer->counts.probe_rows);
    }
    writer->counts.probe_rows = 0;
    return probes_create(writer->probe_path, writer->probe_names, probes);
}

static enum status open_files(struct writer *writer)
{
    TRY(open_snapshots(writer));
    return open_probes(writer);
}

/* What earlier frames left behind: from the checkpoint, or as at the start. */
static enum status restore(struct writer *writer)
{
    const struct resume *resume = &writer->run->resume;
    if (!resume->is_resumed)
        return initial_reference(writer->plan, &writer->balance_state.reference);
    struct state_values values;
    TRY(state_read_counts(&resume->checkpoint, &writer->counts));
    TRY(state_read_values(&resume->checkpoint, &values));
    TRY(state_read_start_sum(&resume->checkpoint, &writer->balance_state.start));
    memcpy(writer->balance_state.full_sums, values.full_sums, sizeof values.full_sums);
    writer->balance_state.reference = values.reference;
    writer->has_start = true;
    return STATUS_OK;
}

static enum status writer_open(struct run *run, struct writer *writer)
{
    *writer = (struct writer){.run = run, .plan = run->plan};
    const struct plan *plan = run->plan;
    const struct input *input = plan->input;
    const size_t probes = (size_t)input->output.probe_count;
    const char *directory = input->output.directory;
    TRY(rundir_file(directory, "run.h5", writer->snapshot_path, PATH_BYTES));
    TRY(rundir_file(directory, "run.vtkhdf", writer->view_path, PATH_BYTES));
    TRY(rundir_file(directory, "probes.csv", writer->probe_path, PATH_BYTES));
    (void)snprintf(writer->source, sizeof writer->source, "isotherm %s", version_text());
    writer->snapshots = (struct snapshot_spec){
        .path = writer->snapshot_path,
        .title = input->title,
        .source = writer->source,
        .history = run->history,
        .input_text = input->text,
        .nx = plan->layout.nx,
        .ny = plan->layout.ny,
        .size = {input->size[0], input->size[1]},
        .precision = input->output.precision,
        .compression = input->output.compression,
    };
    TRY(memory_alloc(&writer->probe_names, probes, sizeof *writer->probe_names, "probes"));
    TRY(memory_alloc(&writer->stencils, probes, sizeof *writer->stencils, "probes"));
    TRY(memory_alloc(&writer->probe_values, probes, sizeof *writer->probe_values, "probes"));
    for (size_t p = 0; p < probes; p++) {
        writer->probe_names[p] = input->output.probes[p].name;
        writer->stencils[p] = output_probe_stencil(plan, (int)p);
    }
    if (!plan->is_double)
        TRY(memory_alloc(&writer->temperature, (size_t)(plan->layout.nx * plan->layout.ny),
                         sizeof *writer->temperature, "frame"));
    TRY(account_open(plan, &writer->account));
    writer->balance_state.capacity = writer->account.capacity;
    writer->snapshots.materials = writer->account.materials;
    writer->snapshots.input = input;
    return restore(writer);
}

static void writer_close(struct writer *writer)
{
    free(writer->probe_names);
    free(writer->stencils);
    free(writer->probe_values);
    free(writer->temperature);
    account_close(&writer->account);
}

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

/* Checks and sums the field of a frame; *temperature is (ny, nx) in K. */
static enum status take_field(struct writer *writer, const struct output_item *item,
                              struct exact_sum *sum, const double **temperature)
{
    const struct plan *plan = writer->plan;
    const int64_t cells = plan->layout.nx * plan->layout.ny;
    const void *field = output_frame_field(&writer->run->output, item->frame);
    const float *deviations = field;
    const double *values = field;
    struct output_totals *totals = &writer->run->output.shared->totals;
    totals->reference = writer->balance_state.reference;
    totals->minimum = INFINITY;
    totals->maximum = -INFINITY;
    for (int64_t c = 0; c < cells; c++) {
        if (c % BEAT_CELLS == 0)
            control_beat(writer->run->control, CONTROL_WRITER);
        const double held = plan->is_double ? values[c] : (double)deviations[c];
        if (!isfinite(held))
            return not_finite(writer, item, c);
        exact_sum_add(sum, plan->has_zones ? held * account_capacity(&writer->account, c) : held);
        const double kelvin = held + writer->balance_state.reference;
        totals->minimum = fmin(totals->minimum, kelvin);
        totals->maximum = fmax(totals->maximum, kelvin);
        if (!plan->is_double)
            writer->temperature[c] = kelvin;
    }
    *temperature = plan->is_double ? values : writer->temperature;
    return STATUS_OK;
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
    totals->stored = balance->stored;
    memcpy(totals->side_heat, balance->side_heat, sizeof totals->side_heat);
    totals->fixed_heat = balance->fixed_heat;
    totals->source_heat = balance->source_heat;
    totals->loss_heat = balance->loss_heat;
    totals->residual = balance->residual;
    totals->scale = balance_scale(balance);
}

static enum status write_snapshot(struct writer *writer, const struct output_item *item,
                                  const double *temperature, const struct balance *balance)
{
    struct snapshot_frame frame = {
        .time = item->time,
        .step = item->step,
        .temperature = temperature,
        .energy = balance->energy,
        .fixed_heat = balance->fixed_heat,
        .source_heat = balance->source_heat,
        .loss_heat = balance->loss_heat,
        .residual = balance->residual,
    };
    memcpy(frame.side_heat, balance->side_heat, sizeof frame.side_heat);
    TRY(snapshot_append(&writer->snapshots, &frame));
    writer->counts.frames++;
    return vtkhdf_write(writer->view_path, &writer->snapshots, writer->counts.frames);
}

static enum status write_checkpoint(struct writer *writer, const struct output_item *item)
{
    const struct plan *plan = writer->plan;
    const struct run *run = writer->run;
    struct state_values values = {.reference = writer->balance_state.reference};
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
    if (status == STATUS_OK)
        run->output.shared->totals.checkpoints++;
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

static enum status take_frame(struct writer *writer, const struct output_item *item)
{
    struct exact_sum sum = {0};
    const double *temperature = NULL;
    double side_sums[SIDE_COUNT], source_heat = 0.0;
    fault_point("frame", CONTROL_WRITER);
    TRY(take_field(writer, item, &sum, &temperature));
    sum_sides(writer, item, side_sums);
    TRY(account_heat(&writer->account, item->step, &source_heat));
    if (!writer->has_start) {
        writer->balance_state.start = sum;
        writer->has_start = true;
    }
    const struct balance balance =
        balance_at(writer->plan, &writer->balance_state, item->step, &sum, side_sums, source_heat);
    note_totals(writer, item, &balance);
    if (item->kinds & ITEM_SNAPSHOT)
        TRY(write_snapshot(writer, item, temperature, &balance));
    control_beat(writer->run->control, CONTROL_WRITER);
    if (item->kinds & ITEM_CHECKPOINT)
        TRY(try_checkpoint(writer, item));
    sequence_publish(&writer->run->output.shared->frames_done, item->frame + 1);
    return STATUS_OK;
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
    for (int rank = 0; rank < writer->plan->ranks; rank++)
        TRY(control_wait(run->control, CONTROL_WRITER, &shared->given[rank], index + 1));
    if (index == 0) /* not before: a run that cannot start leaves no results in the way */
        TRY(open_files(writer));
    const struct output_item item = shared->items[index % OUTPUT_ITEMS];
    /* Probes first: a checkpoint of the same step then counts their row. */
    if (item.kinds & ITEM_PROBES)
        TRY(take_probes(writer, index, &item));
    if (item.kinds & (ITEM_SNAPSHOT | ITEM_CHECKPOINT))
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
