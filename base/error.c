#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

static char message[ERROR_MESSAGE_BYTES];

static const struct {
    const char *name;
    int exit_code;
    const char *text;
} list[STATUS_COUNT] = {
#define X(name, exit_code, text) [STATUS_##name] = {"STATUS_" #name, exit_code, text},
    STATUS_LIST(X)
#undef X
};

enum status fail(enum status status, const char *format, ...)
{
    if (message[0] == '\0') {
        char raw[ERROR_MESSAGE_BYTES];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        text_escape(message, sizeof message, raw);
    }
    return status;
}

const char *error_message(void)
{
    return message;
}

void error_clear(void)
{
    message[0] = '\0';
}

int status_exit_code(enum status status)
{
    return list[status].exit_code;
}

const char *status_name(enum status status)
{
    return list[status].name;
}

const char *status_text(enum status status)
{
    return list[status].text;
}
