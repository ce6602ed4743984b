/* Every file call of every change may fail, and the process may be killed at each of them: after a
 * failure there is one message, the exit code 5 and the state from before, after a kill the state
 * from before or after, and in all cases the next change works.
 *
 * usage: test_files CHANGE_FILE SHIM [CHANGE...] */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"
#include "tests/fault/files_case.h"

enum { MOST_CALLS = 300 };

static const char *program, *shim;

static void must(bool good)
{
    if (!good) {
        perror("test_files");
        abort();
    }
}

/* Empties the folder, made if it is not there. */
static void clear_folder(const char *name)
{
    char path[512];
    must(mkdir(name, 0777) == 0 || errno == EEXIST);
    DIR *folder = opendir(name);
    must(folder != NULL);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        (void)snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            must(unlink(path) == 0);
    }
    (void)closedir(folder);
}

/* Copies the one file "old/NAME" to "work/NAME". */
static void copy_old(const char *name)
{
    static char bytes[1 << 20];
    char path[512];
    clear_folder("work");
    (void)snprintf(path, sizeof path, "old/%s", name);
    const int from = open(path, O_RDONLY);
    (void)snprintf(path, sizeof path, "work/%s", name);
    const int to = open(path, O_WRONLY | O_CREAT, 0666);
    const ssize_t got = from >= 0 ? read(from, bytes, sizeof bytes) : -1;
    must(to >= 0 && got > 0 && (size_t)got < sizeof bytes && write(to, bytes, (size_t)got) == got);
    must(close(from) == 0 && close(to) == 0);
}

static void to_file(int number, const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    must(fd >= 0 && dup2(fd, number) >= 0);
}

/* Runs the change with the at-th call failing; the wait status. *fired: there was such a call. */
static int run(const char *change, const char *kind, int at, bool *fired)
{
    (void)unlink("../fired");
    (void)unlink("../shim.so"); /* its own path may have a blank, where LD_PRELOAD would end */
    must(symlink(shim, "../shim.so") == 0);
    const pid_t child = fork();
    if (child == 0) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", at);
        to_file(2, "../stderr.txt");
        if (setenv("SHIM_AT", number, 1) == 0 && setenv("SHIM_KIND", kind, 1) == 0 &&
            setenv("SHIM_FIRED", "../fired", 1) == 0 && setenv("LD_PRELOAD", "../shim.so", 1) == 0)
            (void)execl(program, program, change, (char *)NULL);
        _exit(127);
    }
    int how = 0;
    must(child > 0 && waitpid(child, &how, 0) == child);
    *fired = access("../fired", F_OK) == 0;
    return how;
}

/* The file of messages holds just one line that begins as it must. */
static bool says_one_line(void)
{
    char text[4096];
    const int fd = open("../stderr.txt", O_RDONLY);
    const ssize_t bytes = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        (void)close(fd);
    text[bytes > 0 ? bytes : 0] = '\0';
    const char *end = strchr(text, '\n');
    return strncmp(text, "isotherm: error: ", 17) == 0 && end != NULL && end[1] == '\0';
}

/* Whether the folder holds just these files, separated by blanks, and perhaps `allowed`. */
static bool folder_is(const char *files, const char *allowed)
{
    DIR *folder = opendir(".");
    int found = 0, wanted = 1;
    for (const char *c = files; *c != '\0'; c++)
        wanted += *c == ' ';
    bool is_right = true;
    must(folder != NULL);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.' && (entry->d_name[1] == '\0' || entry->d_name[1] == '.'))
            continue;
        if (strstr(files, entry->d_name) != NULL)
            found++;
        else if (strcmp(entry->d_name, allowed) != 0)
            is_right = false;
    }
    (void)closedir(folder);
    return is_right && found == wanted;
}

/* ---- the state of each kind of file: -1 when it is broken ---- */

static int64_t frames_of_series(void)
{
    struct series *series = NULL;
    double field[NX * NY];
    if (series_open("run.h5", &series) != STATUS_OK)
        return -1;
    int64_t frames = series_frames(series);
    for (int64_t f = 0; f < frames; f++) {
        bool is_right = series_field(series, f, field) == STATUS_OK &&
                        series_times(series)[f] == (double)f && series_steps(series)[f] == f;
        for (int64_t c = 0; is_right && c < NX * NY; c++)
            is_right = field[c] == value_of(f, c);
        if (!is_right) {
            frames = -1;
            break;
        }
    }
    series_close(series);
    return frames;
}

static int64_t step_of_checkpoint(void)
{
    struct checkpoint checkpoint;
    bool found = false;
    if (checkpoint_find(".", &checkpoint, &found, NULL) != STATUS_OK || !found)
        return -1;
    double field[NX * NY];
    int64_t step = checkpoint.step;
    const struct checkpoint_section *section = checkpoint_section(&checkpoint, "temperature");
    bool is_right = section != NULL &&
                    checkpoint_read(&checkpoint, section, 0, sizeof field, field) == STATUS_OK;
    for (int64_t c = 0; is_right && c < NX * NY; c++)
        is_right = field[c] == value_of(step, c);
    checkpoint_close(&checkpoint);
    return is_right ? step : -1;
}

static int64_t rows_of_probes(void)
{
    struct stat about;
    /* "time_s,centre_K\n" and "N,1\n" */
    if (stat("probes.csv", &about) != 0 || (about.st_size - 16) % 4 != 0)
        return -1;
    return (about.st_size - 16) / 4;
}

/* ---- the changes ---- */

struct change {
    const char *name;
    const char *old_files, *new_files; /* before, and after it was made */
    const char *
        left; /* what a kill, or a failure in the last phase, may leave: the next call sees to it */
    int64_t old_state, new_state;
    int64_t (*state)(void);
    enum status (*go_on)(void); /* the next change, from either state */
    int64_t state_then;
};

static enum status go_on_with_series(void)
{
    const struct snapshot_spec spec = case_spec();
    TRY(snapshot_cut(&spec, CUT_FRAMES));
    return case_append(CUT_FRAMES);
}

static enum status start_series(void)
{
    const struct snapshot_spec spec = case_spec();
    TRY(snapshot_create(&spec));
    return case_append(0);
}

static enum status go_on_with_checkpoints(void)
{
    return case_checkpoint(NEW_STEP + 1);
}

static enum status go_on_with_probes(void)
{
    TRY(probes_cut("probes.csv", OLD_ROWS));
    return probes_append("probes.csv", OLD_ROWS, (const double[]){1.0}, 1);
}

static const struct change changes[] = {
    {"checkpoint", "checkpoint-10.h5", "checkpoint-20.h5", ".checkpoint-20.h5.new", OLD_STEP,
     NEW_STEP, step_of_checkpoint, go_on_with_checkpoints, NEW_STEP + 1},
    {"append", "run.h5", "run.h5", "run.h5.journal", OLD_FRAMES, OLD_FRAMES + 1, frames_of_series,
     go_on_with_series, CUT_FRAMES + 1},
    {"cut", "run.h5", "run.h5", "run.h5.journal", OLD_FRAMES, CUT_FRAMES, frames_of_series,
     go_on_with_series, CUT_FRAMES + 1},
    {"create", "run.h5", "run.h5", "run.h5.new", OLD_FRAMES, 0, frames_of_series, start_series, 1},
    {"probes", "probes.csv", "probes.csv", "", OLD_ROWS, OLD_ROWS + 1, rows_of_probes,
     go_on_with_probes, OLD_ROWS + 1},
};

/* Folder "old" with the files as they are before. */
static void make_old(const struct change *change)
{
    clear_folder("old");
    must(chdir("old") == 0);
    const struct snapshot_spec spec = case_spec();
    bool good = true;
    if (strcmp(change->name, "checkpoint") == 0) {
        good = case_checkpoint(OLD_STEP) == STATUS_OK;
    } else if (strcmp(change->name, "probes") == 0) {
        good = probes_create("probes.csv", probe_names, 1) == STATUS_OK;
        for (int row = 0; row < OLD_ROWS && good; row++)
            good = probes_append("probes.csv", row, (const double[]){1.0}, 1) == STATUS_OK;
    } else {
        good = snapshot_create(&spec) == STATUS_OK;
        for (int64_t frame = 0; frame < OLD_FRAMES && good; frame++)
            good = case_append(frame) == STATUS_OK;
    }
    must(good && chdir("..") == 0);
}

static bool check_outcome(const struct change *change, const char *kind, int how)
{
    /* A write that was interrupted or short goes on; a failed fsync is final (after it the kernel
     * may have dropped the data and answer 0: Rebello et al. 2020, "Can applications recover from
     * fsync failures?"). */
    const bool must_pass = strcmp(kind, "WRITE_EINTR") == 0 || strcmp(kind, "SHORT") == 0;
    const bool must_fail = strcmp(kind, "FSYNC_EIO") == 0;
    if (WIFEXITED(how) &&
        ((must_pass && WEXITSTATUS(how) != 0) || (must_fail && !WEXITSTATUS(how))))
        return false;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return change->state() == change->new_state && folder_is(change->new_files, "");
    if (WIFEXITED(how)) {
        /* A failure after the journal was written is finished by the next call, so the journal and
         * the state after the change are right too. A row of probes is there, wholly, when only its
         * close failed. */
        const bool is_begun = access("run.h5.journal", F_OK) == 0;
        const bool may_be_new = is_begun || strcmp(change->name, "probes") == 0;
        const int64_t state = change->state();
        return WEXITSTATUS(how) == 5 && says_one_line() &&
               (state == change->old_state || (may_be_new && state == change->new_state)) &&
               folder_is(change->old_files, is_begun ? "run.h5.journal" : "");
    }
    if (WTERMSIG(how) != SIGKILL)
        return false;
    /* In the middle of a block or a row: what is there may only be whole again after the next call.
     */
    if (strcmp(kind, "KILL_WITHIN") == 0 && strcmp(change->name, "checkpoint") != 0)
        return true;
    const int64_t state = change->state();
    return state == change->old_state || state == change->new_state;
}

static void every_call_may_fail(const struct change *change, const char *kind)
{
    bool fired = true;
    int at = 0, bad = 0;
    while (fired && at < MOST_CALLS) {
        at++;
        copy_old(change->old_files);
        must(chdir("work") == 0);
        const int how = run(change->name, kind, at, &fired);
        bool good = check_outcome(change, fired ? kind : "none", how);
        error_clear();
        good = good && change->go_on() == STATUS_OK && change->state() == change->state_then;
        if (strcmp(change->name, "checkpoint") == 0)
            good = good && folder_is("checkpoint-21.h5", "");
        else
            good = good && folder_is(change->old_files, "");
        if (!good) {
            (void)printf("%s, %s at call %d: status %x, %s\n", change->name, kind, at,
                         (unsigned)how, error_message());
            bad++;
        }
        error_clear();
        must(chdir("..") == 0);
    }
    CHECK_EQUAL_INT(bad, 0);
    CHECK(at > 1 && at < MOST_CALLS); /* the shim was at work, and came to an end */
    (void)printf("%s, %s: %d calls\n", change->name, kind, at - 1);
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"ENOSPC",     "EIO",         "EINTR",       "EMFILE",
                                        "FULL",       "SHORT",       "WRITE_EINTR", "KILL_BEFORE",
                                        "KILL_AFTER", "KILL_WITHIN", "FSYNC_EIO"};
    if (argc < 3)
        check_skip("needs the program under test and the shim");
    program = argv[1];
    shim = argv[2];
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        if (argc > 3 && strcmp(argv[3], changes[c].name) != 0)
            continue;
        make_old(&changes[c]);
        /* Only checkpoints are made durable. */
        const size_t count = sizeof kinds / sizeof kinds[0] - (c == 0 ? 0 : 1);
        for (size_t k = 0; k < count; k++)
            every_call_may_fail(&changes[c], kinds[k]);
    }
    return check_result();
}
