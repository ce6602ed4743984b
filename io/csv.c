#include "io/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/disk.h"

/* The file while it is read. */
struct reader {
    const char *path;
    struct csv *csv;
    int64_t line;
    int64_t capacity; /* rows */
};

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

/* The comma that ends this entry, or NULL; commas between quotes belong to it. */
static char *entry_end(char *entry)
{
    bool is_quoted = false;
    for (char *c = entry; *c != '\0'; c++) {
        if (*c == '"')
            is_quoted = !is_quoted;
        else if (*c == ',' && !is_quoted)
            return c;
    }
    return NULL;
}

/* Takes the quotes off, and makes one quote of two. */
static void unquote(char *entry)
{
    if (entry[0] != '"')
        return;
    char *to = entry;
    for (const char *from = entry + 1; *from != '\0'; from++) {
        if (from[0] == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    *to = '\0';
}

/* Cuts the next entry off *rest; NULL behind the last. */
static char *next_entry(char **rest)
{
    if (*rest == NULL)
        return NULL;
    char *entry = *rest;
    char *comma = entry_end(entry);
    *rest = comma != NULL ? comma + 1 : NULL;
    if (comma != NULL)
        *comma = '\0';
    entry = trim(entry);
    unquote(entry);
    return entry;
}

static enum status read_header(struct reader *reader, char *line)
{
    struct csv *csv = reader->csv;
    int columns = 1;
    for (char *end = entry_end(line); end != NULL; end = entry_end(end + 1))
        columns++;
    TRY(memory_alloc(&csv->names, (size_t)columns, sizeof *csv->names, "table"));
    TRY(memory_alloc(&csv->values, (size_t)columns, sizeof *csv->values, "table"));
    csv->columns = columns;
    char *rest = line;
    for (int k = 0; k < columns; k++)
        TRY(memory_copy_text(&csv->names[k], next_entry(&rest)));
    return STATUS_OK;
}

static enum status make_room(struct reader *reader)
{
    struct csv *csv = reader->csv;
    if (csv->rows < reader->capacity)
        return STATUS_OK;
    const int64_t capacity = reader->capacity > 0 ? 2 * reader->capacity : 16;
    size_t bytes = 0;
    TRY(size_multiply((size_t)capacity, sizeof(double), &bytes));
    for (int k = 0; k < csv->columns; k++) {
        double *larger = realloc(csv->values[k], bytes);
        if (larger == NULL)
            return fail(STATUS_MEMORY, "%s: %zu bytes of memory are not available", reader->path,
                        bytes);
        csv->values[k] = larger;
    }
    reader->capacity = capacity;
    return STATUS_OK;
}

/* "nan" and "inf" are what a failed run writes. */
static bool read_entry(const char *entry, double *value)
{
    const char *word = entry + (entry[0] == '-' || entry[0] == '+' ? 1 : 0);
    if (entry[0] == '\0')
        *value = nan("1"); /* with other bits than NAN */
    else if (strcmp(word, "nan") == 0)
        *value = NAN;
    else if (strcmp(word, "inf") == 0)
        *value = entry[0] == '-' ? -INFINITY : INFINITY;
    else
        return text_to_double(entry, value);
    return true;
}

static enum status read_row(struct reader *reader, char *line)
{
    struct csv *csv = reader->csv;
    TRY(make_room(reader));
    char *rest = line;
    for (int k = 0; k < csv->columns; k++) {
        const char *entry = next_entry(&rest);
        if (entry == NULL)
            return fail(STATUS_FILE, "%s:%lld: %d entries where the header names %d columns",
                        reader->path, (long long)reader->line, k, csv->columns);
        if (!read_entry(entry, &csv->values[k][csv->rows]))
            return fail(STATUS_FILE, "%s:%lld: column \"%s\": \"%s\" is no number", reader->path,
                        (long long)reader->line, csv->names[k], entry);
    }
    if (rest != NULL)
        return fail(STATUS_FILE, "%s:%lld: more entries than the %d columns of the header",
                    reader->path, (long long)reader->line, csv->columns);
    csv->rows++;
    return STATUS_OK;
}

static enum status read_lines(struct reader *reader, FILE *file)
{
    enum status status = STATUS_OK;
    char *line = NULL;
    size_t bytes = 0;
    ssize_t length = 0;
    errno = 0;
    while (status == STATUS_OK && (length = getline(&line, &bytes, file)) > 0) {
        reader->line++;
        if (memchr(line, '\0', (size_t)length) != NULL) {
            status =
                fail(STATUS_FILE, "%s:%lld: is not text", reader->path, (long long)reader->line);
            break;
        }
        const char *first = line + strspn(line, " \t\r\n");
        if (*first == '\0' || *first == '#')
            continue;
        if (reader->csv->columns == 0)
            status = read_header(reader, line);
        else if (line[length - 1] == '\n')
            status = read_row(reader, line);
    }
    const bool is_broken = ferror(file) != 0 || (length < 0 && errno == ENOMEM);
    free(line);
    if (status == STATUS_OK && is_broken)
        status = fail(STATUS_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    if (status == STATUS_OK && reader->csv->columns == 0)
        status = fail(STATUS_FILE, "%s: holds no table; the first line must name the columns",
                      reader->path);
    return status;
}

/* A regular file: a FIFO would be waited for. */
static enum status open_file(const char *path, FILE **file)
{
    uint64_t bytes = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return disk_fail(path, "opened", errno);
    enum status status = disk_size(fd, path, &bytes);
    if (status == STATUS_OK && (*file = fdopen(fd, "r")) == NULL)
        status = disk_fail(path, "opened", errno);
    if (status != STATUS_OK)
        (void)close(fd);
    return status;
}

enum status csv_read(const char *path, struct csv *csv)
{
    *csv = (struct csv){0};
    FILE *file = NULL;
    TRY(open_file(path, &file));
    struct reader reader = {.path = path, .csv = csv};
    const enum status status = read_lines(&reader, file);
    (void)fclose(file);
    if (status != STATUS_OK)
        csv_free(csv);
    return status;
}

void csv_free(struct csv *csv)
{
    for (int k = 0; k < csv->columns; k++) {
        free(csv->names[k]);
        free(csv->values[k]);
    }
    free(csv->names);
    free(csv->values);
    *csv = (struct csv){0};
}
