#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/version.h"
#include "solver/cli/commands.h"

static const struct command {
    const char *name;
    enum status (*function)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"run", command_run, "run a simulation from an input file"},
    {"check", command_check, "check an input file and show what would run"},
    {"info", command_info, "show what a result or checkpoint file holds"},
    {"plot", command_plot, "draw a result as a PNG picture"},
    {"export", command_export, "write a result as CSV or bare numbers"},
    {"compare", command_compare, "compare two results, files or directories"},
    {"devices", command_devices, "show what this machine offers"},
    {"bench", command_bench, "measure this machine"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    printf("isotherm: heat conduction in two dimensions, on CPUs and GPUs\n\n"
           "usage: isotherm COMMAND [OPTIONS] ...\n\ncommands\n");
    for (int c = 0; c < COMMANDS; c++)
        printf("  %-9s %s\n", commands[c].name, commands[c].text);
    printf(
        "\nisotherm COMMAND --help says more, isotherm --version the version.\n"
        "exit codes: 0 done; 1 comparison differs; 2 usage or input file; 3 solution not finite\n"
        "  or not steady; 4 a process died or hung; 5 file input or output; 6 device; 75 stopped "
        "early with a\n"
        "  checkpoint, --resume continues; 130 interrupted twice\n");
}

static const struct command *find_command(const char *name)
{
    for (int c = 0; c < COMMANDS; c++)
        if (strcmp(commands[c].name, name) == 0)
            return &commands[c];
    return NULL;
}

static enum status unknown_command(const char *name)
{
    const char *names[COMMANDS];
    for (int c = 0; c < COMMANDS; c++)
        names[c] = commands[c].name;
    const char *nearest = text_nearest(name, names, COMMANDS);
    if (nearest != NULL)
        return fail(STATUS_INPUT, "%s is no command; did you mean isotherm %s?", name, nearest);
    return fail(STATUS_INPUT, "%s is no command; isotherm --help lists them", name);
}

static enum status dispatch(int argc, char **argv)
{
    if (getuid() != geteuid() || getgid() != getegid())
        return fail(STATUS_INPUT, "the program must not be installed setuid or setgid; remove the "
                                  "bit with chmod");
    if (argc < 2)
        return fail(STATUS_INPUT, "no command given; isotherm --help lists them");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("isotherm %s\n", version_text());
        return STATUS_OK;
    }
    const struct command *command = find_command(argv[1]);
    if (command == NULL)
        return unknown_command(argv[1]);
    return command->function(argc - 1, argv + 1);
}

/* Where a shell has closed standard streams, the next files opened would take their numbers and
 * messages would go into results. */
static void open_missing_streams(void)
{
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDWR);
    if (fd > STDERR_FILENO)
        (void)close(fd);
}

int main(int argc, char **argv)
{
    open_missing_streams();
    (void)setlocale(LC_CTYPE, ""); /* numbers stay those of the C locale */
    enum status status = dispatch(argc, argv);
    if (fflush(stdout) != 0 && errno != EPIPE && status == STATUS_OK)
        status = fail(STATUS_FILE, "standard output cannot be written: %s", strerror(errno));
    for (int i = 0; status != STATUS_OK && i < error_count(); i++)
        fprintf(stderr, "isotherm: error: %s\n", error_message_at(i));
    if (status != STATUS_OK && error_is_cut())
        fprintf(stderr,
                "isotherm: error: there are more mistakes than these %d; correct them first\n",
                (int)ERROR_MOST);
    return status_exit_code(status);
}
