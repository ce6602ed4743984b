#include "io/checkpoint_list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "io/checkpoint.h"
#include "io/disk.h"

#define PREFIX     "checkpoint-"
#define SUFFIX     ".h5"
#define NEW_PREFIX "." PREFIX
#define NEW_SUFFIX SUFFIX ".new"

enum status checkpoint_path(char *path, size_t bytes, const char *directory, int64_t step)
{
    return disk_path(path, bytes, "%s/" PREFIX "%lld" SUFFIX, directory, (long long)step);
}

enum status checkpoint_new_path(char *path, size_t bytes, const char *directory, int64_t step)
{
    return disk_path(path, bytes, "%s/" NEW_PREFIX "%lld" NEW_SUFFIX, directory, (long long)step);
}

/* Takes the number between prefix and suffix; false when the name is not of that form. */
static bool step_of(const char *name, const char *prefix, const char *suffix, int64_t *step)
{
    char digits[24];
    const size_t length = strlen(name), before = strlen(prefix), after = strlen(suffix);
    if (length <= before + after || length - before - after >= sizeof digits ||
        strncmp(name, prefix, before) != 0 || strcmp(name + length - after, suffix) != 0)
        return false;
    memcpy(digits, name + before, length - before - after);
    digits[length - before - after] = '\0';
    return digits[0] >= '0' && digits[0] <= '9' && text_to_int64(digits, step);
}

static int newest_first(const void *a, const void *b)
{
    int64_t step_a, step_b;
    memcpy(&step_a, a, sizeof step_a);
    memcpy(&step_b, b, sizeof step_b);
    return (step_a < step_b) - (step_a > step_b);
}

static enum status add_step(int64_t **steps, int *count, int64_t step)
{
    int64_t *longer = realloc(*steps, ((size_t)*count + 1) * sizeof *longer);
    if (longer == NULL)
        return fail(STATUS_MEMORY, "no memory for a list of %d checkpoints", *count + 1);
    *steps = longer;
    longer[(*count)++] = step;
    return STATUS_OK;
}

/* The next name in the directory, NULL at its end or after a failure. */
static enum status next_name(DIR *folder, const char *directory, const char **name)
{
    errno = 0;
    const struct dirent *entry = readdir(folder);
    *name = entry != NULL ? entry->d_name : NULL;
    if (entry == NULL && errno != 0)
        return disk_fail(directory, "read", errno);
    return STATUS_OK;
}

enum status checkpoint_list(const char *directory, int64_t **steps, int *count)
{
    enum status status = STATUS_OK;
    *steps = NULL;
    *count = 0;
    DIR *folder = opendir(directory);
    if (folder == NULL && errno == ENOENT)
        return STATUS_OK;
    if (folder == NULL)
        return disk_fail(directory, "read", errno);
    const char *name = NULL;
    do {
        int64_t step = 0;
        TRY_DONE(next_name(folder, directory, &name));
        if (name != NULL && step_of(name, PREFIX, SUFFIX, &step))
            TRY_DONE(add_step(steps, count, step));
    } while (name != NULL);
    if (*count > 0)
        qsort(*steps, (size_t)*count, sizeof **steps, newest_first);
done:
    (void)closedir(folder);
    if (status != STATUS_OK) {
        free(*steps);
        *steps = NULL;
        *count = 0;
    }
    return status;
}

enum status checkpoint_clean(const char *directory)
{
    enum status status = STATUS_OK;
    DIR *folder = opendir(directory);
    if (folder == NULL && errno == ENOENT)
        return STATUS_OK;
    if (folder == NULL)
        return disk_fail(directory, "read", errno);
    const char *name = NULL;
    do {
        int64_t step = 0;
        char path[PATH_MAX];
        TRY_DONE(next_name(folder, directory, &name));
        if (name == NULL || !step_of(name, NEW_PREFIX, NEW_SUFFIX, &step))
            continue;
        TRY_DONE(checkpoint_new_path(path, sizeof path, directory, step));
        if (unlink(path) != 0 && errno != ENOENT) {
            status = disk_fail(path, "removed", errno);
            goto done;
        }
    } while (name != NULL);
done:
    (void)closedir(folder);
    return status;
}
