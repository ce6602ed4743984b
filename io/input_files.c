#include "io/input_files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "io/crc32c.h"
#include "io/input_tree.h"
#include "io/schema.h"

/* What is done with each file: its sum goes `to` a file, or where that is NULL, it is looked for.
 */
struct visit {
    FILE *to;
    const struct tree *tree;
};

/* A group on its way through the table. */
struct place {
    const struct visit *visit;
    const char *path; /* from the root, "" there */
};

static enum status write_sum(FILE *to, const char *setting, const char *path)
{
    enum { PIECE = 1 << 16 };
    unsigned char piece[PIECE];
    uint32_t sum = 0;
    uint64_t bytes = 0;
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return fail(STATUS_FILE, "%s: %s cannot be opened: %s", setting, path, strerror(errno));
    for (size_t got = fread(piece, 1, PIECE, file); got > 0; got = fread(piece, 1, PIECE, file)) {
        sum = crc32c(sum, piece, got);
        bytes += got;
    }
    const bool is_read = ferror(file) == 0;
    (void)fclose(file);
    if (!is_read)
        return fail(STATUS_FILE, "%s: %s cannot be read", setting, path);
    (void)fprintf(to, "%s %08" PRIx32 " %" PRIu64 "\n", setting, sum, bytes);
    return STATUS_OK;
}

static enum status find(const struct tree *tree, const char *setting, const char *path)
{
    if (access(path, R_OK) == 0)
        return STATUS_OK;
    return tree_fail(tree, NULL, setting, "%s cannot be opened: %s", path, strerror(errno));
}

/* `path` is NULL where none was read. */
static enum status visit_file(const struct place *place, const char *path)
{
    const struct visit *visit = place->visit;
    if (path == NULL)
        return STATUS_OK;
    if (visit->to == NULL)
        return find(visit->tree, place->path, path);
    if (strcmp(place->path, "initial.temperature") == 0) /* a resume does not need it */
        return STATUS_OK;
    return write_sum(visit->to, place->path, path);
}

static enum status visit_field(const struct place *place, const struct input_field *field)
{
    return field->kind == FIELD_FILE ? visit_file(place, field->file) : STATUS_OK;
}

/* One that serves twice: looked for once. */
static bool is_same_file(const struct input_field *a, const struct input_field *b)
{
    return a->kind == FIELD_FILE && b->kind == FIELD_FILE && a->file != NULL && b->file != NULL &&
           strcmp(a->file, b->file) == 0;
}

static enum status visit_group(const struct place *place, const struct setting_group *group,
                               const char *values);

static enum status visit_list(const struct place *place, const struct setting *setting,
                              const char *values)
{
    const char *elements = NULL;
    int count = 0;
    enum status status = STATUS_OK;
    memcpy(&elements, values + setting->offset, sizeof elements);
    memcpy(&count, values + setting->count_offset, sizeof count);
    for (int i = 0; i < count; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%.200s.[%d]", place->path, i);
        const struct place element = {place->visit, path};
        TRY_EACH(
            visit_group(&element, setting->group, elements + (size_t)i * setting->group->size));
    }
    return status;
}

/* `place` is the setting's own. */
static enum status visit_setting(const struct place *place, const struct setting *setting,
                                 const char *values)
{
    const void *at = values + setting->offset;
    const struct input_field *fields = at;
    const struct input_function *function = at;
    enum status status = STATUS_OK;
    switch (setting->type) {
    case SETTING_LIST:
        return visit_list(place, setting, values);
    case SETTING_GROUP:
        return visit_group(place, setting->group, at);
    case SETTING_FILE:
        return visit_file(place, *(const char *const *)at);
    case SETTING_FIELD:
        return visit_field(place, fields);
    case SETTING_FIELD_PAIR:
        TRY_EACH(visit_field(place, &fields[0]));
        if (place->visit->to != NULL || !is_same_file(&fields[0], &fields[1]))
            TRY_EACH(visit_field(place, &fields[1]));
        return status;
    case SETTING_FUNCTION:
        return function->kind == FUNCTION_TABLE ? visit_file(place, function->table) : STATUS_OK;
    default:
        return STATUS_OK;
    }
}

static enum status visit_group(const struct place *place, const struct setting_group *group,
                               const char *values)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < group->count; i++) {
        const struct setting *setting = &group->settings[i];
        char path[256];
        (void)snprintf(path, sizeof path, "%.150s%s%.100s", place->path,
                       place->path[0] != '\0' ? "." : "", setting->path);
        const struct place own = {place->visit, path};
        if (setting_applies(group, setting, values))
            TRY_EACH(visit_setting(&own, setting, values));
    }
    return status;
}

enum status input_files_write(const struct input *input, FILE *file)
{
    const struct visit visit = {.to = file};
    const struct place root = {&visit, ""};
    (void)fputs("files\n", file);
    return visit_group(&root, &settings_root, (const char *)input);
}

enum status input_files_find(const struct input *input, const struct tree *tree)
{
    const struct visit visit = {.tree = tree};
    const struct place root = {&visit, ""};
    return visit_group(&root, &settings_root, (const char *)input);
}
