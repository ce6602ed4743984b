/* The output directory: made, locked, and what happens to earlier results. Works below the current
 * folder. */
#define _GNU_SOURCE /* nftw */

#include "io/rundir.h"

#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

static void clear(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL))
        CHECK(fputs("text", file) >= 0 && fclose(file) == 0);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* rundir_check() says what rundir_open() would, and makes nothing. */
static void refused(const char *path, enum rundir_mode mode, enum status expected, const char *text)
{
    struct rundir rundir;
    for (int is_check = 1; is_check >= 0; is_check--) {
        CHECK_FAILS(is_check ? rundir_check(path, mode) : rundir_open(path, mode, &rundir),
                    expected);
        CHECK_CONTAINS(error_message(), text);
        error_clear();
    }
    rundir_close(&rundir);
}

static void a_directory_is_made_with_its_parents(void)
{
    struct rundir rundir;
    clear("made");
    CHECK_OK(rundir_check("made/of/many parts/", RUNDIR_NEW));
    CHECK(!is_there("made"));
    CHECK_OK(rundir_open("made/of/many parts/\xc3\xa4", RUNDIR_NEW, &rundir));
    CHECK(is_there("made/of/many parts/\xc3\xa4/run.log"));
    rundir_close(&rundir);
    rundir_close(&rundir);
    CHECK_OK(rundir_open("made/of/../of//many parts/", RUNDIR_NEW, &rundir));
    rundir_close(&rundir);
    char absolute[4096], path[4200];
    CHECK(getcwd(absolute, sizeof absolute) != NULL);
    (void)snprintf(path, sizeof path, "%s/made/absolute", absolute);
    CHECK_OK(rundir_open(path, RUNDIR_NEW, &rundir));
    CHECK(is_there("made/absolute/run.log"));
    rundir_close(&rundir);
    clear("made");
}

static void what_is_no_directory_is_named(void)
{
    clear("in_the_way");
    touch("in_the_way");
    refused("in_the_way", RUNDIR_NEW, STATUS_FILE, "in_the_way is in the way");
    refused("in_the_way/below", RUNDIR_NEW, STATUS_FILE, "in_the_way is in the way");
    clear("in_the_way");
    /* A folder where the log should be. */
    CHECK(mkdir("in_the_way", 0777) == 0 && mkdir("in_the_way/run.log", 0777) == 0);
    refused("in_the_way", RUNDIR_NEW, STATUS_FILE, "in_the_way/run.log: cannot be written");
    clear("in_the_way");
}

static void a_long_name_is_refused_a_long_path_is_not(void)
{
    struct rundir rundir;
    char name[301], path[700];
    memset(name, 'n', 300);
    name[300] = '\0';
    refused(name, RUNDIR_NEW, STATUS_FILE, "output.directory");
    refused(name, RUNDIR_NEW, STATUS_FILE, "name too long");
    (void)snprintf(path, sizeof path, "long/%.200s/%.200s/%.200s", name, name, name);
    clear("long");
    CHECK_OK(rundir_open(path, RUNDIR_NEW, &rundir));
    rundir_close(&rundir);
    clear("long");
}

static void names_are_put_together(void)
{
    char to[10];
    CHECK_OK(rundir_file("out", "a.h5", to, sizeof to));
    CHECK_EQUAL_TEXT(to, "out/a.h5");
    CHECK_OK(rundir_file("outs", "a.h5", to, sizeof to));
    CHECK_FAILS(rundir_file("outer", "a.h5", to, sizeof to), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "too long");
    error_clear();
}

/* Opens the directory in another process: what it gets, and whether its message holds `text`. */
static void another_process_gets(const char *path, enum status expected, const char *text)
{
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        check_counts = (struct check_counts){0};
        refused(path, RUNDIR_RESUME, expected, text);
        (void)fflush(stdout);
        _exit(check_counts.failures);
    }
    int state = 1;
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    CHECK_EQUAL_INT(state, 0);
}

static void one_run_holds_a_directory(void)
{
    struct rundir rundir;
    char holder[64];
    clear("held");
    CHECK_OK(rundir_open("held", RUNDIR_NEW, &rundir));
    (void)snprintf(holder, sizeof holder, "(process %ld)", (long)getpid());
    another_process_gets("held", STATUS_INPUT, holder);
    rundir_log(&rundir, "the log may be written while the lock is held");
    another_process_gets("held", STATUS_INPUT, "is in use by another run");
    rundir_close(&rundir);
    another_process_gets("held", STATUS_OK, "");
    clear("held");
}

/* The lock is gone with its process, however it ends; and a child of the holder does not take it
 * away. */
static void a_killed_run_leaves_no_lock(void)
{
    clear("killed");
    (void)fflush(stdout);
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        struct rundir rundir;
        char byte = rundir_open("killed", RUNDIR_NEW, &rundir) == STATUS_OK ? 'y' : 'n';
        const pid_t grandchild = fork();
        if (grandchild == 0) {
            rundir_close(&rundir);
            _exit(0);
        }
        (void)waitpid(grandchild, NULL, 0);
        if (write(ends[1], &byte, 1) == 1)
            (void)pause();
        _exit(1);
    }
    char byte = 'n';
    CHECK(read(ends[0], &byte, 1) == 1 && byte == 'y');
    another_process_gets("killed", STATUS_INPUT, "is in use by another run");
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    another_process_gets("killed", STATUS_OK, "");
    (void)close(ends[0]);
    (void)close(ends[1]);
    clear("killed");
}

static const char *const results[] = {"run.h5", "run.vtkhdf", "probes.csv", "checkpoint-100.h5"};
enum { RESULTS = sizeof results / sizeof results[0] };

static void make_with_results(const char *path)
{
    char file[300];
    clear(path);
    CHECK(mkdir(path, 0777) == 0);
    for (int r = 0; r < RESULTS; r++) {
        (void)snprintf(file, sizeof file, "%s/%s", path, results[r]);
        touch(file);
    }
    for (int other = 0; other < 3; other++) {
        static const char *const others[] = {"run.cfg", "notes.txt", "run.h5.old"};
        (void)snprintf(file, sizeof file, "%s/%s", path, others[other]);
        touch(file);
    }
}

static int count_results(const char *path)
{
    char file[300];
    int count = 0;
    for (int r = 0; r < RESULTS; r++) {
        (void)snprintf(file, sizeof file, "%s/%s", path, results[r]);
        count += is_there(file);
    }
    return count;
}

static void results_are_kept_unless_told_otherwise(void)
{
    struct rundir rundir;
    make_with_results("results");
    CHECK_FAILS(rundir_open("results", RUNDIR_NEW, &rundir), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "results holds results of an earlier run");
    CHECK_CONTAINS(error_message(), "--resume");
    CHECK_CONTAINS(error_message(), "--overwrite");
    error_clear();
    rundir_close(&rundir);
    CHECK_EQUAL_INT(count_results("results"), RESULTS);
    CHECK_OK(rundir_open("results", RUNDIR_RESUME, &rundir));
    rundir_close(&rundir);
    CHECK_EQUAL_INT(count_results("results"), RESULTS);
    CHECK_OK(rundir_open("results", RUNDIR_OVERWRITE, &rundir));
    CHECK_EQUAL_INT(count_results("results"), RESULTS);
    CHECK_OK(rundir_clear("results"));
    rundir_close(&rundir);
    CHECK_EQUAL_INT(count_results("results"), 0);
    CHECK(is_there("results/run.cfg") && is_there("results/notes.txt") &&
          is_there("results/run.h5.old") && is_there("results/run.log"));
    clear("results");
}

/* Each kind of result alone is in the way. */
static void every_result_counts(void)
{
    char file[300];
    for (int r = 0; r < RESULTS; r++) {
        clear("one");
        CHECK(mkdir("one", 0777) == 0);
        (void)snprintf(file, sizeof file, "one/%s", results[r]);
        touch(file);
        refused("one", RUNDIR_NEW, STATUS_INPUT, results[r]);
        CHECK_OK(rundir_check("one", RUNDIR_OVERWRITE));
        CHECK_OK(rundir_check("one", RUNDIR_RESUME));
        CHECK(is_there(file));
    }
    clear("one");
}

static void what_cannot_be_removed_is_named(void)
{
    clear("stuck");
    CHECK(mkdir("stuck", 0777) == 0 && mkdir("stuck/run.h5", 0777) == 0);
    refused("stuck", RUNDIR_OVERWRITE, STATUS_FILE,
            "stuck/run.h5 is a directory, which --overwrite does not remove; move it away");
    CHECK_FAILS(rundir_clear("stuck"), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "stuck/run.h5: cannot be removed");
    error_clear();
    clear("stuck");
}

static void the_log_gets_lines_with_times(void)
{
    struct rundir rundir;
    char text[300] = "", *newline = NULL;
    clear("logged");
    CHECK_OK(rundir_open("logged", RUNDIR_NEW, &rundir));
    rundir_log(&rundir, "first");
    rundir_close(&rundir);
    rundir_log(&rundir, "dropped");
    CHECK_OK(rundir_open("logged", RUNDIR_RESUME, &rundir));
    rundir_log(&rundir, "second");
    rundir_close(&rundir);
    FILE *file = fopen("logged/run.log", "r");
    if (CHECK(file != NULL)) {
        CHECK(fread(text, 1, sizeof text - 1, file) > 0);
        (void)fclose(file);
    }
    newline = strchr(text, '\n');
    if (CHECK(newline != NULL)) {
        CHECK_EQUAL_INT(newline - text, (int64_t)strlen("2026-01-31T12:00:00Z  first"));
        CHECK_CONTAINS(text, "  first\n");
        CHECK_CONTAINS(newline, "  second\n");
    }
    CHECK(strstr(text, "dropped") == NULL);
    clear("logged");
}

int main(void)
{
    a_directory_is_made_with_its_parents();
    what_is_no_directory_is_named();
    a_long_name_is_refused_a_long_path_is_not();
    names_are_put_together();
    one_run_holds_a_directory();
    a_killed_run_leaves_no_lock();
    results_are_kept_unless_told_otherwise();
    every_result_counts();
    what_cannot_be_removed_is_named();
    the_log_gets_lines_with_times();
    return check_result();
}
