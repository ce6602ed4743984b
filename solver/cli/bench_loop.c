#include "solver/cli/bench_loop.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "ipc/launch.h"
#include "solver/cli/console.h"
#include "solver/cli/session.h"
#include "solver/run.h"

/* Unit spacing, diffusivity 1: the limit of a step is 0.25, so dt = 0.2 and `steps` of them. */
static const char input_text[] =
    "domain = { size = [%lld.0, %lld.0]; cells = [%lld, %lld]; };\n"
    "materials = ( { name = \"m\"; conductivity = 1.0; density = 1.0; heat_capacity = 1.0; } );\n"
    "initial = { temperature = 300.0; };\n"
    "boundary = {\n"
    "  left = { type = \"temperature\"; value = 400.0; };\n"
    "  right = { type = \"convection\"; coefficient = 0.5; ambient = 250.0; };\n"
    "  bottom = { type = \"flux\"; value = 1.0; };\n"
    "  top = { type = \"insulated\"; };\n"
    "};\n"
    "time = { end = %.17g; step = 0.2; };\n"
    "checkpoint = { interval = 0.0; };\n"
    "run = { precision = \"%s\"; transport = \"%s\"; hang_time = 0.0; };\n";

/* The path of a new file with the input of `steps` steps; the caller removes it. */
static enum status write_input(const struct loop_case *loop, int64_t steps, char path[64])
{
    (void)snprintf(path, 64, "/tmp/isotherm-bench-XXXXXX");
    const int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL)
        return fail(STATUS_FILE, "%s: cannot be written: %s", path, strerror(errno));
    const int printed =
        fprintf(file, input_text, (long long)loop->nx, (long long)loop->ny, (long long)loop->nx,
                (long long)loop->ny, 0.2 * (double)steps, loop->is_double ? "double" : "single",
                loop->transport != NULL ? loop->transport : "auto");
    if (fclose(file) != 0 || printed < 0)
        return fail(STATUS_FILE, "%s: cannot be written: %s", path, strerror(errno));
    return STATUS_OK;
}

/* The session that `isotherm run PATH ...` would have. */
static enum status open_session(const struct loop_case *loop, char *path, struct session *session)
{
    char ranks[32], depth[64], backend[64];
    char *words[12] = {"run", path, "--backend", backend};
    int count = 4;
    (void)snprintf(backend, sizeof backend, "%s", loop->backend);
    if (loop->ranks > 0) {
        (void)snprintf(ranks, sizeof ranks, "%d", loop->ranks);
        words[count++] = "--ranks";
        words[count++] = ranks;
    }
    if (loop->depth > 0) {
        (void)snprintf(depth, sizeof depth, "run.steps_per_exchange=%d", loop->depth);
        words[count++] = "--set";
        words[count++] = depth;
    }
    optind = 0; /* getopt starts anew */
    return session_open(count, words, session);
}

static void warn(const char *line)
{
    console_warn(line);
}

static void fill_run(const struct session *session, struct run *run)
{
    *run = (struct run){
        .plan = &session->plan,
        .backend = session->backend,
        .transport = session->transport,
        .has_overlap = session->has_overlap,
        .ordinals = session->ordinals,
        .settings = session->settings,
        .history = "",
        .notice = warn,
        .resume = {.checkpoint = {.fd = -1}},
    };
}

static enum status rank_body(int process, void *argument)
{
    return rank_run(argument, process);
}

/* Runs `steps` steps; *elapsed is the time loop of the slowest rank. */
static enum status run_once(const struct loop_case *loop, int64_t steps, struct loop_result *result,
                            double *elapsed)
{
    char path[64];
    struct session session = {0};
    struct run run = {.resume = {.checkpoint = {.fd = -1}}};
    enum status status = write_input(loop, steps, path);
    if (status == STATUS_OK)
        status = open_session(loop, path, &session);
    (void)unlink(path);
    if (status == STATUS_OK) {
        fill_run(&session, &run);
        status = run_open(&run);
    }
    if (status == STATUS_OK)
        status = launch_run(&(struct launch){.control = run.control,
                                             .ranks = session.plan.ranks,
                                             .body = rank_body,
                                             .argument = &run,
                                             .tick_s = 0.1});
    if (status == STATUS_OK) {
        *elapsed = 0.0;
        for (int rank = 0; rank < session.plan.ranks; rank++)
            *elapsed = fmax(*elapsed, run.control->rank[rank].loop_s);
        result->ranks = session.plan.ranks;
        result->depth = session.plan.layout.halo;
        result->backend = session.backend->name;
        result->transport = session_transport_name(&session);
        result->devices = session.device_count;
    }
    run_close(&run);
    session_close(&session);
    return status;
}

enum status bench_loop(const struct loop_case *loop, double seconds, struct loop_result *result)
{
    enum { LONGEST = 100000000 };
    double elapsed = 0.0;
    int64_t steps = loop->depth > 0 ? 4 * loop->depth : 128;
    TRY(run_once(loop, steps, result, &elapsed));
    const int64_t depth = result->depth;
    /* Three trials at most: the first is too short to tell, the second tells how many it takes. */
    for (int trial = 0; trial < 2 && elapsed < seconds; trial++) {
        const double factor = fmin(seconds / fmax(elapsed, 1e-4) * 1.1, trial == 0 ? 50.0 : 1e4);
        steps = (int64_t)fmin((double)steps * factor, LONGEST);
        steps = (steps + depth - 1) / depth * depth;
        TRY(run_once(loop, steps, result, &elapsed));
    }
    result->updates_per_s = (double)loop->nx * (double)loop->ny * (double)steps / elapsed;
    result->exchange_s = elapsed / ((double)steps / (double)depth);
    return STATUS_OK;
}

/* ---- copy ---- */

struct copy_job {
    const struct session *session;
    double *seconds; /* shared with the child: of one copy */
    struct shared *shared;
};

/* Far beyond caches; the GPU's is 60 MB, a large CPU's some hundreds. */
static size_t copy_bytes(const struct copy_job *job)
{
    return (size_t)1 << (job->session->backend->is_synchronous ? 28 : 31);
}

static enum status time_copies(const struct copy_job *job, struct device *device,
                               struct queue *queue, void *from, void *to)
{
    enum { COPIES = 5, TRIALS = 5 };
    const struct backend *backend = job->session->backend;
    const struct copy copy = {.from = from,
                              .to = to,
                              .from_pitch = copy_bytes(job) / 1024,
                              .to_pitch = copy_bytes(job) / 1024,
                              .row_bytes = copy_bytes(job) / 1024,
                              .rows = 1024};
    struct copy_list *list = NULL;
    TRY(backend->copy_list_open(device, &copy, 1, &list));
    enum status status = STATUS_OK;
    double best = INFINITY;
    for (int trial = 0; trial < TRIALS && status == STATUS_OK; trial++) {
        const double start = clock_seconds();
        for (int c = 0; c < COPIES && status == STATUS_OK; c++)
            status = backend->copy_list_run(queue, list);
        if (status == STATUS_OK)
            status = backend->queue_drain(queue);
        best = fmin(best, (clock_seconds() - start) / COPIES);
    }
    *job->seconds = best;
    backend->copy_list_close(list);
    return status;
}

static enum status copy_body(int process, void *argument)
{
    const struct copy_job *job = argument;
    const struct backend *backend = job->session->backend;
    struct device *device = NULL;
    struct queue *queue = NULL;
    void *from = NULL, *to = NULL;
    TRY(backend->open(&(struct device_options){.shared = job->shared, .rank = process}, &device));
    enum status status = backend->queue_open(device, QUEUE_NORMAL, &queue);
    if (status == STATUS_OK)
        status = backend->allocate(device, copy_bytes(job), MEMORY_PRIVATE, &from);
    if (status == STATUS_OK)
        status = backend->allocate(device, copy_bytes(job), MEMORY_PRIVATE, &to);
    if (status == STATUS_OK)
        status = time_copies(job, device, queue, from, to);
    backend->release(device, from);
    backend->release(device, to);
    backend->queue_close(queue);
    backend->close(device);
    return status;
}

enum status bench_copy(const char *backend, double *bytes_per_s)
{
    const struct loop_case loop = {.backend = backend, .nx = 64, .ny = 64, .ranks = 1};
    char path[64];
    struct session session = {0};
    struct control *control = NULL;
    struct copy_job job = {.session = &session};
    enum status status = write_input(&loop, 1, path);
    if (status == STATUS_OK)
        status = open_session(&loop, path, &session);
    (void)unlink(path);
    if (status == STATUS_OK)
        status = control_open(1, &control);
    if (status == STATUS_OK)
        status = session.backend->share(1, 0, &job.shared);
    if (status == STATUS_OK) {
        job.seconds = &control->rank[0].loop_s;
        status = launch_run(&(struct launch){
            .control = control, .ranks = 1, .body = copy_body, .argument = &job, .tick_s = 0.1});
    }
    if (status == STATUS_OK)
        *bytes_per_s = 2.0 * (double)copy_bytes(&job) / *job.seconds;
    if (job.shared != NULL)
        session.backend->unshare(job.shared);
    if (control != NULL)
        control_close(control);
    session_close(&session);
    return status;
}
