/* The settings of an input as libconfig's tree, with --set laid over it. Knows places and paths,
 * not what the settings mean. */
#ifndef ISOTHERM_IO_INPUT_TREE_H
#define ISOTHERM_IO_INPUT_TREE_H

#include <libconfig.h>
#include <stdbool.h>

#include "base/error.h"
#include "io/input_source.h"

enum {
    TREE_PATH_BYTES = 256,
    TREE_WHERE_BYTES = 1024,
    TREE_MOST_UNREAD = 2 * (ERROR_MOST + 2) /* a mistake notes up to two, a field and its file */
};

struct tree {
    struct source source;
    config_t config;
    bool is_open;
    bool has_strange; /* names that nobody knows: they may be meant where a setting is missing */
    char unread[TREE_MOST_UNREAD][TREE_PATH_BYTES]; /* (unread_count) settings that are wrong */
    int unread_count;
};

/* Both leave an empty tree when they fail. */
enum status tree_read(struct tree *tree, const char *path) MUST_CHECK;
enum status tree_parse(struct tree *tree, const char *text, const char *name) MUST_CHECK;

/* Fine for a zeroed tree. */
void tree_close(struct tree *tree);

/* Lays one "path=value" of --set over the tree. */
enum status tree_set(struct tree *tree, const char *assignment) MUST_CHECK;

/* The setting at a path like "region.side" below a group, NULL when there is none or when `group`
 * is NULL. */
config_setting_t *tree_find(config_setting_t *group, const char *path);

/* "plate.cfg:12: time.end" for messages: the place of `setting`, or "--set: time.end" when it came
 * from there; the file alone when `setting` is NULL. `path` is written as it is. */
void tree_where(const struct tree *tree, const config_setting_t *setting, const char *path,
                char where[TREE_WHERE_BYTES]);

/* The same for a path from the root; a missing setting has the place of the nearest group around
 * it. */
void tree_where_path(const struct tree *tree, const char *path, char where[TREE_WHERE_BYTES]);

/* STATUS_INPUT with the place of `setting` in front, of `path` when it is NULL. The message is one
 * of several, by their lines: see error_go_on(). */
enum status tree_fail(const struct tree *tree, const config_setting_t *setting, const char *path,
                      const char *format, ...) PRINTF_LIKE(4, 5);

/* Notes that the setting at `path`, which has been told to be wrong, has no value. */
void tree_note_unread(struct tree *tree, const char *path);

/* Whether the value of the setting at `path` is the one that is meant: it was read, or it is
 * missing and no strange name can stand for it. What is said of other values is said of a mistake
 * again. */
bool tree_is_known(const struct tree *tree, const char *path);

/* The line of `setting` in the text with all includes; 0: it is no part of it. */
int tree_line(const struct tree *tree, const config_setting_t *setting);

/* `setting` came from --set. */
bool tree_is_set(const struct tree *tree, const config_setting_t *setting);

/* "a text", "a whole number", "a group { ... }": what a setting is, for messages. */
const char *tree_type_text(const config_setting_t *setting);

#endif
