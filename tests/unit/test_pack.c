/* Chunks come out of the pack in order and with the same bytes whatever the number of threads. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "io/deflate.h"
#include "io/pack.h"
#include "tests/check.h"

enum { ELEMENTS = 1500, CHUNKS = 41 };

static double added; /* to all values: tells frames apart */

/* Some chunks take long, so that threads overtake each other. */
static void fill(const void *state, int64_t index, void *chunk, void *scratch)
{
    const int *slow = state;
    double *values = chunk;
    const struct timespec pause = {0, 3000000};
    if (slow != NULL && index % *slow == 0)
        (void)nanosleep(&pause, NULL);
    memset(scratch, 7, 100);
    for (int k = 0; k < ELEMENTS; k++)
        values[k] = (double)index + added + 1e-3 * k * k;
}

static struct pack_work make_work(enum pack_kind kind, int threads, const int *slow)
{
    return (struct pack_work){.fill = fill,
                              .state = slow,
                              .count = CHUNKS,
                              .chunk_bytes = ELEMENTS * sizeof(double),
                              .scratch_bytes = 100,
                              .element_bytes = sizeof(double),
                              .kind = kind,
                              .level = 1,
                              .threads = threads};
}

static void chunks_come_in_order(enum pack_kind kind, int threads, int slow)
{
    const struct pack_work one = make_work(kind, 1, NULL), many = make_work(kind, threads, &slow);
    struct pack *a = NULL, *b = NULL;
    if (!CHECK_OK(pack_open(&one, &a)) || !CHECK_OK(pack_open(&many, &b)))
        return;
    for (int k = 0; k < CHUNKS; k++) {
        struct pack_chunk one_made, many_made;
        pack_take(a, &one_made);
        pack_take(b, &many_made);
        CHECK_EQUAL_INT((int64_t)one_made.bytes, (int64_t)many_made.bytes);
        CHECK(one_made.form == many_made.form);
        CHECK(one_made.bytes == many_made.bytes &&
              memcmp(one_made.data, many_made.data, one_made.bytes) == 0);
        if (kind == PACK_BARE) {
            CHECK_EQUAL_DOUBLE(((const double *)many_made.data)[0], k);
            CHECK_EQUAL_INT((int64_t)many_made.bytes, ELEMENTS * 8);
        }
    }
    pack_close(a);
    pack_close(b);
}

static atomic_int working, most_working;

/* Notes how many threads are in here at a time. */
static void fill_and_count(const void *state, int64_t index, void *chunk, void *scratch)
{
    const int now = atomic_fetch_add(&working, 1) + 1;
    int most = atomic_load(&most_working);
    while (now > most && !atomic_compare_exchange_weak(&most_working, &most, now))
        continue;
    fill(state, index, chunk, scratch);
    (void)atomic_fetch_sub(&working, 1);
}

/* Few threads at first, all from the middle on; the bytes are the same. */
static void more_threads_may_come_later(int at_first, int most)
{
    const int slow = 1;
    const struct pack_work one = make_work(PACK_CHECKED, 1, NULL);
    struct pack_work some = make_work(PACK_CHECKED, most, &slow);
    struct pack *a = NULL, *b = NULL;
    some.fill = fill_and_count;
    some.threads_at_first = at_first;
    atomic_store(&most_working, 0);
    if (!CHECK_OK(pack_open(&one, &a)) || !CHECK_OK(pack_open(&some, &b)))
        return;
    for (int k = 0; k < CHUNKS; k++) {
        struct pack_chunk one_made, other;
        if (k == CHUNKS / 3)
            CHECK_EQUAL_INT(atomic_load(&most_working), at_first);
        if (k >= CHUNKS / 3)
            pack_use_all(b);
        pack_take(a, &one_made);
        pack_take(b, &other);
        CHECK_EQUAL_INT(one_made.threads, 1);
        if (k <= CHUNKS / 3) /* begun before there were more, and so may be some after it */
            CHECK_EQUAL_INT(other.threads, at_first);
        else if (k > CHUNKS / 3 + at_first)
            CHECK_EQUAL_INT(other.threads, most);
        CHECK_EQUAL_INT((int64_t)one_made.bytes, (int64_t)other.bytes);
        CHECK(memcmp(one_made.data, other.data, other.bytes) == 0);
    }
    CHECK(atomic_load(&most_working) > at_first && atomic_load(&most_working) <= most);
    pack_close(a);
    pack_close(b);
}

/* The linker puts __wrap_pthread_create in the place of pthread_create, which it calls
 * __real_pthread_create. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

static int threads_to_be_had = 1000, refusals;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    if (threads_to_be_had == 0) {
        refusals++;
        return EAGAIN;
    }
    threads_to_be_had--;
    return __real_pthread_create(thread, attributes, start, argument);
}

/* Of 6 threads `had` can be had, and 2 of them are wanted at first. Who takes asks for all at each
 * chunk, but the system is asked once. */
static void a_frame_goes_on_with_the_threads_it_has(int had)
{
    const int slow = 5;
    struct pack_work work = make_work(PACK_CHECKED, 6, &slow);
    struct pack *pack = NULL;
    work.threads_at_first = 2;
    threads_to_be_had = had;
    refusals = 0;
    if (!CHECK_OK(pack_open(&work, &pack)))
        return;
    for (int k = 0; k < CHUNKS; k++) {
        struct pack_chunk chunk;
        if (k == CHUNKS / 2)
            threads_to_be_had = 1000; /* too late for this frame */
        pack_use_all(pack);
        pack_take(pack, &chunk);
        CHECK_EQUAL_DOUBLE(((const double *)chunk.data)[0], added + k);
        CHECK(chunk.threads == (had > 1 ? had : 1) || (k < 10 && chunk.threads == 2 && had > 2));
    }
    pack_close(pack);
    CHECK_EQUAL_INT(refusals, 1);
    CHECK_EQUAL_INT(threads_to_be_had, 1000);
}

/* After a failure of the disk, say. */
static void it_may_be_left_in_the_middle(void)
{
    const int slow = 2;
    for (int taken = 0; taken < 5; taken++) {
        const struct pack_work work = make_work(PACK_CHECKED, 3, &slow);
        struct pack *pack = NULL;
        if (!CHECK_OK(pack_open(&work, &pack)))
            return;
        for (int k = 0; k < taken; k++) {
            struct pack_chunk chunk;
            pack_take(pack, &chunk);
            CHECK_EQUAL_DOUBLE(*(const double *)chunk.data, k);
        }
        pack_close(pack);
    }
}

/* Also with chunks that nobody took left in it, and after work of another size. */
static void memory_serves_the_next_frame(int threads)
{
    struct pack_room room = {0};
    struct pack_work work = make_work(PACK_CHECKED, threads, NULL);
    const void *first = NULL;
    work.room = &room;
    for (int frame = 0; frame < 5; frame++) {
        struct pack *pack = NULL;
        added = 1000.0 * frame;
        work.chunk_bytes = (size_t)(frame < 3 ? ELEMENTS : 2 * ELEMENTS) * sizeof(double);
        if (!CHECK_OK(pack_open(&work, &pack)))
            break;
        for (int k = 0; k < (frame == 0 ? 3 : CHUNKS); k++) {
            struct pack_chunk chunk;
            pack_take(pack, &chunk);
            CHECK_EQUAL_DOUBLE(*(const double *)chunk.data, added + k);
            CHECK_EQUAL_INT((int64_t)chunk.bytes, (int64_t)work.chunk_bytes + FLETCHER32_BYTES);
            if (frame == 0 && k == 0)
                first = chunk.data;
            CHECK(frame != 1 || k > 0 || chunk.data == first);
        }
        pack_close(pack);
        CHECK(room.slots != NULL);
    }
    pack_room_free(&room);
    CHECK(room.slots == NULL);
}

int main(void)
{
    for (int kind = PACK_BARE; kind <= PACK_DEFLATED; kind++) {
        if (kind == PACK_DEFLATED && !deflate_is_built())
            continue;
        for (int threads = 1; threads <= 7; threads += 3)
            for (int slow = 2; slow < 9; slow += 3)
                chunks_come_in_order((enum pack_kind)kind, threads, slow);
        chunks_come_in_order((enum pack_kind)kind, 100, 3); /* more than there are chunks */
    }
    more_threads_may_come_later(1, 2);
    more_threads_may_come_later(2, 6);
    for (int had = 0; had < 6; had++)
        a_frame_goes_on_with_the_threads_it_has(had);
    threads_to_be_had = 1000;
    it_may_be_left_in_the_middle();
    memory_serves_the_next_frame(1);
    memory_serves_the_next_frame(4);
    return check_result();
}
