/* How many threads work at a frame: no more than it needs to be done well before the next one. */
#include "io/crew.h"

#include "tests/check.h"

static bool is_waited_for;
static double now = 1000.0; /* s */

/* The linker puts it in the place of clock_seconds(). */
double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void)
{
    return now;
}

static bool is_urgent(const void *state)
{
    (void)state;
    return is_waited_for;
}

static void as_few_as_are_in_time(void)
{
    const struct crew_times heavy = {.shared = 0.3, .alone = 0.02, .between = 0.15};
    CHECK_EQUAL_INT(crew_size(&heavy, 14), 4); /* 0.3 / 4 + 0.02 = 0.095 <= 0.1 < 0.3 / 3 + 0.02 */
    CHECK_EQUAL_INT(crew_size(&heavy, 4), 4);
    CHECK_EQUAL_INT(crew_size(&heavy, 3), 3); /* never more than there are */
    CHECK_EQUAL_INT(crew_size(&heavy, 1), 1);
    const struct crew_times light = {.shared = 0.3, .alone = 0.02, .between = 10.0};
    CHECK_EQUAL_INT(crew_size(&light, 14), 1);
    CHECK_EQUAL_INT(crew_size(&(struct crew_times){.between = 1.0}, 14), 1); /* nor none */
}

/* The frame then takes two thirds of the time, or as little as it can. */
static void a_frame_takes_two_thirds_of_the_time(void)
{
    for (int most = 1; most <= 16; most++)
        for (double between = 0.01; between < 20.0; between *= 1.3) {
            const struct crew_times times = {.shared = 0.4, .alone = 0.01, .between = between};
            const int size = crew_size(&times, most);
            CHECK(size >= 1 && size <= most);
            CHECK(size == most || 0.4 / size + 0.01 <= between * 2 / 3 * (1 + 1e-9));
            CHECK(size == 1 || 0.4 / (size - 1) + 0.01 > between * 2 / 3 * (1 - 1e-9));
        }
}

/* Where what one thread does alone takes too long, the others shall not add to it. */
static void all_where_no_number_is_in_time(void)
{
    CHECK_EQUAL_INT(crew_size(&(struct crew_times){0.3, 0.2, 0.15}, 14), 14);
    CHECK_EQUAL_INT(crew_size(&(struct crew_times){0.0, 0.1, 0.15}, 14), 14);
    CHECK_EQUAL_INT(crew_size(&(struct crew_times){0.3, 0.0, 0.0}, 14), 14);
    CHECK_EQUAL_INT(crew_size(&(struct crew_times){1e30, 0.0, 1e-30}, 14), 14);
}

/* A frame that is to have `size` threads, with work for all of them together, s, that is done by
 * `threads` side by side. */
static void make_frame(struct crew *crew, bool is_snapshot, int size, double work, int threads)
{
    crew_begin(crew, is_snapshot);
    CHECK_EQUAL_INT(crew->size, size);
    crew_note(crew, work, threads);
    now += work / threads;
}

/* A snapshot of 16 s of work to share, by `size` threads. */
static void make_snapshot(struct crew *crew, int size)
{
    make_frame(crew, true, size, 16.0, size);
}

static void wait_for(struct crew *crew, double seconds)
{
    crew_idle(crew, seconds);
    now += seconds;
}

/* Snapshots every 10 s: 16 / 3 < 20 / 3 < 16 / 2, whatever number made the one before. */
static void what_is_known_is_kept_to(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    int size = 8;
    for (int n = 0; n < 5; n++) {
        make_snapshot(&crew, size);
        wait_for(&crew, 10.0 - 16.0 / size);
        size = 3;
    }
}

/* Nor does the time to the next snapshot end with it. */
static void a_frame_between_adds_its_work(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    make_snapshot(&crew, 8);
    wait_for(&crew, 4.0);
    make_frame(&crew, false, 8, 8.0, 8);
    wait_for(&crew, 3.0);
    crew_begin(&crew, true);
    CHECK_EQUAL_INT(crew.size, 4); /* 24 / 4 < 20 / 3 < 24 / 3 */
    crew_begin(&crew, false);
    CHECK_EQUAL_INT(crew.size, 4);
}

/* 3 s of the 10 s, while the file of a checkpoint is written, say. */
static void what_one_thread_does_adds_its_time(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    make_snapshot(&crew, 8);
    now += 3.0;
    wait_for(&crew, 5.0);
    crew_begin(&crew, true);
    CHECK_EQUAL_INT(crew.size, 5); /* 16 / 5 < 20 / 3 - 3 < 16 / 4 */
}

/* Of 8 threads the system gives 2: the snapshot takes 8 s, and nothing else the 2 s to the next. */
static void threads_that_were_not_there_did_nothing(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    make_frame(&crew, true, 8, 16.0, 2);
    wait_for(&crew, 2.0);
    crew_begin(&crew, true);
    CHECK_EQUAL_INT(crew.size, 3); /* 16 / 3 < 20 / 3 < 16 / 2 */
}

/* 3 threads make 9 of its 12 s of work in 3 s, then 8 the rest: its 3.375 s are no work of one. */
static void a_frame_between_may_hurry_in_its_middle(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    make_snapshot(&crew, 8);
    wait_for(&crew, 8.0);
    make_snapshot(&crew, 3);
    crew_begin(&crew, false);
    CHECK_EQUAL_INT(crew.size, 3);
    is_waited_for = true;
    CHECK(crew_hurries(&crew));
    is_waited_for = false;
    crew_note(&crew, 9.0, 3); /* made before, taken since */
    crew_note(&crew, 3.0, 8);
    now += 3.375;
    wait_for(&crew, 10.0 - 16.0 / 3.0 - 3.375);
    crew_begin(&crew, true);
    CHECK_EQUAL_INT(crew.size, 5); /* 28 / 5 < 20 / 3 < 28 / 4 */
}

static void all_at_first_and_in_haste(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    make_snapshot(&crew, 8); /* nothing is known */
    wait_for(&crew, 8.0);
    make_snapshot(&crew, 3);
    is_waited_for = true;
    make_snapshot(&crew, 8);
    wait_for(&crew, 8.0);
    is_waited_for = false;
    make_snapshot(&crew, 8); /* of a snapshot in haste nothing is learned */
    wait_for(&crew, 8.0);
    crew_begin(&crew, true);
    CHECK_EQUAL_INT(crew.size, 3);
    CHECK(!crew_hurries(&crew));
    is_waited_for = true;
    CHECK(crew_hurries(&crew)); /* in its middle */
    CHECK_EQUAL_INT(crew.size, 8);
    is_waited_for = false;
    CHECK(crew_hurries(&crew)); /* and to its end */
    make_snapshot(&crew, 8);
}

/* As those are that look at the state. */
static void haste_between_spoils_nothing(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    crew_begin(&crew, false); /* a run may go on with one */
    CHECK_EQUAL_INT(crew.size, 8);
    make_snapshot(&crew, 8);
    is_waited_for = true;
    crew_begin(&crew, false);
    CHECK_EQUAL_INT(crew.size, 8);
    is_waited_for = false;
    wait_for(&crew, 8.0);
    make_snapshot(&crew, 3);
}

int main(void)
{
    as_few_as_are_in_time();
    a_frame_takes_two_thirds_of_the_time();
    all_where_no_number_is_in_time();
    what_is_known_is_kept_to();
    a_frame_between_adds_its_work();
    what_one_thread_does_adds_its_time();
    threads_that_were_not_there_did_nothing();
    a_frame_between_may_hurry_in_its_middle();
    all_at_first_and_in_haste();
    haste_between_spoils_nothing();
    return check_result();
}
