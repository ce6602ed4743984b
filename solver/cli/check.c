/* isotherm check: what would run and what it costs; runs nothing. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "io/input_files.h"
#include "io/kept.h"
#include "solver/account.h"
#include "solver/cli/commands.h"
#include "solver/cli/session.h"
#include "solver/host_memory.h"
#include "solver/initial.h"
#include "solver/need.h"
#include "solver/output.h"
#include "solver/properties.h"

/* For the time estimate: cell updates per second of one CPU core and one GPU, rounded down from
 * what bench/results/ has. The true figures differ by machine. */
static const double CPU_UPDATES_PER_S = 2e9, GPU_UPDATES_PER_S = 5e11;

/* Half a relaxation time apart; a factor of 1e-6 takes 28. */
enum { TYPICAL_LOOKS = 30 };

struct costs {
    double rank_bytes;   /* device memory of the largest rank */
    double shared_bytes; /* by all processes */
    double host_bytes;   /* of this machine's memory, the shared ones among them */
    int64_t snapshots;
    double output_bytes; /* snapshots, before compression */
    double seconds;      /* of the time loop */
};

static struct costs find_costs(const struct session *session)
{
    const struct plan *plan = &session->plan;
    const double cells = (double)plan->layout.nx * (double)plan->layout.ny;
    const struct kept kept = kept_find(plan->input);
    const unsigned fields = plan->input->output.fields & ~(1U << OUTPUT_MATERIAL);
    double kept_bytes = 0.0;
    const double element = plan->input->output.precision == PRECISION_DOUBLE ? 8.0 : 4.0;
    const double sweeps = plan->stages > 0 ? plan->stages : 1; /* of a step */
    const double rate = session->backend == &backend_cuda ? GPU_UPDATES_PER_S : CPU_UPDATES_PER_S;
    for (int f = 0; f < OUTPUT_FIELDS; f++)
        if ((fields == 0 ? 1U << OUTPUT_TEMPERATURE : fields) >> f & 1U)
            kept_bytes += (double)kept.count[0] * (double)kept.count[1] * element;
    const struct schedule *schedule = &plan->schedule;
    int64_t snapshots = schedule_outputs(schedule), steps = schedule->steps;
    if (plan->input->time.is_steady) {
        const int64_t typical = TYPICAL_LOOKS * plan->look_every, left = schedule->full_intervals;
        const int64_t intervals = left < typical ? left : typical;
        snapshots = 2 + (plan->snapshot_every > 0 ? intervals / plan->snapshot_every : 0);
        steps = intervals * schedule->full_steps;
    }
    size_t rank_bytes = 0;
    for (int rank = 0; rank < plan->ranks; rank++) {
        const size_t bytes = need_device_bytes(plan, &plan->blocks[rank]);
        rank_bytes = bytes > rank_bytes ? bytes : rank_bytes;
    }
    return (struct costs){
        .snapshots = snapshots,
        .rank_bytes = (double)rank_bytes,
        .shared_bytes = (double)(output_bytes(plan) + plan->staging_bytes),
        .host_bytes = host_memory_needed(plan, session->backend != &backend_cuda),
        .output_bytes = (double)snapshots * kept_bytes,
        .seconds = cells * (double)steps * sweeps / rate / plan->ranks,
    };
}

/* "401", or where the values come from. */
static const char *property_text(const struct input_field *field, char *text, size_t bytes)
{
    if (field->kind == FIELD_NUMBER)
        (void)snprintf(text, bytes, "%.6g", field->number);
    else
        (void)snprintf(text, bytes, "(%s)",
                       field->kind == FIELD_FILE ? field->file : field->expression);
    return text;
}

static void print_range(const struct plan *plan, const char *name, const double *values,
                        const char *unit)
{
    double least = values[0], most = values[0];
    for (int64_t c = 1; c < plan->layout.nx * plan->layout.ny; c++) {
        least = fmin(least, values[c]);
        most = fmax(most, values[c]);
    }
    printf("cells     %s from %.6g to %.6g %s\n", name, least, most, unit);
}

static void print_materials(const struct plan *plan)
{
    enum { BYTES = 256 };
    char kx[BYTES], ky[BYTES], density[BYTES], capacity[BYTES];
    const struct input *input = plan->input;
    for (int m = 0; m < input->material_count; m++) {
        const struct input_material *material = &input->materials[m];
        printf("material  %s: k = %s, %s W/m/K, rho = %s kg/m3, c = %s J/kg/K\n", material->name,
               property_text(&material->conductivity[0], kx, BYTES),
               property_text(&material->conductivity[1], ky, BYTES),
               property_text(&material->density, density, BYTES),
               property_text(&material->heat_capacity, capacity, BYTES));
    }
    if (input->geometry.has_image)
        printf("image     %s, %lld x %lld pixels\n", input->geometry.image,
               (long long)plan->map.width, (long long)plan->map.height);
    if (plan->properties == NULL)
        return;
    print_range(plan, "kx", plan->properties->conductivity[0], "W/m/K");
    print_range(plan, "ky", plan->properties->conductivity[1], "W/m/K");
    print_range(plan, "rho c", plan->properties->capacity, "J/m3/K");
}

static void print_time(const struct plan *plan)
{
    const struct schedule *schedule = &plan->schedule;
    if (!plan->input->time.is_steady) {
        printf("time      %.6g to %.6g s in %lld steps of %.9g s; stability limit %.9g s\n",
               schedule->start, schedule->end, (long long)schedule->steps, schedule_dt(schedule, 0),
               plan->step_limit);
        return;
    }
    printf("time      until nothing changes by more than %.3g of the range, looking every %.6g s; "
           "giving up at %.6g s\n",
           plan->input->time.tolerance, plan_look_interval(plan), schedule->end);
    printf("steps     of %.9g s; stability limit %.9g s\n", schedule_dt(schedule, 0),
           plan->step_limit);
}

static void print_text(const struct session *session, const struct costs *costs)
{
    const struct plan *plan = &session->plan;
    char rank[64], shared[64], host[64], output[64], time[64];
    text_bytes(rank, sizeof rank, costs->rank_bytes);
    text_bytes(shared, sizeof shared, costs->shared_bytes);
    text_bytes(host, sizeof host, costs->host_bytes);
    text_bytes(output, sizeof output, costs->output_bytes);
    text_duration(time, sizeof time, costs->seconds);
    printf("input     %s is valid\n", plan->input->path);
    printf("grid      %lld x %lld cells of %.6g x %.6g m, %s precision\n",
           (long long)plan->layout.nx, (long long)plan->layout.ny, plan->dx, plan->dy,
           plan->is_double ? "double" : "single");
    print_materials(plan);
    print_time(plan);
    if (plan->stages > 0)
        printf("scheme    rkl2, %d stages a step\n", plan->stages);
    printf("ranks     %d as %d x %d blocks on %s (%s), transport %s, %d steps per exchange%s\n",
           plan->ranks, plan->layout.px, plan->layout.py, session->backend->name,
           session->backend_reason, session_transport_name(session), plan->layout.halo,
           session->depth_reason);
    printf("memory    %s a rank, %s shared for output and exchange; in all %s of this machine's\n",
           rank, shared, host);
    printf("output    %s%lld snapshots in %s, %s before compression\n",
           plan->input->time.is_steady ? "about " : "", (long long)costs->snapshots,
           plan->input->output.directory, output);
    printf("cost      about %s (estimated)\n", time);
}

static void print_json(const struct session *session, const struct costs *costs)
{
    const struct plan *plan = &session->plan;
    struct json json;
    json_start(&json, stdout);
    json_object(&json, NULL);
    json_text(&json, "title", plan->input->title);
    json_array(&json, "cells");
    json_integer(&json, NULL, plan->layout.nx);
    json_integer(&json, NULL, plan->layout.ny);
    json_array_end(&json);
    json_number(&json, "cell_size_x_m", plan->dx);
    json_number(&json, "cell_size_y_m", plan->dy);
    json_text(&json, "precision", plan->is_double ? "double" : "single");
    json_text(&json, "coefficients",
              plan->properties != NULL ? "by cell"
              : plan->has_zones        ? "by zone"
                                       : "uniform");
    json_integer(&json, "steps", plan->schedule.steps);
    json_bool(&json, "steady", plan->input->time.is_steady);
    if (plan->input->time.is_steady) {
        json_number(&json, "tolerance", plan->input->time.tolerance);
        json_number(&json, "look_interval_s", plan_look_interval(plan));
        json_number(&json, "give_up_s", plan->schedule.end);
    }
    json_number(&json, "step_s", schedule_dt(&plan->schedule, 0));
    json_number(&json, "step_limit_s", plan->step_limit);
    json_text(&json, "scheme", plan->stages > 0 ? "rkl2" : "euler");
    json_integer(&json, "stages", plan->stages > 0 ? plan->stages : 1);
    json_text(&json, "backend", session->backend->name);
    json_text(&json, "transport", session_transport_name(session));
    json_integer(&json, "ranks", plan->ranks);
    json_array(&json, "layout");
    json_integer(&json, NULL, plan->layout.px);
    json_integer(&json, NULL, plan->layout.py);
    json_array_end(&json);
    json_integer(&json, "steps_per_exchange", plan->layout.halo);
    json_number(&json, "rank_bytes", costs->rank_bytes);
    json_number(&json, "shared_bytes", costs->shared_bytes);
    json_number(&json, "host_bytes", costs->host_bytes);
    json_integer(&json, "snapshots", costs->snapshots);
    json_number(&json, "output_bytes", costs->output_bytes);
    json_number(&json, "estimated_s", costs->seconds);
    json_object_end(&json);
    putchar('\n');
}

/* The start field is read or evaluated in one cell: a file is then read and checked wholly. */
static enum status check_initial(const struct plan *plan)
{
    double value = 0.0;
    return initial_temperature(plan, (struct extent){0, 1, 0, 1}, &value);
}

/* Sources at the start, their files included. */
static enum status check_sources(const struct plan *plan)
{
    struct account account;
    double heat = 0.0;
    enum status status = account_open(plan, &account);
    if (status == STATUS_OK)
        status = account_heat(&account, plan->schedule.steps > 0 ? 1 : 0, &heat);
    account_close(&account);
    return status;
}

/* A run notes the sums of all files that the input names. */
static enum status check_files(const struct plan *plan)
{
    FILE *file = fopen("/dev/null", "w");
    if (file == NULL)
        return fail(STATUS_FILE, "/dev/null: %s; a run needs it", strerror(errno));
    const enum status status = input_files_write(plan->input, file);
    (void)fclose(file);
    return status;
}

/* The input is valid or refused for what it says; then a run may still be refused for what it finds
 * here, which is told below the costs. */
static enum status check(const struct session *session)
{
    const struct plan *plan = &session->plan;
    const enum status fits = session_check_memory(session);
    TRY(check_files(plan));
    if (fits == STATUS_OK) { /* these read files and take memory */
        TRY(check_initial(plan));
        TRY(check_sources(plan));
    }
    const struct costs costs = find_costs(session);
    if (session->options.is_json)
        print_json(session, &costs);
    else
        print_text(session, &costs);
    TRY(fits);
    return rundir_check(plan->input->output.directory, session_mode(session));
}

enum status command_check(int argc, char **argv)
{
    struct session session;
    enum status status = session_open(argc, argv, &session);
    if (status == STATUS_OK && !session.options.is_help) {
        for (int w = 0; w < SESSION_WARNINGS; w++)
            if (session.warnings[w][0] != '\0')
                fprintf(stderr, "isotherm: warning: %s\n", session.warnings[w]);
        status = check(&session);
    }
    session_close(&session);
    return status;
}
