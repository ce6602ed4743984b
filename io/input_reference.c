/* docs/input.md, from the table of settings. */
#include <string.h>

#include "io/input.h"
#include "io/input_examples.h"
#include "io/schema.h"

enum { MOST_GROUPS = 32 };

static const char introduction[] =
    "# Input file\n"
    "\n"
    "This page is made from the table in `io/schema.c`; a test compares the two.\n"
    "\n"
    "An input file is a text in UTF-8 with the syntax of\n"
    "[libconfig](https://hyperrealm.github.io/libconfig/): `name = value;`, groups `{ }`, lists\n"
    "`( )`, arrays `[ ]`, texts in `\"quotes\"`, comments after `#` or `//`. Lists and arrays "
    "mean\n"
    "the same. All values are in SI units. A number may be written as integer or float: `1` and\n"
    "`1.0` mean the same. Its size is at most 1e30, and what must be above 0 is at least 1e-30.\n"
    "\n"
    "`@include \"file\"`, alone on a line, reads another file in this place. Its path is relative "
    "to\n"
    "the file it stands in; only files below the input file's own directory are read, and at most\n"
    "10 include each other. A file with all its includes has at most 16 MiB and 20,000 settings.\n"
    "\n"
    "`--set path=value` on the command line goes over the file: `--set time.end=2`,\n"
    "`--set run.backend=cpu`, `--set fixed.[0].temperature=300`. What is no libconfig value is "
    "taken\n"
    "as text.\n"
    "\n"
    "Expressions are read by [muParser](https://beltoforion.de/en/muparser/): `+ - * / ^`,\n"
    "comparisons, `&& ||`, `a ? b : c`, functions such as `exp`, `sin`, `sqrt`, `abs`, `min`, "
    "`max`,\n"
    "and the constants `pi` and `e`. They are evaluated at the cell centres.\n"
    "\n"
    "An example is `inputs/plate.cfg`.\n";

static const char *const type_texts[] = {
    [SETTING_GROUP] = "group",
    [SETTING_LIST] = "list of groups",
    [SETTING_TEXT] = "text",
    [SETTING_FILE] = "path",
    [SETTING_BOOL] = "true, false",
    [SETTING_CHOICE] = "",         /* its choices */
    [SETTING_CHOICES] = "some of", /* its choices */
    [SETTING_INTEGER] = "whole number",
    [SETTING_REAL] = "number",
    [SETTING_DURATION] = "number or time",
    [SETTING_INTERVAL] = "number or time",
    [SETTING_PAIR] = "two numbers",
    [SETTING_COUNT_PAIR] = "two whole numbers",
    [SETTING_INTEGER_PAIR] = "two whole numbers",
    [SETTING_POINTS] = "list of arrays",
    [SETTING_FUNCTION] = "number, text or group",
    [SETTING_FIELD] = "number, text or group",
    [SETTING_FIELD_PAIR] = "number, text or group, or two",
};

static bool has_numbers(enum setting_type type)
{
    return type != SETTING_GROUP && type != SETTING_LIST && type != SETTING_TEXT &&
           type != SETTING_FILE && type != SETTING_POINTS && type != SETTING_FUNCTION &&
           type != SETTING_BOOL && type != SETTING_CHOICE && type != SETTING_CHOICES;
}

static bool is_anything(const char *range)
{
    return strncmp(range, "at most ", 8) == 0;
}

static void write_kind(const struct setting *setting, FILE *file)
{
    char range[160];
    (void)fputs(type_texts[setting->type], file);
    if (setting->type == SETTING_CHOICE || setting->type == SETTING_CHOICES)
        for (int i = 0; setting->choices[i] != NULL; i++)
            (void)fprintf(file, "%s`\"%s\"`",
                          i > 0                              ? ", "
                          : setting->type == SETTING_CHOICES ? " "
                                                             : "",
                          setting->choices[i]);
    setting_range_text(setting, range, sizeof range);
    if (has_numbers(setting->type) && !is_anything(range))
        (void)fprintf(file, ", %s", range);
    else if (setting->unit[0] != '\0')
        (void)fprintf(file, ", %s", setting->unit);
    if (setting->or_auto)
        (void)fputs(", or `\"auto\"`", file);
}

static void write_default(const struct setting_group *group, const struct setting *setting,
                          FILE *file)
{
    const char *const *types = group->settings[0].choices;
    const char *separator = "for ";
    if (setting->fallback != NULL) {
        (void)fprintf(file, "`%s`", setting->fallback);
    } else if (setting->given != 0) {
        (void)fputs("none", file);
    } else if (setting->unless != 0) {
        (void)fputs("required without side or material", file);
    } else if (setting->only_for != 0) {
        (void)fputs("required ", file);
        for (int i = 0; types[i] != NULL; i++) {
            if ((setting->only_for >> i & 1U) == 0)
                continue;
            (void)fprintf(file, "%s`%s`", separator, types[i]);
            separator = " and ";
        }
    } else {
        (void)fputs("required", file);
    }
}

static void write_table(const struct setting_group *group, const char *title, FILE *file)
{
    (void)fprintf(file,
                  "\n## %s\n"
                  "\n| setting | value | default | meaning |\n"
                  "| --- | --- | --- | --- |\n",
                  title);
    for (int i = 0; i < group->count; i++) {
        const struct setting *setting = &group->settings[i];
        (void)fprintf(file, "| `%s` | ", setting->path);
        write_kind(setting, file);
        (void)fputs(" | ", file);
        write_default(group, setting, file);
        (void)fprintf(file, " | %s |\n", setting->text);
    }
    const char *example = input_example(group->name);
    if (example != NULL)
        (void)fprintf(file, "\n```\n%s```\n", example);
}

/* Tables of the groups that settings of `group` consist of, each once: `done` names the ones there
 * are. */
static void write_inner_tables(const struct setting_group *group,
                               const struct setting_group *done[MOST_GROUPS], FILE *file)
{
    for (int i = 0; i < group->count; i++) {
        const struct setting_group *inner = group->settings[i].group;
        int n = 0;
        while (n < MOST_GROUPS && done[n] != NULL && done[n] != inner)
            n++;
        if (inner == NULL || n == MOST_GROUPS || done[n] == inner)
            continue;
        done[n] = inner;
        write_table(inner, inner->name, file);
        write_inner_tables(inner, done, file);
    }
}

enum status input_reference(FILE *file)
{
    const struct setting_group *done[MOST_GROUPS] = {NULL};
    (void)fputs(introduction, file);
    write_table(&settings_root, "All settings", file);
    write_inner_tables(&settings_root, done, file);
    if (fflush(file) != 0 || ferror(file) != 0)
        return fail(STATUS_FILE, "the reference of the settings cannot be written");
    return STATUS_OK;
}
