#include "io/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/input_check.h"
#include "io/input_file.h"
#include "io/input_files.h"
#include "io/input_names.h"
#include "io/input_tree.h"
#include "io/input_value.h"
#include "io/schema.h"

/* One group of the file being read into one struct. */
struct reading {
    struct tree *tree;
    const char *directory; /* of the input file */
    const struct setting_group *group;
    config_setting_t *node;
    const char *path; /* of the group from the root, "" for the root */
    void *values;
};

static enum status read_group(const struct reading *reading);

static void *value_at(const struct reading *reading, size_t offset)
{
    return (char *)reading->values + offset;
}

static enum status read_list(const struct reading *reading, const struct value_context *context)
{
    const struct setting *setting = context->setting;
    const int count = config_setting_length(context->node);
    char *elements = NULL;
    enum status status = STATUS_OK;
    if (!config_setting_is_list(context->node))
        return STATUS_INPUT; /* as input_check_names() has told */
    TRY(memory_alloc(&elements, (size_t)count, setting->group->size, context->path));
    memcpy(value_at(reading, setting->offset), &elements, sizeof elements);
    memcpy(value_at(reading, setting->count_offset), &count, sizeof count);
    for (int i = 0; i < count; i++) {
        char path[TREE_PATH_BYTES];
        (void)snprintf(path, sizeof path, "%.200s.[%d]", context->path, i);
        struct reading element = *reading;
        element.group = setting->group;
        element.node = config_setting_get_elem(context->node, (unsigned)i);
        element.path = path;
        element.values = elements + (size_t)i * setting->group->size;
        TRY_EACH(read_group(&element));
    }
    return status;
}

/* A group that stands for one setting: a side, or a field from a file. */
static enum status read_inner_group(const struct reading *reading,
                                    const struct value_context *context)
{
    struct reading inner = *reading;
    inner.group = context->setting->group;
    inner.node = context->node;
    inner.path = context->path;
    inner.values = value_at(reading, context->setting->offset);
    return read_group(&inner);
}

static enum status read_file_field(const struct reading *reading,
                                   const struct value_context *context)
{
    struct input_field *field = value_at(reading, context->setting->offset);
    char where[TREE_WHERE_BYTES];
    tree_where(context->tree, context->node, context->path, where);
    TRY(memory_copy_text(&field->where, where));
    field->kind = FIELD_FILE;
    TRY(read_inner_group(reading, context));
    if (field->dataset[0] == '\0') {
        free(field->dataset);
        field->dataset = NULL;
    } else if (field->from_top) {
        return value_fail(context, "from_top is for text arrays; an HDF5 dataset has row 0 at the "
                                   "bottom");
    }
    return STATUS_OK;
}

static enum status read_table(const struct reading *reading, const struct value_context *context)
{
    struct input_function *function = value_at(reading, context->setting->offset);
    char where[TREE_WHERE_BYTES];
    tree_where(context->tree, context->node, context->path, where);
    TRY(memory_copy_text(&function->where, where));
    function->kind = FUNCTION_TABLE;
    return read_inner_group(reading, context);
}

static enum status read_node(const struct reading *reading, const struct setting *setting,
                             config_setting_t *node, const char *path);

/* One field that serves twice, or a list of two. */
static enum status read_field_pair(const struct reading *reading,
                                   const struct value_context *context)
{
    config_setting_t *const node = context->node;
    const bool is_list = config_setting_is_list(node) == CONFIG_TRUE;
    if (is_list && config_setting_length(node) != 2)
        return value_fail(context, "one value or two, for x and y, are meant, not %d",
                          config_setting_length(node));
    struct setting one = *context->setting;
    one.type = SETTING_FIELD;
    for (unsigned k = 0; k < 2; k++) {
        TRY(read_node(reading, &one, is_list ? config_setting_get_elem(node, k) : node,
                      context->path));
        one.offset += sizeof(struct input_field);
    }
    return STATUS_OK;
}

static enum status read_node(const struct reading *reading, const struct setting *setting,
                             config_setting_t *node, const char *path)
{
    const struct value_context context = {reading->tree, setting, node, path, reading->directory};
    if (setting->type == SETTING_FIELD_PAIR)
        return read_field_pair(reading, &context);
    if (setting->type == SETTING_LIST)
        return read_list(reading, &context);
    if (setting->type == SETTING_GROUP)
        return read_inner_group(reading, &context);
    if (setting->type == SETTING_FIELD && config_setting_is_group(node))
        return read_file_field(reading, &context);
    if (setting->type == SETTING_FUNCTION && config_setting_is_group(node))
        return read_table(reading, &context);
    return value_read(&context, value_at(reading, setting->offset));
}

/* Defaults stand in the table as they would in a file, and are read as if they did. */
static enum status read_fallback(const struct reading *reading, const struct setting *setting,
                                 const char *path)
{
    char text[128];
    (void)snprintf(text, sizeof text, "value = %s;", setting->fallback);
    struct tree fallback;
    TRY(tree_parse(&fallback, text, path));
    const enum status status =
        read_node(reading, setting, config_lookup(&fallback.config, "value"), path);
    tree_close(&fallback);
    return status;
}

/* Of a group whose type came from --set, where that is why the setting `path` is missing or, as
 * `node`, has no place; NULL: it is not. */
static const config_setting_t *find_set_type(const struct reading *reading,
                                             const struct setting *setting,
                                             const config_setting_t *node)
{
    const config_setting_t *type = tree_find(reading->node, reading->group->settings[0].path);
    const bool is_why = setting->only_for != 0 && tree_is_set(reading->tree, type) &&
                        !tree_is_set(reading->tree, node);
    return is_why ? type : NULL;
}

static enum status fail_missing(const struct reading *reading, const struct setting *setting,
                                const char *path)
{
    char type_path[TREE_PATH_BYTES];
    const config_setting_t *type = find_set_type(reading, setting, NULL);
    if (reading->tree->has_strange)
        return STATUS_INPUT; /* told by input_check_names() */
    if (type == NULL)
        return tree_fail(reading->tree, NULL, path, "is missing and has no default");
    (void)snprintf(type_path, sizeof type_path, "%.200s.%s", reading->path, type->name);
    return tree_fail(reading->tree, type, type_path,
                     "%s is missing and has no default; give it too, with --set %s=...", path,
                     path);
}

static enum status fail_useless(const struct reading *reading, const struct setting *setting,
                                const config_setting_t *node, const char *path)
{
    char where[TREE_WHERE_BYTES], type_path[TREE_PATH_BYTES];
    const config_setting_t *type = find_set_type(reading, setting, node);
    if (setting->unless != 0)
        return tree_fail(reading->tree, node, path,
                         "has no place beside side or material; remove one of them");
    if (type == NULL)
        return tree_fail(reading->tree, node, path, "has no place with this type; remove it");
    tree_where(reading->tree, node, path, where);
    (void)snprintf(type_path, sizeof type_path, "%.200s.%s", reading->path, type->name);
    return tree_fail(reading->tree, type, type_path,
                     "%s has no place with this type; give the whole group, with --set "
                     "'%s={ type = \"%s\"; ... }'",
                     where, reading->path, config_setting_get_string(type));
}

/* `node` is what the file has at `path`, NULL: nothing. */
static enum status read_given(const struct reading *reading, const struct setting *setting,
                              config_setting_t *node, const char *path)
{
    if (setting->given != 0) {
        const bool is_given = node != NULL;
        memcpy(value_at(reading, setting->given - 1), &is_given, sizeof is_given);
        return is_given ? read_node(reading, setting, node, path) : STATUS_OK;
    }
    if (!setting_applies(reading->group, setting, reading->values)) {
        if (node == NULL)
            return STATUS_OK;
        return fail_useless(reading, setting, node, path);
    }
    if (node != NULL)
        return read_node(reading, setting, node, path);
    if (setting->fallback != NULL)
        return read_fallback(reading, setting, path);
    return fail_missing(reading, setting, path);
}

static enum status read_setting(const struct reading *reading, const struct setting *setting)
{
    char path[TREE_PATH_BYTES];
    (void)snprintf(path, sizeof path, "%.150s%s%.100s", reading->path,
                   reading->path[0] != '\0' ? "." : "", setting->path);
    config_setting_t *node = tree_find(reading->node, setting->path);
    const bool has_parts =
        setting->type == SETTING_GROUP ||
        (setting->type == SETTING_LIST && node != NULL && config_setting_is_list(node));
    const enum status status = read_given(reading, setting, node, path);
    if (status == STATUS_INPUT && !has_parts && (node != NULL || !reading->tree->has_strange))
        tree_note_unread(reading->tree, path);
    return status;
}

/* All settings of a group; without its type, which is the first, what only some types take is left
 * out. */
static enum status read_group(const struct reading *reading)
{
    enum status status = STATUS_OK;
    bool has_type = true;
    for (int i = 0; i < reading->group->count; i++) {
        const struct setting *setting = &reading->group->settings[i];
        if (setting->only_for != 0 && !has_type)
            continue;
        TRY_EACH(read_setting(reading, setting));
        has_type = i == 0 ? status == STATUS_OK : has_type;
    }
    return status;
}

/* "out/plate" for the input "inputs/plate.cfg". */
static enum status default_directory(const char *path, char **directory)
{
    const char *name = path + input_file_folder_length(path);
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".cfg") == 0)
        length -= 4;
    char *text = NULL;
    TRY(memory_alloc(&text, length + 5, 1, "output.directory"));
    (void)snprintf(text, length + 5, "out/%.*s", (int)length, name);
    free(*directory);
    *directory = text;
    return STATUS_OK;
}

static enum status fill(struct tree *tree, const char *path, struct input *input)
{
    char where[TREE_WHERE_BYTES];
    TRY(memory_copy_text(&input->path, path));
    TRY(memory_copy_text(&input->text, tree->source.text));
    if (config_setting_length(config_root_setting(&tree->config)) == 0)
        return fail(STATUS_INPUT, "%s: there are no settings; docs/input.md tells which there are",
                    path);
    char *directory = NULL;
    enum status status = STATUS_OK;
    TRY_EACH(input_check_names(tree));
    tree->has_strange = status != STATUS_OK;
    TRY(input_file_directory(path, &directory));
    const struct reading root = {
        .tree = tree,
        .directory = directory,
        .group = &settings_root,
        .node = config_root_setting(&tree->config),
        .path = "",
        .values = input,
    };
    const enum status values = read_group(&root);
    free(directory);
    TRY_EACH(values);
    TRY_EACH(input_resolve(input, tree));
    TRY_EACH(input_check(input, tree));
    if (status != STATUS_OK) /* else those who read them tell */
        TRY_EACH(input_files_find(input, tree));
    TRY(status);
    tree_where_path(tree, "time.step", where);
    TRY(memory_copy_text(&input->time.step_where, where));
    if (input->output.directory[0] == '\0')
        TRY(default_directory(path, &input->output.directory));
    return STATUS_OK;
}

enum status input_read(const char *path, const char *const sets[], int set_count,
                       struct input *input)
{
    *input = (struct input){0};
    struct tree tree;
    TRY(tree_read(&tree, path));
    enum status status = STATUS_OK;
    for (int i = 0; i < set_count && status == STATUS_OK; i++)
        status = tree_set(&tree, sets[i]);
    if (status == STATUS_OK)
        status = fill(&tree, path, input);
    tree_close(&tree);
    if (status != STATUS_OK)
        input_free(input);
    return status;
}

static void free_group(const struct setting_group *group, char *values);

static void free_field(struct input_field *field)
{
    free(field->expression);
    free(field->file);
    free(field->dataset);
    free(field->where);
}

static void free_function(struct input_function *function)
{
    free(function->expression);
    free(function->table);
    free(function->where);
}

static void free_setting(const struct setting *setting, char *values)
{
    char *owned = NULL;
    int count = 0;
    switch (setting->type) {
    case SETTING_LIST:
        memcpy(&owned, values + setting->offset, sizeof owned);
        memcpy(&count, values + setting->count_offset, sizeof count);
        for (int i = 0; i < count; i++)
            free_group(setting->group, owned + (size_t)i * setting->group->size);
        break;
    case SETTING_TEXT:
    case SETTING_FILE:
        memcpy(&owned, values + setting->offset, sizeof owned);
        break;
    case SETTING_GROUP:
        free_group(setting->group, values + setting->offset);
        break;
    case SETTING_FIELD_PAIR:
        free_field((struct input_field *)(void *)(values + setting->offset) + 1);
        /* fall through */
    case SETTING_FIELD:
        free_field((struct input_field *)(void *)(values + setting->offset));
        break;
    case SETTING_FUNCTION:
        free_function((struct input_function *)(void *)(values + setting->offset));
        break;
    case SETTING_POINTS:
        memcpy(&owned, values + setting->offset, sizeof owned); /* its first member */
        break;
    default:
        break;
    }
    free(owned);
}

static void free_group(const struct setting_group *group, char *values)
{
    for (int i = 0; i < group->count; i++)
        free_setting(&group->settings[i], values);
}

void input_free(struct input *input)
{
    for (int i = 0; input->sources != NULL && i < input->source_count; i++) {
        free(input->sources[i].field.where); /* not read from the file */
        free(input->sources[i].floorplan_where);
        free(input->sources[i].trace_where);
    }
    for (int i = 0; input->shapes != NULL && i < input->shape_count; i++)
        free(input->shapes[i].where);
    free_group(&settings_root, (char *)input);
    free(input->time.step_where);
    free(input->geometry.image_where);
    free(input->path);
    free(input->text);
    *input = (struct input){0};
}
