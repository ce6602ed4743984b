/* Waiting for a number in shared memory: spin briefly, then sleep in the kernel.
 *
 * Why no wake-up is lost: a waiter counts itself in `sleepers`, then reads `wakes`, then looks at
 * the value and at the abort word, and sleeps only if `wakes` is still what it read. Whoever
 * changes the value or the abort word does so first, then looks at `sleepers`, then changes `wakes`
 * and wakes. All of these are sequentially consistent, so either the waiter sees the change or the
 * other side sees the sleeper. tests/model/abort.pml checks it. */
#ifndef ISOTHERM_IPC_FUTEX_H
#define ISOTHERM_IPC_FUTEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A count that one process raises and others wait for; a cache line of its own. Zeroed memory is a
 * valid sequence at 0. */
struct sequence {
    _Alignas(64) _Atomic uint64_t value;
    _Atomic uint32_t sleepers; /* who sleeps or is about to; stays too high when one is killed */
    _Atomic uint32_t wakes;    /* the word slept on, changed before every wake-up */
};

enum wait_result { WAIT_REACHED, WAIT_ABORTED, WAIT_AGAIN };

/* Publishes value (release) and wakes who sleeps on it. */
void sequence_publish(struct sequence *sequence, uint64_t value);

/* Wakes who sleeps although no value came: after the abort word was raised. */
void sequence_interrupt(struct sequence *sequence);

/* Waits until value >= wanted (acquire). Returns false when *abort_word became != 0 first; looks at
 * it at least every 20 ms however the wait sleeps. `spins`: how often to look before sleeping (few
 * where processes outnumber cores). A value that is already there wins over the abort word. */
bool sequence_wait(struct sequence *sequence, uint64_t wanted, const _Atomic uint32_t *abort_word,
                   int spins);

/* One round of sequence_wait: looks `spins` times, sleeps at most once and at most 20 ms, looks
 * again. WAIT_AGAIN when neither came. */
enum wait_result sequence_wait_round(struct sequence *sequence, uint64_t wanted,
                                     const _Atomic uint32_t *abort_word, int spins);

#endif
