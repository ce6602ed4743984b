/* How many threads work at a frame: no more than it needs to be done well before the next one. */
#include "io/crew.h"

#include <time.h>

#include "tests/check.h"

static bool is_waited_for;

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

static void pause_for(long milliseconds)
{
    const struct timespec pause = {0, milliseconds * 1000000};
    (void)nanosleep(&pause, NULL);
}

/* A frame of little work, and a long time after it. */
static void make_frame(struct crew *crew, int size)
{
    crew_begin(crew);
    CHECK_EQUAL_INT(crew->size, size);
    crew_note(crew, 0.001);
    crew_end(crew);
    pause_for(20);
}

static void all_at_first_and_in_haste(void)
{
    struct crew crew = {.most = 8, .is_urgent = is_urgent};
    is_waited_for = false;
    make_frame(&crew, 8); /* nothing is known */
    make_frame(&crew, 1);
    is_waited_for = true;
    make_frame(&crew, 8);
    is_waited_for = false;
    make_frame(&crew, 8); /* of a frame in haste nothing is learned */
    make_frame(&crew, 1);
    crew_begin(&crew);
    CHECK_EQUAL_INT(crew.size, 1);
    CHECK(!crew_hurries(&crew));
    is_waited_for = true;
    CHECK(crew_hurries(&crew)); /* in its middle */
    CHECK_EQUAL_INT(crew.size, 8);
    is_waited_for = false;
    CHECK(crew_hurries(&crew)); /* and to its end */
    crew_end(&crew);
    make_frame(&crew, 8);
}

int main(void)
{
    as_few_as_are_in_time();
    a_frame_takes_two_thirds_of_the_time();
    all_where_no_number_is_in_time();
    all_at_first_and_in_haste();
    return check_result();
}
