#include "solver/cli/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

enum status frames_parse(const char *text, struct frames_choice *choice)
{
    *choice = (struct frames_choice){.when = FRAMES_AT};
    if (strcmp(text, "last") == 0)
        choice->when = FRAMES_LAST;
    else if (strcmp(text, "all") == 0)
        choice->when = FRAMES_ALL;
    else if (!text_to_double(text, &choice->time) && !text_to_seconds(text, &choice->time))
        return fail(STATUS_INPUT, "--time %s: give a time in s, last or all", text);
    return STATUS_OK;
}

static enum status find_nearest(const struct series *series, double wanted, const char *file,
                                int64_t *frame)
{
    const double *times = series_times(series);
    const int64_t frames = series_frames(series);
    const double first = times[0], last = times[frames - 1];
    const double slack = 1e-9 * fmax(fabs(first), fabs(last));
    if (wanted < first - slack || wanted > last + slack)
        return fail(STATUS_INPUT, "--time %g: %s holds times from %g to %g s", wanted, file, first,
                    last);
    *frame = 0;
    for (int64_t k = 1; k < frames; k++)
        if (fabs(times[k] - wanted) < fabs(times[*frame] - wanted))
            *frame = k;
    return STATUS_OK;
}

enum status frames_find(const struct frames_choice *choice, const struct series *series,
                        const char *file, int64_t *first, int64_t *end)
{
    const int64_t frames = series_frames(series);
    if (frames < 1)
        return fail(STATUS_FILE, "%s: holds no frame yet", file);
    *first = choice->when == FRAMES_ALL ? 0 : frames - 1;
    if (choice->when == FRAMES_AT)
        TRY(find_nearest(series, choice->time, file, first));
    *end = choice->when == FRAMES_ALL ? frames : *first + 1;
    return STATUS_OK;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat about_a, about_b;
    return stat(a, &about_a) == 0 && stat(b, &about_b) == 0 && about_a.st_dev == about_b.st_dev &&
           about_a.st_ino == about_b.st_ino;
}

enum status frames_path(const struct frames_name *name, char *path, size_t bytes)
{
    const char *base = name->output != NULL ? name->output : name->from;
    const char *slash = strrchr(base, '/');
    const char *dot = strrchr(slash != NULL ? slash : base, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - base) : strlen(base);
    const char *suffix = name->output == NULL ? name->suffix : dot != NULL ? dot : "";
    char number[32] = "";
    if (name->frame >= 0)
        (void)snprintf(number, sizeof number, name->frames > 10000 ? "-%06lld" : "-%04lld",
                       (long long)name->frame);
    const int length = snprintf(path, bytes, "%.*s%s%s%s", (int)stem, base,
                                name->output != NULL ? "" : name->tail, number, suffix);
    if (length < 0 || (size_t)length >= bytes)
        return fail(STATUS_INPUT, "%s: the name of the file to write is too long", base);
    if (is_same_file(path, name->from))
        return fail(STATUS_INPUT, "-o %s is the file that is read; give another name", path);
    return STATUS_OK;
}
