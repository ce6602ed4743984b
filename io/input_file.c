#define _XOPEN_SOURCE 700 /* realpath */
#include "io/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* Bytes until `room` are there or the file ends. */
static enum status read_all(int file, const char *name, char *bytes, size_t room, size_t *size)
{
    *size = 0;
    while (*size < room) {
        const ssize_t got = read(file, bytes + *size, room - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(STATUS_FILE, "%s: cannot be read: %s", name, strerror(errno));
        if (got == 0)
            break;
        *size += (size_t)got;
    }
    return STATUS_OK;
}

static int line_at(const char *text, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

static enum status check_text(const char *name, const char *text, size_t size)
{
    const size_t length = strlen(text);
    if (length < size)
        return fail(STATUS_INPUT, "%s:%d: a zero byte; an input is a text in UTF-8", name,
                    line_at(text, length));
    size_t at = 0;
    if (!text_is_utf8(text, &at))
        return fail(STATUS_INPUT,
                    "%s:%d: not UTF-8; convert the file, for example with iconv -f latin1 -t utf8",
                    name, line_at(text, at));
    return STATUS_OK;
}

/* Drops a byte order mark and the CR of CRLF, in place. */
static void normalise(char *text)
{
    const char *from = strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
    char *to = text;
    for (; *from != '\0'; from++)
        if (!(from[0] == '\r' && from[1] == '\n'))
            *to++ = *from;
    *to = '\0';
}

static enum status read_open(int file, const char *name, int most_bytes, char **text)
{
    struct stat about = {0};
    if (fstat(file, &about) != 0)
        return fail(STATUS_FILE, "%s: cannot be read: %s", name, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return fail(STATUS_INPUT, "%s: not a regular file%s", name,
                    S_ISDIR(about.st_mode) ? " but a directory" : "");
    if (about.st_size > most_bytes)
        return fail(STATUS_INPUT, "%s: %lld bytes; an input has at most %d", name,
                    (long long)about.st_size, most_bytes);
    /* One byte more than the limit, for the file may grow while it is read. */
    const size_t room = (size_t)about.st_size + 1;
    char *bytes = NULL;
    TRY(memory_alloc(&bytes, room + 1, 1, name));
    size_t size = 0;
    enum status status = read_all(file, name, bytes, room, &size);
    if (status == STATUS_OK && size == room)
        status = fail(STATUS_FILE, "%s: changed while it was read; try again", name);
    if (status == STATUS_OK)
        status = check_text(name, bytes, size);
    if (status != STATUS_OK) {
        free(bytes);
        return status;
    }
    normalise(bytes);
    *text = bytes;
    return STATUS_OK;
}

enum status input_file_read(const char *path, const char *name, int most_bytes, char **text)
{
    *text = NULL;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return fail(STATUS_FILE, "%s: cannot be opened: %s", name, strerror(errno));
    const enum status status = read_open(file, name, most_bytes, text);
    (void)close(file); /* only read */
    return status;
}

int input_file_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (int)(slash - path) + 1;
}

enum status input_file_directory(const char *path, char **directory)
{
    char *folder = NULL;
    *directory = NULL;
    const int length = input_file_folder_length(path);
    TRY(memory_copy_text(&folder, length > 0 ? path : "."));
    if (length > 0)
        folder[length] = '\0';
    char *resolved = realpath(folder, NULL);
    free(folder);
    if (resolved == NULL)
        return fail(STATUS_FILE, "%s: its directory cannot be resolved: %s", path, strerror(errno));
    const enum status status =
        memory_copy_text(directory, strcmp(resolved, "/") == 0 ? "" : resolved);
    free(resolved);
    return status;
}
