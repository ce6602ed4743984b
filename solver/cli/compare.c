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
    "Compares two run.h5, or the temperatures of two checkpoints. A time that only one of the "
    "files\n"
    "has makes them different.\n\n"
    "  --common        compares the times that both have, whatever other times there are\n"
    "  --field NAME    what to compare: temperature (default), heat_flux_x, material,\n"
    "                  energy, ...\n"
    "  --tolerance X   equal when no value differs by more than X, in K or the field's unit\n"
    "                  (default 0)\n"
    "  --bitwise       equal when all bits are, without --field of all datasets: every field,\n"
    "                  steps, energy, heat and flows\n\n"
    "Exit code 0: equal, 1: not.\n";

struct arguments {
    double tolerance;
    const char *field; /* of argv; NULL: the default */
    bool has_tolerance, is_bitwise, is_common, is_help;
};

static enum status parse(int argc, char **argv, struct arguments *arguments)
{
    static const struct option options[] = {{"tolerance", required_argument, NULL, 't'},
                                            {"bitwise", no_argument, NULL, 'b'},
                                            {"common", no_argument, NULL, 'c'},
                                            {"field", required_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    opterr = 0;
    TRY(options_check_names(argc, argv, ":h", options));
    for (int option = getopt_long(argc, argv, ":h", options, NULL); option != -1;
         option = getopt_long(argc, argv, ":h", options, NULL)) {
        if (option == 't') {
            arguments->has_tolerance = true;
            if (!text_to_double(optarg, &arguments->tolerance) || arguments->tolerance < 0.0)
                return fail(STATUS_INPUT, "--tolerance %s: give a number, 0 or more", optarg);
        } else if (option == 'b') {
            arguments->is_bitwise = true;
        } else if (option == 'c') {
            arguments->is_common = true;
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
    if (!arguments->is_help && arguments->is_bitwise && arguments->has_tolerance)
        return fail(STATUS_INPUT, "isotherm compare: --bitwise asks for equal bits and --tolerance "
                                  "for nearly equal values; give one of them");
    return STATUS_OK;
}

static void print(const struct compare_result *result, const struct arguments *arguments)
{
    const char *ignored = arguments->is_common ? "" : ", so the files differ (--common)";
    printf("field     %s\n", result->field);
    printf("times     %lld compared, %lld only in the first, %lld only in the second file%s\n",
           (long long)result->times, (long long)result->only_a, (long long)result->only_b,
           result->only_a > 0 || result->only_b > 0 ? ignored : "");
    printf("values    %lld differ in their bits%s%s\n", (long long)result->differing,
           result->differing > 0 ? ": " : "", result->differing_in);
    printf("largest   %.6e%s%s (%.2e relative) ", result->largest,
           result->unit[0] != '\0' ? " " : "", result->unit, result->relative);
    if (!result->is_over_time)
        printf("in cell (%lld, %lld) ", (long long)result->largest_i, (long long)result->largest_j);
    printf("at t = %.9g s\n", result->largest_time);
    printf("L2        %.6e%s%s\n", result->l2, result->unit[0] != '\0' ? " " : "", result->unit);
    if (result->left_out[0] != '\0')
        printf("left out  %s\n", result->left_out);
    if (arguments->is_bitwise && arguments->field == NULL && result->only_fields > 0)
        printf("fields    %d in one of the files only\n", result->only_fields);
}

static bool is_equal(const struct compare_result *result, const struct arguments *arguments)
{
    const bool has_all_times = result->only_a == 0 && result->only_b == 0;
    if (!has_all_times && !arguments->is_common)
        return false;
    if (!arguments->is_bitwise)
        return result->largest <= arguments->tolerance;
    return result->differing == 0 && (arguments->field != NULL || result->only_fields == 0);
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
    print(&result, &arguments);
    const bool has_passed = is_equal(&result, &arguments);
    puts(has_passed ? "equal" : "different");
    return has_passed ? STATUS_OK : STATUS_DIFFERS;
}
