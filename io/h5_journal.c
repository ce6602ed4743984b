#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/crc32c.h"
#include "io/disk.h"
#include "io/h5_patch.h"

/* The journal: this head, then for each patch its address and size (8 bytes each) and its data.
 * It lives for a moment and on one machine, so numbers are as the machine has them. */
struct head {
    char magic[8];
    uint64_t file_bytes; /* of the file with all that was written behind its old end */
    uint64_t count;
    uint64_t bytes; /* behind the head */
    uint32_t crc;   /* of what lies behind the head */
    uint32_t head_crc;
};

enum { NAME_BYTES = PATH_MAX + 16, JOURNAL_MOST_BYTES = 1 << 30 };

static const char magic[8] = {'I', 'S', 'O', 'J', 'R', 'N', 'L', '1'};

static enum status journal_name(const char *path, char *name)
{
    return disk_path(name, NAME_BYTES, "%s.journal", path);
}

static uint32_t head_crc(const struct head *head)
{
    return crc32c(0, head, offsetof(struct head, head_crc));
}

static enum status pack(const struct h5_patches *patches, struct head *head, unsigned char **bytes)
{
    size_t total = 0;
    for (int k = 0; k < patches->count; k++)
        total += 2 * sizeof(uint64_t) + patches->list[k].bytes;
    TRY(memory_alloc(bytes, total, 1, "journal"));
    unsigned char *at = *bytes;
    for (int k = 0; k < patches->count; k++) {
        const struct h5_patch *patch = &patches->list[k];
        const uint64_t place[2] = {patch->address, patch->bytes};
        memcpy(at, place, sizeof place);
        memcpy(at + sizeof place, patch->data, patch->bytes);
        at += sizeof place + patch->bytes;
    }
    memcpy(head->magic, magic, sizeof magic);
    head->count = (uint64_t)patches->count;
    head->bytes = total;
    head->crc = crc32c(0, *bytes, total);
    head->head_crc = head_crc(head);
    return STATUS_OK;
}

enum status journal_write(const char *path, const struct h5_patches *patches, uint64_t file_bytes)
{
    enum status status = STATUS_OK;
    int fd = -1;
    unsigned char *bytes = NULL;
    struct head head = {.file_bytes = file_bytes};
    char name[NAME_BYTES];
    TRY(journal_name(path, name));
    TRY_DONE(pack(patches, &head, &bytes));
    fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        status = disk_fail(name, "created", errno);
        goto done;
    }
    int error = disk_write_at(fd, bytes, (size_t)head.bytes, sizeof head);
    if (error == 0)
        error = disk_write_at(fd, &head, sizeof head, 0);
    if (error != 0)
        status = disk_fail(name, "written", error);
done:
    if (fd >= 0 && close(fd) != 0 && status == STATUS_OK)
        status = disk_fail(name, "closed", errno);
    free(bytes);
    return status;
}

enum status journal_apply(const char *path, int fd, const struct h5_patches *patches)
{
    for (int k = 0; k < patches->count; k++) {
        const struct h5_patch *patch = &patches->list[k];
        const int error = disk_write_at(fd, patch->data, patch->bytes, patch->address);
        if (error != 0)
            return disk_fail(path, "written", error);
    }
    return STATUS_OK;
}

/* False when it is torn or of no use for a file of file_bytes bytes. */
static bool unpack(const struct head *head, const unsigned char *bytes, uint64_t file_bytes,
                   struct h5_patches *patches)
{
    if (crc32c(0, bytes, (size_t)head->bytes) != head->crc || head->file_bytes > file_bytes)
        return false;
    uint64_t at = 0;
    for (uint64_t k = 0; k < head->count; k++) {
        uint64_t place[2];
        if (head->bytes - at < sizeof place)
            return false;
        memcpy(place, bytes + at, sizeof place);
        at += sizeof place;
        if (place[1] > head->bytes - at ||
            !h5_patches_write(patches, place[0], (size_t)place[1], bytes + at))
            return false;
        at += place[1];
    }
    return true;
}

static enum status read_journal(int fd, const char *name, uint64_t file_bytes,
                                struct h5_patches *patches, bool *is_whole)
{
    *is_whole = false;
    struct head head;
    unsigned char *bytes = NULL;
    uint64_t size = 0;
    TRY(disk_size(fd, name, &size));
    if (size < sizeof head)
        return STATUS_OK;
    TRY(disk_read(fd, name, &head, sizeof head, 0));
    if (memcmp(head.magic, magic, sizeof magic) != 0 || head.head_crc != head_crc(&head) ||
        head.bytes != size - sizeof head || head.bytes > JOURNAL_MOST_BYTES)
        return STATUS_OK;
    TRY(memory_alloc(&bytes, (size_t)head.bytes, 1, "journal"));
    const enum status status = disk_read(fd, name, bytes, (size_t)head.bytes, sizeof head);
    if (status == STATUS_OK)
        *is_whole = unpack(&head, bytes, file_bytes, patches);
    free(bytes);
    return status;
}

static enum status replay(const char *path, const char *name, int journal)
{
    enum status status = STATUS_OK;
    struct h5_patches patches = {0};
    bool is_whole = false;
    uint64_t file_bytes = 0;
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return disk_fail(path, "opened", errno);
    TRY_DONE(disk_size(fd, path, &file_bytes));
    TRY_DONE(read_journal(journal, name, file_bytes, &patches, &is_whole));
    if (is_whole)
        TRY_DONE(journal_apply(path, fd, &patches));
done:
    h5_patches_free(&patches);
    if (close(fd) != 0 && status == STATUS_OK)
        status = disk_fail(path, "closed", errno);
    return status;
}

enum status journal_replay(const char *path)
{
    char name[NAME_BYTES];
    TRY(journal_name(path, name));
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return STATUS_OK;
    if (fd < 0)
        return disk_fail(name, "opened", errno);
    const enum status status = replay(path, name, fd);
    (void)close(fd);
    TRY(status);
    return journal_remove(path);
}

enum status journal_remove(const char *path)
{
    char name[NAME_BYTES];
    TRY(journal_name(path, name));
    if (unlink(name) != 0 && errno != ENOENT)
        return disk_fail(name, "removed", errno);
    return STATUS_OK;
}
