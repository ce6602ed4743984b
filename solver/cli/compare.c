/* isotherm compare: the difference of two result files. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "io/compare.h"
#include "solver/cli/commands.h"
#include "solver/cli/options.h"

static const char help[] =
    "usage: isotherm compare A B [OPTIONS]\n\n"
    "Compares two run.h5, at the times both have, or two checkpoints.\n\n"
    "  --field NAME    what to compare: temperature (default), heat_flux_x, ...\n"
    "  --tolerance X   equal when no value differs by more than X, in K or the field's unit\n"
    "                  (default 0)\n"
    "  --bitwise       equal when all bits and all times are, without --field of every field\n\n"
    "Exit code 0: equal, 1: not.\n";

struct arguments {
    double tolerance;
    const char *field; /* of argv; NULL: the default */
    bool is_bitwise, is_help;
};

static enum status parse(int argc, char **argv, struct arguments *arguments)
{
    static const struct option options[] = {{"tolerance", required_argument, NULL, 't'},
                                            {"bitwise", no_argument, NULL, 'b'},
                                            {"field", required_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    opterr = 0;
    for (int option = getopt_long(argc, argv, ":h", options, NULL); option != -1;
         option = getopt_long(argc, argv, ":h", options, NULL)) {
        if (option == 't') {
            if (!text_to_double(optarg, &arguments->tolerance) || arguments->tolerance < 0.0)
                return fail(STATUS_INPUT, "--tolerance %s: give a number, 0 or more", optarg);
        } else if (option == 'b') {
            arguments->is_bitwise = true;
        } else if (option == 'f') {
            arguments->field = optarg;
        } else if (option == 'h') {
            arguments->is_help = true;
        } else {
            return options_complain("compare", option, argv);
        }
    }
    if (!arguments->is_help && argc - optind != 2)
        return fail(STATUS_INPUT,
                    "isotherm compare takes two files, %d given; see isotherm compare "
                    "--help",
                    argc - optind);
    return STATUS_OK;
}

static void print(const struct compare_result *result)
{
    printf("times     %lld compared, %lld only in the first, %lld only in the second file%s\n",
           (long long)result->times, (long long)result->only_a, (long long)result->only_b,
           result->only_a > 0 && result->only_b > 0 ? ": these were not compared" : "");
    printf("values    %lld differ in their bits\n", (long long)result->differing);
    printf("largest   %.6e %s (%.2e relative) in cell (%lld, %lld) at t = %.9g s\n",
           result->largest, result->unit, result->relative, (long long)result->largest_i,
           (long long)result->largest_j, result->largest_time);
    printf("L2        %.6e %s\n", result->l2, result->unit);
}

enum status command_compare(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct compare_result result;
    TRY(parse(argc, argv, &arguments));
    if (arguments.is_help) {
        fputs(help, stdout);
        return STATUS_OK;
    }
    const struct compare_options how = {
        .field = arguments.field, .is_every = arguments.is_bitwise && arguments.field == NULL};
    TRY(compare_files(argv[optind], argv[optind + 1], &how, &result));
    print(&result);
    if (result.only_fields > 0)
        printf("fields    %d in one of the files only\n", result.only_fields);
    const bool is_equal = arguments.is_bitwise ? result.differing == 0 && result.only_a == 0 &&
                                                     result.only_b == 0 && result.only_fields == 0
                                               : result.largest <= arguments.tolerance;
    puts(is_equal ? "equal" : "different");
    return is_equal ? STATUS_OK : STATUS_DIFFERS;
}
