#include "solver/cli/session.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/boundary.h"
#include "solver/cli/machine.h"
#include "solver/cli/tuning.h"
#include "solver/guard.h"
#include "solver/host_memory.h"
#include "solver/shapes.h"
#include "solver/source.h"
#include "solver/steady_input.h"

const char *session_transport_name(const struct session *session)
{
    if (session->transport == HALO_STAGED)
        return "host";
    return session->backend == &backend_cuda ? "cuda-ipc" : "shm";
}

/* Orders the GPUs so that each is linked as well as possible to the one before it, as neighbouring
 * blocks go to neighbouring ranks: from the first on, always the best linked one that is left. */
static void order_gpus(const struct device_list *gpus, int order[])
{
    bool is_used[PROBE_MAX_DEVICES] = {false};
    order[0] = 0;
    is_used[0] = true;
    for (int n = 1; n < gpus->count; n++) {
        int best = -1, best_rank = 0;
        for (int gpu = 0; gpu < gpus->count; gpu++) {
            const struct device_peer *peer = &gpus->peers[order[n - 1]][gpu];
            const int rank = peer->has_access ? peer->performance_rank : INT_MAX;
            if (!is_used[gpu] && (best < 0 || rank < best_rank)) {
                best = gpu;
                best_rank = rank;
            }
        }
        order[n] = best;
        is_used[best] = true;
    }
}

/* Backend, and how many processes "auto" may start on it. */
static enum status choose_backend(struct session *session, int *devices, int order[], bool *has_mps)
{
    const enum backend_choice wanted = session->input.run.backend;
    session->backend = &backend_cpu;
    session->backend_reason = "as asked";
    *devices = machine_cores();
    if (wanted == BACKEND_CPU)
        return STATUS_OK;
    struct device_list gpus;
    const enum status status = machine_gpus(&gpus);
    if (wanted == BACKEND_AUTO && (status != STATUS_OK || gpus.count == 0)) {
        error_clear();
        session->backend_reason = "no usable GPU";
        return STATUS_OK;
    }
    TRY(status);
    if (gpus.count == 0)
        return fail(STATUS_DEVICE, "run.backend: cuda is not possible: %s", gpus.reason);
    if (wanted == BACKEND_AUTO)
        session->backend_reason = "a GPU is there";
    session->backend = &backend_cuda;
    *devices = gpus.count;
    *has_mps = gpus.has_mps;
    order_gpus(&gpus, order);
    (void)snprintf(session->device_name, sizeof session->device_name, "%s",
                   gpus.devices[order[0]].name);
    return STATUS_OK;
}

static void choose_transport(struct session *session)
{
    switch (session->input.run.transport) {
    case TRANSPORT_IPC:
        session->transport = HALO_DIRECT;
        return;
    case TRANSPORT_HOST:
        session->transport = HALO_STAGED;
        return;
    case TRANSPORT_AUTO:
        break;
    }
    /* CPU ranks keep their fields in private memory, where huge pages can be had, and exchange
     * through slots: shared memory has none by default. */
    session->transport = session->backend == &backend_cuda ? HALO_DIRECT : HALO_STAGED;
}

/* Queues that run at once leave nothing to hide behind. Ranks that share a GPU hide each other's
 * exchanges: four of 8192 x 8192 cells under MPS are 8 % faster with whole blocks
 * (bench/results/h200-mps.txt). Without MPS they take turns, and one with a second queue keeps the
 * GPU for a whole time slice (2 ms): 2.2 ms an exchange with the split and 0.17 ms without
 * (bench/results/h200-exchange.txt). */
static bool choose_overlap(const struct session *session)
{
    switch (session->input.run.overlap) {
    case OVERLAP_ON:
        return true;
    case OVERLAP_OFF:
        return false;
    default:
        return !session->backend->is_synchronous && !session->shares_devices;
    }
}

static enum status write_settings(struct session *session)
{
    size_t bytes = 0;
    FILE *file = open_memstream(&session->settings, &bytes);
    if (file == NULL)
        return fail(STATUS_MEMORY, "no memory for the settings: %s", strerror(errno));
    const enum status status = input_write(&session->input, file);
    if (fclose(file) != 0 && status == STATUS_OK)
        return fail(STATUS_MEMORY, "no memory for the settings: %s", strerror(errno));
    return status;
}

/* Boundary values and factors of sources at the start: what is wrong with a table or an expression
 * is found before anything is written. */
static enum status try_values(const struct plan *plan)
{
    struct sources sources;
    double factor = 0.0;
    enum status status = sources_open(plan, &sources);
    for (int s = 0; s < plan->input->source_count && status == STATUS_OK; s++)
        status = sources_factor(&sources, s, plan->schedule.start, &factor);
    sources_close(&sources);
    for (int side = 0; side < SIDE_COUNT && status == STATUS_OK; side++) {
        const double s = 0.5 * (side < SIDE_BOTTOM ? plan->dy : plan->dx);
        struct boundary boundary;
        struct boundary_values values;
        status = boundary_open(&plan->input->boundary[side], &boundary);
        if (status == STATUS_OK)
            status = boundary_at(&boundary, s, plan->schedule.start, &values);
        boundary_close(&boundary);
    }
    return status;
}

enum status session_open(int argc, char **argv, struct session *session)
{
    *session = (struct session){0};
    struct options *options = &session->options;
    TRY(options_parse(argc, argv, options));
    if (options->is_help)
        return STATUS_OK;
    TRY(input_read(options->config, (const char *const *)options->sets, options->set_count,
                   &session->input));
    int devices = 1, order[PROBE_MAX_DEVICES] = {0};
    bool has_mps = false;
    TRY(choose_backend(session, &devices, order, &has_mps));
    session->device_count = devices;
    choose_transport(session);
    TRY(plan_make(&session->input, session->backend,
                  devices < CONTROL_MAX_RANKS ? devices : CONTROL_MAX_RANKS, &session->plan));
    TRY(try_values(&session->plan));
    TRY(guard_input(&session->plan, session->warnings[0], sizeof session->warnings[0]));
    shapes_look(&session->plan, session->warnings[1], sizeof session->warnings[1]);
    if (session->input.time.is_steady)
        TRY(steady_input(&session->plan));
    steady_warn(&session->plan, session->warnings[2], sizeof session->warnings[2]);
    for (int rank = 0; rank < session->plan.ranks; rank++)
        session->ordinals[rank] = session->backend == &backend_cuda ? order[rank % devices] : rank;
    TRY(tuning_apply(session));
    session->shares_devices = session->backend == &backend_cuda && session->plan.ranks > devices;
    session->has_time_slices = session->shares_devices && !has_mps;
    session->has_overlap = choose_overlap(session);
    return write_settings(session);
}

enum rundir_mode session_mode(const struct session *session)
{
    const struct options *options = &session->options;
    return options->is_resume      ? RUNDIR_RESUME
           : options->is_overwrite ? RUNDIR_OVERWRITE
                                   : RUNDIR_NEW;
}

enum status session_check_memory(const struct session *session)
{
    return host_memory_check(&session->plan, session->backend != &backend_cuda, "");
}

void session_close(struct session *session)
{
    plan_free(&session->plan);
    input_free(&session->input);
    options_free(&session->options);
    free(session->settings);
}
