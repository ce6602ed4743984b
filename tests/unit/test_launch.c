/* How a run ends, seen from the launcher: complete, with a failure of its own, or on request. What
 * happens when processes die or hang is in test_launch_loss.c. */
#include "base/clock.h"
#include "tests/unit/launch_world.h"

static const uint64_t endless = UINT64_MAX;

static void a_complete_run_is_ok(int ranks)
{
    struct world *world = world_open(ranks);
    world_run(world, STATUS_OK, "");
    CHECK(world->ticks > 0);
    for (int r = 0; r < ranks; r++) {
        CHECK_EQUAL_INT(world->control->rank[r].phase, PHASE_DONE);
        CHECK_EQUAL_INT((int64_t)world->control->rank[r].exchange.value, 20);
        CHECK(world->pids[r] != 0 && world->pids[r] != getpid());
    }
    CHECK_EQUAL_INT(world->control->writer.phase, PHASE_DONE);
    world_close(world);
}

static enum status fails(struct world *world, int process, uint64_t exchange)
{
    if (process != world->trouble_process || (process >= 0 && exchange < 5))
        return STATUS_OK;
    return fail(STATUS_NOT_FINITE, "the field is not finite");
}

static void the_failure_of_one_process_is_the_runs(int ranks, int process, const char *message)
{
    struct world *world = world_open(ranks);
    world->trouble = fails;
    world->trouble_process = process;
    world->exchanges = endless;
    world_run(world, STATUS_NOT_FINITE, message);
    CHECK_EQUAL_TEXT(error_message(), message);
    world_close(world);
}

static void a_single_process_needs_no_name(void)
{
    struct world *world = world_open(1);
    world->trouble = fails;
    world->launch.has_writer = false;
    world_run(world, STATUS_NOT_FINITE, "");
    CHECK_EQUAL_TEXT(error_message(), "the field is not finite");
    world_close(world);
}

static enum status says_stopped(struct world *world, int process, uint64_t exchange)
{
    (void)world;
    return process >= 0 && exchange == 3 ? STATUS_STOPPED : STATUS_OK;
}

static void a_body_may_say_that_it_stopped(void)
{
    struct world *world = world_open(2);
    world->trouble = says_stopped;
    world->launch.has_writer = false;
    world_run(world, STATUS_STOPPED, "");
    world_close(world);
}

static int to_send[4]; /* one at every tick, from the second on */

static void send_signals(struct world *world)
{
    const int index = world->ticks - 2;
    if (index >= 0 && index < 4 && to_send[index] != 0)
        (void)kill(getpid(), to_send[index]);
}

static struct world *world_with_signals(int first, int second)
{
    struct world *world = world_open(3);
    to_send[0] = first;
    to_send[1] = second;
    world->on_tick = send_signals;
    world->exchanges = endless;
    return world;
}

static void signals_ask_the_run_to_stop(void)
{
    const int signals[] = {SIGTERM, SIGUSR1, SIGHUP, SIGINT};
    for (int i = 0; i < 4; i++) {
        struct world *world = world_with_signals(signals[i], 0);
        world_run(world, STATUS_STOPPED, "");
        CHECK_EQUAL_INT(world->seen_requests, REQUEST_STOP);
        world_close(world);
    }
}

static void a_hangup_that_nohup_ignores_asks_for_nothing(void)
{
    (void)signal(SIGHUP, SIG_IGN);
    struct world *world = world_with_signals(SIGHUP, SIGHUP);
    world->exchanges = 100;
    world_run(world, STATUS_OK, "");
    CHECK_EQUAL_INT(world->seen_requests, 0);
    world_close(world);
    CHECK(signal(SIGHUP, SIG_DFL) == SIG_IGN);
}

static void a_second_sigint_ends_the_run(void)
{
    struct world *world = world_with_signals(SIGINT, SIGINT);
    world->control->stop_exchange = endless; /* deaf to the first */
    world_run(world, STATUS_INTERRUPTED, "interrupted");
    world_close(world);
}

static void sigint_after_sigterm_is_the_first(void)
{
    struct world *world = world_with_signals(SIGTERM, SIGINT);
    world_run(world, STATUS_STOPPED, "");
    world_close(world);
}

static void sigusr2_asks_for_a_checkpoint_only(void)
{
    struct world *world = world_with_signals(SIGUSR2, 0);
    world->exchanges = 100;
    world_run(world, STATUS_OK, "");
    CHECK_EQUAL_INT(world->seen_requests, REQUEST_CHECKPOINT);
    world_close(world);
}

/* The request came, but the run was through before anybody acted on it. */
static void a_run_that_completed_anyway_is_ok(void)
{
    struct world *world = world_with_signals(SIGTERM, 0);
    world->control->stop_exchange = endless;
    world->exchanges = 100;
    world_run(world, STATUS_OK, "");
    CHECK_EQUAL_INT(world->seen_requests, REQUEST_STOP);
    world_close(world);
}

static void the_wall_time_limit_asks_to_stop(void)
{
    struct world *world = world_open(2);
    world->launch.wall_time_s = 0.4;
    world->exchanges = endless;
    world_run(world, STATUS_STOPPED, "");
    world_close(world);
}

static void the_wall_time_counts_from_the_start(void)
{
    struct world *world = world_open(2);
    world->launch.wall_time_s = 1000.0;
    world->launch.started_s = clock_seconds() - 990.0; /* the last 50 s are for the checkpoint */
    world->exchanges = endless;
    world_run(world, STATUS_STOPPED, "");
    world_close(world);
}

static void hit_the_children(struct world *world)
{
    const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE};
    const int count = sizeof signals / sizeof signals[0];
    if (world->ticks >= 2 && world->ticks < 2 + count)
        for (int p = 0; p < WORLD_PROCESSES; p++)
            if (world->pids[p] != 0)
                (void)kill(world->pids[p], signals[world->ticks - 2]);
}

/* Terminals and batch systems send them to the whole group: the launcher alone decides. */
static void children_ignore_what_the_launcher_handles(void)
{
    struct world *world = world_open(4);
    world->on_tick = hit_the_children;
    world->exchanges = 150;
    world_run(world, STATUS_OK, "");
    CHECK(world->ticks >= 8);
    world_close(world);
}

static void handler(int number)
{
    (void)number;
}

static void the_callers_signal_handling_comes_back(void)
{
    struct sigaction action = {.sa_handler = handler}, after = {0};
    sigset_t mask, mask_after;
    CHECK_EQUAL_INT(sigaction(SIGUSR1, &action, NULL), 0);
    CHECK_EQUAL_INT(signal(SIGCHLD, SIG_IGN) == SIG_ERR, 0); /* would hide how children end */
    CHECK_EQUAL_INT(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
    struct world *world = world_open(2);
    world_run(world, STATUS_OK, "");
    world_close(world);
    CHECK_EQUAL_INT(sigprocmask(SIG_SETMASK, NULL, &mask_after), 0);
    for (int number = 1; number < 32; number++)
        CHECK_EQUAL_INT(sigismember(&mask_after, number), sigismember(&mask, number));
    CHECK_EQUAL_INT(sigaction(SIGUSR1, NULL, &after), 0);
    CHECK(after.sa_handler == handler);
    CHECK_EQUAL_INT(sigaction(SIGPIPE, NULL, &after), 0);
    CHECK(after.sa_handler == SIG_DFL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)signal(SIGUSR1, SIG_DFL);
}

static enum status prints(struct world *world, int process, uint64_t exchange)
{
    (void)world;
    if (process >= 0 && exchange == 0)
        (void)printf("(rank %d)", process);
    return STATUS_OK;
}

/* Into a file, so that everything stays in buffers as long as possible. */
static void output_comes_once_and_whole(void)
{
    char text[256] = "";
    FILE *file = tmpfile();
    (void)fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    if (!CHECK(file != NULL && saved >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0))
        return;
    (void)printf("(launcher)");
    struct world *world = world_open(3);
    world->trouble = prints;
    const enum status status = launch_run(&world->launch);
    (void)fflush(stdout);
    (void)dup2(saved, STDOUT_FILENO);
    (void)close(saved);
    CHECK_EQUAL_INT(status, STATUS_OK);
    (void)fseek(file, 0, SEEK_SET);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    CHECK_EQUAL_INT((int64_t)length, (int64_t)strlen("(launcher)(rank 0)(rank 1)(rank 2)"));
    CHECK_CONTAINS(text, "(launcher)");
    CHECK_CONTAINS(text, "(rank 0)");
    CHECK_CONTAINS(text, "(rank 1)");
    CHECK_CONTAINS(text, "(rank 2)");
    world_close(world);
}

int main(void)
{
    (void)alarm(100);
    for (int ranks = 1; ranks <= WORLD_RANKS; ranks++)
        a_complete_run_is_ok(ranks);
    the_failure_of_one_process_is_the_runs(3, 0, "rank 0: the field is not finite");
    the_failure_of_one_process_is_the_runs(3, 2, "rank 2: the field is not finite");
    the_failure_of_one_process_is_the_runs(2, CONTROL_WRITER, "writer: the field is not finite");
    a_single_process_needs_no_name();
    a_body_may_say_that_it_stopped();
    signals_ask_the_run_to_stop();
    a_hangup_that_nohup_ignores_asks_for_nothing();
    a_second_sigint_ends_the_run();
    sigint_after_sigterm_is_the_first();
    sigusr2_asks_for_a_checkpoint_only();
    a_run_that_completed_anyway_is_ok();
    the_wall_time_limit_asks_to_stop();
    the_wall_time_counts_from_the_start();
    children_ignore_what_the_launcher_handles();
    the_callers_signal_handling_comes_back();
    output_comes_once_and_whole();
    return check_result();
}
