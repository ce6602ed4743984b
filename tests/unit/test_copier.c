/* Copies are made aside, told when they are there, and waited for by who writes to what they read.
 */
#include "solver/copier.h"

#include <semaphore.h>
#include <string.h>

#include "tests/check.h"

static sem_t gate; /* a copy goes through when it is posted */

static enum status gated_copy(struct queue *queue, const struct copy *copy)
{
    (void)queue;
    while (sem_wait(&gate) != 0) {
    }
    memcpy(copy->to, copy->from, copy->row_bytes);
    return STATUS_OK;
}

static enum status broken_copy(struct queue *queue, const struct copy *copy)
{
    (void)queue, (void)copy;
    return fail(STATUS_DEVICE, "no copy today");
}

static struct copier_job make_job(const int *from, int *to, struct sequence *sequence, int level)
{
    return (struct copier_job){.copy = {.from = from, .to = to, .row_bytes = sizeof *to, .rows = 1},
                               .sequence = sequence,
                               .value = (uint64_t)*from,
                               .level = level};
}

static double waited_s;

/* That calls return at all while the gate is closed is the claim. */
static void copies_are_made_aside(void)
{
    const struct backend backend = {.copy = gated_copy};
    struct sequence sequence = {0};
    struct copier *copier = NULL;
    const int from[2] = {7, 9};
    int to[2] = {0, 0};
    if (!CHECK_OK(copier_open(&backend, NULL, &waited_s, &copier)) || !CHECK(copier != NULL))
        return;
    CHECK_OK(copier_wait(copier)); /* nothing to wait for */
    struct copier_job job = make_job(&from[0], &to[0], &sequence, 1);
    CHECK_OK(copier_begin(copier, &job));
    CHECK_OK(copier_wait_level(copier, 0)); /* nothing is read there */
    CHECK_EQUAL_INT(to[0], 0);
    CHECK_EQUAL_INT((int64_t)atomic_load(&sequence.value), 0);
    CHECK(waited_s == 0.0);
    CHECK(sem_post(&gate) == 0);
    CHECK_OK(copier_wait_level(copier, 1));
    CHECK_EQUAL_INT(to[0], 7);
    CHECK_EQUAL_INT((int64_t)atomic_load(&sequence.value), 7);
    /* The next one waits for the one before, and closing for the last. */
    CHECK(sem_post(&gate) == 0 && sem_post(&gate) == 0);
    CHECK_OK(copier_begin(copier, &job));
    job = make_job(&from[1], &to[1], &sequence, 0);
    CHECK_OK(copier_begin(copier, &job));
    copier_close(copier);
    CHECK_EQUAL_INT(to[1], 9);
    CHECK_EQUAL_INT((int64_t)atomic_load(&sequence.value), 9);
}

static void a_copy_that_fails_is_told(void)
{
    const struct backend backend = {.copy = broken_copy};
    struct sequence sequence = {0};
    struct copier *copier = NULL;
    const int from = 3;
    int to = 0;
    if (!CHECK_OK(copier_open(&backend, NULL, &waited_s, &copier)) || !CHECK(copier != NULL))
        return;
    const struct copier_job job = make_job(&from, &to, &sequence, 0);
    CHECK_OK(copier_begin(copier, &job));
    CHECK_FAILS(copier_wait(copier), STATUS_DEVICE);
    CHECK_CONTAINS(error_message(), "no copy today");
    CHECK_EQUAL_INT((int64_t)atomic_load(&sequence.value), 0); /* the writer must not look at it */
    CHECK_FAILS(copier_begin(copier, &job), STATUS_DEVICE);
    error_clear();
    copier_close(copier);
}

int main(void)
{
    CHECK(sem_init(&gate, 0, 0) == 0);
    copies_are_made_aside();
    a_copy_that_fails_is_told();
    CHECK_OK(copier_wait(NULL));
    CHECK_OK(copier_wait_level(NULL, 1));
    copier_close(NULL);
    return check_result();
}
