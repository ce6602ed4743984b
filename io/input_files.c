#include "io/input_files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "io/crc32c.h"
#include "io/schema.h"

/* A group on its way through the table. */
struct place {
    FILE *to;
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

static enum status write_field(FILE *to, const char *setting, const struct input_field *field)
{
    return field->kind == FIELD_FILE ? write_sum(to, setting, field->file) : STATUS_OK;
}

static enum status write_group(const struct place *place, const struct setting_group *group,
                               const char *values);

static enum status write_list(const struct place *place, const struct setting *setting,
                              const char *values)
{
    const char *elements = NULL;
    int count = 0;
    memcpy(&elements, values + setting->offset, sizeof elements);
    memcpy(&count, values + setting->count_offset, sizeof count);
    for (int i = 0; i < count; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%.200s.[%d]", place->path, i);
        const struct place element = {place->to, path};
        TRY(write_group(&element, setting->group, elements + (size_t)i * setting->group->size));
    }
    return STATUS_OK;
}

/* `place` is the setting's own. */
static enum status write_setting(const struct place *place, const struct setting *setting,
                                 const char *values)
{
    const void *at = values + setting->offset;
    const struct input_field *fields = at;
    const struct input_function *function = at;
    switch (setting->type) {
    case SETTING_LIST:
        return write_list(place, setting, values);
    case SETTING_GROUP:
        return write_group(place, setting->group, at);
    case SETTING_FILE:
        return write_sum(place->to, place->path, *(const char *const *)at);
    case SETTING_FIELD:
        return write_field(place->to, place->path, fields);
    case SETTING_FIELD_PAIR:
        TRY(write_field(place->to, place->path, &fields[0]));
        return write_field(place->to, place->path, &fields[1]);
    case SETTING_FUNCTION:
        return function->kind == FUNCTION_TABLE ? write_sum(place->to, place->path, function->table)
                                                : STATUS_OK;
    default:
        return STATUS_OK;
    }
}

static enum status write_group(const struct place *place, const struct setting_group *group,
                               const char *values)
{
    for (int i = 0; i < group->count; i++) {
        const struct setting *setting = &group->settings[i];
        char path[256];
        (void)snprintf(path, sizeof path, "%.150s%s%.100s", place->path,
                       place->path[0] != '\0' ? "." : "", setting->path);
        const struct place own = {place->to, path};
        if (setting_applies(group, setting, values) && strcmp(path, "initial.temperature") != 0)
            TRY(write_setting(&own, setting, values));
    }
    return STATUS_OK;
}

enum status input_files_write(const struct input *input, FILE *file)
{
    const struct place root = {file, ""};
    (void)fputs("files\n", file);
    return write_group(&root, &settings_root, (const char *)input);
}
