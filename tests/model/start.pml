/* The start and the end of the exchange, halo_open(), halo_verify() and halo_finish(): handles are
 * published and opened, a pattern is sent to see which pairs may store into each other's memory,
 * both ends of a pair agree on it; at the end handles are closed, and only then memory is freed.
 * Every rank is the neighbour of every other.
 *
 * Left out one by one, each of which must be found: the wait of one stage, NO_WAIT=stage. */

/* Stages of struct control_rank.start. */
#define PUBLISHED 1
#define IMPORTED 2
#define PATTERN 3
#define VERIFIED 4
#define DRAINED 5
#define UNMAPPED 6

#ifndef NO_WAIT
#define NO_WAIT 0
#endif

byte stage[N];
bool has_handle[N]; /* the handle in shared memory is written */
bool is_freed[N];
bool maps[N * N];      /* p maps q's memory */
bool works[N * N];     /* p's note in shared memory: the way between it and q works */
bool is_direct[N * N]; /* what p took from both notes: it stores directly into q's memory */
bool has_pattern[N * N]; /* p's memory holds q's pattern */
bool runs[N];          /* p's device has work that stores into its neighbours' memory */
byte opening;          /* ranks that have handles left to open */

#define OF(p, q) ((p) * N + (q))

/* One after the other, skipping oneself. */
#define FOR_EACH_NEIGHBOUR q = 0; do :: q < N -> if :: q == me :: else ->
#define END_FOR fi; q++ :: else -> q = 0; break od

inline publish_and_wait(s)
{
    stage[me] = s;
    FOR_EACH_NEIGHBOUR
        if
        :: s != NO_WAIT -> (stage[q] >= s)
        :: else
        fi
    END_FOR
}

/* What does not work is found out by rank 0 when it opens rank 1's memory, or by rank 1 when it
 * looks for rank 0's pattern, or not at all. */
inline note(finder, other)
{
    if
    :: me == finder && q == other -> works[OF(me, q)] = false
    :: skip
    fi
}

inline agree()
{
    FOR_EACH_NEIGHBOUR
        is_direct[OF(me, q)] = works[OF(me, q)] && works[OF(q, me)]
    END_FOR
}

inline both_ends_agree()
{
    FOR_EACH_NEIGHBOUR
        assert(is_direct[OF(me, q)] == is_direct[OF(q, me)])
    END_FOR
}

active [N] proctype rank()
{
    byte me = _pid, q = 0;

    d_step { opening++; has_handle[me] = true };
    publish_and_wait(PUBLISHED);

    FOR_EACH_NEIGHBOUR
        assert(has_handle[q]);
        maps[OF(me, q)] = true;
        works[OF(me, q)] = true;
        note(0, 1)
    END_FOR;
    opening--;
    publish_and_wait(IMPORTED);
    agree();

    /* Opening a handle may wait for a device's running work, so nobody may run before all have
     * opened theirs. */
    assert(opening == 0);
    FOR_EACH_NEIGHBOUR
        has_pattern[OF(q, me)] = true
    END_FOR;
    publish_and_wait(PATTERN);

    both_ends_agree(); /* it was looked for where it was sent */
    FOR_EACH_NEIGHBOUR
        assert(has_pattern[OF(me, q)]);
        note(1, 0)
    END_FOR;
    publish_and_wait(VERIFIED);
    agree();

    runs[me] = true;
    !runs[me]; /* the queue is drained */
    publish_and_wait(DRAINED);

    both_ends_agree();
    FOR_EACH_NEIGHBOUR
        assert(!runs[q]); /* closing may wait for, or pull away from, what still runs */
        maps[OF(me, q)] = false
    END_FOR;
    publish_and_wait(UNMAPPED);

    FOR_EACH_NEIGHBOUR
        assert(!maps[OF(q, me)])
    END_FOR;
    is_freed[me] = true
}

/* Stores a few times, at any pace, then is through. */
active [N] proctype device()
{
    byte me = _pid - N, q = 0, stores = 0;

    runs[me];
    do
    :: stores < 2 ->
        q = (me + 1 + stores) % N;
        assert(q == me || (maps[OF(me, q)] && !is_freed[q]));
        stores++
    :: break
    od;
    runs[me] = false
}
