/* The start and the end of the exchange, halo_open() and halo_finish(): handles are published,
 * opened, used, closed, and only then their memory is freed. Every rank is the neighbour of every
 * other.
 *
 * Stages of struct control_rank.start: 1 published, 2 imported, 3 drained, 4 unmapped. Left out one
 * by one, each of which must be found: NO_WAIT=stage. */

#ifndef NO_WAIT
#define NO_WAIT 0
#endif

byte stage[N];
bool has_handle[N]; /* the handle in shared memory is written */
bool is_freed[N];
bool maps[N * N];   /* maps[p * N + q]: p maps q's memory */
bool runs[N];       /* p's device has work that stores into its neighbours' memory */
byte opening;       /* ranks that have handles left to open */

#define MAPS(p, q) maps[(p) * N + (q)]

inline publish_and_wait(s)
{
    stage[me] = s;
#if N > 1
    q = 0;
    do
    :: q < N ->
        if
        :: s != NO_WAIT -> (stage[q] >= s)
        :: else
        fi;
        q++
    :: else -> q = 0; break
    od
#endif
}

active [N] proctype rank()
{
    byte me = _pid, q = 0;

    d_step { opening++; has_handle[me] = true };
    publish_and_wait(1);

    do
    :: q < N ->
        assert(q == me || has_handle[q]);
        MAPS(me, q) = (q != me);
        q++
    :: else -> q = 0; break
    od;
    opening--;
    publish_and_wait(2);

    /* Opening a handle may wait for a device's running work, so nobody may run before all have
     * opened theirs. */
    assert(opening == 0);
    runs[me] = true;
    !runs[me]; /* the queue is drained */
    publish_and_wait(3);

    do
    :: q < N ->
        assert(!runs[q]); /* closing may wait for, or pull away from, what still runs */
        MAPS(me, q) = false;
        q++
    :: else -> q = 0; break
    od;
    publish_and_wait(4);

    do
    :: q < N ->
        assert(!MAPS(q, me));
        q++
    :: else -> break
    od;
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
        assert(q == me || (MAPS(me, q) && !is_freed[q]));
        stores++
    :: break
    od;
    runs[me] = false
}
