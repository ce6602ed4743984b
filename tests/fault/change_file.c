/* The program under test of test_files.c: makes one change and leaves with the exit code of its
 * status, like the real program. */
#include <stdio.h>
#include <string.h>

#include "tests/fault/files_case.h"

static enum status change(const char *what)
{
    const struct snapshot_spec spec = case_spec();
    if (strcmp(what, "checkpoint") == 0)
        return case_checkpoint(NEW_STEP);
    if (strcmp(what, "append") == 0)
        return case_append(OLD_FRAMES);
    if (strcmp(what, "create") == 0)
        return snapshot_create(&spec);
    if (strcmp(what, "cut") == 0)
        return snapshot_cut(&spec, CUT_FRAMES);
    if (strcmp(what, "probes") == 0)
        return probes_append("probes.csv", OLD_ROWS, (const double[]){1.0}, 1);
    return fail(STATUS_BUG, "there is no change \"%s\"", what);
}

int main(int argc, char **argv)
{
    const enum status status = change(argc > 1 ? argv[1] : "");
    if (status != STATUS_OK)
        (void)fprintf(stderr, "isotherm: error: %s\n", error_message());
    return status_exit_code(status);
}
