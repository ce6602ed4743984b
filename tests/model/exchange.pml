/* The halo exchange of ipc/halo.h: one counter and K events a rank, two levels, no barrier.
 *
 * Each rank is a host, which queues work, and a device, which does it in order and at any pace. A
 * copy has a beginning and an end, so that a read during a write is seen. Everything else is one
 * step: a kernel that lasts reads at some moment, and all moments are tried; and what a wait looks
 * at only grows, so a wait and what follows it need no state between them.
 *
 * Set by check.sh:
 *   N ranks in a RING (else a line), S exchanges after the first, K events, W exchanges that a host
 *   may be ahead of its device (0: any number)
 *   AT_EXECUTION  a queued wait means the latest record issued when the device reaches it, else
 *                 when the host calls it
 * and what is left out, each of which must be found:
 *   NO_HOST_WAIT NO_STREAM_WAIT NO_THROTTLE PUBLISH_FIRST RECORD_FIRST, LEVELS=1, too small a K */

#ifndef LEVELS
#define LEVELS 2
#endif
#ifndef RING
#define RING 0
#endif

/* Neighbour i of rank p. Two ranks have one neighbour each, also in a ring. */
#if N == 2
#define NEIGHBOURS(p) 1
#define NEIGHBOUR(p, i) (1 - (p))
#elif RING
#define NEIGHBOURS(p) 2
#define NEIGHBOUR(p, i) ((i) == 0 -> ((p) + N - 1) % N : ((p) + 1) % N)
#else
#define NEIGHBOURS(p) (((p) == 0 || (p) == N - 1) -> 1 : 2)
#define NEIGHBOUR(p, i) ((p) == 0 -> 1 : ((i) == 0 -> (p) - 1 : (p) + 1))
#endif

#define BUSY 255 /* a copy is under way */

/* Which state a ghost strip holds: k + 1 for that of exchange k, 0 for none. */
byte ghost[N * N * LEVELS];
#define GHOST(to, from, k) ghost[((to) * N + (from)) * LEVELS + (k) % LEVELS]

byte issued[N * K];          /* event: k + 1 of the record issued last, 0 for none */
byte recorded[N];            /* records that the device has passed */
byte published[N];           /* the counter in shared memory */
byte backlog[N];             /* operations queued and not begun */
byte meant[N * 2 * (S + 1)]; /* the record that a queued wait means; 0 for none: no wait */

#define ISSUED(p, k)   issued[(p) * K + (k) % K]
#define MEANT(p, i, k) meant[((p) * 2 + (i)) * (S + 1) + (k)]

/* What a rank does next in exchange k: the waits for neighbour 0 and 1, then */
#define KERNEL 2
#define COPY 3 /* from here on for exchange k + 1 */
#define COPY_ENDS 4
#define RECORD 5
#define PUBLISH 6

#ifdef NO_HOST_WAIT
#define HOST_MAY_CALL true
#else
#define HOST_MAY_CALL (published[NEIGHBOUR(me, next)] >= k + 1)
#endif

#if W && !defined(NO_THROTTLE)
#define HOST_MAY_SEND (k < W || recorded[me] > k - W)
#else
#define HOST_MAY_SEND true
#endif

#ifdef NO_STREAM_WAIT
#define DEVICE_MAY_PASS(wanted) true
#else
#define DEVICE_MAY_PASS(wanted) (recorded[NEIGHBOUR(me, next)] >= (wanted))
#endif

#ifdef RECORD_FIRST
#define FIRST RECORD
#define AFTER_COPY PUBLISH
#define AFTER_RECORD COPY
#else
#define FIRST COPY
#define AFTER_COPY RECORD
#define AFTER_RECORD PUBLISH
#endif

inline publish()
{
    published[me] = k + 1;
    next = (k < S -> 0 : PUBLISH + 1)
}

/* Queues. `k` is raised where send(k + 1) begins; before the first exchange there is send(0). */
active [N] proctype host()
{
    byte me = _pid, k = 0, next = FIRST;

    do
    :: atomic { next < KERNEL && next < NEIGHBOURS(me) && HOST_MAY_CALL ->
#ifndef AT_EXECUTION
        MEANT(me, next, k) = ISSUED(NEIGHBOUR(me, next), k);
#endif
        backlog[me]++;
        next++ }
    :: atomic { next <= KERNEL && next >= NEIGHBOURS(me) ->
        backlog[me]++;
        k++;
        next = FIRST }
    :: atomic { next == COPY && HOST_MAY_SEND ->
        backlog[me]++;
#ifdef PUBLISH_FIRST
        published[me] = k + 1;
#endif
        next = AFTER_COPY }
    :: atomic { next == RECORD && HOST_MAY_SEND ->
        ISSUED(me, k) = k + 1;
        backlog[me]++;
        next = AFTER_RECORD }
    :: atomic { next == PUBLISH -> publish() }
    :: atomic { next > PUBLISH -> break }
    od
}

inline ghosts_are_right()
{
    assert(GHOST(me, NEIGHBOUR(me, 0), k) == k + 1);
    assert(GHOST(me, NEIGHBOUR(me, NEIGHBOURS(me) - 1), k) == k + 1)
}

inline set_ghosts(value)
{
    GHOST(NEIGHBOUR(me, 0), me, k) = value;
    GHOST(NEIGHBOUR(me, NEIGHBOURS(me) - 1), me, k) = value
}

#define BEGINS (backlog[me] > 0)

inline go_to(place)
{
    next = (place == PUBLISH -> (k < S -> 0 : PUBLISH + 1) : place) /* publishing is the host's */
}

/* Works the queue off. */
active [N] proctype device()
{
    byte me = _pid - N, k = 0, next = FIRST, wanted = 0;
    bool is_waiting = false;

    do
#ifdef AT_EXECUTION
    :: atomic { next < KERNEL && next < NEIGHBOURS(me) && !is_waiting && BEGINS ->
        backlog[me]--;
        wanted = ISSUED(NEIGHBOUR(me, next), k);
        is_waiting = true }
    :: atomic { is_waiting && DEVICE_MAY_PASS(wanted) ->
        is_waiting = false;
        wanted = 0;
        next++ }
#else
    :: atomic { next < KERNEL && next < NEIGHBOURS(me) && BEGINS &&
                DEVICE_MAY_PASS(MEANT(me, next, k)) ->
        backlog[me]--;
        MEANT(me, next, k) = 0;
        next++ }
#endif
    :: atomic { next <= KERNEL && next >= NEIGHBOURS(me) && BEGINS ->
        backlog[me]--;
        ghosts_are_right();
        k++;
        next = FIRST }
    :: atomic { next == COPY && BEGINS ->
        backlog[me]--;
        set_ghosts(BUSY);
        next = COPY_ENDS }
    :: atomic { next == COPY_ENDS ->
        set_ghosts(k + 1);
        go_to(AFTER_COPY) }
    :: atomic { next == RECORD && BEGINS ->
        backlog[me]--;
        recorded[me] = k + 1;
        go_to(AFTER_RECORD) }
    :: atomic { next > PUBLISH -> break }
    od
}
