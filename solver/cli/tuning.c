#include "solver/cli/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/version.h"
#include "solver/cli/machine.h"
#include "solver/trial.h"

enum { PATH_BYTES = 1024, KEY_BYTES = 512, SMALLEST_SIDE = 512 };

/* Below SMALLEST_SIDE the time is that of the launches, and zones have one kernel for all. */
static bool is_open(const struct session *session)
{
    const struct plan *plan = &session->plan;
    const struct block *block = &plan->blocks[0];
    return session->backend == &backend_cuda && session->input.run.steps_per_exchange == 0 &&
           plan->stages == 0 && !plan->has_zones && block->nx >= SMALLEST_SIDE &&
           block->ny >= SMALLEST_SIDE;
}

/* What the answer depends on. */
static void write_key(const struct session *session, char key[KEY_BYTES])
{
    const struct plan *plan = &session->plan;
    const struct layout *layout = &plan->layout;
    double rx = 0.0, ry = 0.0;
    plan_coefficients(plan, schedule_dt(&plan->schedule, 0), &rx, &ry);
    (void)snprintf(key, KEY_BYTES, "%s\t%s\t%d x %d cells of %d x %d, %s%s%s%s%s", version_text(),
                   session->device_name, plan->blocks[0].nx, plan->blocks[0].ny, layout->px,
                   layout->py, plan->is_double ? "double" : "single", rx == ry ? "" : ", rx != ry",
                   session->input.fixed_count > 0 ? ", fixed" : "",
                   layout->is_periodic_x ? ", periodic x" : "",
                   layout->is_periodic_y ? ", periodic y" : "");
}

/* The file and, if asked, the folders before it; false where there is no place for it. */
static bool find_file(bool is_made, char path[PATH_BYTES])
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    const bool has_cache = cache != NULL && cache[0] == '/';
    if (!has_cache && (home == NULL || home[0] != '/'))
        return false;
    char folder[PATH_BYTES];
    int length = snprintf(folder, sizeof folder, "%s%s", has_cache ? cache : home,
                          has_cache ? "" : "/.cache");
    if (length < 0 || length + 32 > PATH_BYTES)
        return false;
    if (is_made)
        (void)mkdir(folder, 0777); /* what fails shows when the file is opened */
    (void)snprintf(path, PATH_BYTES, "%.900s/isotherm", folder);
    if (is_made)
        (void)mkdir(path, 0777);
    (void)snprintf(path, PATH_BYTES, "%.900s/isotherm/tuning", folder);
    return true;
}

/* Builds of one revision with changes of their own all have its name. */
static bool is_known_version(void)
{
    return strstr(version_text(), "-dirty") == NULL;
}

/* Lines are a number of steps, a tab, a key. 0: the file does not have it. */
static int read_depth(const char *key)
{
    char path[PATH_BYTES], line[KEY_BYTES + 64];
    FILE *const file = is_known_version() && find_file(false, path) ? fopen(path, "r") : NULL;
    if (file == NULL)
        return 0;
    int depth = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char *end = NULL;
        const long steps = strtol(line, &end, 10);
        line[strcspn(line, "\n")] = '\0';
        if (end > line && *end == '\t' && steps >= 1 && steps <= 64 && strcmp(end + 1, key) == 0)
            depth = (int)steps;
    }
    (void)fclose(file);
    return depth;
}

/* One write of one line: two runs at a time do not mix theirs. A file that cannot be written costs
 * another measurement, no more. */
static void note_depth(int depth, const char *key)
{
    char path[PATH_BYTES];
    FILE *const file = is_known_version() && find_file(true, path) ? fopen(path, "a") : NULL;
    if (file == NULL)
        return;
    (void)fprintf(file, "%d\t%s\n", depth, key);
    (void)fclose(file);
}

static enum status ask_for_rates(const void *argument, void *answer)
{
    const struct session *session = argument;
    return trial_run(&session->plan, session->backend, session->ordinals[0], answer);
}

static int measure(const struct session *session)
{
    struct trial trial = {{0.0}};
    if (machine_ask(ask_for_rates, session, &trial, sizeof trial) != STATUS_OK) {
        error_clear(); /* no memory beside another program's, say: the run itself will tell */
        return 0;
    }
    return trial_choose(&trial);
}

enum status tuning_apply(struct session *session)
{
    char key[KEY_BYTES];
    session->depth_reason = "";
    if (!is_open(session))
        return STATUS_OK;
    write_key(session, key);
    int depth = read_depth(key);
    session->depth_reason = " (the fastest here, measured before)";
    if (depth == 0) {
        depth = measure(session);
        session->depth_reason = " (the fastest here, measured now)";
        if (depth > 0)
            note_depth(depth, key);
    }
    if (depth == 0) {
        session->depth_reason = "";
        return STATUS_OK;
    }
    return plan_change_depth(&session->plan, depth);
}
