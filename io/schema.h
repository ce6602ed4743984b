/* The table of all settings of the input file: the one place that knows their names, types, units,
 * defaults, ranges and meaning. Reading, writing run.cfg and docs/input.md walk this table. */
#ifndef ISOTHERM_IO_SCHEMA_H
#define ISOTHERM_IO_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

/* Magnitudes beyond this overflow somewhere downstream, and no plate has them. */
#define SETTING_LARGEST  1e30
#define SETTING_SMALLEST 1e-30 /* of what must be above 0 */

enum setting_type {                   /* in memory              in the file */
                    SETTING_GROUP,    /* a struct               { ... } as `group` says */
                    SETTING_LIST,     /* pointer and count      ( { ... }, { ... } ) */
                    SETTING_TEXT,     /* char *                 "text" */
                    SETTING_FILE,     /* char *, absolute       "path", relative to the input file's
                                         folder */
                    SETTING_BOOL,     /* bool                   true, false */
                    SETTING_CHOICE,   /* an enum                one of `choices`, "in quotes" */
                    SETTING_CHOICES,  /* unsigned: bit set      some of `choices`, ["in", "quotes"]
                                       */
                    SETTING_INTEGER,  /* int                    3 */
                    SETTING_REAL,     /* double                 0.5 */
                    SETTING_DURATION, /* double, s              number or "3 h 50 min" */
                    SETTING_INTERVAL, /* struct input_interval  number, "0.5 s" or "60 s wall" */
                    SETTING_PAIR,     /* double[2]              [0.1, 0.2] */
                    SETTING_COUNT_PAIR,   /* int64_t[2]             [100, 50] */
                    SETTING_INTEGER_PAIR, /* int[2]                 [2, 1] */
                    SETTING_POINTS,       /* struct input_points    ( [0, 1], [2, 3] ) */
                    SETTING_FUNCTION,     /* struct input_function  number, expression in `names`
                                             or { table = ... } (`group`) */
                    SETTING_FIELD,        /* struct input_field     number, expression or
                                             { file ... } (`group`) */
                    SETTING_FIELD_PAIR    /* struct input_field[2]  one FIELD or ( FIELD, FIELD ) */
};

struct setting_group;

struct setting {
    const char *path; /* within its group: "time.end" */
    enum setting_type type;
    size_t offset;        /* of the value in the struct that the group describes */
    const char *unit;     /* "" for none */
    const char *fallback; /* as written in a file; NULL: none */
    struct {
        double least, most;
        bool is_open; /* `least` itself is out */
    } range;
    const char *text; /* what it means, for docs/input.md */

    const char *const *choices;        /* ended by NULL; the index is the enum's value */
    const struct setting_group *group; /* GROUP, LIST, FUNCTION, FIELD, FIELD_PAIR */
    const char *names;                 /* FUNCTION: letters of its arguments */
    int width;                         /* POINTS: numbers of each */
    size_t count_offset;               /* LIST: of its int count */
    bool or_auto;                      /* "auto" is allowed and becomes 0 */
    /* Without a fallback a setting is required, unless one of these says otherwise: */
    size_t given;      /* 1 + offset of a bool that tells whether it was given: optional */
    size_t unless;     /* 1 + offset of a bool: only where that is false */
    size_t nor;        /* another such bool */
    unsigned only_for; /* bit set of the values of the group's `type` that take it; 0: all */
};

struct setting_group {
    const char *name; /* title in docs/input.md */
    const struct setting *settings;
    int count;
    size_t size; /* of the struct */
};

extern const struct setting_group settings_root;

/* "above 0 and at most 1" with the unit; "" when anything goes. */
void setting_range_text(const struct setting *setting, char *to, size_t bytes);

bool setting_in_range(const struct setting *setting, double value);

/* Whether the setting has a place in this struct (see `given`, `unless`, `only_for`). */
bool setting_applies(const struct setting_group *group, const struct setting *setting,
                     const void *values);

#endif
