#include "io/field_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct reader {
    const char *file, *where; /* not owned */
    FILE *stream;
    char *line; /* owned */
    size_t line_room;
    int64_t line_number;
};

/* The next line without its end; *line is NULL at the end of the file. */
static enum status next_line(struct reader *reader, char **line)
{
    errno = 0;
    const ssize_t length = getline(&reader->line, &reader->line_room, reader->stream);
    *line = NULL;
    if (length < 0 && (ferror(reader->stream) || errno == ENOMEM))
        return fail(STATUS_FILE, "%s: %s cannot be read: %s", reader->where, reader->file,
                    strerror(errno));
    if (length < 0)
        return STATUS_OK;
    reader->line_number++;
    if (memchr(reader->line, '\0', (size_t)length) != NULL)
        return fail(STATUS_FILE, "%s: %s:%lld: is not text", reader->where, reader->file,
                    (long long)reader->line_number);
    *line = reader->line;
    return STATUS_OK;
}

/* Cuts the next word off *rest; NULL when there is none. */
static char *next_word(char **rest)
{
    static const char blanks[] = " \t\r\n";
    char *word = *rest + strspn(*rest, blanks);
    if (*word == '\0')
        return NULL;
    char *end = word + strcspn(word, blanks);
    *rest = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return word;
}

/* "# nx ny": the shape must be the domain's. */
static enum status check_header(const struct reader *reader, char *line, int64_t nx, int64_t ny)
{
    char *rest = line + 1;
    const char *words[3];
    for (int k = 0; k < 3; k++)
        words[k] = next_word(&rest);
    int64_t shape[2];
    if (words[0] == NULL || words[1] == NULL || words[2] != NULL ||
        !text_to_int64(words[0], &shape[0]) || !text_to_int64(words[1], &shape[1]))
        return fail(STATUS_FILE, "%s: %s:%lld: the header must be \"# nx ny\"", reader->where,
                    reader->file, (long long)reader->line_number);
    if (shape[0] != nx || shape[1] != ny)
        return fail(STATUS_FILE, "%s: %s is of %lld x %lld cells, the domain of %lld x %lld",
                    reader->where, reader->file, (long long)shape[0], (long long)shape[1],
                    (long long)nx, (long long)ny);
    return STATUS_OK;
}

/* Takes the numbers of a line; `per_line` is how many it must hold. */
static enum status take_numbers(const struct reader *reader, char *line, int64_t per_line,
                                int64_t room, double *values, int64_t *taken)
{
    char *rest = line;
    *taken = 0;
    for (const char *word = next_word(&rest); word != NULL; word = next_word(&rest)) {
        double value = 0.0;
        if (!text_to_double(word, &value))
            return fail(STATUS_FILE, "%s: %s:%lld: \"%.40s\" is not a number", reader->where,
                        reader->file, (long long)reader->line_number, word);
        if (*taken < room)
            values[*taken] = value;
        (*taken)++;
    }
    if (*taken != 0 && *taken != per_line)
        return fail(STATUS_FILE, "%s: %s:%lld: holds %lld numbers, %lld are expected",
                    reader->where, reader->file, (long long)reader->line_number, (long long)*taken,
                    (long long)per_line);
    return STATUS_OK;
}

static enum status read_all(struct reader *reader, int64_t nx, int64_t ny, double *values)
{
    const int64_t cells = nx * ny;
    int64_t count = 0, per_line = 1;
    char *line = NULL;
    TRY(next_line(reader, &line));
    if (line != NULL && line[0] == '#') {
        TRY(check_header(reader, line, nx, ny));
        per_line = nx;
        TRY(next_line(reader, &line));
    }
    while (line != NULL) {
        int64_t taken = 0;
        TRY(take_numbers(reader, line, per_line, cells - count, values + count, &taken));
        count += taken;
        if (count > cells)
            return fail(STATUS_FILE, "%s: %s:%lld: there are more numbers than the %lld cells",
                        reader->where, reader->file, (long long)reader->line_number,
                        (long long)cells);
        TRY(next_line(reader, &line));
    }
    if (count < cells)
        return fail(STATUS_FILE, "%s: %s: holds %lld numbers, the domain has %lld cells",
                    reader->where, reader->file, (long long)count, (long long)cells);
    return STATUS_OK;
}

enum status field_read_text(const char *file, int64_t nx, int64_t ny, const char *where,
                            double *values)
{
    struct reader reader = {.file = file, .where = where};
    reader.stream = fopen(file, "rbe");
    if (reader.stream == NULL)
        return fail(STATUS_FILE, "%s: %s cannot be opened: %s", where, file, strerror(errno));
    const enum status status = read_all(&reader, nx, ny, values);
    (void)fclose(reader.stream);
    free(reader.line);
    return status;
}
