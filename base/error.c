#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

/* The first `kept` by place, and after them the one that fail() records next. */
static struct {
    int place;
    char text[ERROR_MESSAGE_BYTES];
} messages[ERROR_MOST + 1];
static int kept;
static bool is_cut;

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
    char *message = messages[kept].text;
    if (message[0] == '\0' && !is_cut) {
        char raw[ERROR_MESSAGE_BYTES];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        text_escape(message, ERROR_MESSAGE_BYTES, raw);
    }
    return status;
}

const char *error_message(void)
{
    return messages[0].text;
}

void error_go_on(int place)
{
    if (messages[kept].text[0] == '\0')
        return;
    if (kept == ERROR_MOST) {
        messages[kept].text[0] = '\0';
        is_cut = true;
        return;
    }
    messages[kept].place = place;
    for (int i = kept++; i > 0 && messages[i - 1].place > place; i--) {
        messages[ERROR_MOST] = messages[i];
        messages[i] = messages[i - 1];
        messages[i - 1] = messages[ERROR_MOST];
    }
    messages[kept].text[0] = '\0';
}

bool error_is_cut(void)
{
    return is_cut;
}

int error_count(void)
{
    return kept + (messages[kept].text[0] != '\0' ? 1 : 0);
}

const char *error_message_at(int index)
{
    return messages[index].text;
}

void error_clear(void)
{
    kept = 0;
    is_cut = false;
    messages[0].text[0] = '\0';
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
