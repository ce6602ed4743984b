#include "io/deflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LONG_PIECE = 1 << 16, SHORT_PIECE = 1 << 14, STORED_MOST = 65535, STORED_HEAD = 5 };

struct deflate {
    struct libdeflate_compressor *compressor;
    size_t chunk_bytes, element_bytes;
    unsigned char *shuffled, *packed; /* (chunk_bytes + FLETCHER32_BYTES) */
};

bool deflate_is_built(void)
{
    return true;
}

enum status deflate_open(int level, size_t chunk_bytes, size_t element_bytes,
                         struct deflate **deflate)
{
    TRY(memory_alloc(deflate, 1, sizeof **deflate, "compression"));
    struct deflate *d = *deflate;
    d->chunk_bytes = chunk_bytes;
    d->element_bytes = element_bytes;
    enum status status = STATUS_OK;
    TRY_DONE(memory_alloc(&d->shuffled, chunk_bytes + FLETCHER32_BYTES, 1, "compression"));
    TRY_DONE(memory_alloc(&d->packed, chunk_bytes + FLETCHER32_BYTES, 1, "compression"));
    d->compressor = libdeflate_alloc_compressor(level);
    if (d->compressor == NULL)
        status = fail(STATUS_MEMORY, "no memory for compression");
done:
    if (status != STATUS_OK) {
        deflate_close(d);
        *deflate = NULL;
    }
    return status;
}

void deflate_close(struct deflate *deflate)
{
    if (deflate == NULL)
        return;
    if (deflate->compressor != NULL)
        libdeflate_free_compressor(deflate->compressor);
    free(deflate->shuffled);
    free(deflate->packed);
    free(deflate);
}

/* All first bytes of the elements, then all second ones, and so on. */
static void shuffle(const unsigned char *from, size_t bytes, size_t element_bytes,
                    unsigned char *to)
{
    const size_t count = bytes / element_bytes;
    for (size_t b = 0; b < element_bytes; b++)
        for (size_t k = 0; k < count; k++)
            to[b * count + k] = from[k * element_bytes + b];
}

/* Whether bytes[count] shrink by compression, judged by a piece from their middle. */
static bool is_worth_it(const struct deflate *deflate, const unsigned char *bytes, size_t count,
                        size_t piece)
{
    return libdeflate_deflate_compress(deflate->compressor, bytes + (count - piece) / 2, piece,
                                       deflate->packed, piece - piece / 64) != 0;
}

/* How many bytes at the front of the shuffled ones do not shrink: of doubles those that hold the
 * last digits, mostly half of all or more. Looking for patterns in them takes most of the time. The
 * first piece is twice as long as the distance at which deflate finds repetitions: rows that repeat
 * do so in all bytes. */
static size_t find_noise(const struct deflate *deflate)
{
    const size_t count = deflate->chunk_bytes / deflate->element_bytes;
    size_t noise = 0;
    if (count < 4 * (size_t)LONG_PIECE) /* then that takes as long as all */
        return 0;
    while (noise + count <= deflate->chunk_bytes &&
           !is_worth_it(deflate, deflate->shuffled + noise, count,
                        noise == 0 ? LONG_PIECE : SHORT_PIECE))
        noise += count;
    return noise;
}

/* RFC 1951, 3.2.4: blocks that hold bytes as they are. Returns their end. */
static unsigned char *put_stored(const unsigned char *from, size_t bytes, unsigned char *to)
{
    while (bytes > 0) {
        const size_t length = bytes < STORED_MOST ? bytes : STORED_MOST;
        const unsigned char head[STORED_HEAD] = {
            0, (unsigned char)(length & 0xff), (unsigned char)(length >> 8),
            (unsigned char)(~length & 0xff), (unsigned char)(~length >> 8 & 0xff)};
        memcpy(to, head, sizeof head);
        memcpy(to + sizeof head, from, length);
        to += sizeof head + length;
        from += length;
        bytes -= length;
    }
    return to;
}

/* RFC 1950: the noise stored, the rest compressed. Returns the bytes, 0 when they do not shrink. */
static size_t compress_behind(const struct deflate *deflate, size_t noise)
{
    const size_t all = deflate->chunk_bytes;
    const size_t stored = noise + (noise + STORED_MOST - 1) / STORED_MOST * STORED_HEAD;
    unsigned char *end = deflate->packed;
    if (noise == all || 2 + stored + 4 >= all)
        return 0;
    *end++ = 0x78; /* deflate with a window of 32 KiB */
    *end++ = 0x01; /* fastest; makes the two a multiple of 31 */
    end = put_stored(deflate->shuffled, noise, end);
    const size_t bytes = libdeflate_deflate_compress(deflate->compressor, deflate->shuffled + noise,
                                                     all - noise, end, all - (2 + stored + 4));
    const uint32_t sum = libdeflate_adler32(1, deflate->shuffled, all);
    end += bytes;
    for (int k = 0; k < 4; k++)
        *end++ = (unsigned char)(sum >> (24 - 8 * k));
    return bytes == 0 ? 0 : (size_t)(end - deflate->packed);
}

void deflate_chunk(struct deflate *deflate, const void *chunk, const void **packed, size_t *bytes,
                   bool *skipped)
{
    shuffle(chunk, deflate->chunk_bytes, deflate->element_bytes, deflate->shuffled);
    const size_t noise = find_noise(deflate);
    unsigned char *result = deflate->packed;
    *bytes = noise > 0
                 ? compress_behind(deflate, noise)
                 : libdeflate_zlib_compress(deflate->compressor, deflate->shuffled,
                                            deflate->chunk_bytes, result, deflate->chunk_bytes);
    *skipped = *bytes == 0;
    if (*skipped) {
        result = deflate->shuffled;
        *bytes = deflate->chunk_bytes;
    }
    *bytes = fletcher32_append(result, *bytes);
    *packed = result;
}
