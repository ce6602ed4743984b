#include "solver/cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "ipc/control.h"

static const char *const progress_names[] = {"auto", "bar", "plain", "json", "none"};

static const char run_help[] =
    "usage: isotherm run CONFIG [OPTIONS]\n\n"
    "Runs the simulation that the input file describes.\n\n"
    "  --ranks N            processes (setting run.ranks)\n"
    "  --backend NAME       auto, cuda or cpu (run.backend)\n"
    "  --set PATH=VALUE     overrides a setting, repeatable: --set time.end=2.5\n"
    "  --output DIR         where results go (output.directory)\n"
    "  --resume             continue from the newest valid checkpoint, or start without one\n"
    "  --overwrite          replace earlier results in the directory\n"
    "  --quiet              print errors and warnings only\n"
    "  --progress MODE      auto, bar, plain, json or none\n"
    "  --watch              on a terminal, a picture of the last frame above the progress bar\n\n"
    "SIGTERM, SIGUSR1, SIGINT and, unless nohup ignores it, SIGHUP stop with a checkpoint (exit\n"
    "75), SIGUSR2 writes one and goes on, a second SIGINT ends at once. docs/input.md lists all\n"
    "settings.\n";

static const char check_help[] =
    "usage: isotherm check CONFIG [OPTIONS]\n\n"
    "Checks the input file and shows what would run and what it costs; runs nothing. Ends as the\n"
    "run would that is refused: for memory that is short, for a directory that is in use.\n\n"
    "  --ranks N, --backend NAME, --set PATH=VALUE, --output DIR, --resume, --overwrite\n"
    "                       as for isotherm run\n"
    "  --json               one JSON object instead of text\n";

enum status options_complain(const char *command, int found, char **argv)
{
    const char *word = argv[optind > 0 ? optind - 1 : 0];
    if (found == ':')
        return fail(STATUS_INPUT, "isotherm %s: %s needs a value; see isotherm %s --help", command,
                    word, command);
    return fail(STATUS_INPUT, "isotherm %s: %s is no option; see isotherm %s --help", command, word,
                command);
}

static const struct option *find_option(const struct option *options, const char *name,
                                        size_t length)
{
    for (; options->name != NULL; options++)
        if (strlen(options->name) == length && strncmp(options->name, name, length) == 0)
            return options;
    return NULL;
}

/* The one that begins so, or the nearest, or NULL. */
static const char *find_meant(const struct option *options, const char *name)
{
    enum { MOST = 32 };
    const char *names[MOST], *beginning = NULL;
    int count = 0, matches = 0;
    for (; options->name != NULL && count < MOST; options++) {
        names[count++] = options->name;
        if (strncmp(options->name, name, strlen(name)) == 0) {
            beginning = options->name;
            matches++;
        }
    }
    return matches == 1 ? beginning : text_nearest(name, names, count);
}

static enum status no_option(const char *command, const char *word, size_t length,
                             const struct option *options)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
    const char *meant = length > 0 ? find_meant(options, name) : NULL;
    if (meant != NULL)
        return fail(STATUS_INPUT, "isotherm %s: --%s is no option; did you mean --%s?", command,
                    name, meant);
    return fail(STATUS_INPUT, "isotherm %s: --%s is no option; see isotherm %s --help", command,
                name, command);
}

enum status options_check_names(int argc, char **argv, const char *letters,
                                const struct option *options)
{
    for (int a = 1; a < argc && strcmp(argv[a], "--") != 0; a++) {
        const char *word = argv[a];
        const char *letter = word[0] == '-' && word[1] != '\0' ? strchr(letters, word[1]) : NULL;
        if (word[0] == '-' && word[1] == '-') {
            const size_t length = strcspn(word + 2, "=");
            const struct option *found = find_option(options, word + 2, length);
            if (found == NULL)
                return no_option(argv[0], word, length, options);
            a += found->has_arg == required_argument && word[2 + length] == '\0' ? 1 : 0;
        } else if (letter != NULL && letter[1] == ':' && word[2] == '\0') {
            a++; /* its value, whatever it looks like */
        }
    }
    return STATUS_OK;
}

/* Adds "PREFIX VALUE" to the settings laid over the input file. */
static enum status add_set(struct options *options, const char *prefix, const char *value)
{
    if (options->set_count == OPTIONS_MAX_SETS)
        return fail(STATUS_INPUT, "more than %d --set options; put them into the input file",
                    OPTIONS_MAX_SETS);
    const size_t bytes = strlen(prefix) + strlen(value) + 1;
    char *set = NULL;
    TRY(memory_alloc(&set, bytes, 1, "settings"));
    (void)snprintf(set, bytes, "%s%s", prefix, value);
    options->sets[options->set_count++] = set;
    return STATUS_OK;
}

static enum status set_progress(struct options *options, const char *name)
{
    for (int mode = PROGRESS_AUTO; mode <= PROGRESS_NONE; mode++) {
        if (strcmp(progress_names[mode], name) == 0) {
            options->progress = (enum progress_mode)mode;
            return STATUS_OK;
        }
    }
    return fail(STATUS_INPUT, "--progress %s: use auto, bar, plain, json or none", name);
}

/* A text value for --set: always in quotes, so that no file name is taken for a number. */
static enum status add_text_set(struct options *options, const char *prefix, const char *value)
{
    char *quoted = NULL, *to = NULL;
    TRY(memory_alloc(&quoted, 2 * strlen(value) + 3, 1, "settings"));
    to = quoted;
    *to++ = '"';
    for (const char *from = value; *from != '\0'; from++) {
        if (*from == '"' || *from == '\\')
            *to++ = '\\';
        *to++ = *from;
    }
    *to = '"';
    const enum status status = add_set(options, prefix, quoted);
    free(quoted);
    return status;
}

static enum status set_ranks(struct options *options, const char *text)
{
    int64_t ranks = 0;
    if (strcmp(text, "auto") != 0 &&
        (!text_to_int64(text, &ranks) || ranks < 1 || ranks > CONTROL_MAX_RANKS))
        return fail(STATUS_INPUT, "--ranks %s: give a whole number from 1 to %d, or auto", text,
                    CONTROL_MAX_RANKS);
    return add_set(options, "run.ranks=", text);
}

static enum status set_backend(struct options *options, const char *name)
{
    if (strcmp(name, "auto") != 0 && strcmp(name, "cuda") != 0 && strcmp(name, "cpu") != 0)
        return fail(STATUS_INPUT, "--backend %s: use auto, cuda or cpu", name);
    return add_text_set(options, "run.backend=", name);
}

static enum status apply(struct options *options, int option, const char *command)
{
    switch (option) {
    case 'n':
        return set_ranks(options, optarg);
    case 'b':
        return set_backend(options, optarg);
    case 's':
        if (strchr(optarg, '=') == NULL)
            return fail(STATUS_INPUT, "--set %s: write it as path=value", optarg);
        return add_set(options, "", optarg);
    case 'o':
        return add_text_set(options, "output.directory=", optarg);
    case 'r':
        options->is_resume = true;
        return STATUS_OK;
    case 'w':
        options->is_overwrite = true;
        return STATUS_OK;
    case 'q':
        options->is_quiet = true;
        return STATUS_OK;
    case 'p':
        return set_progress(options, optarg);
    case 'i':
        options->is_watch = true;
        return STATUS_OK;
    case 'j':
        options->is_json = true;
        return STATUS_OK;
    default:
        options->is_help = true;
        fputs(strcmp(command, "run") == 0 ? run_help : check_help, stdout);
        return STATUS_OK;
    }
}

static const struct option run_options[] = {
    {"ranks", required_argument, NULL, 'n'},
    {"backend", required_argument, NULL, 'b'},
    {"set", required_argument, NULL, 's'},
    {"output", required_argument, NULL, 'o'},
    {"resume", no_argument, NULL, 'r'},
    {"overwrite", no_argument, NULL, 'w'},
    {"quiet", no_argument, NULL, 'q'},
    {"progress", required_argument, NULL, 'p'},
    {"watch", no_argument, NULL, 'i'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const struct option check_options[] = {
    {"ranks", required_argument, NULL, 'n'},
    {"backend", required_argument, NULL, 'b'},
    {"set", required_argument, NULL, 's'},
    {"output", required_argument, NULL, 'o'},
    {"resume", no_argument, NULL, 'r'},
    {"overwrite", no_argument, NULL, 'w'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

bool options_takes_value(const char *word)
{
    if (word[0] != '-' || word[1] != '-')
        return false;
    const struct option *found = find_option(run_options, word + 2, strlen(word + 2));
    return found != NULL && found->has_arg == required_argument;
}

enum status options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){0};
    const char *command = argv[0];
    const bool is_run = strcmp(command, "run") == 0;
    const struct option *known = is_run ? run_options : check_options;
    opterr = 0;
    TRY(options_check_names(argc, argv, ":h", known));
    for (;;) {
        const int option = getopt_long(argc, argv, ":h", known, NULL);
        if (option == -1)
            break;
        if (option == '?' || option == ':')
            return options_complain(command, option, argv);
        TRY(apply(options, option, command));
    }
    if (options->is_help)
        return STATUS_OK;
    if (argc - optind != 1)
        return fail(STATUS_INPUT,
                    "isotherm %s takes one input file, %d given; see isotherm %s "
                    "--help",
                    command, argc - optind, command);
    if (options->is_resume && options->is_overwrite)
        return fail(STATUS_INPUT, "--resume keeps earlier results and --overwrite removes them; "
                                  "give one of them");
    options->config = argv[optind];
    return STATUS_OK;
}

void options_free(struct options *options)
{
    for (int s = 0; s < options->set_count; s++)
        free(options->sets[s]);
    options->set_count = 0;
}
