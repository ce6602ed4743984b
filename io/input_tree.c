#include "io/input_tree.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUOTE_LENGTH = 60 };

/* The first line of `text`, without blanks around it and not too long. */
static const char *quote_line(const char *text, int *length)
{
    text += strspn(text, " \t");
    size_t size = strcspn(text, "\n");
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    *length = size < QUOTE_LENGTH ? (int)size : QUOTE_LENGTH;
    return text;
}

/* libconfig says little: "syntax error", "duplicate setting name", and the line. */
static enum status fail_parse(const struct tree *tree)
{
    const int line = config_error_line(&tree->config);
    const char *file = NULL;
    int file_line = 0, length = 0;
    source_place(&tree->source, line, &file, &file_line);
    const char *text = tree->source.text;
    for (int i = 1; i < line && text != NULL; i++) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    text = quote_line(text != NULL ? text : "", &length);
    const char *error = config_error_text(&tree->config);
    if (error != NULL && strstr(error, "duplicate") != NULL)
        return fail(STATUS_INPUT, "%s:%d: a setting is given twice in its group: %.*s; remove one",
                    file, file_line, length, text);
    if (length == 0)
        return fail(STATUS_INPUT, "%s:%d: %s before this line", file, file_line,
                    error != NULL ? error : "syntax error");
    return fail(STATUS_INPUT, "%s:%d: %s here or just before: %.*s", file, file_line,
                error != NULL ? error : "syntax error", length, text);
}

static enum status parse_source(struct tree *tree)
{
    config_init(&tree->config);
    tree->is_open = true;
    /* libconfig reads numbers with strtod, which obeys LC_NUMERIC. */
    const locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return fail(STATUS_MEMORY, "the locale C is not available");
    const locale_t before = uselocale(c_locale);
    const int is_parsed = config_read_string(&tree->config, tree->source.normal);
    (void)uselocale(before);
    freelocale(c_locale);
    return is_parsed == CONFIG_TRUE ? STATUS_OK : fail_parse(tree);
}

enum status tree_read(struct tree *tree, const char *path)
{
    *tree = (struct tree){0};
    TRY(source_read(&tree->source, path));
    const enum status status = parse_source(tree);
    if (status != STATUS_OK)
        tree_close(tree);
    return status;
}

enum status tree_parse(struct tree *tree, const char *text, const char *name)
{
    *tree = (struct tree){0};
    TRY(source_scan(&tree->source, text, name));
    const enum status status = parse_source(tree);
    if (status != STATUS_OK)
        tree_close(tree);
    return status;
}

void tree_close(struct tree *tree)
{
    if (tree->is_open)
        config_destroy(&tree->config);
    source_close(&tree->source);
    *tree = (struct tree){0};
}

config_setting_t *tree_find(config_setting_t *group, const char *path)
{
    char name[TREE_PATH_BYTES];
    while (group != NULL && config_setting_is_group(group)) {
        const size_t length = strcspn(path, ".");
        if (length >= sizeof name)
            return NULL;
        memcpy(name, path, length);
        name[length] = '\0';
        group = config_setting_get_member(group, name);
        if (path[length] == '\0')
            return group;
        path += length + 1;
    }
    return NULL;
}

int tree_line(const struct tree *tree, const config_setting_t *setting)
{
    return setting != NULL && setting->config == &tree->config ? (int)setting->line : 0;
}

bool tree_is_set(const struct tree *tree, const config_setting_t *setting)
{
    return setting != NULL && setting->config == &tree->config && setting->line == 0 &&
           setting->parent != NULL;
}

void tree_where(const struct tree *tree, const config_setting_t *setting, const char *path,
                char where[TREE_WHERE_BYTES])
{
    const char *file = tree->source.files[0];
    int line = tree_line(tree, setting);
    if (line > 0)
        source_place(&tree->source, line, &file, &line);
    /* A path too long for a message loses its front, not the name of the file. */
    const size_t most = TREE_WHERE_BYTES - TREE_PATH_BYTES - 40;
    const size_t length = strlen(file);
    const char *front = length > most ? "..." : "";
    file += length > most ? length - most : 0;
    if (line > 0)
        (void)snprintf(where, TREE_WHERE_BYTES, "%s%s:%d: %s", front, file, line, path);
    else if (tree_is_set(tree, setting))
        (void)snprintf(where, TREE_WHERE_BYTES, "--set: %s", path);
    else
        (void)snprintf(where, TREE_WHERE_BYTES, "%s%s: %s", front, file, path);
}

/* The setting at `path`, or the nearest group around its place. */
static const config_setting_t *find_nearest(const struct tree *tree, const char *path)
{
    char prefix[TREE_PATH_BYTES];
    (void)snprintf(prefix, sizeof prefix, "%s", path);
    const config_setting_t *setting = config_lookup(&tree->config, prefix);
    while (setting == NULL && strchr(prefix, '.') != NULL) {
        *strrchr(prefix, '.') = '\0';
        setting = config_lookup(&tree->config, prefix);
    }
    return setting;
}

void tree_where_path(const struct tree *tree, const char *path, char where[TREE_WHERE_BYTES])
{
    tree_where(tree, find_nearest(tree, path), path, where);
}

enum status tree_fail(const struct tree *tree, const config_setting_t *setting, const char *path,
                      const char *format, ...)
{
    char where[TREE_WHERE_BYTES], what[768];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (setting == NULL)
        setting = find_nearest(tree, path);
    tree_where(tree, setting, path, where);
    const enum status status = fail(STATUS_INPUT, "%s: %s", where, what);
    error_go_on(tree_line(tree, setting));
    return status;
}

void tree_note_unread(struct tree *tree, const char *path)
{
    if (tree->unread_count < TREE_MOST_UNREAD)
        (void)snprintf(tree->unread[tree->unread_count++], TREE_PATH_BYTES, "%s", path);
}

bool tree_is_known(const struct tree *tree, const char *path)
{
    if (tree->unread_count == TREE_MOST_UNREAD)
        return false;
    for (int n = 0; n < tree->unread_count; n++) {
        const size_t length = strlen(tree->unread[n]);
        if (strncmp(path, tree->unread[n], length) == 0 &&
            (path[length] == '\0' || path[length] == '.'))
            return false;
    }
    return !tree->has_strange || config_lookup(&tree->config, path) != NULL;
}

const char *tree_type_text(const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        return "a group { ... }";
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return "a whole number";
    case CONFIG_TYPE_FLOAT:
        return "a number with a fraction";
    case CONFIG_TYPE_STRING:
        return "a text";
    case CONFIG_TYPE_BOOL:
        return "true or false";
    default:
        return "a list";
    }
}
