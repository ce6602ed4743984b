#define _GNU_SOURCE
#include "ipc/launch.h"

#include <errno.h>
#include <float.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "ipc/fault.h"
#include "ipc/signals.h"
#include "ipc/watchdog.h"

static const double grace_s = 0.5; /* for the others to leave by themselves after a failure */
static const double longest_look_s = 0.1;

struct child {
    pid_t pid;
    int process;
    bool is_gone;
    struct watch watch;
};

struct run {
    const struct launch *launch;
    struct control *control;
    struct signals signals;
    struct child *children;
    int child_count, alive;
    double stop_at, next_tick, kill_at; /* clock_seconds(); kill_at once failing */
    double look_interval;               /* s */
    struct watch_clock clock;
    int interrupts;
    bool is_failing, all_killed;
    bool is_unstarted; /* a process could not be started: nothing was computed */
    /* The first failure that the launcher saw itself. It counts only when the process that claimed
     * to be first died before it had said why. */
    enum status cause_status;
    char cause[ERROR_MESSAGE_BYTES];
};

/* ---- children ---- */

static void child_name(int process)
{
    char name[16]; /* what the kernel keeps */
    if (process == CONTROL_WRITER)
        (void)snprintf(name, sizeof name, "isotherm-writer");
    else
        (void)snprintf(name, sizeof name, "isotherm-r%d", process % 10000);
    (void)prctl(PR_SET_NAME, name);
}

_Noreturn static void child_main(const struct run *run, int process, pid_t launcher)
{
    struct control *control = run->control;
    /* The launcher may have died between fork and prctl: then nobody would ever tell. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != launcher)
        _exit(status_exit_code(STATUS_PROCESS));
    child_name(process);
    signals_in_child(&run->signals);
    error_clear();

    const enum status status = run->launch->body(process, run->launch->argument);
    if (status == STATUS_OK || status == STATUS_STOPPED) {
        if (status == STATUS_STOPPED)
            atomic_store(&control->stopped, 1);
        (void)fflush(NULL); /* a reader of our output that went away does not end a run */
        atomic_store(&control_part(control, process)->phase, PHASE_DONE);
        _exit(EXIT_SUCCESS);
    }
    const char *message = error_message();
    (void)control_fail(control, process, status,
                       message[0] != '\0' ? message : status_text(status));
    (void)fflush(NULL);
    _exit(status_exit_code(status));
}

PRINTF_LIKE(3, 4)
static void run_fail(struct run *run, enum status status, const char *format, ...)
{
    if (run->cause_status == STATUS_OK) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(run->cause, sizeof run->cause, format, arguments);
        va_end(arguments);
        run->cause_status = status;
    }
    (void)control_fail(run->control, CONTROL_LAUNCHER, status, run->cause);
}

static void start_child(struct run *run, int process)
{
    struct child *child = &run->children[run->child_count];
    const pid_t launcher = getpid();
    const pid_t pid = fork();
    if (pid == 0)
        child_main(run, process, launcher);
    if (pid < 0) {
        char name[PROCESS_NAME_BYTES];
        process_name(name, sizeof name, process);
        run->is_unstarted = true;
        run_fail(run, STATUS_PROCESS,
                 "the process of %s cannot be started: %s; take fewer ranks or raise the limit of "
                 "processes (ulimit -u)",
                 name, strerror(errno));
        return;
    }
    *child = (struct child){.pid = pid, .process = process};
    watch_start(&child->watch, run->clock.now);
    run->child_count++;
    run->alive++;
}

static void kill_all(struct run *run)
{
    run->all_killed = true;
    run->kill_at = DBL_MAX;
    for (int i = 0; i < run->child_count; i++)
        if (!run->children[i].is_gone) /* so its number still belongs to it */
            (void)kill(run->children[i].pid, SIGKILL);
}

static void child_ended(struct run *run, const struct child *child, int wait_status)
{
    const struct control_rank *part = control_part(run->control, child->process);
    const uint32_t phase = atomic_load(&part->phase);
    if (phase == PHASE_DONE || run->all_killed)
        return;
    char name[PROCESS_NAME_BYTES];
    process_name(name, sizeof name, child->process);
    if (WIFSIGNALED(wait_status)) {
        const int number = WTERMSIG(wait_status);
        run_fail(run, STATUS_PROCESS, "%s was killed by signal %d (%s)%s", name, number,
                 strsignal(number),
                 number == SIGKILL ? ", by someone or because the machine ran out of memory" : "");
    } else if (atomic_load(&run->control->abort) == 0) {
        run_fail(run, STATUS_PROCESS, "%s left early with exit code %d (phase %s, step %lld)", name,
                 WEXITSTATUS(wait_status), phase < PHASE_COUNT ? phase_names[phase] : "unknown",
                 (long long)atomic_load(&part->step));
    }
}

static void reap(struct run *run)
{
    for (int i = 0; i < run->child_count; i++) {
        struct child *child = &run->children[i];
        int wait_status = 0;
        if (child->is_gone || waitpid(child->pid, &wait_status, WNOHANG) != child->pid)
            continue;
        child->is_gone = true;
        run->alive--;
        child_ended(run, child, wait_status);
    }
}

/* ---- what ends a run ---- */

static void request(struct run *run, uint32_t bit)
{
    atomic_fetch_or(&run->control->requests, bit);
}

static void handle_signal(struct run *run, int number)
{
    switch (number) {
    case SIGUSR2:
        request(run, REQUEST_CHECKPOINT);
        break;
    case SIGINT:
        if (++run->interrupts > 1) {
            run_fail(run, STATUS_INTERRUPTED, "interrupted");
            kill_all(run);
            break;
        }
        request(run, REQUEST_STOP);
        break;
    case SIGTERM:
    case SIGHUP:
    case SIGUSR1:
        request(run, REQUEST_STOP);
        break;
    default: /* SIGCHLD, or none: reap() looks anyway */
        break;
    }
}

/* A process in a disk's hands cannot be ended and is not to blame; one that a debugger holds is
 * looked at by somebody. */
static bool is_excused(const struct child *child)
{
    const char state = process_state(child->pid);
    return state == 'D' || state == 't';
}

static int64_t step_of(const struct child *child)
{
    return child->process == CONTROL_WRITER ? INT64_MAX : child->watch.seen.step;
}

/* A device that never finishes also silences those whose devices wait for it, at about the same
 * time. Of all that fell silent with `first` the culprit is the one furthest behind. */
static const struct child *find_culprit(const struct run *run, const struct child *first)
{
    const struct child *culprit = first;
    const double silence = watch_silence(&first->watch, run->clock.now);
    for (int i = 0; i < run->child_count; i++) {
        const struct child *child = &run->children[i];
        if (!child->is_gone && step_of(child) < step_of(culprit) &&
            watch_silence(&child->watch, run->clock.now) > silence / 2)
            culprit = child;
    }
    return culprit;
}

static void end_hung(struct run *run, const struct child *child)
{
    const struct watch *watch = &child->watch;
    char name[PROCESS_NAME_BYTES];
    process_name(name, sizeof name, child->process);
    run_fail(run, STATUS_PROCESS,
             "%s gave no sign of life for %.3g s (phase %s, step %lld)%s and was ended", name,
             watch_silence(watch, run->clock.now),
             watch->seen.phase < PHASE_COUNT ? phase_names[watch->seen.phase] : "unknown",
             (long long)watch->seen.step,
             process_state(child->pid) == 'T' ? ", it was stopped by a signal," : "");
    (void)kill(child->pid, SIGKILL);
}

/* How long a process may be silent. */
static double budget_of(const struct run *run, const struct child *child)
{
    const struct launch *launch = run->launch;
    const bool handles_frames =
        child->process == CONTROL_WRITER || child->watch.seen.phase < PHASE_STEP;
    return watch_budget(&child->watch,
                        launch->hang_time_s + (handles_frames ? launch->patience_s : 0.0));
}

static void watch_children(struct run *run, double now)
{
    watch_clock_advance(&run->clock, now, run->look_interval);
    if (run->launch->hang_time_s <= 0 || run->is_failing)
        return;
    const struct child *silent = NULL;
    for (int i = 0; i < run->child_count; i++) {
        struct child *child = &run->children[i];
        if (child->is_gone)
            continue;
        const struct control_rank *part = control_part(run->control, child->process);
        const struct watch_signs signs = {.beat = atomic_load(&part->beat),
                                          .step = atomic_load(&part->step),
                                          .phase = atomic_load(&part->phase)};
        watch_look(&child->watch, run->clock.now, run->look_interval, signs);
        if (watch_silence(&child->watch, run->clock.now) <= budget_of(run, child))
            continue;
        if (is_excused(child))
            watch_start(&child->watch, run->clock.now);
        else if (silent == NULL)
            silent = child;
    }
    if (silent != NULL)
        end_hung(run, find_culprit(run, silent));
}

/* A failure that a child recorded, or we. */
static void end_failing(struct run *run, double now)
{
    if (atomic_load(&run->control->abort) == 0)
        return;
    if (!run->is_failing) {
        run->is_failing = true;
        run->kill_at = run->all_killed ? DBL_MAX : now + grace_s;
    }
    if (now >= run->kill_at)
        kill_all(run);
}

static void tick(struct run *run, double now)
{
    const struct launch *launch = run->launch;
    if (launch->tick == NULL || now < run->next_tick)
        return;
    launch->tick(launch->argument, false);
    run->next_tick = now + launch->tick_s;
}

/* ---- the run ---- */

/* In time for the last checkpoint. */
static double stop_time(const struct launch *launch, double now)
{
    const double wall_time_s = launch->wall_time_s;
    if (wall_time_s <= 0)
        return DBL_MAX;
    double margin = 0.05 * wall_time_s > 10 ? 0.05 * wall_time_s : 10;
    if (margin > 0.5 * wall_time_s)
        margin = 0.5 * wall_time_s;
    return (launch->started_s > 0 ? launch->started_s : now) + wall_time_s - margin;
}

static void run_init(struct run *run, const struct launch *launch)
{
    enum { LOOKS_PER_HANG_TIME = 10 };
    const double now = clock_seconds();
    run->launch = launch;
    run->control = launch->control;
    run->stop_at = stop_time(launch, now);
    run->next_tick = now + launch->tick_s;
    run->kill_at = DBL_MAX;
    run->look_interval = longest_look_s;
    if (launch->hang_time_s > 0 && launch->hang_time_s / LOOKS_PER_HANG_TIME < longest_look_s)
        run->look_interval = launch->hang_time_s / LOOKS_PER_HANG_TIME;
    watch_clock_start(&run->clock, now);
}

static double time_to_next(const struct run *run)
{
    double next =
        run->launch->tick != NULL && run->next_tick < run->kill_at ? run->next_tick : run->kill_at;
    const double wait = next - clock_seconds();
    return wait < run->look_interval ? wait : run->look_interval;
}

static void run_watch(struct run *run)
{
    while (run->alive > 0) {
        handle_signal(run, signals_take(&run->signals, time_to_next(run)));
        reap(run);
        const double now = clock_seconds();
        if (now >= run->stop_at)
            request(run, REQUEST_STOP);
        watch_children(run, now);
        end_failing(run, now);
        tick(run, now);
    }
    if (run->launch->tick != NULL)
        run->launch->tick(run->launch->argument, true);
}

/* The launcher saw a process end that said nothing. */
static enum status fail_lost(const struct run *run, enum status status, const char *message)
{
    char prospects[256] = "";
    if (run->launch->prospects != NULL && !run->is_unstarted)
        run->launch->prospects(run->launch->argument, prospects, sizeof prospects);
    return fail(status, "%s%s%s", message, prospects[0] != '\0' ? "; " : "", prospects);
}

/* All processes are gone, so what they left does not change any more. */
static enum status verdict(const struct run *run)
{
    struct control *control = run->control;
    if (atomic_load(&control->failure_claimed) == 0)
        return atomic_load(&control->stopped) != 0 ? STATUS_STOPPED : STATUS_OK;
    if (atomic_load(&control->failure_complete) == 0)
        return fail_lost(run, STATUS_PROCESS,
                         run->cause[0] != '\0'
                             ? run->cause
                             : "a process failed and died before it had said why");
    const bool is_known =
        control->failure_status > STATUS_OK && control->failure_status < STATUS_COUNT;
    const enum status status = is_known ? control->failure_status : STATUS_BUG;
    control->failure_message[sizeof control->failure_message - 1] = '\0';
    if (control->failure_process == CONTROL_LAUNCHER)
        return fail_lost(run, status, control->failure_message);
    if (run->child_count == 1)
        return fail(status, "%s", control->failure_message);
    char name[PROCESS_NAME_BYTES];
    process_name(name, sizeof name, control->failure_process);
    return fail(status, "%s: %s", name, control->failure_message);
}

enum status launch_run(const struct launch *launch)
{
    struct run run = {0};
    enum status status = STATUS_OK;
    run_init(&run, launch);
    TRY(fault_arm());
    TRY(memory_alloc(&run.children, (size_t)launch->ranks + 1, sizeof *run.children,
                     "list of processes"));
    TRY_DONE(signals_open(&run.signals));

    (void)fflush(NULL); /* or each child would print what waits in our buffers */
    for (int r = 0; r < launch->ranks && run.cause_status == STATUS_OK; r++)
        start_child(&run, r);
    if (launch->has_writer && run.cause_status == STATUS_OK)
        start_child(&run, CONTROL_WRITER);
    run_watch(&run);
    status = verdict(&run);
    signals_close(&run.signals);
done:
    free(run.children);
    return status;
}
