#define _GNU_SOURCE
#include "ipc/futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The kernel reads `wakes` as a plain 32-bit word, and other processes the rest. */
_Static_assert(sizeof(_Atomic uint32_t) == 4, "a futex word has 32 bits");
_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2,
               "processes can only share atomics without locks");

static const struct timespec round_time = {.tv_sec = 0, .tv_nsec = 20 * 1000 * 1000};

/* Not FUTEX_PRIVATE_FLAG: the word is shared by processes. Every way to return from the sleep
 * (woken, word changed, time over, signal) means the same to the caller: look again. */
static void word_sleep(_Atomic uint32_t *word, uint32_t expected)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT, expected, &round_time, NULL, 0);
}

static void word_wake(_Atomic uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void sequence_interrupt(struct sequence *sequence)
{
    atomic_fetch_add(&sequence->wakes, 1);
    word_wake(&sequence->wakes);
}

void sequence_publish(struct sequence *sequence, uint64_t value)
{
    atomic_store(&sequence->value, value);
    if (atomic_load(&sequence->sleepers) != 0)
        sequence_interrupt(sequence);
}

static enum wait_result look(const struct sequence *sequence, uint64_t wanted,
                             const _Atomic uint32_t *abort_word)
{
    if (atomic_load(&sequence->value) >= wanted)
        return WAIT_REACHED;
    if (atomic_load(abort_word) != 0)
        return WAIT_ABORTED;
    return WAIT_AGAIN;
}

enum wait_result sequence_wait_round(struct sequence *sequence, uint64_t wanted,
                                     const _Atomic uint32_t *abort_word, int spins)
{
    enum wait_result result = look(sequence, wanted, abort_word);
    for (int i = 0; i < spins && result == WAIT_AGAIN; i++)
        result = look(sequence, wanted, abort_word);
    if (result != WAIT_AGAIN)
        return result;

    atomic_fetch_add(&sequence->sleepers, 1);
    const uint32_t wakes = atomic_load(&sequence->wakes);
    result = look(sequence, wanted, abort_word);
    if (result == WAIT_AGAIN) {
        word_sleep(&sequence->wakes, wakes);
        result = look(sequence, wanted, abort_word);
    }
    atomic_fetch_sub(&sequence->sleepers, 1);
    return result;
}

bool sequence_wait(struct sequence *sequence, uint64_t wanted, const _Atomic uint32_t *abort_word,
                   int spins)
{
    enum wait_result result = WAIT_AGAIN;
    while (result == WAIT_AGAIN)
        result = sequence_wait_round(sequence, wanted, abort_word, spins);
    return result == WAIT_REACHED;
}
