/* A build without libdeflate. */
#include "io/deflate.h"

bool deflate_is_built(void)
{
    return false;
}

enum status deflate_open(int level, size_t chunk_bytes, size_t element_bytes,
                         struct deflate **deflate)
{
    (void)level, (void)chunk_bytes, (void)element_bytes;
    *deflate = NULL;
    return fail(STATUS_BUG, "compression with libdeflate is not in this build");
}

void deflate_close(struct deflate *deflate)
{
    (void)deflate;
}

void deflate_chunk(struct deflate *deflate, const void *chunk, const void **packed, size_t *bytes,
                   bool *skipped)
{
    (void)deflate, (void)chunk;
    *packed = NULL;
    *bytes = 0;
    *skipped = true;
}
