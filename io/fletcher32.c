#include "io/deflate.h"

/* One's complement sums never become 0 once a word was not 0, so 65535 stands for it. */
static uint32_t fold(uint64_t sum)
{
    const uint32_t rest = (uint32_t)(sum % 65535);
    return rest == 0 && sum != 0 ? 65535 : rest;
}

enum { BLOCK_WORDS = 256 }; /* sums over so many stay below 2^32 */

/* Adds a block: all its words have gone into `second` as often as there are words from them on. The
 * two sums are independent of each other, so that a compiler can make vectors of them. */
static void add_block(const unsigned char *at, uint64_t *first, uint64_t *second)
{
    uint32_t plain = 0, weighted = 0;
    for (uint32_t k = 0; k < BLOCK_WORDS; k++) {
        const uint32_t word = (uint32_t)at[2 * k] << 8 | at[2 * k + 1];
        plain += word;
        weighted += (BLOCK_WORDS - k) * word;
    }
    *second += BLOCK_WORDS * *first + weighted;
    *first += plain;
}

VECTOR_CLONES uint32_t fletcher32(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t first = 0, second = 0;
    while (bytes >= 2 * BLOCK_WORDS) {
        add_block(at, &first, &second);
        first = fold(first);
        second = fold(second);
        at += 2 * BLOCK_WORDS;
        bytes -= 2 * BLOCK_WORDS;
    }
    while (bytes > 0) {
        const size_t taken = bytes > 1 ? 2 : 1;
        const uint32_t low = taken == 2 ? at[1] : 0;
        first += ((uint32_t)at[0] << 8) | low;
        second += first;
        at += taken;
        bytes -= taken;
    }
    return fold(second) << 16 | fold(first);
}

size_t fletcher32_append(void *data, size_t bytes)
{
    const uint32_t sum = fletcher32(data, bytes);
    for (int k = 0; k < FLETCHER32_BYTES; k++)
        ((unsigned char *)data)[bytes + (size_t)k] = (unsigned char)(sum >> (8 * k));
    return bytes + FLETCHER32_BYTES;
}
