#include "io/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/disk.h"

enum { NUMBER_BYTES = 32 }; /* a comma and 17 digits with sign, point and exponent */

/* ---- text ---- */

/* Appends a name as a CSV field (RFC 4180): in quotes when it holds a comma, a quote or a line end.
 */
static char *put_name(char *to, const char *name)
{
    const bool is_quoted = strpbrk(name, ",\"\r\n") != NULL;
    if (is_quoted)
        *to++ = '"';
    for (; *name != '\0'; name++) {
        if (*name == '"')
            *to++ = '"';
        *to++ = *name;
    }
    *to++ = '_';
    *to++ = 'K';
    if (is_quoted)
        *to++ = '"';
    return to;
}

/* The first line with its end, owned by the caller. */
static enum status make_header(const char *const names[], int count, char **header)
{
    size_t room = sizeof "time_s\n";
    for (int k = 0; k < count; k++)
        room += 2 * strlen(names[k]) + sizeof ",\"_K\"";
    TRY(memory_alloc(header, room, 1, "header of the probes"));
    char *at = stpcpy(*header, "time_s");
    for (int k = 0; k < count; k++) {
        *at++ = ',';
        at = put_name(at, names[k]);
    }
    *at = '\n';
    return STATUS_OK;
}

static enum status make_row(double time, const double *values, int count, char **row)
{
    const size_t room = ((size_t)count + 1) * NUMBER_BYTES + 2;
    TRY(memory_alloc(row, room, 1, "row of the probes"));
    char *at = *row;
    at += snprintf(at, NUMBER_BYTES, "%.17g", time);
    for (int k = 0; k < count; k++)
        at += isnan(values[k]) ? snprintf(at, NUMBER_BYTES, ",")
                               : snprintf(at, NUMBER_BYTES, ",%.17g", values[k]);
    *at = '\n';
    return STATUS_OK;
}

/* ---- the file ---- */

static enum status open_file(const char *path, int flags, int *fd)
{
    *fd = open(path, flags | O_CLOEXEC, 0666);
    if (*fd < 0)
        return disk_fail(path, (flags & O_CREAT) != 0 ? "created" : "opened", errno);
    return STATUS_OK;
}

static enum status close_file(const char *path, int fd, enum status status)
{
    if (close(fd) != 0 && status == STATUS_OK)
        status = disk_fail(path, "closed", errno);
    return status;
}

/* Writes a line at the end of the file; what was written of it goes when that fails. */
static enum status append_line(const char *path, int fd, const char *line)
{
    uint64_t end = 0;
    TRY(disk_size(fd, path, &end));
    const int error = disk_write_at(fd, line, strlen(line), end);
    if (error == 0)
        return STATUS_OK;
    if (ftruncate(fd, (off_t)end) != 0)
        return disk_fail(path, "written, nor cut to its last whole row", error);
    char what[64];
    (void)snprintf(what, sizeof what, "written (after %llu bytes)", (unsigned long long)end);
    return disk_fail(path, what, error);
}

enum status probes_create(const char *path, const char *const names[], int count)
{
    enum status status = STATUS_OK;
    char *header = NULL;
    int fd = -1;
    TRY(make_header(names, count, &header));
    TRY_DONE(open_file(path, O_WRONLY | O_CREAT | O_TRUNC, &fd));
    status = close_file(path, fd, append_line(path, fd, header));
done:
    free(header);
    return status;
}

enum status probes_append(const char *path, double time, const double *values, int count)
{
    enum status status = STATUS_OK;
    char *row = NULL;
    int fd = -1;
    TRY(make_row(time, values, count, &row));
    TRY_DONE(open_file(path, O_WRONLY, &fd));
    status = close_file(path, fd, append_line(path, fd, row));
done:
    free(row);
    return status;
}

enum status probes_sync(const char *path)
{
    enum status status = STATUS_OK;
    int fd = -1;
    TRY(open_file(path, O_WRONLY, &fd));
    if (fsync(fd) != 0)
        status = disk_fail(path, "made durable (fsync)", errno);
    return close_file(path, fd, status);
}

/* ---- resume ---- */

/* Where line number `lines` (from 1) ends. */
static enum status find_line_end(const char *path, int fd, int64_t lines, uint64_t *end)
{
    enum { PIECE = 1 << 16 };
    char piece[PIECE];
    uint64_t file_bytes = 0;
    int64_t seen = 0;
    *end = 0;
    TRY(disk_size(fd, path, &file_bytes));
    for (uint64_t at = 0; at < file_bytes && seen < lines; at += PIECE) {
        const size_t bytes = file_bytes - at < PIECE ? (size_t)(file_bytes - at) : PIECE;
        TRY(disk_read(fd, path, piece, bytes, at));
        for (size_t k = 0; k < bytes && seen < lines; k++) {
            if (piece[k] != '\n')
                continue;
            seen++;
            *end = at + k + 1;
        }
    }
    if (seen < lines)
        return fail(STATUS_FILE,
                    "%s: holds %lld whole lines, %lld are needed to go on; restore it, or move it "
                    "away and a new one begins",
                    path, (long long)seen, (long long)lines);
    return STATUS_OK;
}

enum status probes_cut(const char *path, int64_t rows)
{
    int fd = -1;
    uint64_t end = 0;
    TRY(open_file(path, O_RDWR, &fd));
    enum status status = find_line_end(path, fd, rows + 1, &end);
    if (status == STATUS_OK && ftruncate(fd, (off_t)end) != 0)
        status = disk_fail(path, "cut", errno);
    return close_file(path, fd, status);
}

static enum status check_start(const char *path, int fd, const char *header)
{
    const size_t length = strlen(header);
    char *start = NULL;
    uint64_t file_bytes = 0;
    TRY(disk_size(fd, path, &file_bytes));
    TRY(memory_alloc(&start, length, 1, "header of the probes"));
    enum status status = STATUS_OK;
    bool is_same = file_bytes >= length;
    if (is_same) {
        TRY_DONE(disk_read(fd, path, start, length, 0));
        is_same = memcmp(start, header, length) == 0;
    }
    if (!is_same)
        status = fail(STATUS_FILE,
                      "%s: is of other probes than the input, whose columns are %.*s; restore "
                      "output.probes or move the file away",
                      path, (int)(length - 1), header);
done:
    free(start);
    return status;
}

enum status probes_check(const char *path, const char *const names[], int count)
{
    enum status status = STATUS_OK;
    char *header = NULL;
    int fd = -1;
    TRY(make_header(names, count, &header));
    TRY_DONE(open_file(path, O_RDONLY, &fd));
    status = close_file(path, fd, check_start(path, fd, header));
done:
    free(header);
    return status;
}
