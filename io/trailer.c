#include "io/trailer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/crc32c.h"
#include "io/disk.h"

/* On disk as in memory; the next lines refuse to compile where that would not hold. */
struct packed_section {
    char name[CHECKPOINT_NAME_BYTES];
    uint32_t type; /* enum section_type */
    uint32_t zero;
    int64_t rows, columns, offset, bytes;
};

struct footer {
    uint64_t run_id;
    int64_t step;
    double time;
    uint64_t hdf5_bytes;
    uint64_t trailer_bytes; /* section table, block table and footer */
    uint64_t block_count;
    uint32_t section_count;
    uint32_t block_bytes;
    uint64_t zero[2];
    uint32_t version;
    uint32_t digest; /* CRC32C of the trailer up to here: over all checksums of the file */
    char magic[16];
};

_Static_assert(sizeof(struct packed_section) == 88, "section table");
_Static_assert(sizeof(struct footer) == 96, "footer");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "checkpoints are little-endian");

static const char magic[16] = "isotherm-state\r\n"; /* shows up a transfer as text, too */

uint64_t trailer_block_count(uint64_t hdf5_bytes)
{
    return hdf5_bytes / TRAILER_BLOCK_BYTES + (hdf5_bytes % TRAILER_BLOCK_BYTES != 0);
}

static size_t tables_bytes(uint64_t section_count, uint64_t block_count)
{
    return (size_t)(section_count * sizeof(struct packed_section) + block_count * sizeof(uint32_t));
}

size_t trailer_bytes(const struct trailer *trailer)
{
    return tables_bytes((uint64_t)trailer->section_count,
                        trailer_block_count(trailer->hdf5_bytes)) +
           sizeof(struct footer);
}

size_t section_type_bytes(enum section_type type)
{
    static const size_t bytes[] = {
        [SECTION_F64] = 8, [SECTION_F32] = 4, [SECTION_I64] = 8, [SECTION_U8] = 1};
    return bytes[type];
}

enum status section_bytes(const struct checkpoint_section *section, uint64_t *bytes)
{
    int64_t result = 0;
    if (section->rows < 1 || section->columns < 1 ||
        __builtin_mul_overflow(section->rows, section->columns, &result) ||
        __builtin_mul_overflow(result, (int64_t)section_type_bytes(section->type), &result))
        return fail(STATUS_FILE, "section %.47s: a shape of %lld x %lld is refused", section->name,
                    (long long)section->rows, (long long)section->columns);
    *bytes = (uint64_t)result;
    return STATUS_OK;
}

uint32_t trailer_block_start(uint64_t index)
{
    return crc32c(0, &index, sizeof index);
}

enum status trailer_pack(const struct trailer *trailer, unsigned char **packed)
{
    const size_t bytes = trailer_bytes(trailer);
    const uint64_t blocks = trailer_block_count(trailer->hdf5_bytes);
    TRY(memory_alloc(packed, bytes, 1, "trailer"));
    unsigned char *at = *packed;
    for (int k = 0; k < trailer->section_count; k++) {
        const struct checkpoint_section *section = &trailer->sections[k];
        struct packed_section entry = {.type = (uint32_t)section->type,
                                       .rows = section->rows,
                                       .columns = section->columns,
                                       .offset = section->offset};
        memcpy(entry.name, section->name, strnlen(section->name, sizeof entry.name - 1));
        uint64_t section_size = 0;
        TRY(section_bytes(section, &section_size));
        entry.bytes = (int64_t)section_size;
        memcpy(at, &entry, sizeof entry);
        at += sizeof entry;
    }
    memcpy(at, trailer->blocks, (size_t)blocks * sizeof(uint32_t));
    at += (size_t)blocks * sizeof(uint32_t);
    struct footer footer = {.run_id = trailer->run_id,
                            .step = trailer->step,
                            .time = trailer->time,
                            .hdf5_bytes = trailer->hdf5_bytes,
                            .trailer_bytes = bytes,
                            .block_count = blocks,
                            .section_count = (uint32_t)trailer->section_count,
                            .block_bytes = TRAILER_BLOCK_BYTES,
                            .version = TRAILER_VERSION};
    memcpy(footer.magic, magic, sizeof magic);
    memcpy(at, &footer, sizeof footer);
    footer.digest = crc32c(0, *packed, bytes - sizeof footer + offsetof(struct footer, digest));
    memcpy(at, &footer, sizeof footer);
    return STATUS_OK;
}

/* ---- reading ---- */

static enum status check_footer(const char *path, const struct footer *footer, uint64_t file_bytes)
{
    if (memcmp(footer->magic, magic, sizeof magic) != 0)
        return fail(STATUS_FILE, "%s: the end of the file is missing or damaged", path);
    if (footer->version != TRAILER_VERSION)
        return fail(STATUS_FILE, "%s: its version %u is not %d, which this program reads", path,
                    footer->version, TRAILER_VERSION);
    const uint64_t blocks = trailer_block_count(footer->hdf5_bytes);
    if (footer->section_count > CHECKPOINT_MAX_SECTIONS ||
        footer->block_bytes != TRAILER_BLOCK_BYTES || footer->hdf5_bytes > file_bytes ||
        footer->block_count != blocks ||
        footer->trailer_bytes != tables_bytes(footer->section_count, blocks) + sizeof *footer ||
        footer->trailer_bytes != file_bytes - footer->hdf5_bytes)
        return fail(STATUS_FILE, "%s: the footer is damaged or the file was cut", path);
    return STATUS_OK;
}

static enum status unpack_section(const char *path, const struct packed_section *entry,
                                  uint64_t hdf5_bytes, struct checkpoint_section *section)
{
    *section = (struct checkpoint_section){.type = (enum section_type)entry->type,
                                           .rows = entry->rows,
                                           .columns = entry->columns,
                                           .offset = entry->offset};
    memcpy(section->name, entry->name, sizeof section->name);
    uint64_t bytes = 0;
    if (entry->type > SECTION_U8 || entry->name[sizeof entry->name - 1] != '\0')
        return fail(STATUS_FILE, "%s: a section has no valid name and type", path);
    TRY(section_bytes(section, &bytes));
    if (bytes != (uint64_t)entry->bytes || entry->offset < 0 || bytes > hdf5_bytes ||
        (uint64_t)entry->offset > hdf5_bytes - bytes)
        return fail(STATUS_FILE, "%s: section %s lies outside of the file", path, section->name);
    return STATUS_OK;
}

static enum status unpack(const char *path, const unsigned char *packed,
                          const struct footer *footer, struct trailer *trailer)
{
    const uint32_t digest =
        crc32c(0, packed,
               (size_t)footer->trailer_bytes - sizeof *footer + offsetof(struct footer, digest));
    if (digest != footer->digest)
        return fail(STATUS_FILE, "%s: the trailer is damaged (digest %08x, %08x expected)", path,
                    digest, footer->digest);
    trailer->run_id = footer->run_id;
    trailer->step = footer->step;
    trailer->time = footer->time;
    trailer->hdf5_bytes = footer->hdf5_bytes;
    trailer->section_count = (int)footer->section_count;
    for (int k = 0; k < trailer->section_count; k++) {
        struct packed_section entry;
        memcpy(&entry, packed + (size_t)k * sizeof entry, sizeof entry);
        TRY(unpack_section(path, &entry, footer->hdf5_bytes, &trailer->sections[k]));
    }
    const size_t blocks = (size_t)footer->block_count;
    TRY(memory_alloc(&trailer->blocks, blocks, sizeof(uint32_t), "checksums"));
    memcpy(trailer->blocks, packed + footer->section_count * sizeof(struct packed_section),
           blocks * sizeof(uint32_t));
    return STATUS_OK;
}

enum status trailer_read(int fd, const char *path, struct trailer *trailer)
{
    enum status status = STATUS_OK;
    unsigned char *packed = NULL;
    uint64_t file_bytes = 0;
    struct footer footer;
    *trailer = (struct trailer){0};
    TRY(disk_size(fd, path, &file_bytes));
    if (file_bytes < sizeof footer)
        return fail(STATUS_FILE, "%s: is too short for a checkpoint (%llu bytes)", path,
                    (unsigned long long)file_bytes);
    TRY(disk_read(fd, path, &footer, sizeof footer, file_bytes - sizeof footer));
    TRY(check_footer(path, &footer, file_bytes));
    TRY(memory_alloc(&packed, (size_t)footer.trailer_bytes, 1, "trailer"));
    TRY_DONE(disk_read(fd, path, packed, (size_t)footer.trailer_bytes, footer.hdf5_bytes));
    TRY_DONE(unpack(path, packed, &footer, trailer));
done:
    free(packed);
    if (status != STATUS_OK)
        trailer_free(trailer);
    return status;
}

void trailer_free(struct trailer *trailer)
{
    free(trailer->blocks);
    trailer->blocks = NULL;
}

bool trailer_is_there(int fd, uint64_t file_bytes)
{
    char end[sizeof magic];
    return file_bytes >= sizeof end &&
           pread(fd, end, sizeof end, (off_t)(file_bytes - sizeof end)) == (ssize_t)sizeof end &&
           memcmp(end, magic, sizeof magic) == 0;
}
