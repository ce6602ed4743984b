#include "solver/cli/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct {
    bool is_quiet;
    const struct rundir *rundir;
} console;

void console_open(bool is_quiet, const struct rundir *rundir)
{
    console.is_quiet = is_quiet;
    console.rundir = rundir;
}

void console_say(const char *format, ...)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&line, &bytes); /* a command line may be long */
    if (file == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(file, format, arguments);
    va_end(arguments);
    if (fclose(file) != 0) {
        free(line);
        return;
    }
    if (!console.is_quiet) {
        puts(line);
        (void)fflush(stdout);
    }
    if (console.rundir != NULL)
        rundir_log(console.rundir, line);
    free(line);
}

void console_warn(const char *line)
{
    fprintf(stderr, "isotherm: warning: %s\n", line);
    if (console.rundir != NULL) {
        char logged[ERROR_MESSAGE_BYTES];
        (void)snprintf(logged, sizeof logged, "warning: %s", line);
        rundir_log(console.rundir, logged);
    }
}

void console_size(int *columns, int *rows)
{
    struct winsize size = {0};
    const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    *columns = is_known && size.ws_col > 0 ? size.ws_col : 80;
    *rows = is_known && size.ws_row > 0 ? size.ws_row : 24;
}
