#include "io/crc32c.h"

#include <string.h>

/* Eight bytes a step: tables[k][b] is the checksum of byte b followed by k zero bytes (Kounavis and
 * Berry 2005, "A systematic approach to building high performance software-based CRC generators").
 * They are filled at first use; two threads that meet there write the same values. */
static uint32_t tables[8][256];

static void fill_tables(void)
{
    const uint32_t polynomial = 0x82f63b78; /* 0x1edc6f41 with its bits reversed */
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        tables[0][byte] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (int byte = 0; byte < 256; byte++) {
            const uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
        }
}

static uint32_t add_byte(uint32_t crc, unsigned char byte)
{
    return (crc >> 8) ^ tables[0][(crc ^ byte) & 0xff];
}

uint32_t crc32c(uint32_t crc, const void *data, size_t bytes)
{
    if (tables[7][255] == 0) /* written last, never 0 once filled */
        fill_tables();
    const unsigned char *at = data;
    crc = ~crc;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word ^= crc;
        crc = 0;
        for (int k = 0; k < 8; k++)
            crc ^= tables[7 - k][(word >> (8 * k)) & 0xff];
    }
    for (; bytes > 0; bytes--, at++)
        crc = add_byte(crc, *at);
    return ~crc;
}
