#include "io/deflate.h"

/* One's complement sums never become 0 once a word was not 0, so 65535 stands for it. */
static uint32_t fold(uint64_t sum)
{
    const uint32_t rest = (uint32_t)(sum % 65535);
    return rest == 0 && sum != 0 ? 65535 : rest;
}

uint32_t fletcher32(const void *data, size_t bytes)
{
    enum { WORDS = 1 << 16 }; /* sums of so many words stay far below 2^64 */
    const unsigned char *at = data;
    uint64_t first = 0, second = 0;
    while (bytes > 0) {
        for (int k = 0; k < WORDS && bytes > 0; k++) {
            const size_t taken = bytes > 1 ? 2 : 1;
            const uint32_t low = taken == 2 ? at[1] : 0;
            first += ((uint32_t)at[0] << 8) | low;
            second += first;
            at += taken;
            bytes -= taken;
        }
        first = fold(first);
        second = fold(second);
    }
    return (uint32_t)(second << 16) | (uint32_t)first;
}

size_t fletcher32_append(void *data, size_t bytes)
{
    const uint32_t sum = fletcher32(data, bytes);
    for (int k = 0; k < FLETCHER32_BYTES; k++)
        ((unsigned char *)data)[bytes + (size_t)k] = (unsigned char)(sum >> (8 * k));
    return bytes + FLETCHER32_BYTES;
}
