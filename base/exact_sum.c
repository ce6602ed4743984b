#include "base/exact_sum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    LIMB_BITS = 32,
    LOWEST_EXPONENT = -1074, /* of the last bit of the smallest double */
    MANTISSA_BITS = 52,
    /* A term adds less than 1.5 * 2^32 to a limb, so 2^30 of them stay below 2^63. */
    TERMS_BEFORE_CARRY = 1 << 30
};

/* Brings every limb but the last into 0 .. 2^32 - 1; the last keeps the sign. The form is unique.
 */
static void pass_carries(struct exact_sum *sum)
{
    int64_t carry = 0;
    for (int i = 0; i < EXACT_SUM_LIMBS - 1; i++) {
        const int64_t limb = sum->limbs[i] + carry;
        carry = limb >> LIMB_BITS; /* rounds down, so what is left is not negative */
        sum->limbs[i] = limb - carry * ((int64_t)1 << LIMB_BITS);
    }
    sum->limbs[EXACT_SUM_LIMBS - 1] += carry;
    sum->terms = 0;
}

void exact_sum_add(struct exact_sum *sum, double term)
{
    uint64_t bits = 0;
    memcpy(&bits, &term, sizeof bits);
    const uint64_t exponent = (bits >> MANTISSA_BITS) & 0x7ff;
    uint64_t mantissa = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    if (exponent > 0)
        mantissa |= (uint64_t)1 << MANTISSA_BITS;
    const uint64_t shift = exponent > 0 ? exponent - 1 : 0; /* above LOWEST_EXPONENT */
    const uint64_t limb = shift / LIMB_BITS, within = shift % LIMB_BITS;
    const uint64_t low = (mantissa & 0xffffffffu) << within; /* below 2^63 */
    const uint64_t high = (mantissa >> LIMB_BITS) << within; /* below 2^52 */
    const int64_t part0 = (int64_t)(low & 0xffffffffu);
    const int64_t part1 = (int64_t)(low >> LIMB_BITS) + (int64_t)(high & 0xffffffffu);
    const int64_t part2 = (int64_t)(high >> LIMB_BITS);
    const int64_t sign = bits >> 63 ? -1 : 1;
    sum->limbs[limb] += sign * part0;
    sum->limbs[limb + 1] += sign * part1;
    sum->limbs[limb + 2] += sign * part2;
    if (++sum->terms >= TERMS_BEFORE_CARRY)
        pass_carries(sum);
}

/* ---- many terms ---- */

/* Terms are taken in blocks, and a block in lanes that a compiler can make vectors of: with 8 gcc
 * 12 unrolls the loop over them and turns rows into columns, which takes twice as long. */
enum { BLOCK_BITS = 11, BLOCK_TERMS = 1 << BLOCK_BITS, LANES = 32 };

/* Splits a term: the part that is returned is a multiple of the last place of `splitter`, which is
 * 1.5 times a power of 2, and what is left is exact too. */
static inline double split(double splitter, double *term)
{
    const double upper = (splitter + *term) - splitter;
    *term -= upper;
    return upper;
}

VECTOR_CLONES static double largest_magnitude(const double *terms)
{
    double most[LANES] = {0.0}, largest = 0.0;
    for (int i = 0; i < BLOCK_TERMS; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            const double magnitude = fabs(terms[i + lane]);
            most[lane] = magnitude > most[lane] ? magnitude : most[lane];
        }
    for (int lane = 0; lane < LANES; lane++)
        largest = most[lane] > largest ? most[lane] : largest;
    return largest;
}

/* Sums of upper and middle parts, which are exact as doubles: terms below 2^e in magnitude are
 * split with 1.5 * 2^(e + BLOCK_BITS), so that all partial sums are multiples of 2^(e + BLOCK_BITS
 * - 52) below 2^(e + BLOCK_BITS). What is left is below 2^(e + BLOCK_BITS - 53). True when the two
 * are all there is. */
VECTOR_CLONES static bool sum_parts(const double *terms, const double splitters[2], double sums[2])
{
    double upper[LANES] = {0.0}, middle[LANES] = {0.0}, rest[LANES] = {0.0}, left = 0.0;
    for (int i = 0; i < BLOCK_TERMS; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double term = terms[i + lane];
            upper[lane] += split(splitters[0], &term);
            middle[lane] += split(splitters[1], &term);
            rest[lane] += fabs(term);
        }
    sums[0] = sums[1] = 0.0;
    for (int lane = 0; lane < LANES; lane++) {
        sums[0] += upper[lane];
        sums[1] += middle[lane];
        left += rest[lane];
    }
    return left == 0.0;
}

static void add_block(struct exact_sum *sum, const double *terms)
{
    enum { LEAST = -900, MOST = 1000 }; /* where nothing of the above is denormal or infinite */
    int exponent = 0;
    double sums[2];
    const double largest = largest_magnitude(terms);
    (void)frexp(largest, &exponent);
    if (largest == 0.0)
        return;
    if (exponent < LEAST || exponent > MOST) {
        for (int i = 0; i < BLOCK_TERMS; i++)
            exact_sum_add(sum, terms[i]);
        return;
    }
    const double splitters[2] = {ldexp(1.5, exponent + BLOCK_BITS),
                                 ldexp(1.5, exponent + 2 * BLOCK_BITS - MANTISSA_BITS - 1)};
    const bool is_all = sum_parts(terms, splitters, sums);
    exact_sum_add(sum, sums[0]);
    exact_sum_add(sum, sums[1]);
    for (int i = 0; i < BLOCK_TERMS && !is_all; i++) {
        double term = terms[i];
        (void)split(splitters[0], &term);
        (void)split(splitters[1], &term);
        if (term != 0.0)
            exact_sum_add(sum, term);
    }
}

void exact_sum_add_all(struct exact_sum *sum, const double *terms, int64_t count)
{
    int64_t i = 0;
    for (; i + BLOCK_TERMS <= count; i += BLOCK_TERMS)
        add_block(sum, terms + i);
    for (; i < count; i++)
        exact_sum_add(sum, terms[i]);
}

/* sum += sign * other */
static void combine(struct exact_sum *sum, const struct exact_sum *other, int64_t sign)
{
    struct exact_sum normal = *other;
    pass_carries(&normal);
    pass_carries(sum);
    for (int i = 0; i < EXACT_SUM_LIMBS; i++)
        sum->limbs[i] += sign * normal.limbs[i];
    pass_carries(sum);
}

void exact_sum_merge(struct exact_sum *sum, const struct exact_sum *other)
{
    combine(sum, other, 1);
}

void exact_sum_subtract(struct exact_sum *sum, const struct exact_sum *other)
{
    combine(sum, other, -1);
}

double exact_sum_value(const struct exact_sum *sum)
{
    struct exact_sum magnitude = *sum;
    pass_carries(&magnitude);
    const int is_negative = magnitude.limbs[EXACT_SUM_LIMBS - 1] < 0;
    if (is_negative) {
        for (int i = 0; i < EXACT_SUM_LIMBS; i++)
            magnitude.limbs[i] = -magnitude.limbs[i];
        pass_carries(&magnitude);
    }
    /* From the top down: three limbs hold more bits than a double. The first two add exactly or the
     * third is beyond the last place but for its rounding. */
    double value = 0.0;
    int used = 0;
    for (int i = EXACT_SUM_LIMBS - 1; i >= 0 && used < 4; i--) {
        if (magnitude.limbs[i] == 0 && used == 0)
            continue;
        value += ldexp((double)magnitude.limbs[i], i * LIMB_BITS + LOWEST_EXPONENT);
        used++;
    }
    return is_negative ? -value : value;
}
