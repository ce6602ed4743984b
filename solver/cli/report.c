#include "solver/cli/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "solver/cli/console.h"

static void warn_of_no_checkpoint(const char *directory)
{
    char line[ERROR_MESSAGE_BYTES];
    (void)snprintf(line, sizeof line,
                   "there is no checkpoint in %s, so --resume starts at the beginning", directory);
    console_warn(line);
}

void report_start(const struct session *session, const struct run *run)
{
    const struct plan *plan = run->plan;
    const struct schedule *schedule = &plan->schedule;
    console_say("isotherm %s: %s", version_text(),
                plan->input->title[0] != '\0' ? plan->input->title : plan->input->path);
    console_say("grid      %lld x %lld cells of %.6g x %.6g m, %s precision",
                (long long)plan->layout.nx, (long long)plan->layout.ny, plan->dx, plan->dy,
                plan->is_double ? "double" : "single");
    if (plan->input->time.is_steady)
        console_say(
            "time      until steady to %.3g of the range, looking every %.6g s, in steps of "
            "%.6g s (stability limit %.6g s); giving up at %.6g s",
            plan->input->time.tolerance, plan_look_interval(plan), schedule_dt(schedule, 0),
            plan->step_limit, schedule->end);
    else
        console_say("time      %.6g to %.6g s in %lld steps of %.6g s (stability limit %.6g s)",
                    schedule->start, schedule->end, (long long)schedule->steps,
                    schedule_dt(schedule, 0), plan->step_limit);
    if (plan->stages > 0)
        console_say("scheme    rkl2, %d stages a step", plan->stages);
    console_say("ranks     %d as %d x %d blocks on %s (%s), transport %s, %d steps per exchange%s",
                plan->ranks, plan->layout.px, plan->layout.py, session->backend->name,
                session->backend_reason, session_transport_name(session), plan->layout.halo,
                session->depth_reason);
    for (int w = 0; w < SESSION_WARNINGS; w++)
        if (session->warnings[w][0] != '\0')
            console_warn(session->warnings[w]);
    if (session->has_time_slices)
        console_warn(
            "several ranks share a GPU and take turns on it, about 0.2 ms an exchange; start "
            "the MPS server with nvidia-cuda-mps-control -d, or use one rank per GPU");
    if (run->resume.is_resumed)
        console_say("resumed   at step %lld from %s", (long long)run->resume.step,
                    run->resume.checkpoint.path);
    else if (session->options.is_resume)
        warn_of_no_checkpoint(plan->input->output.directory);
}

static void say_heat(const char *name, double heat)
{
    console_say("  %-14s %15.6e J/m", name, heat);
}

static void say_flow(const char *name, double flow)
{
    console_say("  %-14s %15.6e W/m", name, flow);
}

/* The balance of the steady state itself: what flows between the last two looks. */
static void report_flows(const struct plan *plan, const struct steady_record *record)
{
    const struct steady_flows *flows = &record->flows;
    const bool has_loss = plan->input->loss.coefficient > 0.0;
    if (record->looks == 0.0)
        return;
    console_say("heat flows per metre of depth");
    for (int side = 0; side < SIDE_COUNT; side++)
        if (plan->input->boundary[side].type != BOUNDARY_PERIODIC)
            say_flow(side_names[side], flows->sides[side]);
    if (plan->input->source_count > 0)
        say_flow("sources", flows->sources);
    if (plan->input->fixed_count > 0)
        say_flow(has_loss ? "fixed, loss" : "fixed cells", flows->fixed);
    else if (has_loss)
        say_flow("loss", flows->loss);
    console_say("  %-14s %15.6e W/m (%.2g %% of what flows)", "still stored", flows->stored,
                100.0 * record->missing);
}

static void say_steady(const struct run *run, const char *time)
{
    const struct output_totals *totals = &run->output.shared->totals;
    const struct steady_record *record = &totals->steady;
    char to_come[100] = "what is still to come is not known yet";
    if (isfinite(record->distance))
        (void)snprintf(to_come, sizeof to_come, "%.3g K still to come, %.2g of the range",
                       record->distance * (record->high - record->low), record->distance);
    console_say("%s t = %.6g s, step %lld, after %s: %s",
                record->is_reached > 0.0 ? "steady    at" : "not steady at", totals->time,
                (long long)totals->step, time, to_come);
}

/* In percent of the largest heat of the balance, where there is one: in a closed box all of them
 * are what rounding leaves of the heat that is there. */
static void say_residual(const struct plan *plan, const struct output_totals *totals)
{
    const double round_off = (plan->is_double ? 1e-12 : 1e-9) * fabs(totals->energy);
    if (totals->scale <= round_off)
        console_say("  %-14s %15.6e J/m (round-off)", "residual", totals->residual);
    else
        console_say("  %-14s %15.6e J/m (%.2g %%)", "residual", totals->residual,
                    100.0 * totals->residual / totals->scale);
}

static void report_balance(const struct plan *plan, const struct output_totals *totals)
{
    console_say("energy balance per metre of depth");
    say_heat("stored", totals->stored);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (plan->input->boundary[side].type != BOUNDARY_PERIODIC)
            say_heat(side_names[side], totals->side_heat[side]);
    const bool has_loss = plan->input->loss.coefficient > 0.0;
    if (plan->input->source_count > 0)
        say_heat("sources", totals->source_heat);
    if (plan->input->fixed_count > 0) {
        say_heat(has_loss ? "fixed, loss" : "fixed cells", totals->fixed_heat);
        console_say(
            "  (heat from fixed cells is what the balance leaves, so there is no residual)");
        return;
    }
    if (has_loss) {
        say_heat("loss", totals->loss_heat);
        console_say("  (the loss is what the balance leaves, so there is no residual)");
        return;
    }
    say_residual(plan, totals);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static double longest_wait(const struct run *run)
{
    double longest = 0.0;
    for (int rank = 0; rank < run->plan->ranks; rank++)
        longest = fmax(longest, run->control->rank[rank].waited_s);
    return longest;
}

/* "; 12 of 288 chunks are not compressed, to be in time", or nothing. */
static const char *plain_text(const struct output_totals *totals, char *text, size_t bytes)
{
    text[0] = '\0';
    if (totals->plain_chunks > 0)
        (void)snprintf(text, bytes, "; %lld of %lld chunks are not compressed, to be in time",
                       (long long)totals->plain_chunks, (long long)totals->chunks);
    return text;
}

static void say_stopped(const struct run *run, const char *resume)
{
    const struct output_totals *totals = &run->output.shared->totals;
    console_say("stopped   at step %lld of %lld, t = %.6g s; continue with: %s",
                (long long)totals->step, (long long)run->plan->schedule.steps, totals->time,
                resume);
}

/* Ranks agree on a checkpoint some exchanges ahead; the end may come first. */
static void say_late_request(const struct run *run, bool is_stopped)
{
    if ((atomic_load(&run->control->requests) & REQUEST_CHECKPOINT) == 0)
        return;
    if (is_stopped || run->plan->input->checkpoint.interval.seconds > 0.0)
        console_say("SIGUSR2   came too late for a checkpoint of its own: the one at the end holds "
                    "the state");
    else
        console_warn("SIGUSR2 came too late: the run ended before a checkpoint, and "
                     "checkpoint.interval = 0 asks for none at the end");
}

void report_end(const struct run *run, enum status status, double elapsed, const char *resume)
{
    const struct plan *plan = run->plan;
    const struct output_totals *totals = &run->output.shared->totals;
    const double loop = run->control->rank[0].loop_s;
    const double updates = (double)(totals->step - run->resume.step) * (double)plan->layout.nx *
                           (double)plan->layout.ny * (plan->stages > 0 ? plan->stages : 1);
    char time[64], loop_time[64], plain[100];
    if (run->resume.is_resumed &&
        (run->resume.step >= plan->schedule.steps || run->resume.is_steady)) {
        console_say("done      nothing was left to do: the run had come to its end at t = %.6g s",
                    run->resume.checkpoint.time);
        return;
    }
    text_duration(time, sizeof time, elapsed);
    text_duration(loop_time, sizeof loop_time, loop);
    say_late_request(run, status == STATUS_STOPPED);
    if (status == STATUS_STOPPED)
        say_stopped(run, resume);
    else if (plan->input->time.is_steady)
        say_steady(run, time);
    else
        console_say("done      t = %.6g s after %s", totals->time, time);
    console_say("speed     %.3g GLUPS (cell updates per second / 1e9) in the time loop of %s",
                loop > 0.0 ? 1e-9 * updates / loop : 0.0, loop_time);
    console_say("field     %.9g to %.9g K", totals->minimum, totals->maximum);
    if (plan->input->time.is_steady)
        report_flows(plan, &totals->steady);
    report_balance(plan, totals);
    console_say(
        "output    %lld snapshot%s, %lld probe row%s, %lld checkpoint%s in %s; the time loop "
        "waited %.2g s for it%s",
        (long long)totals->frames, plural(totals->frames), (long long)totals->probe_rows,
        plural(totals->probe_rows), (long long)totals->checkpoints, plural(totals->checkpoints),
        plan->input->output.directory, longest_wait(run), plain_text(totals, plain, sizeof plain));
}
