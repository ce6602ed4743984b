/* CRC32C (Castagnoli polynomial, RFC 3720 appendix B.4), which finds every single and double bit
 * error and every burst of up to 32 bits in a block of a megabyte. */
#ifndef ISOTHERM_IO_CRC32C_H
#define ISOTHERM_IO_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of data[bytes] going on from `crc`, the checksum of what came before; 0 at the
 * start. crc32c(crc32c(0, a), b) is that of a followed by b. */
uint32_t crc32c(uint32_t crc, const void *data, size_t bytes);

#endif
