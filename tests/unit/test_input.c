#include "io/input.h"
#include "tests/check.h"

#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

/* A whole input, apart from what a case adds. */
#define START                                                                                      \
    "domain = { size = [0.2, 0.1]; cells = [20, 10]; };\n"                                         \
    "materials = ( { name = \"copper\"; conductivity = 401; density = 8960; heat_capacity = 385; " \
    "} );\n"                                                                                       \
    "initial = { temperature = 293.15; };\n"
#define TIME "time = { end = 1.0; };\n"

/* Writes the file and hands out its name. */
static const char *file_of(const char *name, const char *text, size_t bytes)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(text, 1, bytes, file) != bytes || fclose(file) != 0) {
        (void)printf("%s cannot be written here\n", name);
        exit(EXIT_FAILURE);
    }
    return name;
}

static bool read_text(const char *text, struct input *input)
{
    const bool is_read =
        check_status(input_read(file_of("case.cfg", text, strlen(text)), NULL, 0, input), STATUS_OK,
                     "input_read", __FILE__, __LINE__);
    error_clear();
    return is_read;
}

static void expect_failure(const char *text, size_t bytes, const char *message)
{
    struct input input;
    CHECK_FAILS(input_read(file_of("case.cfg", text, bytes), NULL, 0, &input), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), message);
    CHECK(input.path == NULL && input.materials == NULL);
    input_free(&input);
    error_clear();
}

static void defaults_fill_in(void)
{
    struct input input;
    if (!read_text(START TIME, &input))
        return;
    CHECK_EQUAL_TEXT(input.title, "");
    CHECK_EQUAL_TEXT(input.path, "case.cfg");
    CHECK_EQUAL_TEXT(input.text, START TIME);
    CHECK_EQUAL_DOUBLE(input.size[0], 0.2);
    CHECK_EQUAL_INT(input.cells[1], 10);
    CHECK_EQUAL_INT(input.material_count, 1);
    CHECK_EQUAL_DOUBLE(input.materials[0].conductivity[1].number, 401.0);
    CHECK_EQUAL_INT(input.fixed_count, 0);
    CHECK_EQUAL_INT(input.initial_temperature.kind, FIELD_NUMBER);
    CHECK_EQUAL_DOUBLE(input.initial_temperature.number, 293.15);
    for (int side = 0; side < SIDE_COUNT; side++)
        CHECK_EQUAL_INT(input.boundary[side].type, BOUNDARY_INSULATED);
    CHECK_EQUAL_DOUBLE(input.time.step, 0.0);
    CHECK_EQUAL_DOUBLE(input.time.safety, 0.9);
    CHECK_EQUAL_TEXT(input.output.directory, "out/case");
    CHECK_EQUAL_DOUBLE(input.output.interval, 0.0);
    CHECK_EQUAL_INT(input.checkpoint.keep, 2);
    CHECK(input.checkpoint.interval.is_wall);
    CHECK_EQUAL_DOUBLE(input.checkpoint.interval.seconds, 600.0);
    CHECK_EQUAL_INT(input.run.ranks, 0);
    CHECK_EQUAL_INT(input.run.layout[0], 0);
    CHECK_EQUAL_DOUBLE(input.run.wall_time, 0.0);
    input_free(&input);
}

static void every_setting_arrives(void)
{
    static const char text[] =
        "title = \"All \\\"settings\\\"\";\n"
        "domain = { size = [1, 2.5]; cells = [4, 5.0]; };\n"
        "materials = ( { name = \"m\"; conductivity = [1, 2.0]; density = 3; heat_capacity = 4; } "
        ");\n"
        "fixed = ( { region = { side = \"top\"; }; },\n"
        "  { region = { from = [0, 0]; to = [0.5, 1.0]; }; temperature = -5; } );\n"
        "initial = { temperature = \"300 +\n  x*y\"; };\n"
        "boundary = { left = { type = \"temperature\"; value = 1; };\n"
        "  right = { type = \"convection\"; coefficient = 2; ambient = 3; };\n"
        "  bottom = { type = \"periodic\"; }; top = { type = \"periodic\"; }; };\n"
        "time = { start = -1; end = 1e3; step = 0.5; safety = 1; scheme = \"euler\"; };\n"
        "output = { directory = \"somewhere\"; interval = 10; precision = \"single\";\n"
        "  compression = \"small\"; probes = ( { name = \"p\"; at = [0.5, 2.5]; interval = 2; } ); "
        "};\n"
        "checkpoint = { interval = \"0.5 s\"; keep = 7; on_error = \"continue\"; };\n"
        "run = { ranks = 6; layout = [3, 2]; backend = \"cpu\"; precision = \"single\";\n"
        "  transport = \"host\"; steps_per_exchange = 8; wall_time = \"3 h 50 min\"; hang_time = "
        "0; };\n";
    struct input input;
    if (!read_text(text, &input))
        return;
    CHECK_EQUAL_TEXT(input.title, "All \"settings\"");
    CHECK_EQUAL_INT(input.cells[1], 5);
    CHECK_EQUAL_DOUBLE(input.materials[0].conductivity[0].number, 1.0);
    CHECK_EQUAL_DOUBLE(input.materials[0].conductivity[1].number, 2.0);
    CHECK_EQUAL_INT(input.fixed_count, 2);
    CHECK(input.fixed[0].is_side && !input.fixed[0].has_temperature);
    CHECK_EQUAL_INT(input.fixed[0].side, SIDE_TOP);
    CHECK(!input.fixed[1].is_side && input.fixed[1].has_temperature);
    CHECK_EQUAL_DOUBLE(input.fixed[1].to[1], 1.0);
    CHECK_EQUAL_DOUBLE(input.fixed[1].temperature, -5.0);
    CHECK_EQUAL_INT(input.initial_temperature.kind, FIELD_EXPRESSION);
    CHECK_EQUAL_TEXT(input.initial_temperature.expression, "300 +   x*y");
    CHECK_EQUAL_TEXT(input.initial_temperature.where, "case.cfg:6: initial.temperature");
    CHECK_EQUAL_INT(input.boundary[SIDE_LEFT].type, BOUNDARY_TEMPERATURE);
    CHECK_EQUAL_DOUBLE(input.boundary[SIDE_LEFT].value.number, 1.0);
    CHECK_EQUAL_DOUBLE(input.boundary[SIDE_RIGHT].coefficient.number, 2.0);
    CHECK_EQUAL_DOUBLE(input.boundary[SIDE_RIGHT].ambient.number, 3.0);
    CHECK_EQUAL_INT(input.boundary[SIDE_TOP].type, BOUNDARY_PERIODIC);
    CHECK_EQUAL_DOUBLE(input.time.start, -1.0);
    CHECK_EQUAL_DOUBLE(input.time.end, 1000.0);
    CHECK_EQUAL_DOUBLE(input.time.step, 0.5);
    CHECK_EQUAL_TEXT(input.time.step_where, "case.cfg:11: time.step");
    CHECK_EQUAL_TEXT(input.output.directory, "somewhere");
    CHECK_EQUAL_INT(input.output.precision, PRECISION_SINGLE);
    CHECK_EQUAL_INT(input.output.compression, COMPRESSION_SMALL);
    CHECK_EQUAL_INT(input.output.probe_count, 1);
    CHECK_EQUAL_DOUBLE(input.output.probes[0].at[1], 2.5);
    CHECK(!input.checkpoint.interval.is_wall);
    CHECK_EQUAL_DOUBLE(input.checkpoint.interval.seconds, 0.5);
    CHECK_EQUAL_INT(input.checkpoint.on_error, ON_ERROR_CONTINUE);
    CHECK_EQUAL_INT(input.run.ranks, 6);
    CHECK_EQUAL_INT(input.run.layout[0], 3);
    CHECK_EQUAL_INT(input.run.backend, BACKEND_CPU);
    CHECK_EQUAL_INT(input.run.transport, TRANSPORT_HOST);
    CHECK_EQUAL_INT(input.run.steps_per_exchange, 8);
    CHECK_EQUAL_DOUBLE(input.run.wall_time, 13800.0);
    CHECK_EQUAL_DOUBLE(input.run.hang_time, 0.0);
    input_free(&input);
}

/* Numbers that libconfig 1.5 reads wrong or not at all. */
static void numbers_are_what_they_say(void)
{
    struct input input;
    if (read_text("domain = { size = (1, 2.0); cells = [3000000000, 1]; };\n"
                  "materials = ( { name = \"m\"; conductivity = 0.001; density = 1;\n"
                  "  heat_capacity = +1.5E+1; } );\n"
                  "initial = { temperature = .5; }; time = { end = 5.; };\n",
                  &input)) {
        CHECK_EQUAL_INT(input.cells[0], 3000000000);
        CHECK_EQUAL_DOUBLE(input.size[0], 1.0);
        CHECK_EQUAL_DOUBLE(input.materials[0].conductivity[0].number, 0.001);
        CHECK_EQUAL_DOUBLE(input.materials[0].heat_capacity.number, 15.0);
        CHECK_EQUAL_DOUBLE(input.initial_temperature.number, 0.5);
        CHECK_EQUAL_DOUBLE(input.time.end, 5.0);
    }
    input_free(&input);
}

static void line_ends_and_marks_do_not_matter(void)
{
    static const char text[] = "\xEF\xBB\xBF# Windows\r\ntitle = \"W\xc3\xa4rme\";\r\n" START
                               "time = { end = 1.0; }; // no newline at the end";
    struct input input;
    if (read_text(text, &input)) {
        CHECK_EQUAL_TEXT(input.title, "W\xc3\xa4rme");
        CHECK(strchr(input.text, '\r') == NULL);
    }
    input_free(&input);
}

static void locale_does_not_matter(void)
{
    struct input input;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL) {
        (void)printf("no locale with a decimal comma here\n");
        return;
    }
    if (read_text(START "time = { end = 0.25; };\n", &input)) {
        char text[64] = "";
        FILE *file = tmpfile();
        CHECK_EQUAL_DOUBLE(input.time.end, 0.25);
        CHECK_EQUAL_DOUBLE(input.size[0], 0.2);
        CHECK_OK(input_write(&input, file));
        rewind(file);
        CHECK(fgets(text, sizeof text, file) != NULL && fgets(text, sizeof text, file) != NULL &&
              fgets(text, sizeof text, file) != NULL);
        CHECK_EQUAL_TEXT(text, "  size = [0.2, 0.1];\n");
        (void)fclose(file);
    }
    input_free(&input);
    (void)setlocale(LC_ALL, "C");
}

static void what_is_no_text_is_refused(void)
{
    expect_failure("", 0, "case.cfg: there are no settings");
    expect_failure("# only a comment", 16, "case.cfg: there are no settings");
    expect_failure("title = \"a\";\nb = \0;\n", 20, "case.cfg:2: a zero byte");
    expect_failure("title = \"a\";\n# W\xe4rme\n", 20, "case.cfg:2: not UTF-8");
    expect_failure("\xff\xfet\0i\0", 6, "case.cfg:1: a zero byte; an input is a text in UTF-8");
    expect_failure("title = \"\\x00\";\n", 16, "case.cfg:1: \\x00 cannot be part of a text");
    expect_failure("@include", 8, "case.cfg:1: @include needs a path");
}

static void what_is_no_file_is_refused(void)
{
    struct input input;
    CHECK_FAILS(input_read("missing.cfg", NULL, 0, &input), STATUS_FILE);
    CHECK_CONTAINS(error_message(), "missing.cfg: cannot be opened: No such file");
    error_clear();
    CHECK_FAILS(input_read(".", NULL, 0, &input), STATUS_INPUT);
    CHECK_CONTAINS(error_message(), "not a regular file but a directory");
    error_clear();
    (void)unlink("fifo.cfg");
    if (mkfifo("fifo.cfg", 0600) == 0) { /* nobody writes: a plain open would wait for ever */
        CHECK_FAILS(input_read("fifo.cfg", NULL, 0, &input), STATUS_INPUT);
        CHECK_CONTAINS(error_message(), "fifo.cfg: not a regular file");
        error_clear();
        expect_failure("@include \"fifo.cfg\"\n", 19, "fifo.cfg: not a regular file");
    }
}

static void size_and_count_have_limits(void)
{
    const size_t bytes = 16 * 1024 * 1024 + 1;
    char *text = malloc(bytes + 1);
    if (text == NULL)
        exit(EXIT_FAILURE);
    memset(text, ' ', bytes);
    expect_failure(text, bytes, "an input has at most 16777216");
    memset(text, '(', 100);
    memcpy(text, "title = ", 8);
    expect_failure(text, 100, "case.cfg:1: more than 32 brackets");
    size_t used = 0;
    for (int i = 0; i < 1001; i++)
        used += (size_t)sprintf(text + used, "a%d = 1;\n", i);
    expect_failure(text, used, "case.cfg:1001: more than 1000 settings in one group");
    used = (size_t)sprintf(text, "title = (\n");
    for (int i = 0; i < 20001; i++)
        used += (size_t)sprintf(text + used, "1,\n");
    expect_failure(text, used, "case.cfg:20001: more than 20000 settings");
    memset(text, 'x', 100000);
    memcpy(text, "title = \"", 9);
    expect_failure(text, 100000, "case.cfg:1: a text of more than 65536 bytes");
    used = (size_t)sprintf(text, "title = ");
    memset(text + used, '9', 1000);
    expect_failure(text, used + 1000, "case.cfg:1: a number of 1000 characters");
    /* Not a number in sight of the limits, and still quick. */
    used = (size_t)sprintf(text, "%s", START TIME "output = { probes = (\n");
    for (int i = 0; i < 3000; i++)
        used +=
            (size_t)sprintf(text + used, "%s { name = \"p%d\"; at = [0.1, 0.05]; interval = 1; }\n",
                            i > 0 ? "," : "", i);
    (void)sprintf(text + used, "); };\n");
    struct input input;
    if (read_text(text, &input))
        CHECK_EQUAL_INT(input.output.probe_count, 3000);
    input_free(&input);
    free(text);
}

/* Ten, by their lines through all includes, though settings are read in another order. */
static void not_all_of_many_mistakes_are_told(void)
{
    static const char text[] = "time = { end = true; };\n@include \"more.cfg\"\n";
    char more[2048];
    size_t used = (size_t)sprintf(more, "%s", START "output = { probes = (\n");
    for (int i = 0; i < 12; i++)
        used += (size_t)sprintf(more + used, "%s{ name = \"p\"; at = 1; interval = 1; }\n",
                                i > 0 ? "," : "");
    used += (size_t)sprintf(more + used, "); };\n");
    (void)file_of("more.cfg", more, used);
    struct input input;
    CHECK_FAILS(input_read(file_of("case.cfg", text, strlen(text)), NULL, 0, &input), STATUS_INPUT);
    CHECK_EQUAL_INT(error_count(), 10);
    CHECK_CONTAINS(error_message_at(0), "case.cfg:1: time.end");
    CHECK_CONTAINS(error_message_at(1), "more.cfg:5: output.probes.[0].at");
    CHECK_CONTAINS(error_message_at(9), "more.cfg:13: output.probes.[8].at");
    CHECK(error_is_cut());
    error_clear();
}

static void includes_keep_their_lines(void)
{
    static const char inner[] = "# one\nmaterials = ( { name = \"m\"; conductivity = 1;\n"
                                "  density = 0; heat_capacity = 1; } );";
    static const char outer[] = "@include \"data/second.cfg\"\ntime = { end = 1; };\n";
    static const char second[] = "  @include \"third.cfg\" # relative to this file\n"
                                 "initial = { temperature = 1; };\n";
    (void)mkdir("data", 0700);
    (void)file_of("data/third.cfg", inner, strlen(inner));
    (void)file_of("data/second.cfg", second, strlen(second));
    expect_failure(outer, strlen(outer), "case.cfg: domain.size");
    static const char domain[] = "domain = { size = [1, 1]; cells = [1, 1]; };\n"
                                 "@include \"data/second.cfg\"\ntime = { end = 1; };\n"
                                 "run = { ranks = 0; };\n";
    expect_failure(domain, strlen(domain), "data/third.cfg:3: materials.[0].density: 0 is out");
    static const char good[] = "materials = ( { name = \"m\"; conductivity = 1;\n"
                               "  density = 1; heat_capacity = 1; } );";
    (void)file_of("data/third.cfg", good, strlen(good));
    expect_failure(domain, strlen(domain), "case.cfg:4: run.ranks: 0 is out of range");
    static const char whole[] = "domain = { size = [1, 1]; cells = [1, 1]; };\n"
                                "@include \"data/second.cfg\"\ntime = { end = 1; };\n";
    struct input input;
    if (read_text(whole, &input)) {
        CHECK_EQUAL_TEXT(input.initial_temperature.where, "data/second.cfg:2: initial.temperature");
        CHECK(strstr(input.text, "@include") == NULL);
        CHECK_CONTAINS(input.text, "density = 1");
    }
    input_free(&input);
    /* Nothing leads out: no sibling whose name starts alike or is as long, and no link. */
    static const char *const siblings[] = {"date", "data2"};
    for (int i = 0; i < 2; i++) {
        char path[64], text[128];
        struct input refused;
        (void)mkdir(siblings[i], 0700);
        (void)snprintf(path, sizeof path, "%s/x.cfg", siblings[i]);
        (void)file_of(path, whole, strlen(whole));
        (void)snprintf(text, sizeof text, "@include \"../%s\"\n", path);
        CHECK_FAILS(input_read(file_of("data/out.cfg", text, strlen(text)), NULL, 0, &refused),
                    STATUS_INPUT);
        CHECK_CONTAINS(error_message(), "data/out.cfg:1: @include \"data/../");
        CHECK_CONTAINS(error_message(), "only files below the input file's own");
        error_clear();
    }
    (void)unlink("link.cfg");
    if (symlink("/etc/passwd", "link.cfg") == 0)
        expect_failure("@include \"link.cfg\"\n", 19, "only files below the input file's own");
    expect_failure("@include \"/etc/passwd\"\n", 23, "only files below the input file's own");
}

static void files_lie_beside_the_input(void)
{
    char here[4096], expected[4200];
    static const char text[] =
        "initial = { temperature = { file = \"t.dat\"; from_top = true; }; };\n"
        "domain = { size = [1, 1]; cells = [1, 1]; }; time = { end = 1; };\n"
        "materials = ( { name = \"m\"; conductivity = 1; density = 1;"
        " heat_capacity = 1; } );";
    struct input input;
    if (getcwd(here, sizeof here) == NULL)
        exit(EXIT_FAILURE);
    (void)snprintf(expected, sizeof expected, "%s/data/t.dat", here);
    (void)mkdir("data", 0700);
    if (CHECK_OK(input_read(file_of("data/file.cfg", text, strlen(text)), NULL, 0, &input))) {
        CHECK_EQUAL_TEXT(input.initial_temperature.file, expected);
        CHECK(input.initial_temperature.dataset == NULL && input.initial_temperature.from_top);
        CHECK_EQUAL_TEXT(input.initial_temperature.where, "data/file.cfg:1: initial.temperature");
    }
    input_free(&input);
}

static void set_goes_over_the_file(void)
{
    static const struct {
        const char *set, *message; /* NULL: fine */
    } cases[] = {
        {"time.end=2", NULL},
        {"run.backend=cpu", NULL},
        {"domain.cells.[0]=7", NULL},
        {"boundary.left={ type = \"flux\"; value = 1; }", NULL},
        {"fixed.[0].region.side=left", NULL},
        {"initial.temperature=300 + x", NULL},
        {"title=", NULL},
        {"time.ende=2", "--set: time.ende: unknown setting; did you mean end?"},
        {"time.end=", "--set: time.end: a number is meant, not the text \"\""},
        {"title=\xff", "not UTF-8"},
        {"time.end=1; b = 2", "not the text \"1; b = 2\""},
        {"time.end=010", "not the text \"010\""},
        {"time.end=-1", "--set: time.end: -1 s lies before"},
        {"time.end.x=1", "--set time.end.x=1: x is a member of a group"},
        {"fixed.[3].temperature=1", "there is no [3]; the list has 0 elements"},
        {"time.[0]=1", "[0] is an element of a list, but this is a group"},
        {"boundary.left.type=flux", "--set: boundary.left.type: boundary.left.value is missing and "
                                    "has no default; give it too, with --set "
                                    "boundary.left.value=..."},
        {"boundary.bottom.type=flux", "--set: boundary.bottom.type: boundary.bottom.value is"},
        {"boundary.left.type=fluxx", "--set: boundary.left.type: unknown"},
        {"boundary.left.type=periodic", "--set: boundary.left.type: a periodic side"},
        {"boundary.right.type=insulated",
         "--set: boundary.right.type: case.cfg:5: boundary.right.value has no place with this "
         "type; "
         "give the whole group, with --set 'boundary.right={ type = \"insulated\"; ... }'"},
        {"boundary.left.value=3", "--set: boundary.left.value: has no place with this type"},
        {"time", "write path=value"},
        {"=1", "write path=value"},
        {".end=1", "no path"},
        {"time.end\n=1", "no path"},
    };
    static const char sides[] = START "boundary = { left = { type = \"insulated\"; };\n"
                                      "right = { type = \"flux\"; value = 1; }; };\n" TIME;
    (void)file_of("case.cfg", sides, strlen(sides));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct input input;
        const enum status expected = cases[i].message == NULL ? STATUS_OK : STATUS_INPUT;
        CHECK_FAILS(input_read("case.cfg", &cases[i].set, 1, &input), expected);
        CHECK_EQUAL_INT(error_count(), cases[i].message != NULL ? 1 : 0);
        if (cases[i].message != NULL)
            CHECK_CONTAINS(error_message(), cases[i].message);
        input_free(&input);
        error_clear();
    }
    static const char *const both[] = {"boundary.left.type=insulated", "boundary.left.value=1"};
    struct input refused;
    CHECK_FAILS(input_read("case.cfg", both, 2, &refused), STATUS_INPUT);
    CHECK_EQUAL_TEXT(error_message(),
                     "--set: boundary.left.value: has no place with this type; remove it");
    error_clear();
    static const char *const sets[] = {"time.end=2", "time.end=3", "domain.cells.[1]=7",
                                       "initial.temperature=300 + x", "run.layout=[2, 1]"};
    struct input input;
    if (CHECK_OK(input_read("case.cfg", sets, 5, &input))) {
        CHECK_EQUAL_DOUBLE(input.time.end, 3.0);
        CHECK_EQUAL_INT(input.cells[0], 20);
        CHECK_EQUAL_INT(input.cells[1], 7);
        CHECK_EQUAL_INT(input.run.layout[0], 2);
        CHECK_EQUAL_TEXT(input.initial_temperature.expression, "300 + x");
        CHECK_EQUAL_TEXT(input.initial_temperature.where, "--set: initial.temperature");
    }
    input_free(&input);
}

/* What input_write() makes of an input file; the caller frees it. */
static char *written(const char *path, const char *const sets[], int set_count)
{
    struct input input;
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL)
        exit(EXIT_FAILURE);
    if (CHECK_OK(input_read(path, sets, set_count, &input)))
        CHECK_OK(input_write(&input, file));
    input_free(&input);
    (void)fclose(file);
    return text;
}

static void a_written_input_reads_back(void)
{
    static const char *const sets[] = {
        "title=tab-free \"quotes\" \\ and umlauts: \xc3\xa4",
        "time.end=0.1234567890123456789",
        "materials.[0].conductivity=[0.1, 0.30000000000000004]",
        "checkpoint.interval=1e-5 s wall",
        "domain.cells=[3000000000, 3]",
        "fixed=({ region = { side = \"left\"; }; }, { region = { from = [0, 0]; to = [0.1, 0.1]; "
        "}; "
        "temperature = 1; })",
        "boundary.left={ type = \"convection\"; coefficient = 1; ambient = 2; }",
        "output.probes=({ name = \"a b\"; at = [0.1, 0.05]; interval = 0.1; })",
    };
    (void)file_of("case.cfg", START TIME, strlen(START TIME));
    char *first = written("case.cfg", sets, sizeof sets / sizeof sets[0]);
    (void)file_of("again.cfg", first, strlen(first));
    char *second = written("again.cfg", NULL, 0);
    CHECK_EQUAL_TEXT(first, second);
    CHECK_CONTAINS(first, "cells = [3000000000, 3];");
    struct input input;
    if (CHECK_OK(input_read("again.cfg", NULL, 0, &input))) {
        CHECK_EQUAL_TEXT(input.title, "tab-free \"quotes\" \\ and umlauts: \xc3\xa4");
        CHECK_EQUAL_DOUBLE(input.time.end, 0.1234567890123456789);
        CHECK_EQUAL_DOUBLE(input.materials[0].conductivity[1].number, 0.30000000000000004);
        CHECK(input.checkpoint.interval.is_wall);
        CHECK_EQUAL_DOUBLE(input.checkpoint.interval.seconds, 1e-5);
        CHECK_EQUAL_INT(input.fixed_count, 2);
    }
    input_free(&input);
    free(first);
    free(second);
}

static void only_what_changes_the_run_differs(void)
{
    static const struct {
        const char *set, *difference; /* NULL: none */
    } cases[] = {
        {"title=other", NULL},
        {"run.ranks=3", NULL},
        {"time.end=2", NULL},
        {"output.interval=0.5", "output.interval: "},
        {"checkpoint.keep=5", NULL},
        {"run.precision=single", "run.precision: \"double\" in the checkpoint, \"single\" now"},
        {"boundary.left.value=310", "boundary.left.value: 300.0 in the checkpoint, 310.0 now"},
        {"boundary.left={ type = \"insulated\"; }", "boundary.left.type: \"temperature\" in the"},
        {"boundary.right={ type = \"flux\"; value = 1; }", "boundary.right.type: \"insulated\" in"},
        {"domain.cells=[20, 11]", "domain.cells.[1]: 10 in the checkpoint, 11 now"},
        {"fixed=({ region = { side = \"left\"; }; })", "fixed: "},
        {"initial.temperature=x", "initial.temperature: 293.15 in the checkpoint, \"x\" now"},
    };
    static const char base[] =
        START TIME "boundary = { left = { type = \"temperature\"; value = 300; }; };\n";
    (void)file_of("case.cfg", base, strlen(base));
    char *before = written("case.cfg", NULL, 0), difference[256];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *now = written("case.cfg", &cases[i].set, 1);
        const bool differs = input_differs(before, now, difference, sizeof difference);
        if (CHECK(differs == (cases[i].difference != NULL)) && differs)
            CHECK_CONTAINS(difference, cases[i].difference);
        free(now);
    }
    double end = 0.0;
    CHECK_OK(input_end(before, &end));
    CHECK_EQUAL_DOUBLE(end, 1.0);
    CHECK(input_differs("garbage {", before, difference, sizeof difference));
    CHECK_CONTAINS(difference, "cannot be read");
    CHECK_EQUAL_TEXT(error_message(), "");
    free(before);
}

/* ---- the files of inputs/ ---- */

/* The root of the sources, from the place of this file. */
int main(void)
{
    defaults_fill_in();
    every_setting_arrives();
    numbers_are_what_they_say();
    line_ends_and_marks_do_not_matter();
    locale_does_not_matter();
    what_is_no_text_is_refused();
    what_is_no_file_is_refused();
    size_and_count_have_limits();
    not_all_of_many_mistakes_are_told();
    includes_keep_their_lines();
    files_lie_beside_the_input();
    set_goes_over_the_file();
    a_written_input_reads_back();
    only_what_changes_the_run_differs();
    return check_result();
}
