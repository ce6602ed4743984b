/* isotherm run: prepares, launches the processes, shows progress, says what came out. */
#include "solver/run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/version.h"
#include "io/input_files.h"
#include "io/rundir.h"
#include "ipc/launch.h"
#include "kernels/jitter.h"
#include "solver/cli/command_line.h"
#include "solver/cli/commands.h"
#include "solver/cli/console.h"
#include "solver/cli/machine.h"
#include "solver/cli/progress.h"
#include "solver/cli/report.h"
#include "solver/cli/session.h"

/* With which a frame is compressed, written or read in at worst; the level "small" on one core
 * makes 70 MB/s. */
static const double SLOWEST_BYTES_PER_S = 20e6;

struct job {
    struct session session;
    struct rundir rundir;
    struct run run;
    struct progress progress;
    struct command_line line;
    char *files;
    double started; /* clock_seconds() */
};

static enum status process_body(int process, void *argument)
{
    struct job *job = argument;
    return process == CONTROL_WRITER ? writer_run(&job->run) : rank_run(&job->run, process);
}

static void tick(void *argument, bool is_last)
{
    struct job *job = argument;
    progress_tick(&job->progress, is_last);
}

/* What a run that lost a process or was interrupted can go on from. */
static void find_prospects(void *argument, char *text, size_t bytes)
{
    const struct run *run = &((const struct job *)argument)->run;
    const struct output_totals *totals = &run->output.shared->totals;
    if (totals->checkpoints > 0 || run->resume.is_resumed)
        (void)snprintf(text, bytes, "--resume goes on from the checkpoint at t = %.6g s",
                       totals->checkpoints > 0 ? totals->checkpoint_time
                                               : run->resume.checkpoint.time);
    else if (run->is_overwrite && totals->frames == 0) /* older checkpoints may be there */
        (void)snprintf(text, bytes, "nothing was written yet, start it again with --overwrite");
    else
        (void)snprintf(text, bytes,
                       "there is no checkpoint yet, so --resume starts at the beginning");
}

/* As many as the ranks leave cores, up to what one file takes in. */
static int writer_threads(const struct session *session)
{
    enum { MOST_THREADS = 16 };
    const int asked = session->input.output.threads;
    const int free_cores = machine_cores() - session->plan.ranks;
    if (asked > 0)
        return asked;
    return free_cores < 1 ? 1 : free_cores > MOST_THREADS ? MOST_THREADS : free_cores;
}

/* Bytes of what the writer makes of a frame before it is compressed. */
static double snapshot_bytes(const struct plan *plan)
{
    int fields = 1;
    for (int f = 0; f < OUTPUT_MATERIAL; f++)
        fields += (int)(plan->input->output.fields >> f & 1U);
    return (double)plan->frame_bytes * fields;
}

static enum status sum_files(struct job *job)
{
    size_t bytes = 0;
    FILE *file = open_memstream(&job->files, &bytes);
    if (file == NULL)
        return fail(STATUS_MEMORY, "no memory for the sums of files: %s", strerror(errno));
    const enum status status = input_files_write(&job->session.input, file);
    if (fclose(file) != 0 && status == STATUS_OK)
        return fail(STATUS_MEMORY, "no memory for the sums of files: %s", strerror(errno));
    return status;
}

static enum status prepare(struct job *job)
{
    const struct options *options = &job->session.options;
    TRY(sum_files(job));
    TRY(session_check_memory(&job->session));
    TRY(rundir_open(job->session.input.output.directory, session_mode(&job->session),
                    &job->rundir));
    console_open(options->is_quiet || options->progress == PROGRESS_JSON, &job->rundir);
    struct run *run = &job->run;
    *run = (struct run){
        .plan = &job->session.plan,
        .backend = backend_with_jitter(job->session.backend),
        .transport = job->session.transport,
        .has_writer = true,
        .writer_threads = writer_threads(&job->session),
        .has_free_core = machine_cores() > job->session.plan.ranks,
        .has_overlap = job->session.has_overlap,
        .ordinals = job->session.ordinals,
        .is_overwrite = options->is_overwrite,
        .settings = job->session.settings,
        .files = job->files,
        .history = job->line.history,
        .notice = console_warn,
        .resume = {.checkpoint = {.fd = -1}},
    };
    if (getrandom(&run->run_id, sizeof run->run_id, 0) != (ssize_t)sizeof run->run_id)
        return fail(STATUS_PROCESS, "no random number for the run: %s", strerror(errno));
    if (options->is_resume)
        TRY(run_find_checkpoint(run));
    return run_open(run);
}

static enum status launch(struct job *job)
{
    const struct plan *plan = &job->session.plan;
    const struct launch launch = {
        .control = job->run.control,
        .ranks = plan->ranks,
        .has_writer = true,
        .body = process_body,
        .argument = job,
        .tick = tick,
        .tick_s = 0.1,
        .prospects = find_prospects,
        .wall_time_s = plan->input->run.wall_time,
        .started_s = job->started, /* reading and checking a large checkpoint takes its time */
        .hang_time_s = plan->input->run.hang_time,
        .patience_s = snapshot_bytes(plan) / SLOWEST_BYTES_PER_S,
    };
    progress_open(&job->progress, &job->session.options, &job->run);
    const enum status status = launch_run(&launch);
    progress_close(&job->progress);
    return status;
}

/* Logs the failure and removes what a killed writer may have left half done. The first message
 * stays the one that is told. */
static void clean_up_failure(struct job *job)
{
    if (job->rundir.log_fd < 0)
        return; /* the directory is not ours */
    rundir_log(&job->rundir, error_message());
    const enum status status = checkpoint_clean(job->rundir.path);
    if (status != STATUS_OK)
        rundir_log(&job->rundir, "a temporary checkpoint could not be removed");
}

/* Its results are there, but they are not what was asked for. */
static enum status check_steady(struct job *job)
{
    const struct plan *plan = &job->session.plan;
    const struct steady_record *record = &job->run.output.shared->totals.steady;
    if (!plan->input->time.is_steady || record->is_reached > 0.0)
        return STATUS_OK;
    char to_come[100] = "what is still to come is not known yet";
    if (isfinite(record->distance))
        (void)snprintf(to_come, sizeof to_come, "with %.3g of the range still to come",
                       record->distance);
    const enum status status = fail(
        STATUS_NOT_STEADY,
        "no steady state by t = %.6g s: cells change by %.3g K in %.6g s, %s (tolerance %.3g), and "
        "%.3g of the heat that flows is stored; %s a later time.end or a larger time.tolerance",
        plan->schedule.end, record->change, plan_look_interval(plan), to_come,
        plan->input->time.tolerance, record->missing,
        plan->input->checkpoint.interval.seconds > 0.0 ? "go on with --resume and" : "choose");
    rundir_log(&job->rundir, error_message());
    return status;
}

enum status command_run(int argc, char **argv)
{
    struct job job = {
        .rundir = {.log_fd = -1}, .run.resume.checkpoint.fd = -1, .started = clock_seconds()};
    (void)signal(SIGPIPE, SIG_IGN); /* a reader of our output that goes away does not end a run */
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that grows past ulimit -f is then an error of write */
    (void)signal(SIGUSR2, SIG_IGN); /* nothing to keep before the start and after the end */
    enum status status = command_line_make(argc, argv, &job.line);
    if (status == STATUS_OK)
        status = session_open(argc, argv, &job.session);
    if (status == STATUS_OK && !job.session.options.is_help) {
        status = prepare(&job);
        if (status == STATUS_OK) {
            report_start(&job.session, &job.run);
            status = launch(&job);
        }
        if (status == STATUS_OK || status == STATUS_STOPPED)
            report_end(&job.run, status, clock_seconds() - job.started, job.line.resume);
        else
            clean_up_failure(&job);
        if (status == STATUS_OK)
            status = check_steady(&job);
        run_close(&job.run);
    }
    rundir_close(&job.rundir);
    session_close(&job.session);
    command_line_free(&job.line);
    free(job.files);
    return status;
}
