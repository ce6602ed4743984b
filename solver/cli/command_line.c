#include "solver/cli/command_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solver/cli/options.h"

/* Words of these characters alone mean themselves to a shell, wherever they stand. */
static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                            "%+,-./:=@_";

/* A word in single quotes means itself but for a single quote, which is put between two quoted
 * parts: POSIX.1-2017, Shell Command Language 2.2. */
static void write_word(FILE *file, const char *word)
{
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fprintf(file, " %s", word);
        return;
    }
    fputs(" '", file);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    }
    fputc('\'', file);
}

static void write_history(FILE *file, int argc, char **argv)
{
    char stamp[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL)
        (void)strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fprintf(file, "%s isotherm", stamp);
    for (int a = 0; a < argc; a++)
        write_word(file, argv[a]);
}

/* --resume comes first: behind a word "--" it would be no option. */
static void write_resume(FILE *file, int argc, char **argv)
{
    bool is_option = true;
    fprintf(file, "isotherm %s --resume", argv[0]);
    for (int a = 1; a < argc; a++) {
        is_option = is_option && strcmp(argv[a], "--") != 0;
        if (is_option && (strcmp(argv[a], "--overwrite") == 0 || strcmp(argv[a], "--resume") == 0))
            continue;
        write_word(file, argv[a]);
        if (is_option && options_takes_value(argv[a]) && a + 1 < argc)
            write_word(file, argv[++a]);
    }
}

static enum status make(char **text, void (*write)(FILE *file, int argc, char **argv), int argc,
                        char **argv)
{
    size_t bytes = 0;
    FILE *file = open_memstream(text, &bytes);
    if (file == NULL)
        return fail(STATUS_MEMORY, "no memory for the command line: %s", strerror(errno));
    write(file, argc, argv);
    return fclose(file) == 0 ? STATUS_OK : fail(STATUS_MEMORY, "no memory for the command line");
}

enum status command_line_make(int argc, char **argv, struct command_line *line)
{
    *line = (struct command_line){NULL, NULL};
    TRY(make(&line->history, write_history, argc, argv));
    return make(&line->resume, write_resume, argc, argv);
}

void command_line_free(struct command_line *line)
{
    free(line->history);
    free(line->resume);
    *line = (struct command_line){NULL, NULL};
}
