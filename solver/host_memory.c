#include "solver/host_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "solver/need.h"
#include "solver/output.h"

enum { PATH_BYTES = 4096 };

/* ---- what is needed ---- */

static int count_field_files(const struct input *input)
{
    int count = 0;
    for (int s = 0; s < input->source_count; s++)
        count += input->sources[s].type == SOURCE_FILE;
    return count;
}

/* Of all ranks, where their devices live in host memory. */
static double field_bytes(const struct plan *plan)
{
    double bytes = 0.0;
    for (int rank = 0; rank < plan->ranks; rank++)
        bytes += (double)need_device_bytes(plan, &plan->blocks[rank]);
    return bytes;
}

/* While the ranks start: each has its block twice, and reads files as the whole domain. So does the
 * writer meanwhile, for the heat of sources and for the reference of single precision. */
static double start_bytes(const struct plan *plan, double cells)
{
    const struct input *input = plan->input;
    const bool starts_from_file = input->initial_temperature.kind == FIELD_FILE;
    const bool has_files = count_field_files(input) > 0;
    const bool writer_reads = has_files || (starts_from_file && !plan->is_double);
    const int readers = starts_from_file || has_files ? plan->ranks + (writer_reads ? 1 : 0) : 0;
    const double narrowed = starts_from_file && !plan->is_double ? cells * sizeof(double) : 0.0;
    return cells * (double)plan->blocks[0].element_bytes + narrowed +
           readers * cells * sizeof(double);
}

/* Then: the frames, what the writer makes of them, and of sources for the fields that stay. */
static double output_phase_bytes(const struct plan *plan, double cells)
{
    const int files = count_field_files(plan->input);
    return (double)output_bytes(plan) + (plan->is_double ? 0.0 : cells * sizeof(double)) +
           (plan->has_zones ? cells : 0.0) + (files > 1 ? 2.0 : files) * cells * sizeof(double);
}

double host_memory_needed(const struct plan *plan, bool has_fields)
{
    const double cells = (double)plan->layout.nx * (double)plan->layout.ny;
    const double properties = plan->properties != NULL ? 3.0 * sizeof(double) * cells : 0.0;
    /* The field of the last look at a steady state. */
    const double previous =
        plan->input->time.is_steady ? cells * (double)plan->blocks[0].element_bytes : 0.0;
    return (has_fields ? field_bytes(plan) : 0.0) + (double)plan->staging_bytes + properties +
           previous + fmax(start_bytes(plan, cells), output_phase_bytes(plan, cells));
}

/* ---- what there is ---- */

/* The number behind `key` in a file of lines "KEY NUMBER ..."; of its first line for the key "".
 * -1.0 when there is none ("max" is no number). */
static double number_in(const char *path, const char *key)
{
    char line[256];
    double number = -1.0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return number;
    const size_t length = strlen(key);
    while (number < 0.0 && fgets(line, sizeof line, file) != NULL) {
        char *end = NULL;
        if (strncmp(line, key, length) != 0)
            continue;
        const double value = strtod(line + length, &end);
        number = end != line + length ? value : number;
        if (length == 0)
            break;
    }
    (void)fclose(file);
    return number;
}

static double number_of_group(const char *root, const char *group, const char *name,
                              const char *key)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/%s", root, group, name);
    return length > 0 && (size_t)length < sizeof path ? number_in(path, key) : -1.0;
}

/* What a control group leaves, its caches counted as free; INFINITY without a limit. */
static double left_in_group(const char *root, const char *group)
{
    const double most = number_of_group(root, group, "memory.max", "");
    const double used = number_of_group(root, group, "memory.current", "");
    if (most < 0.0 || used < 0.0)
        return INFINITY;
    const double caches = fmax(0.0, number_of_group(root, group, "memory.stat", "inactive_file ")) +
                          fmax(0.0, number_of_group(root, group, "memory.stat", "active_file "));
    return fmax(0.0, most - used + caches);
}

/* The control group of this process, "" for the root: the line "0::/PATH" of cgroup v2. */
static void find_group(const char *root, char *group, size_t bytes)
{
    char path[PATH_BYTES];
    group[0] = '\0';
    const int length = snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (file == NULL)
        return;
    while (fgets(path, sizeof path, file) != NULL)
        if (strncmp(path, "0::/", 4) == 0) {
            path[strcspn(path, "\n")] = '\0';
            (void)snprintf(group, bytes, "%s", strcmp(path, "0::/") == 0 ? "" : path + 3);
        }
    (void)fclose(file);
}

double host_memory_available(const char *root)
{
    char path[PATH_BYTES], group[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/proc/meminfo", root);
    if (length < 0 || (size_t)length >= sizeof path)
        return 0.0;
    const double kilobytes = number_in(path, "MemAvailable:");
    double bytes = kilobytes >= 0.0 ? kilobytes * 1024.0 : INFINITY;
    find_group(root, group, sizeof group);
    for (;;) { /* the limits of all groups around it hold too */
        bytes = fmin(bytes, left_in_group(root, group));
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    return isinf(bytes) ? 0.0 : bytes;
}

/* `least` goes before the number. */
static enum status check_bytes(const struct input *input, const char *least, double needed,
                               const char *root)
{
    const double available = host_memory_available(root);
    char needed_text[64], available_text[64];
    if (available <= 0.0 || needed <= available)
        return STATUS_OK;
    text_bytes(needed_text, sizeof needed_text, needed);
    text_bytes(available_text, sizeof available_text, available);
    return fail(STATUS_MEMORY,
                "the run needs %s%s of this machine's memory for %lld x %lld cells and %s are "
                "available (MemAvailable and limits of control groups); use fewer cells%s, or a "
                "machine with more memory",
                least, needed_text, (long long)input->cells[0], (long long)input->cells[1],
                available_text,
                input->run.precision == PRECISION_DOUBLE ? ", run.precision = \"single\"" : "");
}

enum status host_memory_check(const struct plan *plan, bool has_fields, const char *root)
{
    return check_bytes(plan->input, "", host_memory_needed(plan, has_fields), root);
}

enum status host_memory_check_cells(const struct input *input, double cell_bytes, const char *root)
{
    const double cells = (double)input->cells[0] * (double)input->cells[1];
    return check_bytes(input, "at least ", cells * cell_bytes, root);
}
