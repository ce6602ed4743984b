/* Waiting for numbers: between threads (so that ThreadSanitizer sees it) and between processes. */
#include "ipc/futex.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipc/control.h"
#include "tests/check.h"

enum { ROUNDS = 5000, WAITERS = 4 };

static void a_value_that_is_there_wins_over_abort(void)
{
    struct sequence sequence = {0};
    const _Atomic uint32_t raised = 1, quiet = 0;
    sequence_publish(&sequence, 7);
    CHECK(sequence_wait(&sequence, 7, &raised, 0));
    CHECK(sequence_wait(&sequence, 3, &quiet, 10));
    CHECK(!sequence_wait(&sequence, 8, &raised, 0));
    CHECK_EQUAL_INT(sequence_wait_round(&sequence, 8, &quiet, 10), WAIT_AGAIN);
    CHECK_EQUAL_INT(sequence_wait_round(&sequence, 8, &raised, 10), WAIT_ABORTED);
    CHECK_EQUAL_INT(sequence_wait_round(&sequence, 7, &quiet, 10), WAIT_REACHED);
    CHECK_EQUAL_INT(sequence.sleepers, 0);
}

static void each_sequence_has_its_own_cache_line(void)
{
    CHECK_EQUAL_INT(sizeof(struct sequence), 64);
    CHECK_EQUAL_INT(_Alignof(struct sequence), 64);
}

/* Two threads hand a plain number back and forth: every read must see the write before it. */
struct game {
    struct sequence ball, answer;
    _Atomic uint32_t abort;
    int64_t number; /* plain on purpose: only the sequences order it */
    int spins;
};

static void *partner(void *argument)
{
    struct game *game = argument;
    for (uint64_t k = 1; k <= ROUNDS; k++) {
        if (!sequence_wait(&game->ball, k, &game->abort, game->spins))
            break;
        game->number = 3 * game->number + 1;
        sequence_publish(&game->answer, k);
    }
    return NULL;
}

static void what_was_written_before_is_seen_after(int spins)
{
    struct game game = {.spins = spins};
    uint64_t expected = 0; /* 2 * (3 * n + 1), in arithmetic modulo 2^20 */
    pthread_t thread;
    CHECK_EQUAL_INT(pthread_create(&thread, NULL, partner, &game), 0);
    int64_t wrong = 0;
    for (uint64_t k = 1; k <= ROUNDS; k++) {
        game.number = (2 * game.number) % (1 << 20);
        expected = (2 * expected) % (1 << 20);
        sequence_publish(&game.ball, k);
        if (!sequence_wait(&game.answer, k, &game.abort, spins))
            break;
        expected = 3 * expected + 1;
        wrong += game.number != (int64_t)expected;
    }
    CHECK_EQUAL_INT(pthread_join(thread, NULL), 0);
    CHECK_EQUAL_INT(wrong, 0);
    CHECK_EQUAL_INT(game.ball.sleepers, 0);
    CHECK_EQUAL_INT(game.answer.sleepers, 0);
}

struct waiter {
    struct sequence *sequence;
    const _Atomic uint32_t *abort;
    uint64_t wanted;
    bool reached;
};

static void *wait_thread(void *argument)
{
    struct waiter *waiter = argument;
    waiter->reached = sequence_wait(waiter->sequence, waiter->wanted, waiter->abort, 0);
    return NULL;
}

/* Four wait for 1, 2, 3, 4; the count stops at 2 and the rest is called off. */
static void abort_ends_those_whose_number_never_comes(void)
{
    struct sequence sequence = {0};
    _Atomic uint32_t abort = 0;
    struct waiter waiters[WAITERS];
    pthread_t threads[WAITERS];
    for (int i = 0; i < WAITERS; i++) {
        waiters[i] = (struct waiter){&sequence, &abort, (uint64_t)i + 1, false};
        CHECK_EQUAL_INT(pthread_create(&threads[i], NULL, wait_thread, &waiters[i]), 0);
    }
    sequence_publish(&sequence, 1);
    sequence_publish(&sequence, 2);
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL_INT(pthread_join(threads[i], NULL), 0);
    atomic_store(&abort, 1);
    sequence_interrupt(&sequence);
    for (int i = 2; i < WAITERS; i++)
        CHECK_EQUAL_INT(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < WAITERS; i++)
        CHECK_EQUAL_INT(waiters[i].reached, i < 2);
    CHECK_EQUAL_INT(sequence.sleepers, 0);
}

/* Nobody calls sequence_interrupt here: the wait must look at the abort word by itself. */
static void abort_is_seen_without_a_wake_up(void)
{
    struct sequence sequence = {0};
    _Atomic uint32_t abort = 0;
    struct waiter waiter = {&sequence, &abort, 1, true};
    pthread_t thread;
    CHECK_EQUAL_INT(pthread_create(&thread, NULL, wait_thread, &waiter), 0);
    while (atomic_load(&sequence.sleepers) == 0)
        continue;
    atomic_store(&abort, 1);
    CHECK_EQUAL_INT(pthread_join(thread, NULL), 0);
    CHECK(!waiter.reached);
}

static void processes_wait_for_each_other(void)
{
    struct game *game = NULL;
    void *memory = NULL;
    CHECK_OK(shared_map("test-futex", sizeof *game, &memory));
    game = memory;
    const pid_t child = fork();
    if (child == 0) {
        (void)partner(game);
        _exit(EXIT_SUCCESS);
    }
    int64_t reached = 0;
    for (uint64_t k = 1; k <= ROUNDS; k++) {
        sequence_publish(&game->ball, k);
        reached += sequence_wait(&game->answer, k, &game->abort, 0);
        game->number %= 1000;
    }
    int status = -1;
    CHECK_EQUAL_INT(waitpid(child, &status, 0), child);
    CHECK_EQUAL_INT(status, 0);
    CHECK_EQUAL_INT(reached, ROUNDS);
    shared_unmap(memory, sizeof *game);
}

int main(void)
{
    (void)alarm(100); /* a lost wait ends the test */
    a_value_that_is_there_wins_over_abort();
    each_sequence_has_its_own_cache_line();
    what_was_written_before_is_seen_after(0);
    what_was_written_before_is_seen_after(100);
    abort_ends_those_whose_number_never_comes();
    abort_is_seen_without_a_wake_up();
    processes_wait_for_each_other();
    return check_result();
}
