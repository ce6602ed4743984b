/* The trailer of a checkpoint: behind the end of the HDF5 file lie
 *
 *   section table   section_count entries of 88 bytes
 *   block table     one CRC32C (4 bytes) for each block of 1 MiB of the HDF5 file, the last one
 * short footer          96 bytes, at the very end of the file
 *
 * Numbers are little-endian. docs/output.md has the layout byte by byte. */
#ifndef ISOTHERM_IO_TRAILER_H
#define ISOTHERM_IO_TRAILER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "io/checkpoint.h"

enum { TRAILER_VERSION = 1, TRAILER_BLOCK_BYTES = 1 << 20 };

struct trailer {
    uint64_t run_id;
    int64_t step;
    double time;         /* s */
    uint64_t hdf5_bytes; /* of the HDF5 file in front */
    int section_count;
    struct checkpoint_section sections[CHECKPOINT_MAX_SECTIONS];
    uint32_t *blocks; /* (trailer_block_count), owned */
};

uint64_t trailer_block_count(uint64_t hdf5_bytes);
size_t trailer_bytes(const struct trailer *trailer);

size_t section_type_bytes(enum section_type type);
/* Bytes of the section's values; STATUS_FILE when its shape makes no sense. */
enum status section_bytes(const struct checkpoint_section *section, uint64_t *bytes) MUST_CHECK;

/* The checksum of block number `index`, part by part: the first part goes on from
 * trailer_block_start(index), so that a block in the wrong place has the wrong checksum. */
uint32_t trailer_block_start(uint64_t index);

/* packed[trailer_bytes()], owned by the caller. */
enum status trailer_pack(const struct trailer *trailer, unsigned char **packed) MUST_CHECK;

/* Reads the trailer of an open file and checks all of it. STATUS_FILE says what is wrong. */
enum status trailer_read(int fd, const char *path, struct trailer *trailer) MUST_CHECK;
void trailer_free(struct trailer *trailer);

/* Whether a file ends with the mark of a trailer, damaged or not. */
bool trailer_is_there(int fd, uint64_t file_bytes);

#endif
