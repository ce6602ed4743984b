#include "ipc/fault.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ipc/control.h"

static const char variable[] = "ISOTHERM_FAULT";

static struct {
    bool is_armed;
    char name[64];
    int process;
    void (*act)(void);
    int64_t count; /* passes until it happens */
} fault;

static void fault_kill(void)
{
    (void)raise(SIGKILL);
}

static void fault_stop(void)
{
    (void)raise(SIGSTOP);
}

static void fault_loop(void)
{
    for (volatile bool is_looping = true; is_looping;)
        continue;
}

static void fault_exit(void)
{
    exit(EXIT_SUCCESS);
}

static const struct {
    const char *name;
    void (*act)(void);
} actions[] = {{"kill", fault_kill},
               {"stop", fault_stop},
               {"loop", fault_loop},
               {"abort", abort},
               {"exit", fault_exit}};

static bool parse_process(const char *text, int *process)
{
    int64_t number = 0;
    *process = CONTROL_WRITER;
    if (strcmp(text, "writer") == 0)
        return true;
    if (!text_to_int64(text, &number) || number < 0 || number >= CONTROL_MAX_RANKS)
        return false;
    *process = (int)number;
    return true;
}

static bool parse_action(const char *text)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(text, actions[i].name) == 0) {
            fault.act = actions[i].act;
            return true;
        }
    return false;
}

/* Cuts *rest at its first colon. */
static const char *next_field(char **rest)
{
    char *field = *rest;
    char *colon = field != NULL ? strchr(field, ':') : NULL;
    *rest = colon != NULL ? colon + 1 : NULL;
    if (colon != NULL)
        *colon = '\0';
    return field;
}

enum status fault_arm(void)
{
    char text[256];
    const char *value = getenv(variable);
    fault.is_armed = false;
    if (value == NULL)
        return STATUS_OK;
    (void)snprintf(text, sizeof text, "%s", value);
    char *rest = text;
    const char *name = next_field(&rest);
    const char *process = next_field(&rest);
    const char *action = next_field(&rest);
    const char *count = next_field(&rest);
    fault.count = 1;
    if (strlen(value) >= sizeof text || name[0] == '\0' || strlen(name) >= sizeof fault.name ||
        process == NULL || !parse_process(process, &fault.process) || action == NULL ||
        !parse_action(action) || rest != NULL ||
        (count != NULL && (!text_to_int64(count, &fault.count) || fault.count < 1)))
        return fail(STATUS_INPUT,
                    "environment variable %s=\"%s\" cannot be read; it is meant for tests and says "
                    "name:process:action[:count], action being kill, stop, loop, abort or exit",
                    variable, value);
    (void)snprintf(fault.name, sizeof fault.name, "%s", name);
    fault.is_armed = true;
    return STATUS_OK;
}

void fault_point(const char *name, int process)
{
    if (__builtin_expect(!fault.is_armed, 1))
        return;
    if (process == fault.process && strcmp(name, fault.name) == 0 && --fault.count == 0)
        fault.act();
}
