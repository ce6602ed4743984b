#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/version.h"
#include "io/disk.h"
#include "io/probes.h"
#include "io/rundir.h"
#include "io/vtkhdf.h"
#include "solver/initial.h"
#include "solver/writer.h"

/* Whether a run that is resumed finds the file as it left it. Somebody may have moved it away, to
 * an archive or because it was damaged: then a new one begins, with a line that says so. */
static bool goes_on(const struct writer *writer, const char *path)
{
    const struct resume *resume = &writer->run->resume;
    if (!resume->is_resumed)
        return false;
    if (access(path, F_OK) == 0 || errno != ENOENT)
        return true;
    char line[WRITER_PATH_BYTES + 80];
    (void)snprintf(line, sizeof line, "%s is gone: a new one begins at step %lld", path,
                   (long long)resume->step);
    writer->run->notice(line);
    return false;
}

/* What does not change with time is only there while the file is made. */
static enum status create_snapshots(struct writer *writer)
{
    enum status status =
        still_open(writer->plan, writer->run->control, writer->account.materials, &writer->still);
    if (status == STATUS_OK)
        status = snapshot_create(&writer->snapshots);
    still_close(&writer->still);
    return status;
}

static enum status open_snapshots(struct writer *writer)
{
    const bool is_there = goes_on(writer, writer->snapshot_path);
    if (!is_there)
        writer->counts.frames = 0;
    /* First, so that it names no frame that is cut. */
    TRY(vtkhdf_write(writer->view_path, &writer->snapshots, writer->counts.frames));
    return is_there ? snapshot_cut(&writer->snapshots, writer->counts.frames)
                    : create_snapshots(writer);
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

static enum status write_run_cfg(const struct writer *writer)
{
    const struct run *run = writer->run;
    char path[WRITER_PATH_BYTES];
    TRY(rundir_file(writer->plan->input->output.directory, "run.cfg", path, sizeof path));
    return disk_replace(path, run->settings, strlen(run->settings));
}

enum status writer_open_files(struct writer *writer)
{
    if (writer->run->is_overwrite)
        TRY(rundir_clear(writer->plan->input->output.directory));
    TRY(write_run_cfg(writer));
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
    writer->counts.frames -= resume->redo & ITEM_SNAPSHOT ? 1 : 0;
    writer->counts.probe_rows -= resume->redo & ITEM_PROBES ? 1 : 0;
    TRY(state_read_values(&resume->checkpoint, &values));
    TRY(state_read_start_sum(&resume->checkpoint, &writer->balance_state.start));
    memcpy(writer->balance_state.full_sums, values.full_sums, sizeof values.full_sums);
    writer->balance_state.reference = values.reference;
    writer->start = (struct extremes){values.start_low, values.start_high};
    guard_start(&writer->guard, &writer->start);
    writer->has_start = true;
    if (!writer->plan->input->time.is_steady)
        return STATUS_OK;
    TRY(steady_restore(&writer->steady, &resume->checkpoint));
    writer->run->output.shared->totals.steady = writer->steady.record;
    atomic_store(&writer->run->output.shared->still_to_come, writer->steady.record.distance);
    return STATUS_OK;
}

/* There where there are zones, and where they were asked for. */
static enum status choose_materials(struct writer *writer)
{
    const struct layout *layout = &writer->plan->layout;
    writer->snapshots.materials = writer->account.materials;
    if (writer->account.materials != NULL ||
        (writer->plan->input->output.fields >> OUTPUT_MATERIAL & 1U) == 0)
        return STATUS_OK;
    TRY(memory_alloc(&writer->no_materials, (size_t)(layout->nx * layout->ny), 1, "materials"));
    writer->snapshots.materials = writer->no_materials;
    return STATUS_OK;
}

enum status writer_open(struct run *run, struct writer *writer)
{
    *writer = (struct writer){.run = run, .plan = run->plan};
    const struct plan *plan = run->plan;
    const struct input *input = plan->input;
    const size_t probes = (size_t)input->output.probe_count;
    const char *directory = input->output.directory;
    TRY(rundir_file(directory, "run.h5", writer->snapshot_path, WRITER_PATH_BYTES));
    TRY(rundir_file(directory, "run.vtkhdf", writer->view_path, WRITER_PATH_BYTES));
    TRY(rundir_file(directory, "probes.csv", writer->probe_path, WRITER_PATH_BYTES));
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
        .kept = kept_find(input),
        .fields = input->output.fields,
        .threads = run->writer_threads,
        .precision = input->output.precision,
        .compression = input->output.compression,
        .is_steady = input->time.is_steady,
        .pace = &writer->pace,
        .crew = &writer->crew,
        .still = still_fields(plan, &writer->still),
        .room = &writer->room,
    };
    writer->pace = (struct pace){.is_late = writer_is_late, .state = writer};
    writer->crew =
        (struct crew){.most = run->writer_threads, .is_urgent = writer_is_urgent, .state = writer};
    TRY(memory_alloc(&writer->probe_names, probes, sizeof *writer->probe_names, "probes"));
    TRY(memory_alloc(&writer->stencils, probes, sizeof *writer->stencils, "probes"));
    TRY(memory_alloc(&writer->probe_values, probes, sizeof *writer->probe_values, "probes"));
    for (size_t p = 0; p < probes; p++) {
        writer->probe_names[p] = input->output.probes[p].name;
        writer->stencils[p] = output_probe_stencil(plan, (int)p);
    }
    TRY(account_open(plan, &writer->account));
    TRY(guard_open(plan, &writer->guard));
    if (input->time.is_steady)
        TRY(steady_open(plan, &writer->guard.surroundings, &writer->steady));
    writer->balance_state.capacity = writer->account.capacity;
    TRY(derived_open(plan, writer->account.materials, &writer->derived));
    TRY(choose_materials(writer));
    writer->snapshots.input = input;
    return restore(writer);
}

void writer_close(struct writer *writer)
{
    free(writer->probe_names);
    free(writer->stencils);
    free(writer->probe_values);
    free(writer->no_materials);
    pack_room_free(&writer->room);
    derived_close(&writer->derived);
    account_close(&writer->account);
    steady_close(&writer->steady);
}
