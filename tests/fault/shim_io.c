/* Preloaded (LD_PRELOAD) into a program under test: the SHIM_AT-th of its calls that change files
 * fails in the way of SHIM_KIND, and the file SHIM_FIRED is made to say so.
 *
 *   ENOSPC EIO EINTR EMFILE   this one call fails with that errno
 *   FULL                      this call and all later ones that need room fail with ENOSPC
 *   SHORT                     a write takes half of its bytes, other calls are as always
 *   FSYNC_EIO WRITE_EINTR     the SHIM_AT-th fsync, the SHIM_AT-th write
 *   KILL_BEFORE KILL_AFTER    the process is killed before or after the call
 *   KILL_WITHIN               a write takes half of its bytes, then the process is killed */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const char *kind;
static long at = -1, calls;
static bool is_full;

static bool kind_is(const char *name)
{
    return kind != NULL && strcmp(kind, name) == 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("SHIM_AT");
    kind = getenv("SHIM_KIND");
    at = number != NULL ? strtol(number, NULL, 10) : 0;
}

static void note_fired(void)
{
    const char *path = getenv("SHIM_FIRED");
    const long fd =
        path != NULL ? syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0666) : -1;
    if (fd >= 0)
        (void)syscall(SYS_close, fd);
}

enum plan { PLAN_GO, PLAN_FAIL, PLAN_SHORT, PLAN_KILL_AFTER };

static void die(void)
{
    (void)kill(getpid(), SIGKILL);
}

enum call { CALL_OTHER, CALL_WRITE, CALL_FSYNC };

/* What happens to this call; errno is set for PLAN_FAIL. */
static enum plan next(enum call call, bool needs_room)
{
    static const struct {
        const char *name;
        int error;
    } errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},
                  {"EMFILE", EMFILE}, {"FSYNC_EIO", EIO}, {"WRITE_EINTR", EINTR}};
    if (is_full && needs_room) {
        errno = ENOSPC;
        return PLAN_FAIL;
    }
    if ((kind_is("FSYNC_EIO") && call != CALL_FSYNC) ||
        (kind_is("WRITE_EINTR") && call != CALL_WRITE) || ++calls != at)
        return PLAN_GO;
    note_fired();
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; k++)
        if (kind_is(errors[k].name)) {
            errno = errors[k].error;
            return PLAN_FAIL;
        }
    if (kind_is("FULL")) {
        is_full = true;
        errno = ENOSPC;
        return needs_room ? PLAN_FAIL : PLAN_GO;
    }
    if (kind_is("KILL_BEFORE"))
        die();
    if (call == CALL_WRITE && (kind_is("SHORT") || kind_is("KILL_WITHIN")))
        return PLAN_SHORT;
    return kind_is("KILL_AFTER") ? PLAN_KILL_AFTER : PLAN_GO;
}

/* The function of that name that this one hides. */
static void hidden(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    memcpy(function, &found, sizeof found);
}

static long finish(enum plan plan, long result)
{
    if (plan == PLAN_KILL_AFTER || (plan == PLAN_SHORT && kind_is("KILL_WITHIN")))
        die();
    return result;
}

int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...);
    hidden("open", &real);
    va_list arguments;
    va_start(arguments, flags);
    const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    const enum plan plan = next(CALL_OTHER, (flags & O_CREAT) != 0);
    return plan == PLAN_FAIL ? -1 : (int)finish(plan, real(path, flags, mode));
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    ssize_t (*real)(int, const void *, size_t);
    hidden("write", &real);
    if (fd <= 2)
        return real(fd, data, bytes);
    const enum plan plan = next(CALL_WRITE, true);
    const size_t taken = plan == PLAN_SHORT && bytes > 1 ? bytes / 2 : bytes;
    return plan == PLAN_FAIL ? -1 : finish(plan, real(fd, data, taken));
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    ssize_t (*real)(int, const void *, size_t, off_t);
    hidden("pwrite", &real);
    const enum plan plan = next(CALL_WRITE, true);
    const size_t taken = plan == PLAN_SHORT && bytes > 1 ? bytes / 2 : bytes;
    return plan == PLAN_FAIL ? -1 : finish(plan, real(fd, data, taken, offset));
}

int fsync(int fd)
{
    int (*real)(int);
    hidden("fsync", &real);
    const enum plan plan = next(CALL_FSYNC, true);
    return plan == PLAN_FAIL ? -1 : (int)finish(plan, real(fd));
}

int ftruncate(int fd, off_t bytes)
{
    int (*real)(int, off_t);
    hidden("ftruncate", &real);
    const enum plan plan = next(CALL_OTHER, false);
    return plan == PLAN_FAIL ? -1 : (int)finish(plan, real(fd, bytes));
}

int posix_fallocate(int fd, off_t offset, off_t bytes)
{
    int (*real)(int, off_t, off_t);
    hidden("posix_fallocate", &real);
    const enum plan plan = next(CALL_OTHER, true);
    return plan == PLAN_FAIL ? errno : (int)finish(plan, real(fd, offset, bytes));
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    hidden("rename", &real);
    const enum plan plan = next(CALL_OTHER, true);
    return plan == PLAN_FAIL ? -1 : (int)finish(plan, real(from, to));
}

/* Closes even when it fails, as Linux does. */
int close(int fd)
{
    int (*real)(int);
    hidden("close", &real);
    const enum plan plan = next(CALL_OTHER, false);
    const int error = errno;
    const int result = real(fd);
    errno = error;
    return plan == PLAN_FAIL ? -1 : (int)finish(plan, result);
}
