#define _XOPEN_SOURCE 700 /* realpath */
#include "io/input_source.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/input_file.h"
#include "io/input_scan.h"

static enum status add_run(struct scanner *scanner, int file, int line)
{
    struct source *source = scanner->source;
    const size_t count = (size_t)source->run_count + 1;
    struct source_run *runs = realloc(source->runs, count * sizeof *runs);
    if (runs == NULL)
        return fail(STATUS_MEMORY, "%s: no memory for the input", source->files[file]);
    runs[source->run_count] = (struct source_run){scanner->line, file, line};
    source->runs = runs;
    source->run_count++;
    return STATUS_OK;
}

static enum status add_file(struct scanner *scanner, const char *name, int *index)
{
    struct source *source = scanner->source;
    const size_t count = (size_t)source->file_count + 1;
    char **files = realloc(source->files, count * sizeof *files);
    if (files == NULL)
        return fail(STATUS_MEMORY, "%s: no memory for the input", name);
    source->files = files;
    TRY(memory_copy_text(&files[source->file_count], name));
    *index = source->file_count++;
    return STATUS_OK;
}

static enum status scan_file(struct scanner *scanner, const char *name, const char *text);

static void copy_text(struct scanner *scanner, struct cursor *cursor)
{
    (void)fwrite(cursor->copied, 1, (size_t)(cursor->at - cursor->copied), scanner->text);
    cursor->copied = cursor->at;
}

/* The path in quotes of an @include at the cursor, relative to the file that it stands in. */
static enum status take_include_path(struct scanner *scanner, struct cursor *cursor, char *path,
                                     size_t bytes)
{
    const char *at = cursor->at + strlen("@include");
    at += strspn(at, " \t");
    const size_t length = *at == '"' ? strcspn(at + 1, "\"\\\n") : 0;
    if (length == 0 || at[1 + length] != '"')
        return scan_fail(scanner, cursor, "@include needs a path in quotes, without '\\'");
    const char *includer = scanner->source->files[cursor->file];
    const int folder = at[1] == '/' ? 0 : input_file_folder_length(includer);
    const int used = snprintf(path, bytes, "%.*s%.*s", folder, includer, (int)length, at + 1);
    if (used < 0 || (size_t)used >= bytes)
        return scan_fail(scanner, cursor, "@include: the path is too long");
    cursor->at = at + length + 2;
    const char *rest = cursor->at + strspn(cursor->at, " \t;");
    if (*rest != '\0' && *rest != '\n' && !scan_is_comment(rest))
        return scan_fail(scanner, cursor, "@include must stand alone on its line");
    cursor->at = rest;
    return STATUS_OK;
}

static enum status check_include(const struct scanner *scanner, const struct cursor *cursor,
                                 const char *path)
{
    if (scanner->root == NULL)
        return scan_fail(scanner, cursor, "@include has no place here");
    if (scanner->depth > SOURCE_MAX_INCLUDE_DEPTH)
        return scan_fail(scanner, cursor,
                         "more than %d files include each other; does one include "
                         "itself?",
                         SOURCE_MAX_INCLUDE_DEPTH);
    if (scanner->includes > SOURCE_MAX_INCLUDES)
        return scan_fail(scanner, cursor, "more than %d @include", SOURCE_MAX_INCLUDES);
    char *resolved = realpath(path, NULL);
    if (resolved == NULL)
        return scan_fail(scanner, cursor, "@include \"%s\": %s", path, strerror(errno));
    const size_t root_length = strlen(scanner->root);
    const bool is_below =
        strncmp(resolved, scanner->root, root_length) == 0 && resolved[root_length] == '/';
    free(resolved);
    if (!is_below)
        return scan_fail(scanner, cursor,
                         "@include \"%s\": only files below the input file's own "
                         "directory may be included",
                         path);
    return STATUS_OK;
}

static enum status take_include(struct scanner *scanner, struct cursor *cursor)
{
    char path[PATH_MAX];
    copy_text(scanner, cursor);
    if (!cursor->line_is_blank || strncmp(cursor->at, "@include", 8) != 0)
        return scan_fail(scanner, cursor, "'@' only starts a line: @include \"file\"");
    TRY(take_include_path(scanner, cursor, path, sizeof path));
    cursor->copied = cursor->at;
    scanner->includes++;
    scanner->depth++;
    TRY(check_include(scanner, cursor, path));
    char *text = NULL;
    TRY(input_file_read(path, path, SOURCE_MAX_BYTES, &text));
    const enum status status = scan_file(scanner, path, text);
    free(text);
    TRY(status);
    scanner->depth--;
    return add_run(scanner, cursor->file, cursor->line);
}

static enum status scan_file(struct scanner *scanner, const char *name, const char *text)
{
    struct cursor cursor = {.at = text, .copied = text, .line = 1, .line_is_blank = true};
    TRY(add_file(scanner, name, &cursor.file));
    TRY(add_run(scanner, cursor.file, 1));
    const size_t length = strlen(text);
    scanner->bytes += length;
    if (scanner->bytes > SOURCE_MAX_BYTES)
        return scan_fail(scanner, &cursor, "with all @include more than %d bytes",
                         SOURCE_MAX_BYTES);
    while (*cursor.at != '\0')
        TRY(*cursor.at == '@' ? take_include(scanner, &cursor) : scan_token(scanner, &cursor));
    copy_text(scanner, &cursor);
    if (scanner->depth == 0)
        TRY(scan_end(scanner, &cursor));
    /* libconfig wants a newline after a last comment, and what follows an include its own line. */
    if (length > 0 && text[length - 1] != '\n') {
        (void)fputc('\n', scanner->text);
        (void)fputc('\n', scanner->normal);
        scanner->line++;
    }
    return STATUS_OK;
}

/* A memory stream fails when memory is short, and keeps that in mind until it is closed. */
static bool close_stream(FILE *stream)
{
    if (stream == NULL)
        return false;
    const bool was_fine = ferror(stream) == 0;
    return fclose(stream) == 0 && was_fine;
}

static enum status scan(struct source *source, const char *name, const char *root, const char *text)
{
    struct scanner scanner = {.source = source, .root = root, .line = 1, .last = ';'};
    size_t text_size = 0, normal_size = 0;
    scanner.open[0].bracket = '{';
    scanner.text = open_memstream(&source->text, &text_size);
    scanner.normal = open_memstream(&source->normal, &normal_size);
    enum status status = STATUS_OK;
    if (scanner.text == NULL || scanner.normal == NULL)
        status = fail(STATUS_MEMORY, "%s: no memory for the input", name);
    if (status == STATUS_OK)
        status = scan_file(&scanner, name, text);
    const bool text_is_whole = close_stream(scanner.text);
    const bool normal_is_whole = close_stream(scanner.normal);
    if (status == STATUS_OK && !(text_is_whole && normal_is_whole))
        status = fail(STATUS_MEMORY, "%s: no memory for the input", name);
    return status;
}

enum status source_read(struct source *source, const char *path)
{
    *source = (struct source){0};
    char *text = NULL, *directory = NULL;
    enum status status = input_file_read(path, path, SOURCE_MAX_BYTES, &text);
    if (status == STATUS_OK)
        status = input_file_directory(path, &directory);
    if (status == STATUS_OK)
        status = scan(source, path, directory, text);
    free(text);
    free(directory);
    if (status != STATUS_OK)
        source_close(source);
    return status;
}

enum status source_scan(struct source *source, const char *text, const char *name)
{
    *source = (struct source){0};
    const enum status status = scan(source, name, NULL, text);
    if (status != STATUS_OK)
        source_close(source);
    return status;
}

void source_close(struct source *source)
{
    for (int i = 0; i < source->file_count; i++)
        free(source->files[i]);
    free(source->files);
    free(source->runs);
    free(source->text);
    free(source->normal);
    *source = (struct source){0};
}

void source_place(const struct source *source, int line, const char **file, int *file_line)
{
    int i = source->run_count - 1;
    while (i > 0 && source->runs[i].first > line)
        i--;
    *file = source->files[source->runs[i].file];
    *file_line = source->runs[i].line + (line - source->runs[i].first);
}
