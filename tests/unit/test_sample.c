/* Even samples of indices: both ends, nothing twice, gaps that differ by one at most. */
#include "solver/sample.h"
#include "tests/check.h"

static void is_even(int64_t n, int64_t count)
{
    const int64_t apart = count > 1 ? (n - 1) / (count - 1) : 0;
    CHECK_EQUAL_INT(sample_at(n, count, 0), 0);
    CHECK_EQUAL_INT(sample_at(n, count, count - 1), n - 1);
    bool is_spread = true;
    for (int64_t k = 1; k < count; k++) {
        const int64_t gap = sample_at(n, count, k) - sample_at(n, count, k - 1);
        is_spread = is_spread && gap >= apart && gap <= apart + 1;
    }
    CHECK(is_spread);
}

static void samples_are_even_and_hold_both_ends(void)
{
    static const int64_t sizes[] = {1, 2, 3, 10, 999, 1000, 1001, 1099511627776, 9000000000000000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int64_t count = sizes[s] > 1 ? 2 : 1; count <= sizes[s] && count <= 1000000;
             count = count * 3 - 1)
            is_even(sizes[s], count);
}

static void pairs_keep_within_their_most(void)
{
    static const struct {
        int64_t n[2];
        double most;
        int64_t counts[2];
    } cases[] = {
        {{1000, 1000}, 1e6, {1000, 1000}},      {{1, 1}, 1e6, {1, 1}},
        {{2000, 2000}, 1e6, {1000, 1000}},      {{4000, 1000}, 1e6, {2000, 500}},
        {{1, 5000000}, 1e6, {1, 1000000}},      {{3, 1099511627776}, 1e6, {2, 500000}},
        {{1099511627776, 3}, 1e6, {500000, 2}}, {{9000000000000000, 1}, 250000, {250000, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t counts[2];
        sample_pairs(cases[i].n, cases[i].most, counts);
        for (int axis = 0; axis < 2; axis++)
            CHECK_EQUAL_INT(counts[axis], cases[i].counts[axis]);
    }
}

int main(void)
{
    samples_are_even_and_hold_both_ends();
    pairs_keep_within_their_most();
    return check_result();
}
