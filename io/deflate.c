#include "io/deflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

void deflate_chunk(struct deflate *deflate, const void *chunk, const void **packed, size_t *bytes,
                   bool *skipped)
{
    shuffle(chunk, deflate->chunk_bytes, deflate->element_bytes, deflate->shuffled);
    unsigned char *result = deflate->packed;
    *bytes = libdeflate_zlib_compress(deflate->compressor, deflate->shuffled, deflate->chunk_bytes,
                                      result, deflate->chunk_bytes);
    *skipped = *bytes == 0;
    if (*skipped) {
        result = deflate->shuffled;
        *bytes = deflate->chunk_bytes;
    }
    *bytes = fletcher32_append(result, *bytes);
    *packed = result;
}
