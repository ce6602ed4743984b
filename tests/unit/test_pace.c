/* When chunks are stored plain: only while somebody waits, and only where it is sooner. */
#include "io/pace.h"

#include "tests/check.h"

enum { CHUNK = 4 << 20, ROUNDS = 1000 };

static bool is_waited_for;

static bool is_late(const void *state)
{
    (void)state;
    return is_waited_for;
}

/* Chunks made and written on a machine that takes so long for it; how many of them were plain. */
static int run(double packed_s, double plain_s, double byte_s, double ratio, int makers)
{
    struct pace pace = {.is_late = is_late};
    int plain = 0;
    for (int k = 0; k < ROUNDS; k++) {
        const bool is_plain = pace_is_plain(&pace, makers, CHUNK);
        const size_t bytes = is_plain ? CHUNK : (size_t)(ratio * CHUNK);
        plain += is_plain;
        pace_note(&pace, &(struct pace_chunk){.is_plain = is_plain,
                                              .make_s = is_plain ? plain_s : packed_s,
                                              .write_s = byte_s * (double)bytes,
                                              .bytes = bytes});
    }
    CHECK_EQUAL_INT(pace.chunks, ROUNDS);
    CHECK_EQUAL_INT(pace.plain, plain);
    return plain;
}

/* 10 ms to compress 4 MiB to two thirds, 0.7 ms to sum them up; a disk of 2 GB/s takes 0.7 ms
 * longer for a plain chunk, one of 100 MB/s 14 ms. */
static void plain_where_it_is_sooner(void)
{
    is_waited_for = true;
    CHECK(run(0.010, 0.0007, 1 / 2e9, 0.67, 1) > ROUNDS * 9 / 10);
    CHECK(run(0.010, 0.0007, 1 / 100e6, 0.67, 1) < ROUNDS / 10);
    /* Sixteen threads make a chunk in 0.6 ms: then 0.7 ms for the disk are too many. */
    CHECK(run(0.010, 0.0007, 1 / 2e9, 0.67, 16) < ROUNDS / 10);
    is_waited_for = false;
    CHECK_EQUAL_INT(run(0.010, 0.0007, 1 / 2e9, 0.67, 1), 0);
}

/* A disk that has become slow is noticed, and one that is quick again too. */
static void the_disk_is_watched(void)
{
    struct pace pace = {.is_late = is_late};
    is_waited_for = true;
    for (int turn = 0; turn < 3; turn++) {
        const double byte_s = turn == 1 ? 1 / 100e6 : 1 / 2e9;
        int plain = 0;
        for (int k = 0; k < ROUNDS; k++) {
            const bool is_plain = pace_is_plain(&pace, 1, CHUNK);
            const size_t bytes = is_plain ? CHUNK : CHUNK / 2;
            plain += is_plain;
            pace_note(&pace, &(struct pace_chunk){.is_plain = is_plain,
                                                  .make_s = is_plain ? 0.0007 : 0.010,
                                                  .write_s = byte_s * (double)bytes,
                                                  .bytes = bytes});
        }
        CHECK(turn == 1 ? plain < ROUNDS / 4 : plain > ROUNDS * 3 / 4);
    }
}

int main(void)
{
    plain_where_it_is_sooner();
    the_disk_is_watched();
    CHECK(!pace_is_plain(&(struct pace){0}, 1, CHUNK));
    return check_result();
}
