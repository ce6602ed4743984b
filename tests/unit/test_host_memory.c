/* What a run takes of the host's memory, and what there is: read from made-up /proc and /sys. */
#define _GNU_SOURCE /* nftw */

#include "solver/host_memory.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>

#include "tests/check.h"
#include "tests/unit/plan_input.h"

static const double MB = 1048576.0;

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

static void make_file(const char *path, const char *text)
{
    char folder[300];
    (void)snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        CHECK(mkdir(folder, 0777) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL))
        CHECK(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void start_root(void)
{
    (void)nftw("root", remove_one, 8, FTW_DEPTH | FTW_PHYS);
    make_file("root/proc/meminfo", "MemTotal:       2048000 kB\nMemFree:          10240 kB\n"
                                   "MemAvailable:    512000 kB\nBuffers:        6789 kB\n");
}

static void the_system_says_what_is_available(void)
{
    start_root();
    CHECK_EQUAL_DOUBLE(host_memory_available("root"), 500.0 * MB);
    CHECK_EQUAL_DOUBLE(host_memory_available("nowhere"), 0.0);
    CHECK(host_memory_available("") > MB); /* of this machine */
}

/* Of a job in a group in a group; "max" is no limit. */
static void a_control_group_may_allow_less(void)
{
    start_root();
    make_file("root/proc/self/cgroup", "1:name=systemd:/else\n0::/batch/job 7\n");
    make_file("root/sys/fs/cgroup/batch/job 7/memory.max", "max\n");
    make_file("root/sys/fs/cgroup/batch/job 7/memory.current", "1048576\n");
    CHECK_EQUAL_DOUBLE(host_memory_available("root"), 500.0 * MB);
    make_file("root/sys/fs/cgroup/batch/memory.max", "314572800\n");     /* 300 MB */
    make_file("root/sys/fs/cgroup/batch/memory.current", "209715200\n"); /* 200 MB */
    CHECK_EQUAL_DOUBLE(host_memory_available("root"), 100.0 * MB);
    make_file("root/sys/fs/cgroup/batch/memory.stat", /* 50 MB of these give way */
              "anon 157286400\nfile 62914560\ninactive_anon 1\ninactive_file 41943040\n"
              "active_file 10485760\n");
    CHECK_EQUAL_DOUBLE(host_memory_available("root"), 150.0 * MB);
    make_file("root/sys/fs/cgroup/batch/job 7/memory.max", "73400320\n"); /* 70 MB */
    CHECK_EQUAL_DOUBLE(host_memory_available("root"), 69.0 * MB);
    /* A container sees its own group as the root. */
    make_file("root/proc/self/cgroup", "0::/\n");
    make_file("root/sys/fs/cgroup/memory.max", "20971520\n");
    make_file("root/sys/fs/cgroup/memory.current", "1048576\n");
    CHECK_EQUAL_DOUBLE(host_memory_available("root"), 19.0 * MB);
}

static double needed(const struct input *input, bool has_fields)
{
    struct plan plan;
    CHECK_OK(plan_make(input, &backend_cpu, 1, &plan));
    const double bytes = host_memory_needed(&plan, has_fields);
    plan_free(&plan);
    return bytes;
}

/* 1000 x 1000 cells, 8 bytes each: two levels of a rank and two frames, and little else (ghost
 * cells, whole rows, faces). */
static void a_run_takes_levels_and_frames(void)
{
    struct input input = plan_input(1000, 1000);
    const double field = 8e6, hair = 0.05 * field;
    input.run.steps_per_exchange = 1;
    input.run.precision = PRECISION_DOUBLE;
    CHECK_NEAR(needed(&input, true), 4.0 * field, 4.0 * hair);
    CHECK_NEAR(needed(&input, false), 2.0 * field, hair); /* fields on a GPU */
    input.run.ranks = 4;
    CHECK_NEAR(needed(&input, true), 4.0 * field, 8.0 * hair);
    input.run.precision = PRECISION_SINGLE; /* half of it, and the writer's field in kelvin */
    CHECK_NEAR(needed(&input, true), 3.0 * field, 4.0 * hair);
    /* Every rank reads a file of the whole. */
    input.run.precision = PRECISION_DOUBLE;
    input.initial_temperature.kind = FIELD_FILE;
    CHECK_NEAR(needed(&input, true), (2.0 + 1.0 + 4.0) * field, 8.0 * hair);
    /* In single precision the writer too, and each rank narrows what it read. */
    input.run.precision = PRECISION_SINGLE;
    CHECK_NEAR(needed(&input, true), (1.0 + 0.5 + 1.0 + 5.0) * field, 8.0 * hair);
    /* And for a source from a file in double precision: its heat is summed. */
    struct input_source source = {.type = SOURCE_FILE};
    input.run.precision = PRECISION_DOUBLE;
    input.sources = &source;
    input.source_count = 1;
    CHECK_NEAR(needed(&input, false), (1.0 + 5.0) * field, 8.0 * hair);
}

static void a_steady_run_keeps_the_field_of_its_last_look(void)
{
    struct input input = plan_input(1000, 1000);
    input.run.steps_per_exchange = 1;
    input.run.precision = PRECISION_DOUBLE;
    input.time.scheme = SCHEME_RKL2;
    const double before = needed(&input, false);
    input.time.is_steady = true;
    input.time.tolerance = 1e-3;
    CHECK_NEAR(needed(&input, false) - before, 8e6, 1e4);
}

static void what_does_not_fit_is_refused(void)
{
    struct plan plan;
    const struct input input = plan_input(4000, 4000);
    start_root();
    CHECK_OK(plan_make(&input, &backend_cpu, 1, &plan));
    const double bytes = host_memory_needed(&plan, true);
    char text[100];
    (void)snprintf(text, sizeof text, "MemAvailable: %.0f kB\n", bytes / 1024.0 + 1.0);
    make_file("root/proc/meminfo", text);
    CHECK_OK(host_memory_check(&plan, true, "root"));
    (void)snprintf(text, sizeof text, "MemAvailable: %.0f kB\n", bytes / 1024.0 - 1.0);
    make_file("root/proc/meminfo", text);
    CHECK_FAILS(host_memory_check(&plan, true, "root"), STATUS_MEMORY);
    CHECK_CONTAINS(error_message(), "the run needs ");
    CHECK_CONTAINS(error_message(), " MiB of this machine's memory for 4000 x 4000 cells and ");
    error_clear();
    CHECK_OK(host_memory_check(&plan, true, "nowhere")); /* unknown: the run tries */
    plan_free(&plan);
}

int main(void)
{
    the_system_says_what_is_available();
    a_control_group_may_allow_less();
    a_run_takes_levels_and_frames();
    a_steady_run_keeps_the_field_of_its_last_look();
    what_does_not_fit_is_refused();
    return check_result();
}
