/* Finding, verifying and reading checkpoints: plain reads, no HDF5. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/checkpoint.h"
#include "io/checkpoint_list.h"
#include "io/crc32c.h"
#include "io/disk.h"
#include "io/trailer.h"

static enum status verify_blocks(int fd, const char *path, const struct trailer *trailer)
{
    enum status status = STATUS_OK;
    unsigned char *block = NULL;
    const uint64_t count = trailer_block_count(trailer->hdf5_bytes);
    TRY(memory_alloc(&block, TRAILER_BLOCK_BYTES, 1, "block of a checkpoint"));
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t start = k * TRAILER_BLOCK_BYTES;
        const uint64_t left = trailer->hdf5_bytes - start;
        const size_t bytes = left < TRAILER_BLOCK_BYTES ? (size_t)left : TRAILER_BLOCK_BYTES;
        TRY_DONE(disk_read(fd, path, block, bytes, start));
        const uint32_t crc = crc32c(trailer_block_start(k), block, bytes);
        if (crc != trailer->blocks[k]) {
            status = fail(STATUS_FILE, "%s: bytes %llu to %llu are damaged", path,
                          (unsigned long long)start, (unsigned long long)(start + bytes - 1));
            goto done;
        }
    }
done:
    free(block);
    return status;
}

enum status checkpoint_open(const char *path, struct checkpoint *checkpoint)
{
    enum status status = STATUS_OK;
    struct trailer trailer = {0};
    *checkpoint = (struct checkpoint){.fd = -1};
    TRY(disk_path(checkpoint->path, sizeof checkpoint->path, "%s", path));
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would wait */
    if (fd < 0)
        return disk_fail(path, "opened", errno);
    TRY_DONE(trailer_read(fd, path, &trailer));
    TRY_DONE(verify_blocks(fd, path, &trailer));
    checkpoint->step = trailer.step;
    checkpoint->time = trailer.time;
    checkpoint->run_id = trailer.run_id;
    checkpoint->section_count = trailer.section_count;
    memcpy(checkpoint->sections, trailer.sections, sizeof trailer.sections);
    checkpoint->fd = fd;
done:
    trailer_free(&trailer);
    if (status != STATUS_OK)
        (void)close(fd);
    return status;
}

bool checkpoint_is(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    if (strncmp(name, "checkpoint-", strlen("checkpoint-")) == 0)
        return true;
    uint64_t bytes = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    const off_t end = lseek(fd, 0, SEEK_END);
    bytes = end > 0 ? (uint64_t)end : 0;
    const bool result = trailer_is_there(fd, bytes);
    (void)close(fd);
    return result;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    if (checkpoint->fd >= 0)
        (void)close(checkpoint->fd);
    checkpoint->fd = -1;
}

enum status checkpoint_check_name(const struct checkpoint *checkpoint)
{
    char path[sizeof checkpoint->path];
    const char *slash = strrchr(checkpoint->path, '/');
    TRY(checkpoint_path(path, sizeof path, ".", checkpoint->step));
    if (strcmp(strrchr(path, '/') + 1, slash != NULL ? slash + 1 : checkpoint->path) == 0)
        return STATUS_OK;
    return fail(STATUS_FILE, "%s: holds step %lld and not the one of its name", checkpoint->path,
                (long long)checkpoint->step);
}

/* Refuses one that was renamed. */
static enum status open_step(const char *directory, int64_t step, struct checkpoint *checkpoint)
{
    char path[sizeof checkpoint->path];
    TRY(checkpoint_path(path, sizeof path, directory, step));
    TRY(checkpoint_open(path, checkpoint));
    const enum status status = checkpoint_check_name(checkpoint);
    if (status != STATUS_OK)
        checkpoint_close(checkpoint);
    return status;
}

enum status checkpoint_find(const char *directory, struct checkpoint *checkpoint, bool *found,
                            void (*passed_over)(const char *line))
{
    *found = false;
    *checkpoint = (struct checkpoint){.fd = -1};
    int64_t *steps = NULL;
    int count = 0;
    enum status status = checkpoint_list(directory, &steps, &count);
    TRY(status);
    for (int k = 0; k < count && !*found; k++) {
        status = open_step(directory, steps[k], checkpoint);
        if (status == STATUS_MEMORY)
            break;
        *found = status == STATUS_OK;
        if (!*found) {
            char line[ERROR_MESSAGE_BYTES + 32];
            (void)snprintf(line, sizeof line, "passed over: %s", error_message());
            error_clear();
            if (passed_over != NULL)
                passed_over(line);
        }
    }
    free(steps);
    if (status == STATUS_FILE && !*found)
        status = fail(STATUS_FILE,
                      "%s: none of its %d checkpoints can be used; remove them (or choose "
                      "--overwrite) to start anew",
                      directory, count);
    return status;
}

const struct checkpoint_section *checkpoint_section(const struct checkpoint *checkpoint,
                                                    const char *name)
{
    for (int k = 0; k < checkpoint->section_count; k++)
        if (strcmp(checkpoint->sections[k].name, name) == 0)
            return &checkpoint->sections[k];
    return NULL;
}

enum status checkpoint_read(const struct checkpoint *checkpoint,
                            const struct checkpoint_section *section, int64_t from, size_t bytes,
                            void *to)
{
    uint64_t size = 0;
    TRY(section_bytes(section, &size));
    if (from < 0 || (uint64_t)from > size || bytes > size - (uint64_t)from)
        return fail(STATUS_BUG, "%s: %zu bytes at %lld are asked of section %s, which has %llu",
                    checkpoint->path, bytes, (long long)from, section->name,
                    (unsigned long long)size);
    return disk_read(checkpoint->fd, checkpoint->path, to, bytes,
                     (uint64_t)(section->offset + from));
}
