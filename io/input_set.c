/* --set path=value: values laid over the tree of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/input_tree.h"

/* A step of a path: a name, or the index of a list element. */
struct step {
    char name[TREE_PATH_BYTES];
    int64_t index; /* -1: a name */
};

/* Takes "name" or "[3]" and the '.' after it off the front of *path; false when it is neither. */
static bool take_step(const char **path, struct step *step)
{
    const bool is_index = **path == '[';
    const char *start = *path + (is_index ? 1 : 0);
    const size_t length = strspn(start, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_-*");
    if (length == 0 || length >= sizeof step->name)
        return false;
    memcpy(step->name, start, length);
    step->name[length] = '\0';
    step->index = -1;
    const char *end = start + length;
    if (is_index && (*end++ != ']' || !text_to_int64(step->name, &step->index) || step->index < 0 ||
                     step->index > SOURCE_MAX_SETTINGS))
        return false;
    if (*end == '.' && end[1] != '\0')
        end++;
    else if (*end != '\0' && *end != '[')
        return false;
    *path = end;
    return true;
}

/* Copies `from`, with all below it, to the end of `parent`. */
static bool copy_setting(config_setting_t *parent, const char *name, const config_setting_t *from)
{
    config_setting_t *to = config_setting_add(parent, name, from->type);
    if (to == NULL)
        return false;
    to->line = parent->config == from->config ? from->line : 0;
    switch (from->type) {
    case CONFIG_TYPE_INT64:
        return config_setting_set_int64(to, from->value.llval) == CONFIG_TRUE;
    case CONFIG_TYPE_FLOAT:
        return config_setting_set_float(to, from->value.fval) == CONFIG_TRUE;
    case CONFIG_TYPE_BOOL:
        return config_setting_set_bool(to, from->value.ival) == CONFIG_TRUE;
    case CONFIG_TYPE_STRING:
        return config_setting_set_string(to, from->value.sval) == CONFIG_TRUE;
    default:
        break;
    }
    const int count = config_setting_length(from);
    for (int i = 0; i < count; i++) {
        const config_setting_t *element = config_setting_get_elem(from, (unsigned)i);
        if (!copy_setting(to, element->name, element))
            return false;
    }
    return true;
}

/* libconfig can only append to a list: so a new copy of all elements, and then the old ones go. */
static bool put_element(config_setting_t *list, int64_t index, const config_setting_t *value)
{
    const int count = config_setting_length(list);
    if (index == count)
        return copy_setting(list, NULL, value);
    for (int i = 0; i < count; i++)
        if (!copy_setting(list, NULL,
                          i == index ? value : config_setting_get_elem(list, (unsigned)i)))
            return false;
    for (int i = 0; i < count; i++)
        if (config_setting_remove_elem(list, 0) != CONFIG_TRUE)
            return false;
    return true;
}

static bool put_member(config_setting_t *group, const char *name, const config_setting_t *value)
{
    if (config_setting_get_member(group, name) != NULL &&
        config_setting_remove(group, name) != CONFIG_TRUE)
        return false;
    return copy_setting(group, name, value);
}

/* The group or list that the next step starts from; made when it is missing. */
static config_setting_t *enter(config_setting_t *parent, const struct step *step, bool to_list)
{
    config_setting_t *child = step->index < 0
                                  ? config_setting_get_member(parent, step->name)
                                  : config_setting_get_elem(parent, (unsigned)step->index);
    if (child != NULL)
        return child;
    return config_setting_add(parent, step->index < 0 ? step->name : NULL,
                              to_list ? CONFIG_TYPE_LIST : CONFIG_TYPE_GROUP);
}

/* Whether the step fits what it starts from. */
static enum status check_step(const config_setting_t *parent, const struct step *step,
                              const char *assignment)
{
    if (step->index < 0 && !config_setting_is_group(parent))
        return fail(STATUS_INPUT, "--set %s: %s is a member of a group, but this is %s", assignment,
                    step->name, tree_type_text(parent));
    if (step->index >= 0 && !config_setting_is_list(parent))
        return fail(STATUS_INPUT, "--set %s: [%s] is an element of a list, but this is %s",
                    assignment, step->name, tree_type_text(parent));
    if (step->index > config_setting_length(parent))
        return fail(STATUS_INPUT, "--set %s: there is no [%s]; the list has %d elements",
                    assignment, step->name, config_setting_length(parent));
    return STATUS_OK;
}

static enum status put_value(struct tree *tree, const char *path, const char *assignment,
                             const config_setting_t *value)
{
    config_setting_t *parent = config_root_setting(&tree->config);
    struct step step = {.index = -1};
    for (int depth = 0; *path != '\0' && parent != NULL; depth++) {
        if (depth > SOURCE_MAX_NESTING || !take_step(&path, &step))
            return fail(STATUS_INPUT,
                        "--set %s: no path; write for example time.end=2 or "
                        "fixed.[0].temperature=300",
                        assignment);
        TRY(check_step(parent, &step, assignment));
        if (*path != '\0')
            parent = enter(parent, &step, *path == '[');
    }
    if (parent == NULL || !(step.index < 0 ? put_member(parent, step.name, value)
                                           : put_element(parent, step.index, value)))
        return fail(STATUS_INPUT, "--set %s: cannot be set", assignment);
    return STATUS_OK;
}

/* What libconfig can read is that, anything else is text. */
static enum status parse_value(struct tree *parsed, const char *value)
{
    const size_t bytes = strlen(value) + 32;
    char *text = NULL;
    TRY(memory_alloc(&text, bytes, 1, "--set"));
    (void)snprintf(text, bytes, "value = %s;", value);
    enum status status = tree_parse(parsed, text, "--set");
    free(text);
    if (status == STATUS_OK && config_setting_length(config_root_setting(&parsed->config)) == 1)
        return STATUS_OK;
    if (status == STATUS_OK)
        tree_close(parsed);
    error_clear();
    TRY(tree_parse(parsed, "value = \"\";", "--set"));
    config_setting_t *setting = config_lookup(&parsed->config, "value");
    if (setting == NULL || config_setting_set_string(setting, value) != CONFIG_TRUE)
        return fail(STATUS_MEMORY, "--set: no memory for %s", value);
    return STATUS_OK;
}

enum status tree_set(struct tree *tree, const char *assignment)
{
    const char *equal = strchr(assignment, '=');
    if (equal == NULL || equal == assignment)
        return fail(STATUS_INPUT, "--set %s: write path=value, for example time.end=2", assignment);
    size_t at = 0;
    if (!text_is_utf8(assignment, &at))
        return fail(STATUS_INPUT, "--set %s: not UTF-8", assignment);
    char *path = NULL;
    TRY(memory_copy_text(&path, assignment));
    path[equal - assignment] = '\0';
    struct tree parsed = {0};
    enum status status = parse_value(&parsed, equal + 1);
    if (status == STATUS_OK)
        status = put_value(tree, path, assignment, config_lookup(&parsed.config, "value"));
    tree_close(&parsed);
    free(path);
    return status;
}
