#include "solver/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/extend.h"
#include "solver/state.h"

enum status run_open(struct run *run)
{
    const struct plan *plan = run->plan;
    TRY(control_open(plan->ranks, &run->control));
    TRY(output_open(plan, run->control, &run->output));
    if (plan->staging_bytes > 0)
        TRY(shared_map("isotherm-staging", plan->staging_bytes, &run->staging));
    const size_t exported = run->transport == HALO_DIRECT ? plan->field_bytes : 0;
    return run->backend->share(plan->ranks, exported, &run->shared);
}

void run_close(struct run *run)
{
    if (run->backend != NULL)
        run->backend->unshare(run->shared);
    if (run->staging != NULL)
        shared_unmap(run->staging, run->plan->staging_bytes);
    output_close(&run->output);
    if (run->control != NULL)
        control_close(run->control);
    checkpoint_close(&run->resume.checkpoint);
}

static enum status compare_settings(struct run *run, const struct checkpoint *checkpoint)
{
    const struct checkpoint_section *section =
        checkpoint_section(checkpoint, STATE_SECTION_SETTINGS);
    if (section == NULL)
        return fail(STATUS_FILE, "%s: holds no settings; it was not written by this program",
                    checkpoint->path);
    char *text = NULL, difference[512];
    TRY(memory_alloc(&text, (size_t)section->columns + 1, 1, "settings"));
    enum status status = checkpoint_read(checkpoint, section, 0, (size_t)section->columns, text);
    if (status == STATUS_OK && input_differs(text, run->settings, difference, sizeof difference))
        status = fail(STATUS_INPUT,
                      "%s belongs to another problem: %s; restore the setting, or start anew with "
                      "--overwrite or another output.directory",
                      checkpoint->path, difference);
    if (status == STATUS_OK)
        status = extend_check(run->plan, checkpoint, text, &run->resume.redo);
    free(text);
    return status;
}

/* The first line of the files' sums that is another one, named by its setting. */
static enum status compare_lines(const struct checkpoint *checkpoint, const char *then,
                                 const char *now)
{
    while (*then != '\0' || *now != '\0') {
        const size_t length = strcspn(now, "\n"), before = strcspn(then, "\n");
        if (length != before || memcmp(now, then, length) != 0)
            return fail(STATUS_INPUT,
                        "%s belongs to another problem: %.*s: the file is another one than when "
                        "the run began; restore it, or start anew with --overwrite or another "
                        "output.directory",
                        checkpoint->path, (int)strcspn(*now != '\0' ? now : then, " \n"),
                        *now != '\0' ? now : then);
        now += length + (now[length] == '\n');
        then += before + (then[before] == '\n');
    }
    return STATUS_OK;
}

static enum status compare_files(const struct run *run, const struct checkpoint *checkpoint)
{
    const struct checkpoint_section *section = checkpoint_section(checkpoint, STATE_SECTION_FILES);
    if (section == NULL)
        return fail(STATUS_FILE,
                    "%s: holds no sums of files; it was written by another version of the program",
                    checkpoint->path);
    char *text = NULL;
    TRY(memory_alloc(&text, (size_t)section->columns + 1, 1, "sums of files"));
    enum status status = checkpoint_read(checkpoint, section, 0, (size_t)section->columns, text);
    if (status == STATUS_OK)
        status = compare_lines(checkpoint, text, run->files);
    free(text);
    return status;
}

enum status run_find_checkpoint(struct run *run)
{
    struct resume *resume = &run->resume;
    struct checkpoint *checkpoint = &resume->checkpoint;
    TRY(checkpoint_find(run->plan->input->output.directory, checkpoint, &resume->is_resumed,
                        run->notice));
    if (!resume->is_resumed)
        return STATUS_OK;
    TRY(compare_settings(run, checkpoint));
    TRY(compare_files(run, checkpoint));
    resume->step = checkpoint->step;
    struct state_values values;
    TRY(state_read_values(checkpoint, &values));
    resume->reference = values.reference;
    if (run->plan->input->time.is_steady) {
        struct steady_record record;
        TRY(steady_read_record(checkpoint, run->plan->input->time.tolerance, &record));
        resume->is_steady = record.is_reached > 0.0;
    }
    run->run_id = checkpoint->run_id;
    return STATUS_OK;
}
