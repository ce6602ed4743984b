/* isotherm export: frames of a result as text or bare numbers. */
#include "io/export.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/series_variable.h"
#include "solver/cli/commands.h"
#include "solver/cli/fields.h"
#include "solver/cli/frames.h"
#include "solver/cli/options.h"

enum { PATH_BYTES = 4096 };

static const char help[] =
    "usage: isotherm export FILE --format csv|raw [OPTIONS]\n\n"
    "Writes a field of a result (run.h5) to a file that any program reads.\n\n"
    "  --format csv      a table: x_m,y_m,temperature_K, one line per cell, y from the bottom\n"
    "  --format raw      doubles, little-endian, x fastest, first row at the bottom; OUT.txt\n"
    "                    says their number, size and time\n"
    "  -o, --output OUT  where to write; default: beside FILE and named after it; - is standard\n"
    "                    output (csv, one time)\n"
    "  --field NAME      any dataset of FILE that has a value for each cell: temperature\n"
    "                    (default), heat_flux_x, material, ...\n"
    "  --time T          the frame nearest to T (0.5, \"2 min\"), last (default) or all;\n"
    "                    all numbers the files, -0000.csv and so on\n";

struct format {
    const char *name, *suffix;
    enum status (*write)(const char *path, const struct export_field *field);
};

static const struct format formats[] = {{"csv", ".csv", export_csv}, {"raw", ".raw", export_raw}};

enum { FORMATS = sizeof formats / sizeof formats[0] };

struct arguments {
    const char *file, *output; /* of argv; output may be NULL */
    const char *field;         /* likewise; NULL: the default */
    const struct format *format;
    struct frames_choice when;
    bool is_help;
};

static enum status parse_format(struct arguments *arguments, const char *name)
{
    for (int k = 0; k < FORMATS; k++)
        if (strcmp(formats[k].name, name) == 0)
            arguments->format = &formats[k];
    if (arguments->format == NULL || strcmp(arguments->format->name, name) != 0)
        return fail(STATUS_INPUT, "--format %s: use csv or raw", name);
    return STATUS_OK;
}

static enum status apply(struct arguments *arguments, int option)
{
    switch (option) {
    case 'o':
        arguments->output = optarg;
        return STATUS_OK;
    case 'f':
        return parse_format(arguments, optarg);
    case 'q':
        arguments->field = optarg;
        return STATUS_OK;
    case 't':
        return frames_parse(optarg, &arguments->when);
    default:
        arguments->is_help = true;
        return STATUS_OK;
    }
}

static bool is_to_stdout(const struct arguments *arguments)
{
    return arguments->output != NULL && strcmp(arguments->output, "-") == 0;
}

static enum status check(const struct arguments *arguments, int files)
{
    if (files != 1)
        return fail(STATUS_INPUT,
                    "isotherm export takes one file, %d given; see isotherm export --help", files);
    if (arguments->format == NULL)
        return fail(STATUS_INPUT, "isotherm export: no --format given; use csv or raw");
    if (is_to_stdout(arguments) &&
        (arguments->format->write != export_csv || arguments->when.when == FRAMES_ALL))
        return fail(STATUS_INPUT, "-o -: standard output takes one time as csv; give a file name");
    return STATUS_OK;
}

static enum status parse(int argc, char **argv, struct arguments *arguments)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'}, {"output", required_argument, NULL, 'o'},
        {"field", required_argument, NULL, 'q'},  {"time", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    opterr = 0;
    int option = 0;
    TRY(options_check_names(argc, argv, ":o:h", options));
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (option == '?' || option == ':')
            return options_complain("export", option, argv);
        TRY(apply(arguments, option));
        if (arguments->is_help)
            return STATUS_OK;
    }
    TRY(check(arguments, argc - optind));
    arguments->file = argv[optind];
    return STATUS_OK;
}

static enum status write_frame(const struct arguments *arguments, struct series *series,
                               const struct series_variable *variable, int64_t frame,
                               struct export_field *field, double *values)
{
    char path[PATH_BYTES], shown[PATH_BYTES];
    field->values = values;
    field->time = series_times(series)[frame];
    field->step = series_steps(series)[frame];
    TRY(series_variable_read(series, variable, frame, values));
    if (is_to_stdout(arguments))
        return arguments->format->write("-", field);
    TRY(frames_path(&(struct frames_name){.from = arguments->file,
                                          .tail = "",
                                          .suffix = arguments->format->suffix,
                                          .output = arguments->output,
                                          .frame = arguments->when.when == FRAMES_ALL ? frame : -1,
                                          .frames = series_frames(series)},
                    path, sizeof path));
    TRY(arguments->format->write(path, field));
    text_escape(shown, sizeof shown, path);
    printf("wrote %s (t = %.9g s)\n", shown, field->time);
    return STATUS_OK;
}

static enum status export_frames(const struct arguments *arguments, struct series *series)
{
    struct export_field field = {0};
    struct series_variable variable = {0};
    double *values = NULL;
    size_t cells = 0;
    int64_t frame = 0, end = 0;
    enum status status = STATUS_OK;
    TRY_DONE(frames_find(&arguments->when, series, arguments->file, &frame, &end));
    TRY_DONE(series_variable_open_field(series, arguments->field, &variable));
    if (arguments->field == NULL && !is_to_stdout(arguments))
        fields_say_others(series, variable.name);
    series_shape(series, &field.nx, &field.ny, field.size);
    series_origin(series, field.origin);
    field.places[0] = series_places(series, 0);
    field.places[1] = series_places(series, 1);
    field.name = variable.name;
    field.unit = variable.unit;
    TRY_DONE(size_multiply((size_t)field.nx, (size_t)field.ny, &cells));
    TRY_DONE(memory_alloc(&values, cells, sizeof *values, "field"));
    for (; frame < end; frame++)
        TRY_DONE(write_frame(arguments, series, &variable, frame, &field, values));
done:
    series_variable_close(&variable);
    free(values);
    return status;
}

enum status command_export(int argc, char **argv)
{
    struct arguments arguments = {.when = {.when = FRAMES_LAST}};
    struct series *series = NULL;
    TRY(parse(argc, argv, &arguments));
    if (arguments.is_help) {
        fputs(help, stdout);
        return STATUS_OK;
    }
    TRY(series_open(arguments.file, &series));
    const enum status status = export_frames(&arguments, series);
    series_close(series);
    return status;
}
