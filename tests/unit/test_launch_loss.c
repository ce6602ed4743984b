/* Processes that die, stop, loop or leave: the run ends, names the one to blame and leaves no
 * process behind, also when the launcher itself is killed. */
#define _GNU_SOURCE
#include "tests/unit/launch_world.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "ipc/watchdog.h"

static const uint64_t endless = UINT64_MAX;

static unsigned int seed;

static long random_below(long limit)
{
    seed = seed * 1103515245u + 12345u;
    return (long)(seed >> 8) % limit;
}

static int process_of(int index)
{
    return index == WORLD_WRITER ? CONTROL_WRITER : index;
}

/* From outside, at a moment that nothing in the run has to do with. */
static pid_t start_killer(struct world *world, int index, int number, long microseconds)
{
    const pid_t killer = fork();
    if (killer != 0)
        return killer;
    while (atomic_load(&world->pids[index]) == 0)
        pause_ms(1);
    const struct timespec time = {.tv_nsec = 1000 * microseconds};
    (void)nanosleep(&time, NULL);
    _exit(kill(atomic_load(&world->pids[index]), number) == 0 ? 0 : 1);
}

static void check_child(pid_t pid)
{
    int status = -1;
    CHECK_EQUAL_INT(waitpid(pid, &status, 0), pid);
    CHECK_EQUAL_INT(status, 0);
}

static void who_is_killed_is_named(int index, long microseconds)
{
    char name[PROCESS_NAME_BYTES], message[128];
    process_name(name, sizeof name, process_of(index));
    (void)snprintf(message, sizeof message, "%s was killed by signal 9 (Killed)", name);
    struct world *world = world_open(WORLD_RANKS);
    world->exchanges = endless;
    const pid_t killer = start_killer(world, index, SIGKILL, microseconds);
    world_run(world, STATUS_PROCESS, message);
    CHECK_CONTAINS(error_message(), "; what is left");
    check_child(killer);
    world_close(world);
}

static void any_process_may_be_killed_at_any_moment(void)
{
    for (int trial = 0; trial < 60; trial++)
        who_is_killed_is_named(trial % WORLD_PROCESSES, random_below(20000));
}

static void who_is_stopped_is_named(int index, const char *message)
{
    struct world *world = world_open(WORLD_RANKS);
    world->exchanges = endless;
    world->launch.hang_time_s = 0.5;
    const pid_t killer = start_killer(world, index, SIGSTOP, 5000);
    world_run(world, STATUS_PROCESS, message);
    CHECK_CONTAINS(error_message(), "stopped by a signal");
    check_child(killer);
    world_close(world);
}

static void set_fault(const char *name, const char *process, const char *action)
{
    char text[128];
    (void)snprintf(text, sizeof text, "%s:%s:%s:2", name, process, action);
    if (strcmp(name, "write") == 0) /* the writer passes its point once */
        text[strlen(text) - 2] = '\0';
    CHECK_EQUAL_INT(setenv("ISOTHERM_FAULT", text, 1), 0);
}

static void a_fault_is_named(const char *name, const char *process, const char *action,
                             const char *message)
{
    struct world *world = world_open(WORLD_RANKS);
    world->exchanges = endless;
    world->launch.hang_time_s = 0.5;
    set_fault(name, process, action);
    world_run(world, STATUS_PROCESS, message);
    CHECK_EQUAL_INT(unsetenv("ISOTHERM_FAULT"), 0);
    world_close(world);
}

static void faults_are_named(void)
{
    static const struct {
        const char *name, *process, *action, *message;
    } cases[] = {
        {"exchange", "2", "kill", "rank 2 was killed by signal 9"},
        {"exchange", "0", "abort", "rank 0 was killed by signal 6"},
        {"exchange", "3", "exit", "rank 3 left early with exit code 0 (phase step, step 0)"},
        {"exchange", "1", "stop", "rank 1 gave no sign of life"},
        {"exchange", "1", "loop", "rank 1 gave no sign of life"},
        {"write", "writer", "kill", "writer was killed by signal 9"},
        {"write", "writer", "loop", "writer gave no sign of life"},
        {"write", "writer", "exit", "writer left early with exit code 0 (phase output"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        a_fault_is_named(cases[i].name, cases[i].process, cases[i].action, cases[i].message);
}

static void bad_fault_settings_are_refused(void)
{
    static const char *const bad[] = {
        "",          "x",         "x:0",        "x:0:burn",   ":0:kill", "x:a:kill",
        "x:-1:kill", "x:0:kill:", "x:0:kill:0", "x:256:kill", "x::kill", "x:0:kill:1:1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_EQUAL_INT(setenv("ISOTHERM_FAULT", bad[i], 1), 0);
        CHECK_FAILS(fault_arm(), STATUS_INPUT);
        CHECK_CONTAINS(error_message(), "ISOTHERM_FAULT");
        error_clear();
    }
    CHECK_EQUAL_INT(unsetenv("ISOTHERM_FAULT"), 0);
    CHECK_OK(fault_arm());
}

/* Rank 1 fails; rank 2 looks at nothing any more and must be ended by force. */
static enum status one_fails_one_is_deaf(struct world *world, int process, uint64_t exchange)
{
    (void)world;
    if (process == 2 && exchange == 1)
        for (;;)
            pause_ms(1000);
    return process == 1 && exchange == 1 ? fail(STATUS_DEVICE, "the device failed") : STATUS_OK;
}

static void a_deaf_process_is_ended_after_a_failure(void)
{
    struct world *world = world_open(WORLD_RANKS);
    world->trouble = one_fails_one_is_deaf;
    world->exchanges = endless;
    world_run(world, STATUS_DEVICE, "rank 1: the device failed");
    world_close(world);
}

/* Both wait for their own devices, as ranks do whose devices wait for each other. Rank 1 fell
 * silent first, but rank 2 is a step behind. */
static enum status devices_never_finish(struct world *world, int process, uint64_t exchange)
{
    struct control *control = world->control;
    if ((process != 1 && process != 2) || exchange < 5)
        return STATUS_OK;
    if (process == 2)
        pause_ms(100);
    atomic_store(&control->rank[process].step, process == 1 ? 9 : 8);
    return control_wait_own(control, process, &control->rank[process].start, 1);
}

static void of_silent_ranks_the_last_is_blamed(void)
{
    struct world *world = world_open(WORLD_RANKS);
    world->trouble = devices_never_finish;
    world->exchanges = endless;
    world->launch.hang_time_s = 0.5;
    world_run(world, STATUS_PROCESS, "rank 2 gave no sign of life");
    CHECK_CONTAINS(error_message(), "step 8");
    world_close(world);
}

/* A process that made a child by CLONE_VFORK is, like one that a disk keeps waiting, beyond any
 * signal until the child lets go: the kernel calls both 'D'. */
static enum status is_kept_waiting(struct world *world, int process, uint64_t exchange)
{
    if (process != 1 || exchange != 5)
        return STATUS_OK;
    const pid_t waiting = getpid();
    const pid_t child = (pid_t)syscall(SYS_clone, (unsigned long)CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        atomic_store(&world->state_seen, process_state(waiting));
        if (world->state_seen == 'D')
            pause_ms(1200);
        _exit(0);
    }
    return waitpid(child, NULL, 0) == child ? STATUS_OK : fail(STATUS_BUG, "clone");
}

static void who_waits_for_a_disk_is_not_hung(void)
{
    struct world *world = world_open(WORLD_RANKS);
    world->trouble = is_kept_waiting;
    world->launch.hang_time_s = 0.5;
    world_run(world, STATUS_OK, "");
    if (world->state_seen != 'D')
        (void)printf("not looked at: this kernel does not tell who waits for a disk\n");
    world_close(world);
}

/* The process in question says nothing for twice the time that others may. */
static enum status takes_its_time(struct world *world, int process, uint64_t exchange)
{
    if (process == world->trouble_process && exchange == 0)
        pause_ms(1000);
    return STATUS_OK;
}

static void a_large_frame_takes_its_time(double patience_s, int process, enum status expected,
                                         const char *message)
{
    struct world *world = world_open(WORLD_RANKS);
    world->trouble = takes_its_time;
    world->trouble_process = process;
    world->launch.hang_time_s = 0.5;
    world->launch.patience_s = patience_s;
    world_run(world, expected, message);
    world_close(world);
}

/* Rank 1 claims to be the first failure and dies before it has said what it was. */
static enum status dies_while_it_reports(struct world *world, int process, uint64_t exchange)
{
    if (process == 1 && exchange == 3) {
        atomic_store(&world->control->failure_claimed, 1);
        (void)raise(SIGKILL);
    }
    return STATUS_OK;
}

static void a_half_made_report_does_not_count(void)
{
    struct world *world = world_open(3);
    world->trouble = dies_while_it_reports;
    world->exchanges = endless;
    world_run(world, STATUS_PROCESS, "rank 1 was killed by signal 9");
    world_close(world);
}

/* ---- the launcher itself ---- */

/* A launcher in a process of its own, with its own process group. */
static pid_t start_launcher(struct world *world)
{
    const pid_t launcher = fork();
    if (launcher == 0) {
        (void)setpgid(0, 0);
        _exit(status_exit_code(launch_run(&world->launch)));
    }
    (void)setpgid(launcher, launcher);
    for (int p = 0; p < WORLD_PROCESSES; p++)
        while (atomic_load(&world->pids[p]) == 0)
            pause_ms(1);
    return launcher;
}

/* The children become ours when their parent dies, so that we see each of them go. */
static void children_die_with_the_launcher(void)
{
    CHECK_EQUAL_INT(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    struct world *world = world_open(WORLD_RANKS);
    world->exchanges = endless;
    const pid_t launcher = start_launcher(world);
    int status = 0;
    CHECK_EQUAL_INT(kill(launcher, SIGKILL), 0);
    CHECK_EQUAL_INT(waitpid(launcher, &status, 0), launcher);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    for (int p = 0; p < WORLD_PROCESSES; p++) {
        CHECK_EQUAL_INT(waitpid(world->pids[p], &status, 0), world->pids[p]);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    atomic_store(&world->last_ticks, 1); /* the launcher had no end */
    world_close(world);
}

/* Ctrl-Z and fg: nobody was hung, although nobody moved for longer than the watchdog allows. */
static void a_suspended_run_goes_on(void)
{
    struct world *world = world_open(WORLD_RANKS);
    world->launch.hang_time_s = 0.5;
    world->exchanges = 300;
    const pid_t launcher = start_launcher(world);
    CHECK_EQUAL_INT(kill(-launcher, SIGSTOP), 0);
    /* The launcher alone wakes up for a moment, sees the others' last signs, and sleeps again: at
     * its next look they have been silent for a second. */
    CHECK_EQUAL_INT(kill(launcher, SIGCONT), 0);
    pause_ms(100);
    CHECK_EQUAL_INT(kill(launcher, SIGSTOP), 0);
    pause_ms(1000);
    CHECK_EQUAL_INT(kill(launcher, SIGCONT), 0);
    pause_ms(100);
    CHECK_EQUAL_INT(kill(-launcher, SIGCONT), 0);
    check_child(launcher);
    world_close(world);
}

int main(int count, char **arguments)
{
    (void)alarm(110);
    seed = count > 1 ? (unsigned int)strtoul(arguments[1], NULL, 10) : (unsigned int)time(NULL);
    (void)printf("seed %u\n", seed);
    (void)fflush(stdout); /* children have their own copy of what waits */
    any_process_may_be_killed_at_any_moment();
    who_is_stopped_is_named(2, "rank 2 gave no sign of life");
    who_is_stopped_is_named(WORLD_WRITER, "writer gave no sign of life");
    faults_are_named();
    of_silent_ranks_the_last_is_blamed();
    who_waits_for_a_disk_is_not_hung();
    a_large_frame_takes_its_time(0.0, CONTROL_WRITER, STATUS_PROCESS,
                                 "writer gave no sign of life");
    a_large_frame_takes_its_time(10.0, CONTROL_WRITER, STATUS_OK, "");
    /* Patience is not for ranks that step. */
    a_large_frame_takes_its_time(10.0, 1, STATUS_PROCESS, "rank 1 gave no sign of life");
    bad_fault_settings_are_refused();
    a_deaf_process_is_ended_after_a_failure();
    a_half_made_report_does_not_count();
    children_die_with_the_launcher();
    a_suspended_run_goes_on();
    return check_result();
}
