/* Sleeping on a sequence, ipc/futex.c, with the kernel's promise: FUTEX_WAIT compares the word and
 * falls asleep in one step, FUTEX_WAKE wakes who sleeps at that moment.
 *
 * Without any time limit of the sleep every wait must end: by its value, or by the abort word, which
 * is raised when the publisher died and may be raised at any moment for another reason. One waiter
 * may be killed anywhere, even asleep. A lost wake-up shows as an invalid end state.
 *
 * Left out one by one, each of which must be found: SLEEPERS_FIRST (the publisher looks for sleepers
 * before the value is there, as a weaker memory order would let it), LOOK_FIRST (the waiter looks
 * before it reads the word), NO_COUNT, SAME_WORD, ABORT_SILENT. With RECHECK a sleep may end by
 * itself, as it does after 20 ms: then even ABORT_SILENT ends every wait. */

#define WAITERS 2
#define LAST 2 /* the value published last */
#define WANTED(waiter) (waiter == 0 -> 1 : LAST)

mtype = { AT_WORK, DIED, THROUGH };
mtype publishers_state = AT_WORK;

byte value, sleepers, wakes; /* wakes cannot wrap here: a real one has 32 bits */
bool abort_word;
bool asleep[WAITERS];
bool is_killed[WAITERS];
byte finished;

inline interrupt()
{
#ifndef SAME_WORD
    wakes++;
#endif
    d_step {
        asleep[0] = false;
        asleep[1] = false
    }
}

#define OVER (value >= wanted || abort_word)

active [WAITERS] proctype waiter()
{
    byte me = _pid, wanted = WANTED(_pid), seen = 0;

    {
        do
        :: OVER -> break
        :: !OVER ->
#ifndef NO_COUNT
            sleepers++;
#endif
#ifdef LOOK_FIRST
            if
            :: OVER -> goto over
            :: !OVER
            fi;
            seen = wakes;
#else
            seen = wakes;
            if
            :: OVER -> goto over
            :: !OVER
            fi;
#endif
            if
            :: d_step { wakes == seen -> asleep[me] = true };
#ifdef RECHECK
                if
                :: !asleep[me]
                :: asleep[me] = false
                fi
#else
                !asleep[me]
#endif
            :: wakes != seen
            fi;
over:
            seen = 0;
#ifndef NO_COUNT
            sleepers--
#endif
        od;
        assert(value >= wanted || abort_word);
    } unless {
        (is_killed[me])
    };
    finished++
}

active proctype publisher()
{
    byte k = 0;
    bool is_slept_on;

    {
        do
        :: k < LAST ->
            k++;
#ifdef SLEEPERS_FIRST
            is_slept_on = sleepers != 0;
            value = k;
#else
            value = k;
            is_slept_on = sleepers != 0;
#endif
            if
            :: is_slept_on -> interrupt()
            :: else
            fi
        :: else -> break
        od;
        publishers_state = THROUGH
    } unless {
        (publishers_state == DIED)
    }
}

/* What else may happen, at any moment. */
active proctype fate()
{
    if
    :: is_killed[0] = true
    :: is_killed[1] = true
    :: skip
    fi;
    if
    :: atomic { publishers_state == AT_WORK -> publishers_state = DIED }
    :: publishers_state == THROUGH -> goto over /* no failure: the values alone end all waits */
    :: skip
    fi;
    abort_word = true;
#ifndef ABORT_SILENT
    interrupt();
#endif
over:
    skip
}
