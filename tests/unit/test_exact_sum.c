/* Sums without rounding: the value, that order and grouping leave no trace, and the carries. */
#include "base/exact_sum.h"

#include <float.h>
#include <math.h>

#include "tests/check.h"

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Random sign and mantissa, exponent field lowest .. highest (0: denormal, 2046: the largest). */
static double random_double(uint64_t *state, uint64_t lowest, uint64_t highest)
{
    uint64_t bits = random_bits(state);
    const uint64_t exponent = lowest + (bits >> 52 & 0x7ff) % (highest - lowest + 1);
    bits = (bits & 0x800fffffffffffffu) | exponent << 52;
    double value = 0.0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void random_fill(double *terms, int count, uint64_t seed, uint64_t lowest, uint64_t highest)
{
    for (int i = 0; i < count; i++)
        terms[i] = random_double(&seed, lowest, highest);
}

static double *terms_alloc(int count)
{
    double *terms = calloc((size_t)count, sizeof *terms);
    if (terms == NULL)
        exit(EXIT_FAILURE);
    return terms;
}

static bool is_within_an_ulp(double value, double expected)
{
    return value == expected || nextafter(value, expected) == expected;
}

static double sum_of(const double *terms, int count)
{
    struct exact_sum sum = {0};
    exact_sum_add_all(&sum, terms, count);
    return exact_sum_value(&sum);
}

/* The expected values are float(sum(map(fractions.Fraction, terms))) of Python 3.11, which makes
 * the terms by the same generator: exact sums, rounded once. */
static void sums_agree_with_exact_fractions(void)
{
    static const struct {
        uint64_t seed;
        int count;
        uint64_t lowest, highest;
        double expected;
    } cases[] = {
        {1, 1000, 0, 2040, -0x1.511356e536d7fp+1017},
        {2, 1000, 0, 0, -0x1.19d966e63c7ffp-1019}, /* denormals */
        {3, 5000, 1013, 1033, -0x1.956fb908a8bd9p+14},
        {4, 300, 2030, 2040, 0x1.1cbcf22b4d976p+1018},
        {5, 7, 1000, 1060, 0x1.add7bc7aebbf9p+35},
        {6, 4000, 0, 60, -0x1.b1ea037090320p-959},
        {7, 100000, 1020, 1024, -0x1.3a33aad0cb96ep+4},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double *terms = terms_alloc(cases[c].count);
        random_fill(terms, cases[c].count, cases[c].seed, cases[c].lowest, cases[c].highest);
        const double value = sum_of(terms, cases[c].count);
        if (!CHECK(is_within_an_ulp(value, cases[c].expected)))
            (void)printf("  case %zu: %a, expected %a\n", c, value, cases[c].expected);
        free(terms);
    }
}

static void small_sums_are_right(void)
{
    static const struct {
        double terms[4], expected;
    } cases[] = {
        {{0.0, 0.0, 0.0, 0.0}, 0.0},
        {{1e300, 1.0, -1e300, 0.0}, 1.0},
        {{1e300, -1.0, -1e300, 0.0}, -1.0},
        {{0x1p-1074, 0.0, 0.0, 0.0}, 0x1p-1074},
        {{-0x1p-1074, -0x1p-1074, -0x1p-1074, 0.0}, -0x3p-1074},
        {{DBL_MAX, 0.0, 0.0, 0.0}, DBL_MAX},
        {{DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX}, 0.0},
        {{-DBL_MAX, -DBL_MAX, DBL_MAX, 0.0}, -DBL_MAX},
        {{DBL_MAX, 0x1p-1074, -DBL_MAX, 0.0}, 0x1p-1074},
        {{DBL_MIN, -0x1p-1074, 0.0, 0.0}, DBL_MIN - 0x1p-1074},
        {{1.0, 0x1p-53, 0x1p-53, -1.0}, 0x1p-52},
        {{-3.0, 1.0, 1.0, 0.0}, -1.0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        CHECK_EQUAL_DOUBLE(sum_of(cases[c].terms, 4), cases[c].expected);
    CHECK(sum_of((const double[]){DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX}, 4) == INFINITY);
    CHECK(sum_of((const double[]){-DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX}, 4) == -INFINITY);
}

static void shuffle(double *terms, int count, uint64_t seed)
{
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)(random_bits(&seed) % (uint64_t)(i + 1));
        const double term = terms[i];
        terms[i] = terms[j];
        terms[j] = term;
    }
}

/* In 1 to 9 parts of random size, merged from the last to the first. */
static double sum_in_parts(const double *terms, int count, uint64_t seed)
{
    struct exact_sum total = {0};
    int end = count;
    const int parts = 1 + (int)(random_bits(&seed) % 9);
    for (int part = 1; part <= parts; part++) {
        const int start = part == parts ? 0 : (int)(random_bits(&seed) % (uint64_t)(end + 1));
        struct exact_sum sum = {0};
        exact_sum_add_all(&sum, terms + start, end - start);
        exact_sum_merge(&total, &sum);
        end = start;
    }
    return exact_sum_value(&total);
}

static void order_and_grouping_leave_no_trace(void)
{
    enum { COUNT = 2000, TRIALS = 50 };
    double *terms = terms_alloc(COUNT);
    for (uint64_t seed = 100; seed < 100 + TRIALS; seed++) {
        random_fill(terms, COUNT, seed, 0, 2030);
        const double value = sum_of(terms, COUNT);
        shuffle(terms, COUNT, seed);
        CHECK_EQUAL_DOUBLE(sum_of(terms, COUNT), value);
        CHECK_EQUAL_DOUBLE(sum_in_parts(terms, COUNT, seed), value);
    }
    free(terms);
}

/* The sum of all less the sum of some is the sum of the others, to the last bit. */
static void what_is_subtracted_is_gone(void)
{
    enum { COUNT = 1000, SOME = 377 };
    double *terms = terms_alloc(COUNT);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_fill(terms, COUNT, seed, 500, 1500);
        struct exact_sum all = {0}, some = {0};
        exact_sum_add_all(&all, terms, COUNT);
        exact_sum_add_all(&some, terms, SOME);
        const struct exact_sum before = all;
        exact_sum_subtract(&all, &some);
        CHECK_EQUAL_DOUBLE(exact_sum_value(&all), sum_of(terms + SOME, COUNT - SOME));
        exact_sum_subtract(&some, &before);
        CHECK_EQUAL_DOUBLE(exact_sum_value(&some), -sum_of(terms + SOME, COUNT - SOME));
        exact_sum_merge(&some, &before);
        CHECK_EQUAL_DOUBLE(exact_sum_value(&some), sum_of(terms, SOME));
        exact_sum_subtract(&some, &some);
        CHECK_EQUAL_DOUBLE(exact_sum_value(&some), 0.0);
    }
    free(terms);
}

/* The largest contributions to a limb: a mantissa of ones at every place within it. `count` of them
 * are put in as limbs and terms would be after so many calls; further ones make it pass on carries.
 */
static void limbs_hold_until_carries_are_passed_on(void)
{
    enum { BEFORE = (1 << 30) - 3 };
    for (int within = 0; within < 32; within++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const double term = sign * ldexp(0x1.fffffffffffffp0, within);
            struct exact_sum one = {0}, sum = {0};
            exact_sum_add(&one, term);
            for (int i = 0; i < EXACT_SUM_LIMBS; i++)
                sum.limbs[i] = one.limbs[i] * BEFORE;
            sum.terms = BEFORE;
            for (int i = 0; i < 10; i++)
                exact_sum_add(&sum, term);
            CHECK(sum.terms < 10);
            /* (2^30 + 7) (2^53 - 1) 2^(within - 52), rounded once. */
            CHECK(is_within_an_ulp(exact_sum_value(&sum), term * ((double)BEFORE + 10.0)));
        }
    }
}

/* The highest limb takes the carries of very many of the largest terms. */
static void room_above_the_largest_double(void)
{
    struct exact_sum sum = {0}, doubled = {0};
    exact_sum_add(&sum, DBL_MAX);
    for (int doubling = 0; doubling < 60; doubling++) {
        doubled = sum;
        exact_sum_merge(&sum, &doubled);
    }
    CHECK(exact_sum_value(&sum) == INFINITY);
    struct exact_sum back = {0};
    exact_sum_subtract(&back, &sum);
    CHECK(exact_sum_value(&back) == -INFINITY);
    exact_sum_merge(&back, &doubled);
    exact_sum_merge(&back, &doubled);
    CHECK_EQUAL_DOUBLE(exact_sum_value(&back), 0.0);
}

/* Terms come in many at a time or one by one: patterns that strain what is done with many. */
static void many_at_once_are_one_by_one(void)
{
    enum { COUNT = 6500, PATTERNS = 6 };
    double *terms = terms_alloc(COUNT);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        static const uint64_t exponents[PATTERNS][2] = {{1023, 1023}, {1000, 1023}, {900, 1023},
                                                        {0, 3},       {2045, 2046}, {1, 2046}};
        struct exact_sum many = {0}, single = {0};
        random_fill(terms, COUNT, 77 + (uint64_t)pattern, exponents[pattern][0],
                    exponents[pattern][1]);
        for (int i = 0; i < COUNT; i++) {
            terms[i] = pattern == 4 && i % 2 == 1 ? -fabs(terms[i]) : fabs(terms[i]);
            exact_sum_add(&single, terms[i]);
        }
        exact_sum_add_all(&many, terms, COUNT);
        exact_sum_subtract(&many, &single);
        CHECK_EQUAL_DOUBLE(exact_sum_value(&many), 0.0);
    }
    free(terms);
}

int main(void)
{
    many_at_once_are_one_by_one();
    sums_agree_with_exact_fractions();
    small_sums_are_right();
    order_and_grouping_leave_no_trace();
    what_is_subtracted_is_gone();
    limbs_hold_until_carries_are_passed_on();
    room_above_the_largest_double();
    return check_result();
}
