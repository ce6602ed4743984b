/* What entries of lists are to each other: how many the kernels have room for, and contacts. */
#include "io/input.h"
#include "tests/check.h"

/* An input with `count` times `entry` in a list; "%d" in it is its index. */
static void write_list(const char *before, const char *entry, int count, const char *after)
{
    FILE *file = fopen("case.cfg", "w");
    if (file == NULL)
        exit(EXIT_FAILURE);
    (void)fprintf(file,
                  "domain = { size = [0.2, 0.1]; cells = [20, 10]; };\n"
                  "initial = { temperature = 293.15; };\ntime = { end = 1.0; };\n%s\n",
                  before);
    for (int i = 0; i < count; i++) {
        const char *index = strstr(entry, "%d");
        const int front = index != NULL ? (int)(index - entry) : (int)strlen(entry);
        (void)fprintf(file, "%s%.*s", i > 0 ? ",\n" : "", front, entry);
        if (index != NULL)
            (void)fprintf(file, "%d%s", i, index + 2);
    }
    (void)fprintf(file, "%s\n", after);
    if (fclose(file) != 0)
        exit(EXIT_FAILURE);
}

/* One that is not there would be told beside another mistake. */
static void make_file(const char *name)
{
    FILE *file = fopen(name, "w");
    if (file == NULL || fclose(file) != 0)
        exit(EXIT_FAILURE);
}

static void lists_have_their_most(void)
{
    static const char one[] = "materials = ( { name = \"m\"; conductivity = 1; density = 1; "
                              "heat_capacity = 1; } );\nsources = (\n";
    static const struct {
        const char *before, *entry;
        int most;
        const char *message;
    } cases[] = {
        {"materials = (\n", "{ name = \"m%d\"; conductivity = 1; density = 1; heat_capacity = 1; }",
         64, "case.cfg:4: materials: 65 materials; 1 to 64 are possible"},
        {one, "{ type = \"uniform\"; power_density = 1; }", 64,
         "case.cfg:5: sources: 65 sources; at most 64 are possible"},
        {one, "{ type = \"gaussian\"; power = 1; radius = 1; path = ( [0, 0, 0] ); }", 16,
         "case.cfg:23: sources.[16].type: more than 16 gaussian sources"},
        {one, "{ type = \"file\"; file = \"a.dat\"; }", 4,
         "case.cfg:11: sources.[4].type: more than 4 sources from files"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct input input;
        write_list(cases[i].before, cases[i].entry, cases[i].most, ");");
        CHECK_OK(input_read("case.cfg", NULL, 0, &input));
        input_free(&input);
        write_list(cases[i].before, cases[i].entry, cases[i].most + 1, ");");
        CHECK_FAILS(input_read("case.cfg", NULL, 0, &input), STATUS_INPUT);
        CHECK_EQUAL_TEXT(error_message(), cases[i].message);
        CHECK_EQUAL_INT(error_count(), 1);
        error_clear();
        write_list(cases[i].before, cases[i].entry, cases[i].most + 2, ");"); /* told once */
        CHECK_FAILS(input_read("case.cfg", NULL, 0, &input), STATUS_INPUT);
        CHECK_EQUAL_INT(error_count(), 1);
        error_clear();
    }
}

/* The pair in either order; what agrees is no mistake, however often it is said. */
static void contacts_of_a_pair_agree(void)
{
    static const char materials[] =
        "materials = ( { name = \"a\"; conductivity = 1; density = 1; heat_capacity = 1; }, "
        "{ name = \"b\"; conductivity = 2; density = 1; heat_capacity = 1; } );\n"
        "contacts = ( { material = \"a\"; beside = \"b\"; resistance = 1e-3; },\n";
    static const char agrees[] = "{ material = \"b\"; beside = \"a\"; resistance = 0.001; }";
    static const struct {
        const char *after, *message;
    } cases[] = {
        {");", NULL},
        {", { material = \"b\"; beside = \"a\"; resistance = 0; } );",
         "case.cfg:8: contacts.[3].resistance: 0 m2 K/W, but 0.001 m2 K/W between the same two "
         "materials at case.cfg:5: contacts.[0].resistance; remove one"},
        {", { material = \"a\"; beside = \"b\"; resistance = 2; } );",
         "case.cfg:8: contacts.[3].resistance: 2 m2 K/W, but 0.001 m2 K/W between the same two "
         "materials at case.cfg:5: contacts.[0].resistance; remove one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct input input;
        write_list(materials, agrees, 2, cases[i].after);
        if (cases[i].message == NULL) {
            CHECK_OK(input_read("case.cfg", NULL, 0, &input));
            CHECK_EQUAL_INT(input.contact_count, 3);
        } else {
            CHECK_FAILS(input_read("case.cfg", NULL, 0, &input), STATUS_INPUT);
            CHECK_EQUAL_TEXT(error_message(), cases[i].message);
            CHECK_EQUAL_INT(error_count(), 1);
        }
        input_free(&input);
        error_clear();
    }
}

int main(void)
{
    make_file("a.dat");
    lists_have_their_most();
    contacts_of_a_pair_agree();
    return check_result();
}
