/* run.cfg: all settings as an input file. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/input.h"
#include "io/schema.h"

/* Where the file writes at the moment. */
struct writing {
    FILE *file;
    int indent; /* levels */
};

static void start_line(const struct writing *writing)
{
    (void)fprintf(writing->file, "%*s", 2 * writing->indent, "");
}

static void write_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            (void)fprintf(file, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            (void)fprintf(file, "\\x%02X", (unsigned)(unsigned char)*c);
        else
            (void)fputc(*c, file);
    }
    (void)fputc('"', file);
}

static void write_real(FILE *file, double value)
{
    char text[40];
    text_real(text, sizeof text, value);
    (void)fputs(text, file);
}

static void write_pair(FILE *file, const double pair[2])
{
    (void)fputc('[', file);
    write_real(file, pair[0]);
    (void)fputs(", ", file);
    write_real(file, pair[1]);
    (void)fputc(']', file);
}

static void write_interval(FILE *file, const struct input_interval *interval)
{
    if (!interval->is_wall || interval->seconds == 0.0) {
        write_real(file, interval->seconds);
        return;
    }
    (void)fputc('"', file);
    write_real(file, interval->seconds);
    (void)fputs(" s wall\"", file);
}

static void write_group(struct writing *writing, const struct setting_group *group,
                        const void *values);

static void write_braces(struct writing *writing, const struct setting_group *group,
                         const void *values)
{
    (void)fputs("{\n", writing->file);
    writing->indent++;
    write_group(writing, group, values);
    writing->indent--;
    start_line(writing);
    (void)fputc('}', writing->file);
}

static void write_field(struct writing *writing, const struct setting *setting,
                        const struct input_field *field)
{
    if (field->kind == FIELD_NUMBER)
        write_real(writing->file, field->number);
    else if (field->kind == FIELD_EXPRESSION)
        write_text(writing->file, field->expression);
    else
        write_braces(writing, setting->group, field);
}

static void write_function(struct writing *writing, const struct setting *setting,
                           const struct input_function *function)
{
    if (function->kind == FUNCTION_NUMBER)
        write_real(writing->file, function->number);
    else if (function->kind == FUNCTION_EXPRESSION)
        write_text(writing->file, function->expression);
    else
        write_braces(writing, setting->group, function);
}

static void write_field_pair(struct writing *writing, const struct setting *setting,
                             const struct input_field fields[2])
{
    if (fields[0].kind == FIELD_NUMBER && fields[1].kind == FIELD_NUMBER) {
        write_pair(writing->file, (const double[]){fields[0].number, fields[1].number});
        return;
    }
    (void)fputs("( ", writing->file);
    write_field(writing, setting, &fields[0]);
    (void)fputs(", ", writing->file);
    write_field(writing, setting, &fields[1]);
    (void)fputs(" )", writing->file);
}

static void write_points(FILE *file, const struct input_points *points, int width)
{
    (void)fputs("(", file);
    for (int n = 0; n < points->count; n++) {
        for (int k = 0; k < width; k++) {
            (void)fputs(k > 0 ? ", " : n > 0 ? ", [" : " [", file);
            write_real(file, points->values[n * width + k]);
        }
        (void)fputc(']', file);
    }
    (void)fputs(" )", file);
}

static void write_list(struct writing *writing, const struct setting *setting, const char *values)
{
    const char *elements = NULL;
    int count = 0;
    memcpy(&elements, values + setting->offset, sizeof elements);
    memcpy(&count, values + setting->count_offset, sizeof count);
    (void)fputs("(", writing->file);
    for (int i = 0; i < count; i++) {
        (void)fputs(i > 0 ? ", " : " ", writing->file);
        write_braces(writing, setting->group, elements + (size_t)i * setting->group->size);
    }
    (void)fputs(" )", writing->file);
}

static void write_choices(FILE *file, const char *const *choices, unsigned set)
{
    const char *separator = "";
    (void)fputc('[', file);
    for (int c = 0; choices[c] != NULL; c++) {
        if ((set >> c & 1U) == 0)
            continue;
        (void)fputs(separator, file);
        write_text(file, choices[c]);
        separator = ", ";
    }
    (void)fputc(']', file);
}

static void write_value(struct writing *writing, const struct setting *setting, const char *values)
{
    const void *at = values + setting->offset;
    FILE *file = writing->file;
    switch (setting->type) {
    case SETTING_GROUP:
        write_braces(writing, setting->group, at);
        break;
    case SETTING_LIST:
        write_list(writing, setting, values);
        break;
    case SETTING_TEXT:
    case SETTING_FILE: {
        const char *const *text = at;
        write_text(file, *text != NULL ? *text : "");
        break;
    }
    case SETTING_BOOL:
        (void)fputs(*(const bool *)at ? "true" : "false", file);
        break;
    case SETTING_CHOICE:
        write_text(file, setting->choices[*(const unsigned *)at]);
        break;
    case SETTING_CHOICES:
        write_choices(file, setting->choices, *(const unsigned *)at);
        break;
    case SETTING_INTEGER:
        (void)fprintf(file, "%d", *(const int *)at);
        break;
    case SETTING_REAL:
    case SETTING_DURATION:
        write_real(file, *(const double *)at);
        break;
    case SETTING_INTERVAL:
        write_interval(file, at);
        break;
    case SETTING_PAIR:
        write_pair(file, at);
        break;
    case SETTING_COUNT_PAIR:
        (void)fprintf(file, "[%lld, %lld]", (long long)((const int64_t *)at)[0],
                      (long long)((const int64_t *)at)[1]);
        break;
    case SETTING_INTEGER_PAIR:
        (void)fprintf(file, "[%d, %d]", ((const int *)at)[0], ((const int *)at)[1]);
        break;
    case SETTING_FIELD:
        write_field(writing, setting, at);
        break;
    case SETTING_FIELD_PAIR:
        write_field_pair(writing, setting, at);
        break;
    case SETTING_FUNCTION:
        write_function(writing, setting, at);
        break;
    case SETTING_POINTS:
        write_points(file, at, setting->width);
        break;
    }
}

static bool is_automatic(const struct setting *setting, const void *at)
{
    if (!setting->or_auto)
        return false;
    if (setting->type == SETTING_REAL)
        return *(const double *)at == 0.0;
    return *(const int *)at == 0; /* INTEGER, INTEGER_PAIR and CHOICES */
}

/* Closes the braces of the group that the last setting stood in when `path` lies in another, and
 * opens those of its own. Paths of the table have at most two parts. */
static void change_braces(struct writing *writing, const char **open, const char *path)
{
    const size_t length = *open != NULL ? strcspn(*open, ".") : 0;
    const bool has_group = path != NULL && strchr(path, '.') != NULL;
    if (*open != NULL && has_group && strncmp(*open, path, length + 1) == 0)
        return;
    if (*open != NULL) {
        writing->indent--;
        start_line(writing);
        (void)fputs("};\n", writing->file);
    }
    *open = has_group ? path : NULL;
    if (has_group) {
        start_line(writing);
        (void)fprintf(writing->file, "%.*s = {\n", (int)strcspn(path, "."), path);
        writing->indent++;
    }
}

static void write_group(struct writing *writing, const struct setting_group *group,
                        const void *values)
{
    const char *open = NULL;
    for (int i = 0; i < group->count; i++) {
        const struct setting *setting = &group->settings[i];
        if (!setting_applies(group, setting, values))
            continue;
        change_braces(writing, &open, setting->path);
        start_line(writing);
        const char *dot = strchr(setting->path, '.');
        (void)fprintf(writing->file, "%s = ", dot != NULL ? dot + 1 : setting->path);
        if (is_automatic(setting, (const char *)values + setting->offset))
            (void)fputs("\"auto\"", writing->file);
        else
            write_value(writing, setting, values);
        (void)fputs(";\n", writing->file);
    }
    change_braces(writing, &open, NULL);
}

enum status input_write(const struct input *input, FILE *file)
{
    struct writing writing = {file, 0};
    write_group(&writing, &settings_root, input);
    if (fflush(file) != 0 || ferror(file) != 0)
        return fail(STATUS_FILE, "%s: the settings cannot be written", input->path);
    return STATUS_OK;
}
