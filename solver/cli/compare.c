/* isotherm compare: the difference of two result files, or of all results of two directories. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "io/checkpoint.h"
#include "io/checkpoint_list.h"
#include "io/compare.h"
#include "io/rundir.h"
#include "solver/cli/commands.h"
#include "solver/cli/options.h"

static const char help[] =
    "usage: isotherm compare A B [OPTIONS]\n\n"
    "Compares two run.h5, two probes.csv, the temperatures of two checkpoints, or all of these in\n"
    "two run directories, of checkpoints the newest. A time, a probe or a file that only one of "
    "the\n"
    "two has makes them different, with --bitwise any dataset.\n\n"
    "  --common        compares the times, probes, datasets and files that both have, and names\n"
    "                  what else there is\n"
    "  --field NAME    what to compare of run.h5: temperature (default), heat_flux_x, material,\n"
    "                  energy, ...; of directories then only their run.h5; of two probes.csv\n"
    "                  one probe\n"
    "  --tolerance X   equal when no value differs by more than X, in K or the field's unit\n"
    "                  (default 0)\n"
    "  --bitwise       equal when all bits are, without --field of all datasets: every field,\n"
    "                  steps, energy, heat and flows; of checkpoints all that a resume reads\n\n"
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
                    "isotherm compare takes two files or directories, %d given; see "
                    "isotherm compare --help",
                    argc - optind);
    if (!arguments->is_help && arguments->is_bitwise && arguments->has_tolerance)
        return fail(STATUS_INPUT, "isotherm compare: --bitwise asks for equal bits and --tolerance "
                                  "for nearly equal values; give one of them");
    return STATUS_OK;
}

static void print_values(const struct compare_result *result)
{
    const char *space = result->unit[0] != '\0' ? " " : "";
    printf("values    %lld differ in their bits%s%s\n", (long long)result->differing,
           result->differing > 0 ? ": " : "", result->differing_in);
    printf("largest   %.6e%s%s (%.2e relative) ", result->largest, space, result->unit,
           result->relative);
    if (result->largest_in[0] != '\0')
        printf("in %s ", result->largest_in);
    if (!result->is_over_time)
        printf("in cell (%lld, %lld) ", (long long)result->largest_i, (long long)result->largest_j);
    printf("at t = %.9g s\n", result->largest_time);
    printf("L2        %.6e%s%s\n", result->l2, space, result->unit);
}

/* "time" or "probe" where the files have none in common, else NULL. */
static const char *what_is_missing(const struct compare_result *result)
{
    if (result->times == 0)
        return "time";
    return result->is_table && result->columns == 0 && result->only_fields > 0 ? "probe" : NULL;
}

static void print(const struct compare_result *result, const struct arguments *arguments)
{
    const char *so = arguments->is_common ? "" : ", so the files differ (--common)";
    if (result->is_table && arguments->field == NULL)
        printf("probes    %d compared\n", result->columns);
    else
        printf("field     %s\n", result->field);
    printf("times     %lld compared, %lld only in the first, %lld only in the second file%s\n",
           (long long)result->times, (long long)result->only_a, (long long)result->only_b,
           result->only_a > 0 || result->only_b > 0 ? so : "");
    if (what_is_missing(result) == NULL || result->differing > 0)
        print_values(result);
    if (result->left_out[0] != '\0')
        printf("left out  %s\n", result->left_out);
    if (result->only_fields > 0)
        printf("%s    %d in one of the files only%s\n", result->is_table ? "probes" : "fields",
               result->only_fields, so);
}

static bool is_equal(const struct compare_result *result, const struct arguments *arguments)
{
    const bool has_all = result->only_a == 0 && result->only_b == 0 && result->only_fields == 0;
    if (!has_all && !arguments->is_common)
        return false;
    return arguments->is_bitwise ? result->differing == 0 : result->largest <= arguments->tolerance;
}

static enum status compare_paths(const char *a, const char *b, const struct arguments *arguments,
                                 bool is_named, struct compare_result *result)
{
    const struct compare_options how = {.field = arguments->field,
                                        .is_every =
                                            arguments->is_bitwise && arguments->field == NULL,
                                        .is_named = is_named};
    return compare_files(a, b, &how, result);
}

static enum status compare_two_files(const char *a, const char *b,
                                     const struct arguments *arguments, bool *has_passed)
{
    struct compare_result result;
    TRY(compare_paths(a, b, arguments, false, &result));
    const char *missing = what_is_missing(&result);
    if (missing != NULL && arguments->is_common)
        return fail(STATUS_INPUT, "%s and %s have no %s in common", a, b, missing);
    print(&result, arguments);
    *has_passed = is_equal(&result, arguments);
    return STATUS_OK;
}

/* ---- two directories ---- */

enum { PATH_BYTES = 4096 };

/* A result that two directories may hold; "" where one does not. */
struct part {
    char paths[2][PATH_BYTES];
};

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static enum status find_file(const char *directory, const char *name, char path[PATH_BYTES])
{
    TRY(rundir_file(directory, name, path, PATH_BYTES));
    if (access(path, F_OK) != 0)
        path[0] = '\0';
    return STATUS_OK;
}

static enum status find_newest_checkpoint(const char *directory, char path[PATH_BYTES])
{
    int64_t *steps = NULL;
    int count = 0;
    path[0] = '\0';
    TRY(checkpoint_list(directory, &steps, &count));
    const enum status status =
        count > 0 ? checkpoint_path(path, PATH_BYTES, directory, steps[0]) : STATUS_OK;
    free(steps);
    return status;
}

/* How far two directories have been compared. */
struct progress {
    int found, compared; /* parts that both have, and those of them with something in common */
    bool has_passed;
};

/* Both directories have it. Checkpoints of different times have nothing in common. */
static enum status compare_part(const struct part *part, const struct arguments *arguments,
                                struct progress *progress)
{
    struct compare_result result;
    const char *const names[] = {name_of(part->paths[0]), name_of(part->paths[1])};
    progress->found++;
    TRY(compare_paths(part->paths[0], part->paths[1], arguments, true, &result));
    const char *missing = what_is_missing(&result);
    const bool is_left_out = missing != NULL && arguments->is_common;
    const bool passes = is_left_out || is_equal(&result, arguments);
    const bool has_one_name = strcmp(names[0], names[1]) == 0;
    printf("%s%s%s: ", names[0], has_one_name ? "" : " and ", has_one_name ? "" : names[1]);
    if (is_left_out) {
        printf("of different %ss, left out\n", missing);
    } else {
        progress->compared++;
        puts(passes ? "equal" : "different");
        print(&result, arguments);
    }
    progress->has_passed = progress->has_passed && passes;
    return STATUS_OK;
}

/* After a failure: where one of the newest checkpoints is damaged or renamed, adds what a resume
 * would use, which passes over it. The comparison does not: an older state is no result of the run.
 */
static enum status tell_what_resumes(const char *const directories[2], const struct part *part)
{
    char why[ERROR_MESSAGE_BYTES], other[ERROR_MESSAGE_BYTES];
    (void)snprintf(why, sizeof why, "%s", error_message());
    for (int k = 0; k < 2; k++) {
        struct checkpoint checkpoint;
        bool is_found = false;
        error_clear();
        const enum status status = checkpoint_find(directories[k], &checkpoint, &is_found, NULL);
        (void)snprintf(other, sizeof other, "%s", error_message());
        error_clear();
        if (status != STATUS_OK)
            return fail(STATUS_FILE, "%s; no other one was found: %s", why, other);
        checkpoint_close(&checkpoint);
        if (is_found && strcmp(checkpoint.path, part->paths[k]) != 0)
            return fail(STATUS_FILE, "%s; isotherm run --resume passes over it and goes on from %s",
                        why, name_of(checkpoint.path));
    }
    return fail(STATUS_FILE, "%s", why);
}

static enum status compare_directories(const char *const directories[2],
                                       const struct arguments *arguments, bool *has_passed)
{
    enum { SNAPSHOTS, PROBES, NEWEST_CHECKPOINT, PARTS };
    struct part parts[PARTS];
    struct progress progress = {.has_passed = true};
    for (int k = 0; k < 2; k++) {
        TRY(find_file(directories[k], "run.h5", parts[SNAPSHOTS].paths[k]));
        TRY(find_file(directories[k], "probes.csv", parts[PROBES].paths[k]));
        TRY(find_newest_checkpoint(directories[k], parts[NEWEST_CHECKPOINT].paths[k]));
    }
    for (int p = 0; p < (arguments->field != NULL ? PROBES : PARTS); p++) {
        const bool is_in[] = {parts[p].paths[0][0] != '\0', parts[p].paths[1][0] != '\0'};
        if (is_in[0] && is_in[1]) {
            const enum status status = compare_part(&parts[p], arguments, &progress);
            if (status == STATUS_FILE && p == NEWEST_CHECKPOINT)
                return tell_what_resumes(directories, &parts[p]);
            TRY(status);
        } else if (is_in[0] || is_in[1]) {
            progress.has_passed = progress.has_passed && arguments->is_common;
            printf("%s: only in the %s directory%s\n", name_of(parts[p].paths[is_in[0] ? 0 : 1]),
                   is_in[0] ? "first" : "second",
                   arguments->is_common ? "" : ", so they differ (--common)");
        }
    }
    if (progress.found == 0)
        return fail(STATUS_INPUT, "%s and %s hold no %s of both", directories[0], directories[1],
                    arguments->field != NULL ? "run.h5" : "run.h5, probes.csv or checkpoint");
    if (progress.compared == 0)
        return fail(STATUS_INPUT, "%s and %s have no time or probe in common", directories[0],
                    directories[1]);
    *has_passed = progress.has_passed;
    return STATUS_OK;
}

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

enum status command_compare(int argc, char **argv)
{
    struct arguments arguments = {0};
    TRY(parse(argc, argv, &arguments));
    if (arguments.is_help) {
        fputs(help, stdout);
        return STATUS_OK;
    }
    const char *const paths[] = {argv[optind], argv[optind + 1]};
    if (is_directory(paths[0]) != is_directory(paths[1]))
        return fail(STATUS_INPUT,
                    "%s and %s: one is a directory; give two files or two directories", paths[0],
                    paths[1]);
    bool has_passed = false;
    TRY(is_directory(paths[0]) ? compare_directories(paths, &arguments, &has_passed)
                               : compare_two_files(paths[0], paths[1], &arguments, &has_passed));
    puts(has_passed ? "equal" : "different");
    return has_passed ? STATUS_OK : STATUS_DIFFERS;
}
