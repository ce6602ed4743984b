#include "io/rundir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/disk.h"

enum { PATH_BYTES = 4096 };

enum status rundir_file(const char *path, const char *name, char *to, size_t bytes)
{
    const int length = snprintf(to, bytes, "%s/%s", path, name);
    if (length < 0 || (size_t)length >= bytes)
        return fail(STATUS_INPUT, "output.directory: the path %.60s... is too long", path);
    return STATUS_OK;
}

static enum status fail_in_way(const char *path)
{
    return fail(STATUS_FILE, "output.directory: %s is in the way, it is no directory", path);
}

static enum status make_one(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return STATUS_OK;
    if (errno == EEXIST) {
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            return STATUS_OK;
        return fail_in_way(path);
    }
    return disk_fail(path, "made (output.directory)", errno);
}

static enum status make_with_parents(const char *path)
{
    char *copy = NULL;
    TRY(memory_copy_text(&copy, path));
    enum status status = STATUS_OK;
    for (char *slash = strchr(copy + 1, '/'); slash != NULL && status == STATUS_OK;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        status = make_one(copy);
        *slash = '/';
    }
    if (status == STATUS_OK)
        status = make_one(copy);
    free(copy);
    return status;
}

static enum status fail_held(const char *path, long holder)
{
    return fail(STATUS_INPUT,
                "output.directory: %s is in use by another run (process %ld); wait for it or use "
                "another directory",
                path, holder);
}

static enum status lock_log(struct rundir *rundir, const char *path)
{
    char log[PATH_BYTES];
    TRY(rundir_file(path, "run.log", log, sizeof log));
    rundir->log_fd = open(log, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (rundir->log_fd < 0)
        return disk_fail(log, "written", errno);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(rundir->log_fd, F_SETLK, &lock) == 0)
        return STATUS_OK;
    if (errno != EACCES && errno != EAGAIN)
        return STATUS_OK; /* a file system without locks: nothing to hold on to */
    lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(rundir->log_fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        lock.l_pid = 0;
    rundir_close(rundir); /* its log is not ours to write to */
    return fail_held(path, (long)lock.l_pid);
}

/* What a run leaves in its directory, run.cfg and run.log aside: unfinished files too. */
static bool is_result(const char *name)
{
    static const char *const names[] = {"run.h5",     "run.h5.journal", "run.h5.new",
                                        "run.vtkhdf", "run.vtkhdf.new", "probes.csv"};
    static const char prefix[] = "checkpoint-"; /* and the step */
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strcmp(name, names[n]) == 0)
            return true;
    return strncmp(name, prefix, strlen(prefix)) == 0 &&
           isdigit((unsigned char)name[strlen(prefix)]);
}

static enum status refuse_result(const char *path, int directory, const char *name)
{
    (void)directory;
    return fail(STATUS_INPUT,
                "output.directory: %s holds results of an earlier run (%s); continue it with "
                "--resume, replace it with --overwrite, or use another directory",
                path, name);
}

/* Whether remove_result() would find what it can remove. */
static enum status look_at_result(const char *path, int directory, const char *name)
{
    struct stat info;
    if (fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode))
        return fail(STATUS_FILE,
                    "%s/%s is a directory, which --overwrite does not remove; move it away or use "
                    "another output.directory",
                    path, name);
    return STATUS_OK;
}

static enum status remove_result(const char *path, int directory, const char *name)
{
    if (unlinkat(directory, name, 0) != 0)
        return fail(STATUS_FILE, "%s/%s: cannot be removed: %s", path, name, strerror(errno));
    return STATUS_OK;
}

static enum status for_results(const char *path, enum status (*act)(const char *path, int directory,
                                                                    const char *name))
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return disk_fail(path, "read (output.directory)", errno);
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (entry == NULL && errno != 0) /* what was not seen may be results */
            status = disk_fail(path, "read (output.directory)", errno);
        if (entry == NULL)
            break;
        if (is_result(entry->d_name))
            status = act(path, dirfd(directory), entry->d_name);
    }
    (void)closedir(directory);
    return status;
}

static enum status see_to_results(const char *path, enum rundir_mode mode)
{
    if (mode == RUNDIR_RESUME)
        return STATUS_OK;
    return for_results(path, mode == RUNDIR_NEW ? refuse_result : look_at_result);
}

enum status rundir_clear(const char *path)
{
    return for_results(path, remove_result);
}

/* Whether another run holds the directory or its log cannot be written. */
static enum status check_log(const char *path)
{
    char log[PATH_BYTES];
    TRY(rundir_file(path, "run.log", log, sizeof log));
    const int fd = open(log, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? STATUS_OK : disk_fail(log, "written", errno);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const bool is_held = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    (void)close(fd); /* nothing was written through it */
    return is_held ? fail_held(path, (long)lock.l_pid) : STATUS_OK;
}

/* The path, or the nearest one above it that is there. */
static enum status find_nearest(const char *path, char at[PATH_BYTES], struct stat *info)
{
    char above[PATH_BYTES];
    TRY(disk_path(at, PATH_BYTES, "%s", path));
    while (stat(at, info) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return disk_fail(path, "made (output.directory)", errno);
        TRY(disk_directory_of(at, above, sizeof above));
        memcpy(at, above, sizeof above);
    }
    return STATUS_OK;
}

enum status rundir_room(const char *path, double *bytes)
{
    char at[PATH_BYTES];
    struct stat info;
    TRY(find_nearest(path, at, &info));
    return disk_room(at, bytes);
}

/* Whether the directory is there or can be made: the nearest one that is there decides. */
static enum status check_way(const char *path)
{
    char at[PATH_BYTES];
    struct stat info;
    TRY(find_nearest(path, at, &info));
    if (!S_ISDIR(info.st_mode))
        return fail_in_way(at);
    if (access(at, W_OK | X_OK) != 0)
        return disk_fail(path, "written (output.directory)", errno);
    return STATUS_OK;
}

static enum status check_length(const char *path)
{
    char longest[PATH_BYTES];
    return rundir_file(path, "checkpoint-9223372036854775807.h5.unfinished", longest,
                       sizeof longest);
}

enum status rundir_check(const char *path, enum rundir_mode mode)
{
    TRY(check_length(path));
    TRY(check_way(path));
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    TRY(check_log(path));
    return see_to_results(path, mode);
}

enum status rundir_open(const char *path, enum rundir_mode mode, struct rundir *rundir)
{
    *rundir = (struct rundir){.path = path, .log_fd = -1};
    TRY(check_length(path));
    TRY(make_with_parents(path));
    TRY(lock_log(rundir, path));
    return see_to_results(path, mode);
}

void rundir_close(struct rundir *rundir)
{
    if (rundir->log_fd >= 0)
        (void)close(rundir->log_fd);
    rundir->log_fd = -1;
}

void rundir_log(const struct rundir *rundir, const char *line)
{
    if (rundir->log_fd < 0)
        return;
    char stamp[64];
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL ||
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ  ", &utc) == 0)
        stamp[0] = '\0';
    const struct iovec parts[] = {
        {stamp, strlen(stamp)}, {(char *)(uintptr_t)line, strlen(line)}, {"\n", 1}};
    const ssize_t written = writev(rundir->log_fd, parts, 3); /* one line, one call */
    (void)written;
}
