/* Compression of one chunk as HDF5's filters shuffle, deflate and fletcher32 would leave it, but
 * several times faster, with libdeflate. Every reader undoes it with the standard filters. */
#ifndef ISOTHERM_IO_DEFLATE_H
#define ISOTHERM_IO_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct deflate;

/* False in a build without libdeflate; HDF5's own filters do the work then. */
bool deflate_is_built(void);

/* For chunks of `chunk_bytes` with elements of `element_bytes`; level 1 (fast) to 12. */
enum status deflate_open(int level, size_t chunk_bytes, size_t element_bytes,
                         struct deflate **deflate) MUST_CHECK;
void deflate_close(struct deflate *deflate);

/* Packs chunk[chunk_bytes]; *packed belongs to `deflate` and holds until the next call. *skipped is
 * true when the data does not shrink: then it is only shuffled. */
void deflate_chunk(struct deflate *deflate, const void *chunk, const void **packed, size_t *bytes,
                   bool *skipped);

/* The checksum of HDF5's filter fletcher32: Fletcher 1982 over big-endian 16-bit words, an odd byte
 * at the end counts as the upper half of one. */
uint32_t fletcher32(const void *data, size_t bytes);

/* Writes it behind data[bytes], as the filter does; the number of bytes with it. */
enum { FLETCHER32_BYTES = 4 };
size_t fletcher32_append(void *data, size_t bytes);

#endif
