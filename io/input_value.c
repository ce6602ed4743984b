#include "io/input_value.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/input.h"

static bool is_text(const config_setting_t *node, const char *text)
{
    return config_setting_type(node) == CONFIG_TYPE_STRING &&
           strcmp(config_setting_get_string(node), text) == 0;
}

static bool is_auto(const struct value_context *context)
{
    return context->setting->or_auto && is_text(context->node, "auto");
}

/* ---- numbers: these two read every one of them ---- */

static enum status read_real(const struct value_context *context, const config_setting_t *node,
                             double *value)
{
    const int type = config_setting_type(node);
    if (type == CONFIG_TYPE_INT64)
        *value = (double)config_setting_get_int64(node);
    else if (type == CONFIG_TYPE_FLOAT)
        *value = config_setting_get_float(node);
    else
        return value_fail_type(context, node, "a number");
    return setting_in_range(context->setting, *value) ? STATUS_OK
                                                      : value_fail_range(context, *value);
}

/* 3.0 is a whole number too, 3.5 is none. */
static enum status read_integer(const struct value_context *context, const config_setting_t *node,
                                int64_t *value)
{
    const int type = config_setting_type(node);
    if (type == CONFIG_TYPE_INT64) {
        *value = config_setting_get_int64(node);
        return setting_in_range(context->setting, (double)*value)
                   ? STATUS_OK
                   : value_fail_range(context, (double)*value);
    }
    if (type != CONFIG_TYPE_FLOAT)
        return value_fail_type(context, node, "a whole number");
    double real = 0.0;
    TRY(read_real(context, node, &real));
    if (real != floor(real))
        return value_fail(context, "%.15g is no whole number", real);
    *value = (int64_t)real; /* fits: the ranges of whole numbers end far below 2^63 */
    return STATUS_OK;
}

static enum status check_pair(const struct value_context *context, const char *wanted)
{
    if (!config_setting_is_list(context->node))
        return value_fail_type(context, context->node, wanted);
    const int count = config_setting_length(context->node);
    if (count != 2)
        return value_fail(context, "%s is meant, not %d values", wanted, count);
    return STATUS_OK;
}

static enum status read_pair(const struct value_context *context, double to[2])
{
    TRY(check_pair(context, "a pair [x, y] of numbers"));
    for (unsigned i = 0; i < 2; i++)
        TRY(read_real(context, config_setting_get_elem(context->node, i), &to[i]));
    return STATUS_OK;
}

static enum status read_count_pair(const struct value_context *context, int64_t to[2])
{
    TRY(check_pair(context, "a pair [x, y] of whole numbers"));
    for (unsigned i = 0; i < 2; i++)
        TRY(read_integer(context, config_setting_get_elem(context->node, i), &to[i]));
    return STATUS_OK;
}

static enum status read_integer_pair(const struct value_context *context, int to[2])
{
    int64_t pair[2] = {0, 0};
    if (!is_auto(context))
        TRY(read_count_pair(context, pair));
    to[0] = (int)pair[0];
    to[1] = (int)pair[1];
    return STATUS_OK;
}

/* ---- times ---- */

static enum status read_seconds(const struct value_context *context, const char *text,
                                double *seconds)
{
    if (!text_to_seconds(text, seconds))
        return value_fail(context,
                          "\"%.60s\" is no time; write seconds as a number, or text like "
                          "\"90 s\" or \"3 h 50 min\"",
                          text);
    return setting_in_range(context->setting, *seconds) ? STATUS_OK
                                                        : value_fail_range(context, *seconds);
}

static enum status read_duration(const struct value_context *context, double *seconds)
{
    if (config_setting_type(context->node) == CONFIG_TYPE_STRING)
        return read_seconds(context, config_setting_get_string(context->node), seconds);
    return read_real(context, context->node, seconds);
}

static enum status read_interval(const struct value_context *context, struct input_interval *to)
{
    static const char wall[] = "wall";
    if (config_setting_type(context->node) != CONFIG_TYPE_STRING)
        return read_real(context, context->node, &to->seconds);
    const char *text = config_setting_get_string(context->node);
    size_t length = strlen(text);
    char time[64] = "";
    const size_t wall_length = sizeof wall - 1;
    to->is_wall = length > wall_length && strcmp(text + length - wall_length, wall) == 0 &&
                  text[length - wall_length - 1] == ' ';
    if (to->is_wall)
        length -= wall_length;
    while (to->is_wall && length > 0 && text[length - 1] == ' ')
        length--;
    if (length >= sizeof time)
        return read_seconds(context, text, &to->seconds); /* which names what is wrong */
    memcpy(time, text, length);
    return read_seconds(context, time, &to->seconds);
}

/* ---- texts ---- */

static enum status read_text(const struct value_context *context, char **to)
{
    if (config_setting_type(context->node) != CONFIG_TYPE_STRING)
        return value_fail_type(context, context->node, "a text in quotes");
    const char *text = config_setting_get_string(context->node);
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return value_fail(context, "control characters have no place here");
    return memory_copy_text(to, text);
}

static enum status read_file(const struct value_context *context, char **to)
{
    char *text = NULL;
    TRY(read_text(context, &text));
    enum status status = STATUS_OK;
    if (text[0] == '\0') {
        status = value_fail(context, "the path is empty");
    } else if (text[0] == '/') {
        *to = text;
        return STATUS_OK;
    } else {
        const size_t bytes = strlen(context->directory) + strlen(text) + 2;
        status = memory_alloc(to, bytes, 1, context->path);
        if (status == STATUS_OK)
            (void)snprintf(*to, bytes, "%s/%s", context->directory, text);
    }
    free(text);
    return status;
}

static enum status read_choice(const struct value_context *context, unsigned *to)
{
    if (config_setting_type(context->node) != CONFIG_TYPE_STRING)
        return value_fail_type(context, context->node, "a text in quotes");
    const char *text = config_setting_get_string(context->node);
    const char *const *choices = context->setting->choices;
    char all[160] = "";
    int count = 0;
    for (; choices[count] != NULL; count++) {
        if (strcmp(choices[count], text) == 0) {
            *to = (unsigned)count;
            return STATUS_OK;
        }
        const size_t used = strlen(all);
        (void)snprintf(all + used, sizeof all - used, "%s%s", count > 0 ? ", " : "",
                       choices[count]);
    }
    const char *nearest = text_nearest(text, choices, count);
    if (nearest != NULL)
        return value_fail(context, "unknown \"%.60s\"; did you mean %s?", text, nearest);
    return value_fail(context, "unknown \"%.60s\"; known: %s", text, all);
}

/* Some of the choices, at least one, as a set of bits. */
static enum status read_choices(const struct value_context *context, unsigned *to)
{
    *to = 0;
    if (is_auto(context))
        return STATUS_OK;
    if (!config_setting_is_list(context->node))
        return value_fail_type(context, context->node, "an array of texts");
    const int count = config_setting_length(context->node);
    if (count == 0)
        return value_fail(context, "the array is empty; name at least one");
    for (int i = 0; i < count; i++) {
        struct value_context element = *context;
        unsigned choice = 0;
        element.node = config_setting_get_elem(context->node, (unsigned)i);
        TRY(read_choice(&element, &choice));
        *to |= 1U << choice;
    }
    return STATUS_OK;
}

static enum status keep_where(const struct value_context *context, char **to)
{
    char where[TREE_WHERE_BYTES];
    tree_where(context->tree, context->node, context->path, where);
    return memory_copy_text(to, where);
}

/* A text as expression in `names`, checked. */
static enum status read_expression(const struct value_context *context, const char *names,
                                   const char *where, char **to)
{
    const char *text = config_setting_get_string(context->node), *unit = NULL;
    double number = 0.0;
    if (value_is_quoted_number(context->setting, text, &number, &unit) && *unit != '\0')
        return value_fail_text(context, text, "a number or an expression");
    TRY(memory_copy_text(to, text));
    for (char *c = *to; *c != '\0'; c++)
        if (*c == '\n' || *c == '\t' || *c == '\r')
            *c = ' '; /* a long one may go over several lines */
    struct expression *expression = NULL;
    const enum status status = expression_open(&expression, *to, names, where);
    expression_close(expression);
    if (status == STATUS_INPUT)
        error_go_on(tree_line(context->tree, context->node));
    return status;
}

/* A field given as number or expression. */
static enum status read_field(const struct value_context *context, struct input_field *to)
{
    TRY(keep_where(context, &to->where));
    if (config_setting_is_number(context->node)) {
        to->kind = FIELD_NUMBER;
        return read_real(context, context->node, &to->number);
    }
    if (config_setting_type(context->node) != CONFIG_TYPE_STRING)
        return value_fail_type(context, context->node,
                               "a number, an expression in quotes or a group { file = ... }");
    to->kind = FIELD_EXPRESSION;
    return read_expression(context, "xy", to->where, &to->expression);
}

/* A function given as number or expression. */
static enum status read_function(const struct value_context *context, struct input_function *to)
{
    TRY(keep_where(context, &to->where));
    if (config_setting_is_number(context->node)) {
        to->kind = FUNCTION_NUMBER;
        return read_real(context, context->node, &to->number);
    }
    if (config_setting_type(context->node) != CONFIG_TYPE_STRING)
        return value_fail_type(context, context->node, "a number");
    to->kind = FUNCTION_EXPRESSION;
    return read_expression(context, context->setting->names, to->where, &to->expression);
}

static enum status read_points(const struct value_context *context, struct input_points *to)
{
    const int width = context->setting->width;
    if (!config_setting_is_list(context->node))
        return value_fail_type(context, context->node, "a list of arrays of numbers");
    to->count = config_setting_length(context->node);
    TRY(memory_alloc(&to->values, (size_t)to->count * (size_t)width, sizeof *to->values,
                     context->path));
    for (int n = 0; n < to->count; n++) {
        config_setting_t *point = config_setting_get_elem(context->node, (unsigned)n);
        if (!config_setting_is_list(point) || config_setting_length(point) != width)
            return value_fail(context, "entry %d is to be an array of %d numbers", n, width);
        for (int k = 0; k < width; k++)
            TRY(read_real(context, config_setting_get_elem(point, (unsigned)k),
                          &to->values[n * width + k]));
    }
    return STATUS_OK;
}

enum status value_read(const struct value_context *context, void *to)
{
    int64_t integer = 0;
    switch (context->setting->type) {
    case SETTING_TEXT:
        return read_text(context, to);
    case SETTING_FILE:
        return read_file(context, to);
    case SETTING_BOOL:
        if (config_setting_type(context->node) != CONFIG_TYPE_BOOL)
            return value_fail_type(context, context->node, "true or false");
        *(bool *)to = config_setting_get_bool(context->node) == CONFIG_TRUE;
        return STATUS_OK;
    case SETTING_CHOICE:
        return read_choice(context, to);
    case SETTING_CHOICES:
        return read_choices(context, to);
    case SETTING_INTEGER:
        if (!is_auto(context))
            TRY(read_integer(context, context->node, &integer));
        *(int *)to = (int)integer;
        return STATUS_OK;
    case SETTING_REAL:
        *(double *)to = 0.0;
        return is_auto(context) ? STATUS_OK : read_real(context, context->node, to);
    case SETTING_DURATION:
        return read_duration(context, to);
    case SETTING_INTERVAL:
        return read_interval(context, to);
    case SETTING_PAIR:
        return read_pair(context, to);
    case SETTING_COUNT_PAIR:
        return read_count_pair(context, to);
    case SETTING_INTEGER_PAIR:
        return read_integer_pair(context, to);
    case SETTING_FIELD:
        return read_field(context, to);
    case SETTING_FUNCTION:
        return read_function(context, to);
    case SETTING_POINTS:
        return read_points(context, to);
    case SETTING_GROUP:
    case SETTING_LIST:
    case SETTING_FIELD_PAIR:
        break;
    }
    return fail(STATUS_BUG, "%s: no single value", context->path);
}
