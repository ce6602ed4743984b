/* isotherm check: what would run and what it costs; runs nothing. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "io/input_files.h"
#include "solver/account.h"
#include "solver/cli/commands.h"
#include "solver/cli/cost.h"
#include "solver/cli/session.h"
#include "solver/initial.h"
#include "solver/probing.h"
#include "solver/properties.h"
#include "solver/tryout.h"

/* What a run is found to take and to find here. */
struct findings {
    struct cost cost;
    struct tryout tryout;
    double room; /* bytes free for the output; < 0: not known */
};

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

/* ", 2.0 GiB are free", or nothing where that is not known. */
static const char *room_text(double room, char *text, size_t bytes)
{
    char free_text[64];
    text[0] = '\0';
    if (room < 0.0)
        return text;
    text_bytes(free_text, sizeof free_text, room);
    (void)snprintf(text, bytes, ", %s are free", free_text);
    return text;
}

/* Of the probes whose times no step hits; most runs have none. */
static void print_late_probes(const struct plan *plan)
{
    for (int p = 0; p < plan->input->output.probe_count; p++) {
        const struct input_probe *probe = &plan->input->output.probes[p];
        const double late = probing_lateness(plan, p);
        if (late > 0.0)
            printf("probe     %s: no step is at all multiples of %.9g s, so its values are of the "
                   "first step after, less than %.3g s late\n",
                   probe->name, probe->interval, late);
    }
}

static void print_text(const struct session *session, const struct findings *findings)
{
    const struct plan *plan = &session->plan;
    const struct cost *cost = &findings->cost;
    const struct tryout *tryout = &findings->tryout;
    char room[100], rank[64], shared[64], host[64], output[64], time[64];
    text_bytes(rank, sizeof rank, cost->rank_bytes);
    text_bytes(shared, sizeof shared, cost->shared_bytes);
    text_bytes(host, sizeof host, cost->host_bytes);
    text_bytes(output, sizeof output, cost->output_bytes);
    text_duration(time, sizeof time, cost->seconds);
    printf("input     %s is valid\n", plan->input->path);
    printf("grid      %lld x %lld cells of %.6g x %.6g m, %s precision\n",
           (long long)plan->layout.nx, (long long)plan->layout.ny, plan->dx, plan->dy,
           plan->is_double ? "double" : "single");
    print_materials(plan);
    print_time(plan);
    if (tryout->tried < tryout->all)
        printf("tried     expressions in %.3g of %.3g places and times, evenly spread\n",
               tryout->tried, tryout->all);
    print_late_probes(plan);
    if (plan->stages > 0)
        printf("scheme    rkl2, %d stages a step\n", plan->stages);
    printf("ranks     %d as %d x %d blocks on %s (%s), transport %s, %d steps per exchange%s\n",
           plan->ranks, plan->layout.px, plan->layout.py, session->backend->name,
           session->backend_reason, session_transport_name(session), plan->layout.halo,
           session->depth_reason);
    printf("memory    %s a rank, %s shared for output and exchange; in all %s of this machine's\n",
           rank, shared, host);
    printf("output    %s%lld snapshot%s in %s, %s before compression%s\n",
           plan->input->time.is_steady ? "about " : "", (long long)cost->snapshots,
           cost->snapshots == 1 ? "" : "s", plan->input->output.directory, output,
           room_text(findings->room, room, sizeof room));
    printf("cost      about %s (estimated)\n", time);
}

static void print_json(const struct session *session, const struct findings *findings)
{
    const struct plan *plan = &session->plan;
    const struct cost *cost = &findings->cost;
    const struct tryout *tryout = &findings->tryout;
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
    json_number(&json, "rank_bytes", cost->rank_bytes);
    json_number(&json, "shared_bytes", cost->shared_bytes);
    json_number(&json, "host_bytes", cost->host_bytes);
    json_integer(&json, "snapshots", cost->snapshots);
    json_number(&json, "output_bytes", cost->output_bytes);
    if (findings->room >= 0.0)
        json_number(&json, "free_bytes", findings->room);
    json_number(&json, "estimated_s", cost->seconds);
    json_number(&json, "expression_values", tryout->all);
    json_number(&json, "expression_values_tried", tryout->tried);
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

static void find_room(const struct plan *plan, double *room)
{
    if (rundir_room(plan->input->output.directory, room) == STATUS_OK)
        return;
    error_clear(); /* rundir_check() has more to say */
    *room = -1.0;
}

static void warn_of_room(const struct plan *plan, const struct findings *findings)
{
    char needed[64], left[64];
    if (findings->room < 0.0 || findings->cost.output_bytes <= findings->room)
        return;
    text_bytes(needed, sizeof needed, findings->cost.output_bytes);
    text_bytes(left, sizeof left, findings->room);
    fprintf(stderr,
            "isotherm: warning: the snapshots take %s%s and %s are free for %s; choose a longer "
            "output.interval, a larger output.stride or another output.directory\n",
            needed,
            plan->input->output.compression == COMPRESSION_NONE ? "" : " before compression", left,
            plan->input->output.directory);
}

/* The input is valid or refused for what it says; then a run may still be refused for what it finds
 * here, which is told below the costs. */
static enum status check(const struct session *session)
{
    const struct plan *plan = &session->plan;
    const enum status fits = session_check_memory(session);
    struct findings findings;
    TRY(check_files(plan));
    if (fits == STATUS_OK) { /* these read files and take memory */
        TRY(check_initial(plan));
        TRY(check_sources(plan));
    }
    TRY(tryout_make(plan, &findings.tryout));
    findings.cost = cost_find(session);
    find_room(plan, &findings.room);
    if (session->options.is_json)
        print_json(session, &findings);
    else
        print_text(session, &findings);
    if (fits == STATUS_OK)
        warn_of_room(plan, &findings);
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
