#include "solver/cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "solver/cli/console.h"

static const double SECONDS_BETWEEN[] = {
    [PROGRESS_BAR] = 0.2, [PROGRESS_PLAIN] = 10.0, [PROGRESS_JSON] = 1.0};

struct state {
    int64_t step, steps;
    double fraction; /* of all steps */
    double time;     /* s, simulated */
    double rate;     /* cell updates per second since the start */
    double left;     /* s; < 0: not known yet */
    double to_come;  /* share of the range, of a steady run; INFINITY: not known yet */
};

/* The line is redrawn by control sequences, which TERM=dumb (editors, logs) does not know. */
static bool can_redraw(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

void progress_open(struct progress *progress, const struct options *options, const struct run *run)
{
    enum progress_mode mode = options->progress;
    if (mode == PROGRESS_AUTO)
        mode = can_redraw() ? PROGRESS_BAR : PROGRESS_PLAIN;
    if (options->is_quiet && mode != PROGRESS_JSON)
        mode = PROGRESS_NONE;
    const double now = clock_seconds();
    *progress = (struct progress){.mode = mode, .run = run, .start = now, .last_shown = now};
    if (options->is_watch && mode == PROGRESS_BAR)
        progress->has_picture = picture_open(&progress->picture, run);
}

void progress_close(struct progress *progress)
{
    if (progress->has_picture)
        picture_close(&progress->picture);
}

/* The rank that is furthest behind counts. */
static struct state find_state(const struct progress *progress, double now)
{
    const struct run *run = progress->run;
    const struct plan *plan = run->plan;
    struct state state = {
        .steps = plan->schedule.steps, .step = plan->schedule.steps, .left = -1.0};
    for (int rank = 0; rank < plan->ranks; rank++) {
        const int64_t step =
            atomic_load_explicit(&run->control->rank[rank].step, memory_order_relaxed);
        state.step = step < state.step ? step : state.step;
    }
    if (state.step < run->resume.step)
        state.step = run->resume.step;
    const double elapsed = now - progress->start;
    const double done = (double)(state.step - run->resume.step);
    state.fraction = state.steps > 0 ? (double)state.step / (double)state.steps : 1.0;
    state.time = schedule_time(&plan->schedule, state.step);
    if (elapsed > 0.0)
        state.rate = done * (plan->stages > 0 ? plan->stages : 1) * (double)plan->layout.nx *
                     (double)plan->layout.ny / elapsed;
    state.to_come = atomic_load_explicit(&run->output.shared->still_to_come, memory_order_relaxed);
    if (done > 0.0 && !plan->input->time.is_steady)
        state.left = elapsed / done * (double)(state.steps - state.step);
    return state;
}

static void show_text(struct progress *progress, const struct state *state)
{
    char left[64] = "?", to_come[64] = "what is still to come is not known yet", line[256];
    if (isfinite(state->to_come))
        (void)snprintf(to_come, sizeof to_come, "%.2g of the range still to come", state->to_come);
    if (state->left >= 0.0)
        text_duration(left, sizeof left, state->left);
    if (progress->run->plan->input->time.is_steady)
        (void)snprintf(line, sizeof line, "t = %.6g s  step %lld  %.3g GLUPS  %s (until %.2g)",
                       state->time, (long long)state->step, 1e-9 * state->rate, to_come,
                       progress->run->plan->input->time.tolerance);
    else
        (void)snprintf(line, sizeof line,
                       "%5.1f %%  t = %.6g s  step %lld of %lld  %.3g GLUPS  %s left",
                       100.0 * state->fraction, state->time, (long long)state->step,
                       (long long)state->steps, 1e-9 * state->rate, left);
    if (progress->mode == PROGRESS_BAR) {
        printf("\r\033[K");
        if (progress->has_picture)
            picture_show(&progress->picture);
        int columns = 0, rows = 0;
        console_size(&columns, &rows);
        printf("%.*s", columns - 1, line); /* a line that wraps could not be redrawn */
        progress->is_line_open = true;
    } else {
        puts(line);
    }
}

static void show_json(const struct progress *progress, const struct state *state)
{
    const bool is_steady = progress->run->plan->input->time.is_steady;
    struct json json;
    json_start(&json, stdout);
    json_object(&json, NULL);
    if (!is_steady)
        json_number(&json, "percent", 100.0 * state->fraction);
    json_number(&json, "time_s", state->time);
    json_integer(&json, "step", state->step);
    if (!is_steady)
        json_integer(&json, "steps", state->steps);
    else if (isfinite(state->to_come))
        json_number(&json, "still_to_come", state->to_come);
    json_number(&json, "update_rate_cells_per_s", state->rate);
    if (state->left >= 0.0)
        json_number(&json, "left_s", state->left);
    json_object_end(&json);
    putchar('\n');
}

/* Then there is no progress to tell of. */
static bool has_failed_to_start(const struct progress *progress, const struct state *state)
{
    return state->step == progress->run->resume.step &&
           atomic_load(&progress->run->control->abort) != 0;
}

void progress_tick(struct progress *progress, bool is_last)
{
    if (progress->mode == PROGRESS_NONE)
        return;
    const double now = clock_seconds();
    if (is_last || now - progress->last_shown >= SECONDS_BETWEEN[progress->mode]) {
        const struct state state = find_state(progress, now);
        progress->last_shown = now;
        if (progress->mode == PROGRESS_JSON)
            show_json(progress, &state);
        else if (!has_failed_to_start(progress, &state))
            show_text(progress, &state);
    }
    if (is_last && progress->is_line_open) {
        putchar('\n');
        progress->is_line_open = false;
    }
    (void)fflush(stdout);
}
