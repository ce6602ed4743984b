#include "io/input_names.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { MOST_NAMES = 64 };

/* A group of the file on its way through the table. */
struct level {
    const struct tree *tree;
    const struct setting_group *group;
    const char *inside; /* path within the table's group: "region", "" at its top */
    const char *path;   /* from the root: "fixed.[0].region" */
};

static void join(char to[TREE_PATH_BYTES], const char *path, const char *name)
{
    (void)snprintf(to, TREE_PATH_BYTES, "%.150s%s%.80s", path, path[0] != '\0' ? "." : "", name);
}

/* The part of a table path behind `inside`, NULL when it lies elsewhere. */
static const char *behind(const char *path, const char *inside)
{
    const size_t length = strlen(inside);
    if (length == 0)
        return path;
    return strncmp(path, inside, length) == 0 && path[length] == '.' ? path + length + 1 : NULL;
}

/* The names that are known at this level, each once. */
static int known_names(const struct level *level, const char *known[MOST_NAMES],
                       char names[MOST_NAMES][64])
{
    int count = 0;
    for (int i = 0; i < level->group->count && count < MOST_NAMES; i++) {
        const char *rest = behind(level->group->settings[i].path, level->inside);
        if (rest == NULL)
            continue;
        const int length = (int)strcspn(rest, ".");
        (void)snprintf(names[count], sizeof names[count], "%.*s", length, rest);
        if (count > 0 && strcmp(names[count], names[count - 1]) == 0)
            continue;
        known[count] = names[count];
        count++;
    }
    return count;
}

static enum status fail_unknown(const struct level *level, const config_setting_t *node,
                                const char *path)
{
    char names[MOST_NAMES][64], all[512] = "";
    const char *known[MOST_NAMES];
    const int count = known_names(level, known, names);
    const char *nearest = text_nearest(node->name, known, count);
    if (nearest != NULL)
        return tree_fail(level->tree, node, path, "unknown setting; did you mean %s?", nearest);
    /* A right name in the wrong group. */
    for (int i = 0; i < settings_root.count; i++) {
        const char *last = strrchr(settings_root.settings[i].path, '.');
        if (last != NULL && strcmp(last + 1, node->name) == 0)
            return tree_fail(level->tree, node, path, "unknown setting; did you mean %s?",
                             settings_root.settings[i].path);
    }
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(all);
        (void)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    return tree_fail(level->tree, node, path, "unknown setting; known here: %s", all);
}

static enum status check_members(const struct level *level, config_setting_t *node);

static enum status check_list(const struct level *level, const struct setting *setting,
                              config_setting_t *list, const char *path)
{
    char element_path[TREE_PATH_BYTES], name[32];
    enum status status = STATUS_OK;
    if (!config_setting_is_list(list))
        return tree_fail(level->tree, list, path, "a list ( { ... }, { ... } ) is meant, not %s",
                         tree_type_text(list));
    const int count = config_setting_length(list);
    for (int i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "[%d]", i);
        join(element_path, path, name);
        const struct level below = {level->tree, setting->group, "", element_path};
        TRY_EACH(check_members(&below, config_setting_get_elem(list, (unsigned)i)));
    }
    return status;
}

/* A setting that may be a group or, of two fields, a list with groups in it. */
static enum status check_field(const struct level *level, const struct setting *setting,
                               config_setting_t *node, const char *path)
{
    const struct level below = {level->tree, setting->group, "", path};
    if (config_setting_is_group(node))
        return check_members(&below, node);
    enum status status = STATUS_OK;
    if (setting->type != SETTING_FIELD_PAIR || !config_setting_is_list(node))
        return status;
    for (int k = 0; k < config_setting_length(node); k++) {
        config_setting_t *one = config_setting_get_elem(node, (unsigned)k);
        if (config_setting_is_group(one))
            TRY_EACH(check_members(&below, one));
    }
    return status;
}

static enum status check_member(const struct level *level, config_setting_t *node)
{
    char path[TREE_PATH_BYTES], inside[TREE_PATH_BYTES];
    join(path, level->path, node->name);
    join(inside, level->inside, node->name);
    bool is_group = false;
    for (int i = 0; i < level->group->count; i++) {
        const struct setting *setting = &level->group->settings[i];
        if (strcmp(setting->path, inside) == 0) {
            const struct level below = {level->tree, setting->group, "", path};
            if (setting->type == SETTING_LIST)
                return check_list(level, setting, node, path);
            if (setting->type == SETTING_GROUP)
                return check_members(&below, node);
            if (setting->type == SETTING_FIELD || setting->type == SETTING_FIELD_PAIR ||
                setting->type == SETTING_FUNCTION)
                return check_field(level, setting, node, path);
            return STATUS_OK;
        }
        is_group = is_group || behind(setting->path, inside) != NULL;
    }
    if (!is_group)
        return fail_unknown(level, node, path);
    const struct level below = {level->tree, level->group, inside, path};
    return check_members(&below, node);
}

static enum status check_members(const struct level *level, config_setting_t *node)
{
    enum status status = STATUS_OK;
    if (!config_setting_is_group(node))
        return tree_fail(level->tree, node, level->path, "a group { ... } is meant, not %s",
                         tree_type_text(node));
    const int count = config_setting_length(node);
    for (int i = 0; i < count; i++)
        TRY_EACH(check_member(level, config_setting_get_elem(node, (unsigned)i)));
    return status;
}

enum status input_check_names(const struct tree *tree)
{
    const struct level root = {tree, &settings_root, "", ""};
    return check_members(&root, config_root_setting(&tree->config));
}
