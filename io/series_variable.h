/* Any dataset of run.h5 that is about its cells or its times, by its name, with what its attributes
 * say about it. All commands find by this what --field names. */
#ifndef ISOTHERM_IO_SERIES_VARIABLE_H
#define ISOTHERM_IO_SERIES_VARIABLE_H

#include "io/snapshot.h"

enum series_kind {
    SERIES_FIELD,    /* (time, y, x) */
    SERIES_STILL,    /* (y, x), the same at all times */
    SERIES_OVER_TIME /* (time) */
};

enum { SERIES_MAX_CLASSES = 256 };

/* One of the few values of a field whose numbers are names (CF: flag_values, flag_meanings). */
struct series_class {
    int value;
    const char *name;
};

struct series_variable {
    enum series_kind kind;
    char *name;
    char *long_name;              /* the name when the file has none */
    char *unit;                   /* "" when it has none, or is a plain number ("1") */
    struct series_class *classes; /* (class_count) */
    int class_count;              /* 0: the values are quantities */
    char *meanings;               /* the text that the names of the classes lie in */
};

/* STATUS_INPUT when the file holds nothing of that name that can be drawn; the message names the
 * nearest one. To be closed in any case; closing one that is all zero is fine. */
enum status series_variable_open(const struct series *series, const char *name,
                                 struct series_variable *variable) MUST_CHECK;
/* The same for what has a value for each cell; a name of NULL is the first field. */
enum status series_variable_open_field(const struct series *series, const char *name,
                                       struct series_variable *variable) MUST_CHECK;
void series_variable_close(struct series_variable *variable);

/* The names of all datasets that can be drawn, in the order of the file; owned by the caller. */
struct series_names {
    char **names;
    int count;
};

enum status series_names_read(const struct series *series, struct series_names *names) MUST_CHECK;
void series_names_free(struct series_names *names);

/* A field: values[ny * nx] of frame `frame` (any frame of a still one). Numbers over time:
 * values[frames], `frame` is not looked at. */
enum status series_variable_read(const struct series *series,
                                 const struct series_variable *variable, int64_t frame,
                                 double *values) MUST_CHECK;

#endif
