#include "io/input_value_fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum status value_fail(const struct value_context *context, const char *format, ...)
{
    char what[768];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return tree_fail(context->tree, context->node, context->path, "%s", what);
}

bool value_is_quoted_number(const struct setting *setting, const char *text, double *value,
                            const char **unit)
{
    char number[64] = "";
    const size_t digits = strspn(text, "0123456789+-.eE");
    *unit = text + digits + strspn(text + digits, " ");
    (void)snprintf(number, sizeof number, "%.*s", (int)digits, text);
    return (text_to_double(number, value) && strstr(setting->unit, *unit) != NULL) ||
           (strcmp(setting->unit, "s") == 0 && text_to_seconds(text, value));
}

enum status value_fail_text(const struct value_context *context, const char *text,
                            const char *wanted)
{
    const struct setting *setting = context->setting;
    char number[40], hint[128] = "";
    const char *unit = NULL;
    double value = 0.0;
    if (strstr(wanted, "number") != NULL && value_is_quoted_number(setting, text, &value, &unit)) {
        if (strstr(wanted, "whole") != NULL)
            (void)snprintf(number, sizeof number, "%.15g", value);
        else
            text_real(number, sizeof number, value);
        (void)snprintf(hint, sizeof hint, "; write %s without quotes%s%s", number,
                       setting->unit[0] != '\0' ? ", in " : "", setting->unit);
    }
    return value_fail(context, "%s%s is meant, not the text \"%.60s\"%s", wanted,
                      setting->or_auto ? " or \"auto\"" : "", text, hint);
}

enum status value_fail_type(const struct value_context *context, const config_setting_t *node,
                            const char *wanted)
{
    if (config_setting_type(node) == CONFIG_TYPE_STRING)
        return value_fail_text(context, config_setting_get_string(node), wanted);
    return value_fail(context, "%s%s is meant, not %s", wanted,
                      context->setting->or_auto ? " or \"auto\"" : "", tree_type_text(node));
}

enum status value_fail_range(const struct value_context *context, double value)
{
    const struct setting *setting = context->setting;
    const double least = setting->range.least, most = setting->range.most;
    char range[160];
    setting_range_text(setting, range, sizeof range);
    /* That leaves out the bounds which all numbers have. */
    if (most >= SETTING_LARGEST && least >= 0.0 && value > 0.0)
        (void)snprintf(range, sizeof range, "at %s %.15g%s%s", value > most ? "most" : "least",
                       value > most ? most : least, setting->unit[0] != '\0' ? " " : "",
                       setting->unit);
    return value_fail(context, "%.15g is out of range; it must be %s", value, range);
}
