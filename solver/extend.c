#include "solver/extend.h"

#include <math.h>

#include "solver/output.h"

static const char START_ANEW[] = "or start anew with --overwrite or another output.directory";

/* Why the steps up to the checkpoint are not those of a run to the new end. */
static enum status refuse(const struct checkpoint *checkpoint, const struct schedule *before,
                          const struct schedule *now)
{
    const int64_t step = checkpoint->step;
    if (before->full_dt != now->full_dt)
        return fail(STATUS_INPUT,
                    "%s cannot go on to time.end = %.9g s: its run to %.9g s took steps of %.17g "
                    "s, one to the new end takes steps of %.17g s, so the result would be another; "
                    "choose an end that the same steps and output.interval divide, %s",
                    checkpoint->path, now->end, before->end, before->full_dt, now->full_dt,
                    START_ANEW);
    const struct schedule *odd = step > before->full_intervals * before->full_steps ? before : now;
    return fail(
        STATUS_INPUT,
        "%s cannot go on to time.end = %.9g s: a run to %.9g s ends with a shorter interval "
        "of output and divides that into steps of its own; move the checkpoint away to go "
        "on from the one before, choose an end that output.interval divides, %s",
        checkpoint->path, now->end, odd->end, START_ANEW);
}

static enum status refuse_earlier(const struct checkpoint *checkpoint, const struct schedule *now)
{
    return fail(STATUS_INPUT,
                "%s is at t = %.9g s already, time.end = %.9g s is not later; choose a later end, "
                "%s",
                checkpoint->path, checkpoint->time, now->end, START_ANEW);
}

/* The end of a steady run is only where it gives up, unless that is before the first look. */
static enum status check_steady(const struct checkpoint *checkpoint, const struct schedule *now)
{
    if (checkpoint->time > now->end * (1.0 + 1e-12))
        return refuse_earlier(checkpoint, now);
    const double time = schedule_time(now, checkpoint->step);
    if (fabs(checkpoint->time - time) <= 1e-9 * now->interval)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s cannot go on to t = %.9g s: with one of the two ends the run gives up before "
                "its first look at the state, in steps of its own; choose an end that is not so "
                "early, %s",
                checkpoint->path, now->end, START_ANEW);
}

enum status extend_check(const struct plan *plan, const struct checkpoint *checkpoint,
                         const char *settings, int *redo)
{
    const struct schedule *now = &plan->schedule;
    const int64_t step = checkpoint->step;
    struct plan before = *plan;
    double end = 0.0;
    *redo = 0;
    if (plan->input->time.is_steady)
        return check_steady(checkpoint, now);
    TRY(input_end(settings, &end));
    if (end == now->end)
        return STATUS_OK;
    TRY(plan_schedule(plan, end, &before.schedule));
    if (checkpoint->time >= now->end)
        return refuse_earlier(checkpoint, now);
    if (!schedule_agrees(&before.schedule, now, step))
        return refuse(checkpoint, &before.schedule, now);
    if (schedule_time(&before.schedule, step) != schedule_time(now, step))
        *redo = output_scheduled(&before, step) & output_scheduled(plan, step) &
                (ITEM_SNAPSHOT | ITEM_PROBES);
    return STATUS_OK;
}
