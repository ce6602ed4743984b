#include "io/floorplan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/input_file.h"

/* A file on its way, all of it in memory. */
struct reader {
    const struct floorplan_file *file;
    char *text; /* owned; words are cut out of it */
    char *rest;
    int64_t line; /* number of the last line */
};

PRINTF_LIKE(2, 3)
static enum status fail_line(const struct reader *reader, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return fail(STATUS_FILE, "%s: %s:%lld: %s", reader->file->where, reader->file->path,
                (long long)reader->line, what);
}

static enum status reader_open(const struct floorplan_file *file, struct reader *reader)
{
    char name[4096];
    *reader = (struct reader){.file = file};
    (void)snprintf(name, sizeof name, "%s: %s", file->where, file->path);
    TRY(input_file_read(file->path, name, FLOORPLAN_MOST_BYTES, &reader->text));
    reader->rest = reader->text;
    return STATUS_OK;
}

static const char blanks[] = " \t\r";

/* The next line that says something; NULL behind the last. */
static char *next_line(struct reader *reader)
{
    while (*reader->rest != '\0') {
        char *line = reader->rest;
        char *end = line + strcspn(line, "\n");
        reader->rest = *end == '\n' ? end + 1 : end;
        *end = '\0';
        reader->line++;
        line += strspn(line, blanks);
        if (*line != '\0' && *line != '#')
            return line;
    }
    return NULL;
}

/* Cuts the next word off *rest; NULL when there is none. */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, blanks);
    if (*word == '\0')
        return NULL;
    char *end = word + strcspn(word, blanks);
    *rest = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return word;
}

/* -1 when there is no such block. */
static int find_block(const struct floorplan *floorplan, const char *name)
{
    for (int b = 0; b < floorplan->count; b++)
        if (strcmp(floorplan->blocks[b].name, name) == 0)
            return b;
    return -1;
}

static enum status check_block(const struct reader *reader, const struct floorplan *floorplan,
                               const char *name, const double numbers[4])
{
    if (find_block(floorplan, name) >= 0)
        return fail_line(reader, "there is a block %.60s already", name);
    if (!(numbers[0] > 0.0 && numbers[1] > 0.0))
        return fail_line(reader, "block %.60s is %.9g x %.9g m; width and height must be above 0",
                         name, numbers[0], numbers[1]);
    if (floorplan->count == FLOORPLAN_MOST_BLOCKS)
        return fail_line(reader, "more than %d blocks", (int)FLOORPLAN_MOST_BLOCKS);
    return STATUS_OK;
}

static enum status take_block(const struct reader *reader, char *line, struct floorplan *floorplan)
{
    enum { WORDS = 8 };
    const char *words[WORDS] = {NULL};
    double numbers[4] = {0.0};
    int count = 0;
    for (char *word = next_word(&line); word != NULL && count < WORDS; word = next_word(&line))
        words[count++] = word;
    if (count == 3 && !text_to_double(words[1], &numbers[0]))
        return STATUS_OK; /* how two blocks are wired */
    if (count == 7)
        return fail_line(reader,
                         "block %.60s has a heat capacity and a resistivity of its own; "
                         "leave them out and give materials and geometry",
                         words[0]);
    if (count != 5)
        return fail_line(reader, "name, width, height, left and bottom are meant, not %d%s words",
                         count, count == WORDS ? " or more" : "");
    for (int k = 0; k < 4; k++)
        if (!text_to_double(words[1 + k], &numbers[k]))
            return fail_line(reader, "\"%.40s\" is not a number", words[1 + k]);
    TRY(check_block(reader, floorplan, words[0], numbers));
    struct floorplan_block *block = &floorplan->blocks[floorplan->count];
    TRY(memory_copy_text(&block->name, words[0]));
    floorplan->count++;
    for (int axis = 0; axis < 2; axis++) {
        block->from[axis] = numbers[2 + axis];
        block->to[axis] = numbers[2 + axis] + numbers[axis];
    }
    return STATUS_OK;
}

static enum status take_blocks(struct reader *reader, struct floorplan *floorplan)
{
    TRY(memory_alloc(&floorplan->blocks, FLOORPLAN_MOST_BLOCKS, sizeof *floorplan->blocks,
                     "floorplan"));
    for (char *line = next_line(reader); line != NULL; line = next_line(reader))
        TRY(take_block(reader, line, floorplan));
    if (floorplan->count == 0)
        return fail_line(reader, "there is no block");
    return STATUS_OK;
}

static enum status fail_unknown(const struct reader *reader, const struct floorplan *floorplan,
                                const char *name)
{
    const char *names[FLOORPLAN_MOST_BLOCKS];
    for (int b = 0; b < floorplan->count; b++)
        names[b] = floorplan->blocks[b].name;
    const char *nearest = text_nearest(name, names, floorplan->count);
    if (nearest != NULL)
        return fail_line(reader, "the floorplan has no block %.60s; did you mean %.60s?", name,
                         nearest);
    return fail_line(reader, "the floorplan has no block %.60s", name);
}

/* Which block each column is; the header is the first line. */
static enum status take_header(struct reader *reader, const struct floorplan *floorplan,
                               int columns[FLOORPLAN_MOST_BLOCKS])
{
    bool is_there[FLOORPLAN_MOST_BLOCKS] = {false};
    char *line = next_line(reader);
    int count = 0;
    if (line == NULL)
        return fail_line(reader, "there is no line with the names of the blocks");
    for (char *word = next_word(&line); word != NULL; word = next_word(&line)) {
        const int block = find_block(floorplan, word);
        if (block < 0)
            return fail_unknown(reader, floorplan, word);
        if (is_there[block])
            return fail_line(reader, "block %.60s has two columns", word);
        is_there[block] = true;
        columns[count++] = block; /* no more than blocks, as each comes once */
    }
    for (int b = 0; b < floorplan->count; b++)
        if (!is_there[b])
            return fail_line(reader, "block %.60s of the floorplan has no column",
                             floorplan->blocks[b].name);
    return STATUS_OK;
}

static enum status take_row(const struct reader *reader, char *line,
                            const struct floorplan *floorplan, const int *columns, double *row)
{
    int count = 0;
    for (char *word = next_word(&line); word != NULL; word = next_word(&line), count++) {
        double value = 0.0;
        if (!text_to_double(word, &value))
            return fail_line(reader, "\"%.40s\" is not a number", word);
        if (count < floorplan->count)
            row[columns[count]] = value;
    }
    if (count != floorplan->count)
        return fail_line(reader, "holds %d numbers, the header %d names", count, floorplan->count);
    return STATUS_OK;
}

static enum status take_rows(struct reader *reader, struct floorplan *floorplan)
{
    int columns[FLOORPLAN_MOST_BLOCKS];
    int64_t room = 0;
    TRY(take_header(reader, floorplan, columns));
    for (char *line = next_line(reader); line != NULL; line = next_line(reader)) {
        if (floorplan->rows == room) {
            room = room > 0 ? 2 * room : 256;
            const size_t row_bytes = (size_t)floorplan->count * sizeof(double);
            double *larger = realloc(floorplan->powers, (size_t)room * row_bytes);
            if (larger == NULL)
                return fail(STATUS_MEMORY, "%s: no memory for %lld rows", reader->file->path,
                            (long long)room);
            floorplan->powers = larger;
        }
        TRY(take_row(reader, line, floorplan, columns,
                     floorplan->powers + floorplan->rows * floorplan->count));
        floorplan->rows++;
    }
    if (floorplan->rows == 0)
        return fail_line(reader, "there is no row of powers below the names");
    return STATUS_OK;
}

enum status floorplan_read(const struct floorplan_file *blocks, const struct floorplan_file *trace,
                           struct floorplan *floorplan)
{
    struct reader reader;
    *floorplan = (struct floorplan){0};
    TRY(reader_open(blocks, &reader));
    enum status status = take_blocks(&reader, floorplan);
    free(reader.text);
    if (status == STATUS_OK)
        status = reader_open(trace, &reader);
    if (status == STATUS_OK) {
        status = take_rows(&reader, floorplan);
        free(reader.text);
    }
    if (status != STATUS_OK)
        floorplan_free(floorplan);
    return status;
}

void floorplan_free(struct floorplan *floorplan)
{
    for (int b = 0; b < floorplan->count; b++)
        free(floorplan->blocks[b].name);
    free(floorplan->blocks);
    free(floorplan->powers);
    *floorplan = (struct floorplan){0};
}
