/* What makes a resumed run another run: the first setting that two run.cfg disagree in. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/input.h"
#include "io/input_tree.h"

struct difference {
    char *text;
    size_t bytes;
    bool is_steady; /* both are steady runs */
};

/* A value for people: "300.0", "\"euler\"", "2 elements". */
static void describe(const config_setting_t *setting, char *to, size_t bytes)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT64:
        (void)snprintf(to, bytes, "%lld", config_setting_get_int64(setting));
        break;
    case CONFIG_TYPE_FLOAT:
        text_real(to, bytes, config_setting_get_float(setting));
        break;
    case CONFIG_TYPE_STRING:
        (void)snprintf(to, bytes, "\"%s\"", config_setting_get_string(setting));
        break;
    case CONFIG_TYPE_BOOL:
        (void)snprintf(to, bytes, "%s", config_setting_get_bool(setting) ? "true" : "false");
        break;
    default:
        (void)snprintf(to, bytes, "%s with %d entries", tree_type_text(setting),
                       config_setting_length(setting));
        break;
    }
}

static bool report(const struct difference *difference, const char *path, const config_setting_t *a,
                   const config_setting_t *b)
{
    char a_text[200] = "not set", b_text[200] = "not set";
    if (a != NULL)
        describe(a, a_text, sizeof a_text);
    if (b != NULL)
        describe(b, b_text, sizeof b_text);
    (void)snprintf(difference->text, difference->bytes, "%s: %s in the checkpoint, %s now", path,
                   a_text, b_text);
    return true;
}

/* Settings that a resumed run may change: none that the result or the shape of run.h5 depends on
 * (the step follows from the intervals of output and probes too). Whether another end leaves the
 * steps as they are is for those to say who know the schedule. */
static bool is_free(const struct difference *difference, const char *path)
{
    /* How near is near enough changes no step of a steady run. */
    if (difference->is_steady && strcmp(path, "time.tolerance") == 0)
        return true;

    static const char *const free[] = {
        "title",          "time.end",      "output.directory", "output.compression",
        "output.threads", "checkpoint",    "run.ranks",        "run.layout",
        "run.backend",    "run.transport", "run.wall_time",    "run.steps_per_exchange",
        "run.overlap",    "run.hang_time",
    };
    for (size_t i = 0; i < sizeof free / sizeof free[0]; i++)
        if (strcmp(path, free[i]) == 0)
            return true;
    return false;
}

static bool differ(const struct difference *difference, const char *path, const config_setting_t *a,
                   const config_setting_t *b);

static bool scalars_differ(const config_setting_t *a, const config_setting_t *b)
{
    switch (config_setting_type(a)) {
    case CONFIG_TYPE_INT64:
        return config_setting_get_int64(a) != config_setting_get_int64(b);
    case CONFIG_TYPE_FLOAT:
        return config_setting_get_float(a) != config_setting_get_float(b);
    case CONFIG_TYPE_STRING:
        return strcmp(config_setting_get_string(a), config_setting_get_string(b)) != 0;
    default:
        return config_setting_get_bool(a) != config_setting_get_bool(b);
    }
}

/* The members of `a` against those of the same name in `b`; with `only_missing` only whether `b`
 * has them. The report names `a` first, unless `swapped`. */
static bool members_differ(const struct difference *difference, const char *path,
                           const config_setting_t *a, const config_setting_t *b, bool swapped)
{
    const int count = config_setting_length(a);
    for (int i = 0; i < count; i++) {
        char below[TREE_PATH_BYTES];
        const config_setting_t *member = config_setting_get_elem(a, (unsigned)i);
        (void)snprintf(below, sizeof below, "%.150s%s%.80s", path, path[0] != '\0' ? "." : "",
                       member->name);
        if (is_free(difference, below))
            continue;
        const config_setting_t *other = config_setting_get_member(b, member->name);
        if (other == NULL)
            return report(difference, below, swapped ? NULL : member, swapped ? member : NULL);
        if (!swapped && differ(difference, below, member, other))
            return true;
    }
    return false;
}

static bool differ(const struct difference *difference, const char *path, const config_setting_t *a,
                   const config_setting_t *b)
{
    if (config_setting_type(a) != config_setting_type(b))
        return report(difference, path, a, b);
    if (config_setting_is_group(a))
        return members_differ(difference, path, a, b, false) ||
               members_differ(difference, path, b, a, true);
    if (!config_setting_is_list(a))
        return scalars_differ(a, b) && report(difference, path, a, b);
    if (config_setting_length(a) != config_setting_length(b))
        return report(difference, path, a, b);
    for (int i = 0; i < config_setting_length(a); i++) {
        char below[TREE_PATH_BYTES];
        (void)snprintf(below, sizeof below, "%.200s.[%d]", path, i);
        if (differ(difference, below, config_setting_get_elem(a, (unsigned)i),
                   config_setting_get_elem(b, (unsigned)i)))
            return true;
    }
    return false;
}

bool input_differs(const char *text_a, const char *text_b, char *difference, size_t bytes)
{
    struct tree a = {0}, b = {0};
    struct difference to = {difference, bytes, false};
    bool result = true;
    if (tree_parse(&a, text_a, "checkpoint") != STATUS_OK) {
        error_clear();
        (void)snprintf(difference, bytes, "the settings in the checkpoint cannot be read");
    } else if (tree_parse(&b, text_b, "settings") != STATUS_OK) {
        error_clear();
        (void)snprintf(difference, bytes, "the settings now cannot be read");
    } else {
        int steady[2] = {0, 0};
        (void)config_lookup_bool(&a.config, "time.steady", &steady[0]);
        (void)config_lookup_bool(&b.config, "time.steady", &steady[1]);
        to.is_steady = steady[0] != 0 && steady[1] != 0;
        result = differ(&to, "", config_root_setting(&a.config), config_root_setting(&b.config));
    }
    tree_close(&a);
    tree_close(&b);
    return result;
}

enum status input_end(const char *text, double *end)
{
    struct tree tree = {0};
    TRY(tree_parse(&tree, text, "checkpoint"));
    const bool is_there = config_lookup_float(&tree.config, "time.end", end) == CONFIG_TRUE;
    tree_close(&tree);
    return is_there ? STATUS_OK
                    : fail(STATUS_FILE, "the settings in the checkpoint have no time.end");
}
