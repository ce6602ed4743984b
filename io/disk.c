#include "io/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/text.h"

static const char *advice(int error)
{
    switch (error) {
    case ENOSPC:
        return "; free space there or choose another directory";
    case EDQUOT:
        return "; your quota there is used up";
    case EROFS:
    case EACCES:
    case EPERM:
        return "; choose a directory that you may write to";
    case EMFILE:
    case ENFILE:
        return "; too many files are open, raise the limit (ulimit -n)";
    case EFBIG:
        return "; raise the limit of file sizes (ulimit -f)";
    case EIO:
        return "; the disk reports a fault";
    default:
        return "";
    }
}

enum status disk_fail(const char *path, const char *what, int error)
{
    return fail(STATUS_FILE, "%s: cannot be %s: %s%s", path, what, strerror(error), advice(error));
}

int disk_write_at(int fd, const void *data, size_t bytes, uint64_t offset)
{
    const char *from = data;
    while (bytes > 0) {
        const ssize_t written = pwrite(fd, from, bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        if (written == 0)
            return EIO;
        from += written;
        bytes -= (size_t)written;
        offset += (uint64_t)written;
    }
    return 0;
}

enum status disk_replace(const char *path, const void *data, size_t bytes)
{
    char name[PATH_MAX];
    TRY(disk_path(name, sizeof name, "%s.new", path));
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return disk_fail(path, "written", errno);
    int error = disk_write_at(fd, data, bytes, 0);
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(name, path) != 0)
        error = errno;
    if (error == 0)
        return STATUS_OK;
    (void)unlink(name);
    return disk_fail(path, "written", error);
}

enum status disk_read(int fd, const char *path, void *data, size_t bytes, uint64_t offset)
{
    char *to = data;
    while (bytes > 0) {
        const ssize_t got = pread(fd, to, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return disk_fail(path, "read", errno);
        if (got == 0)
            return fail(STATUS_FILE, "%s: ends at byte %llu, %zu bytes early", path,
                        (unsigned long long)offset, bytes);
        to += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
    return STATUS_OK;
}

enum status disk_size(int fd, const char *path, uint64_t *bytes)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return disk_fail(path, "examined", errno);
    if (!S_ISREG(about.st_mode))
        return fail(STATUS_FILE, "%s: is not a regular file", path);
    *bytes = (uint64_t)about.st_size;
    return STATUS_OK;
}

enum status disk_room(const char *directory, double *bytes)
{
    struct statvfs about;
    if (statvfs(directory, &about) != 0)
        return disk_fail(directory, "examined", errno);
    *bytes = (double)about.f_bavail * (double)about.f_frsize;
    return STATUS_OK;
}

enum status disk_check_room(const char *directory, uint64_t bytes, const char *what)
{
    double room = 0.0;
    TRY(disk_room(directory, &room));
    if (room >= (double)bytes)
        return STATUS_OK;
    char needed[32], left[32];
    text_bytes(needed, sizeof needed, (double)bytes);
    text_bytes(left, sizeof left, room);
    return fail(STATUS_FILE, "%s: %s needs %llu bytes (%s) and %s are free%s", directory, what,
                (unsigned long long)bytes, needed, left, advice(ENOSPC));
}

void disk_let_go(const char *path, uint64_t from, uint64_t to)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)posix_fadvise(fd, (off_t)from, (off_t)(to - from), POSIX_FADV_DONTNEED);
    (void)close(fd);
}

enum status disk_sync_directory(const char *directory)
{
    const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return disk_fail(directory, "opened", errno);
    enum status status = STATUS_OK;
    if (fsync(fd) != 0)
        status = disk_fail(directory, "made durable (fsync)", errno);
    (void)close(fd); /* nothing was written through it */
    return status;
}

enum status disk_directory_of(const char *path, char *directory, size_t bytes)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return disk_path(directory, bytes, ".");
    if (slash == path)
        return disk_path(directory, bytes, "/");
    return disk_path(directory, bytes, "%.*s", (int)(slash - path), path);
}

enum status disk_path(char *to, size_t bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(to, bytes, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= bytes)
        return fail(STATUS_FILE, "%.60s...: the path is longer than %zu characters", to, bytes - 1);
    return STATUS_OK;
}
