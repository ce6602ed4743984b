/* isotherm check: what would run and what it costs; runs nothing. */
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "solver/account.h"
#include "solver/cli/commands.h"
#include "solver/cli/machine.h"
#include "solver/cli/session.h"
#include "solver/initial.h"
#include "solver/output.h"

/* For the time estimate: cell updates per second of one CPU core and one GPU, rounded down from
 * what bench/results/ has. The true figures differ by machine. */
static const double CPU_UPDATES_PER_S = 2e9, GPU_UPDATES_PER_S = 5e11;

struct costs {
    double rank_bytes;   /* device memory of the largest rank */
    double host_bytes;   /* shared by all processes */
    double output_bytes; /* snapshots, before compression */
    double seconds;      /* of the time loop */
};

static struct costs find_costs(const struct session *session)
{
    const struct plan *plan = &session->plan;
    const double cells = (double)plan->layout.nx * (double)plan->layout.ny;
    const double element = plan->input->output.precision == PRECISION_DOUBLE ? 8.0 : 4.0;
    const double sweeps = plan->stages > 0 ? plan->stages : 1; /* of a step */
    const double rate = session->backend == &backend_cuda ? GPU_UPDATES_PER_S : CPU_UPDATES_PER_S;
    return (struct costs){
        .rank_bytes = (double)plan->field_bytes,
        .host_bytes = (double)(output_bytes(plan) + plan->staging_bytes),
        .output_bytes = (double)schedule_outputs(&plan->schedule) * cells * element,
        .seconds = cells * (double)plan->schedule.steps * sweeps / rate / plan->ranks,
    };
}

static void print_text(const struct session *session, const struct costs *costs)
{
    const struct plan *plan = &session->plan;
    const struct schedule *schedule = &plan->schedule;
    char rank[64], host[64], output[64], time[64];
    text_bytes(rank, sizeof rank, costs->rank_bytes);
    text_bytes(host, sizeof host, costs->host_bytes);
    text_bytes(output, sizeof output, costs->output_bytes);
    text_duration(time, sizeof time, costs->seconds);
    printf("input     %s is valid\n", plan->input->path);
    printf("grid      %lld x %lld cells of %.6g x %.6g m, %s precision\n",
           (long long)plan->layout.nx, (long long)plan->layout.ny, plan->dx, plan->dy,
           plan->is_double ? "double" : "single");
    for (int m = 0; m < plan->input->material_count; m++) {
        const struct input_material *material = &plan->input->materials[m];
        printf("material  %s: k = %.6g, %.6g W/m/K, rho = %.6g kg/m3, c = %.6g J/kg/K\n",
               material->name, material->conductivity[0], material->conductivity[1],
               material->density, material->heat_capacity);
    }
    printf("time      %.6g to %.6g s in %lld steps of %.9g s; stability limit %.9g s\n",
           schedule->start, schedule->end, (long long)schedule->steps, schedule_dt(schedule, 0),
           plan->step_limit);
    if (plan->stages > 0)
        printf("scheme    rkl2, %d stages a step\n", plan->stages);
    printf("ranks     %d as %d x %d blocks on %s (%s), transport %s, %d steps per exchange%s\n",
           plan->ranks, plan->layout.px, plan->layout.py, session->backend->name,
           session->backend_reason, session_transport_name(session), plan->layout.halo,
           session->depth_reason);
    printf("memory    %s a rank, %s shared for output and exchange\n", rank, host);
    printf("output    %lld snapshots in %s, %s before compression\n",
           (long long)schedule_outputs(schedule), plan->input->output.directory, output);
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
    json_integer(&json, "steps", plan->schedule.steps);
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
    json_number(&json, "host_bytes", costs->host_bytes);
    json_integer(&json, "snapshots", schedule_outputs(&plan->schedule));
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

enum status command_check(int argc, char **argv)
{
    struct session session;
    enum status status = session_open(argc, argv, &session);
    if (status == STATUS_OK && !session.options.is_help) {
        status = check_initial(&session.plan);
        if (status == STATUS_OK)
            status = check_sources(&session.plan);
        const struct costs costs = find_costs(&session);
        if (status == STATUS_OK && session.options.is_json)
            print_json(&session, &costs);
        else if (status == STATUS_OK)
            print_text(&session, &costs);
        const double memory = machine_free_memory();
        if (status == STATUS_OK && memory > 0.0 && costs.host_bytes > memory)
            fprintf(stderr, "isotherm: warning: the run needs more memory than is free now\n");
    }
    session_close(&session);
    return status;
}
