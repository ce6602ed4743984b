#include "solver/cli/plot_options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/colormap.h"
#include "solver/cli/options.h"

enum { MAX_CONTOURS = 60 };

static const char help[] =
    "usage: isotherm plot FILE [OPTIONS]\n\n"
    "Draws a result (run.h5) as a PNG picture with axes, colour bar and units. A FILE that ends "
    "in\n"
    ".csv is taken as --probes.\n\n"
    "  -o, --output OUT.png  where to write; default: beside FILE and named after it; - is\n"
    "                        standard output\n"
    "  --time T              the frame nearest to T (0.5, \"2 min\"), last (default) or all;\n"
    "                        all numbers the pictures, -0000.png and so on, and gives them one "
    "range\n"
    "  --range LO,HI         values at the ends of the colours, or of the y axis of curves\n"
    "  --unit NAME           temperatures in K (default) or C, degrees Celsius; so are then the\n"
    "                        values of --range and --middle\n"
    "  --line x=V | y=V      the values along this line, V in m, instead of the whole field\n"
    "  --contours N          about N lines of equal value with labels\n"
    "  --outlines            the outlines of the materials, where FILE holds them\n"
    "  --probes FILE         the curves of probes.csv over time\n"
    "  --middle V            colours that diverge from V, as far to both sides (default: 0 for a\n"
    "                        field with values of both signs that is no temperature)\n";

static const char field_help[] =
    "  --field NAME          any dataset of FILE, list shows them: temperature (default), others\n"
    "                        in (time, y, x) or (y, x) such as material, or numbers over time:\n"
    "                        energy, heat_left, heat_right, heat_bottom, heat_top, heat_fixed,\n"
    "                        heat_sources, heat_loss, residual, step, in steady runs\n"
    "                        flow_left and so on\n";

static void print_help(void)
{
    fputs(help, stdout);
    printf("  --colormap NAME       ");
    for (int k = 0; colormap_name(k) != NULL; k++)
        printf("%s%s", k > 0 ? ", " : "", colormap_name(k));
    printf("; default: %s, or balance around a middle\n", colormap_name(0));
    fputs(field_help, stdout);
}

/* "LO,HI" */
static enum status parse_range(struct plot_options *options, const char *text)
{
    char low[64];
    const char *comma = strchr(text, ',');
    const size_t length = comma != NULL ? (size_t)(comma - text) : 0;
    if (length > 0 && length < sizeof low) {
        memcpy(low, text, length);
        low[length] = '\0';
        options->has_range = text_to_double(low, &options->range[0]) &&
                             text_to_double(comma + 1, &options->range[1]) &&
                             options->range[0] < options->range[1];
    }
    if (!options->has_range)
        return fail(STATUS_INPUT,
                    "--range %s: give two numbers, the lower first, as in --range 300,400", text);
    return STATUS_OK;
}

static enum status parse_line(struct plot_options *options, const char *text)
{
    options->has_line = (text[0] == 'x' || text[0] == 'y') && text[1] == '=' &&
                        text_to_double(text + 2, &options->line_at);
    if (!options->has_line)
        return fail(STATUS_INPUT, "--line %s: give x=V or y=V with V in m, as in --line y=0.05",
                    text);
    options->line_axis = text[0] - 'x';
    return STATUS_OK;
}

static enum status parse_contours(struct plot_options *options, const char *text)
{
    int64_t count = 0;
    if (!text_to_int64(text, &count) || count < 0 || count > MAX_CONTOURS)
        return fail(STATUS_INPUT, "--contours %s: give a number of lines, 0 to %d", text,
                    MAX_CONTOURS);
    options->has_contours = true;
    options->contours = (int)count;
    return STATUS_OK;
}

static enum status parse_colormap(struct plot_options *options, const char *name)
{
    struct colormap map;
    options->colormap = name;
    return colormap_init(&map, name);
}

static enum status parse_middle(struct plot_options *options, const char *text)
{
    options->has_middle = text_to_double(text, &options->middle);
    if (!options->has_middle)
        return fail(STATUS_INPUT, "--middle %s: give a number, as in --middle 300", text);
    return STATUS_OK;
}

static enum status parse_unit(struct plot_options *options, const char *name)
{
    options->has_unit = true;
    options->is_celsius = strcmp(name, "C") == 0;
    if (!options->is_celsius && strcmp(name, "K") != 0)
        return fail(STATUS_INPUT, "--unit %s: use K or C, degrees Celsius", name);
    return STATUS_OK;
}

static enum status apply(struct plot_options *options, int option)
{
    switch (option) {
    case 'o':
        options->output = optarg;
        return STATUS_OK;
    case 't':
        options->has_time = true;
        return frames_parse(optarg, &options->when);
    case 'r':
        return parse_range(options, optarg);
    case 'c':
        return parse_colormap(options, optarg);
    case 'f':
        options->field = optarg;
        options->is_list = strcmp(optarg, "list") == 0;
        return STATUS_OK;
    case 'm':
        return parse_middle(options, optarg);
    case 'u':
        return parse_unit(options, optarg);
    case 'l':
        return parse_line(options, optarg);
    case 'n':
        return parse_contours(options, optarg);
    case 'e':
        options->is_outlined = true;
        return STATUS_OK;
    case 'p':
        options->probes = optarg;
        return STATUS_OK;
    default:
        options->is_help = true;
        print_help();
        return STATUS_OK;
    }
}

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"time", required_argument, NULL, 't'},
                                             {"range", required_argument, NULL, 'r'},
                                             {"colormap", required_argument, NULL, 'c'},
                                             {"field", required_argument, NULL, 'f'},
                                             {"line", required_argument, NULL, 'l'},
                                             {"contours", required_argument, NULL, 'n'},
                                             {"outlines", no_argument, NULL, 'e'},
                                             {"probes", required_argument, NULL, 'p'},
                                             {"middle", required_argument, NULL, 'm'},
                                             {"unit", required_argument, NULL, 'u'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), need = strlen(end);
    return length >= need && strcmp(text + length - need, end) == 0;
}

enum status plot_options_refuse(const struct plot_options *options, unsigned kinds,
                                const char *what)
{
    const struct {
        unsigned kind;
        bool is_given;
        const char *name;
    } known[] = {{PLOT_TIMES, options->has_time, "time"},
                 {PLOT_COLOURS, options->colormap != NULL, "colormap"},
                 {PLOT_COLOURS, options->has_middle, "middle"},
                 {PLOT_LINES, options->has_contours, "contours"},
                 {PLOT_UNIT, options->has_unit, "unit"},
                 {PLOT_FIELDS, options->field != NULL, "field"},
                 {PLOT_FIELDS, options->has_line, "line"},
                 {PLOT_FIELDS, options->is_outlined, "outlines"}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if ((known[k].kind & kinds) != 0 && known[k].is_given)
            return fail(STATUS_INPUT, "isotherm plot: --%s does nothing for %s; leave it out",
                        known[k].name, what);
    return STATUS_OK;
}

static bool is_to_stdout(const struct plot_options *options)
{
    return options->output != NULL && strcmp(options->output, "-") == 0;
}

/* What can be told without the file. */
static enum status check(const struct plot_options *options)
{
    if (options->file == NULL && options->probes == NULL)
        return fail(STATUS_INPUT, "isotherm plot: no FILE given; see isotherm plot --help");
    if (options->has_range && options->has_middle)
        return fail(STATUS_INPUT, "isotherm plot: --range and --middle both set the ends of the "
                                  "colours; give one of them");
    if (is_to_stdout(options) && options->when.when == FRAMES_ALL)
        return fail(STATUS_INPUT, "-o -: standard output takes one time; give a file name");
    if (options->probes != NULL)
        TRY(plot_options_refuse(options, PLOT_TIMES | PLOT_COLOURS | PLOT_LINES | PLOT_FIELDS,
                                "the curves of probes"));
    if (options->has_line)
        TRY(plot_options_refuse(options, PLOT_COLOURS | PLOT_LINES, "the values along a line"));
    return STATUS_OK;
}

enum status plot_options_parse(int argc, char **argv, struct plot_options *options)
{
    *options = (struct plot_options){0};
    int option = 0;
    optind = 1;
    TRY(options_check_names(argc, argv, ":o:h", long_options));
    while ((option = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
        if (option == '?' || option == ':')
            return options_complain("plot", option, argv);
        TRY(apply(options, option));
        if (options->is_help)
            return STATUS_OK;
    }
    if (optind < argc - 1)
        return fail(STATUS_INPUT, "isotherm plot: one FILE at a time; %s is too much",
                    argv[optind + 1]);
    if (optind < argc)
        options->file = argv[optind];
    if (options->file != NULL && options->probes == NULL && ends_in(options->file, ".csv")) {
        options->probes = options->file;
        options->file = NULL;
    }
    return check(options);
}
