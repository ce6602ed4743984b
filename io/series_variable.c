#include "io/series_variable.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/series_source.h"

enum { MOST_NAMES = 256 };

/* Axes are scales; what "bounds" of an axis names is part of it. */
static enum status is_of_an_axis(const struct h5_source *source, const struct h5_array *array,
                                 const char *name, bool *is_axis)
{
    static const char bounds[] = "_bnds";
    char *class = NULL;
    const size_t length = strlen(name), tail = sizeof bounds - 1;
    TRY(h5_read_text(array->dataset, source->path, "CLASS", &class));
    *is_axis = strcmp(class, "DIMENSION_SCALE") == 0 ||
               (length > tail && strcmp(name + length - tail, bounds) == 0);
    free(class);
    return STATUS_OK;
}

/* What an array is by its shape; false when it is nothing that can be drawn. */
static bool find_kind(const struct series *series, const struct h5_array *array,
                      enum series_kind *kind)
{
    int64_t nx = 0, ny = 0;
    double size[2];
    series_shape(series, &nx, &ny, size);
    const hsize_t *shape = array->shape;
    const hsize_t frames = (hsize_t)series_frames(series), rows = (hsize_t)ny,
                  columns = (hsize_t)nx;
    *kind = array->rank == 3 ? SERIES_FIELD : array->rank == 2 ? SERIES_STILL : SERIES_OVER_TIME;
    switch (array->rank) {
    case 3:
        return shape[0] >= frames && shape[1] == rows && shape[2] == columns;
    case 2:
        return shape[0] == rows && shape[1] == columns;
    default:
        return array->rank == 1 && shape[0] >= frames;
    }
}

/* Opens what can be drawn; otherwise, or on failure, *is_found is false and nothing is open. */
static enum status open_array(const struct series *series, const char *name, struct h5_array *array,
                              enum series_kind *kind, bool *is_found)
{
    const struct h5_source *source = series_source(series);
    bool is_axis = false;
    *is_found = false;
    TRY(h5_array_open_bare(source, name, array));
    const enum status status = is_of_an_axis(source, array, name, &is_axis);
    *is_found = status == STATUS_OK && !is_axis && find_kind(series, array, kind);
    if (!*is_found)
        h5_array_close(array);
    return status;
}

/* ---- names ---- */

static herr_t take_name(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
    struct series_names *names = context;
    (void)group;
    (void)link;
    if (names->count == MOST_NAMES)
        return 1;
    if (memory_copy_text(&names->names[names->count], name) != STATUS_OK)
        return -1;
    names->count++;
    return 0;
}

static void keep_drawable(const struct series *series, struct series_names *names)
{
    int kept = 0;
    for (int k = 0; k < names->count; k++) {
        struct h5_array array = {.dataset = H5I_INVALID_HID};
        enum series_kind kind = SERIES_FIELD;
        bool is_found = false;
        if (open_array(series, names->names[k], &array, &kind, &is_found) != STATUS_OK)
            error_clear(); /* a group, a link, text: other programs may put them there */
        if (!is_found)
            continue;
        h5_array_close(&array);
        char *name = names->names[k];
        names->names[k] = names->names[kept];
        names->names[kept++] = name;
    }
    for (int k = kept; k < names->count; k++)
        free(names->names[k]);
    names->count = kept;
}

enum status series_names_read(const struct series *series, struct series_names *names)
{
    const struct h5_source *source = series_source(series);
    enum status status = STATUS_OK;
    *names = (struct series_names){0};
    TRY_DONE(memory_alloc(&names->names, MOST_NAMES, sizeof *names->names, "names of datasets"));
    /* In the order of creation where the file knows it. */
    if (H5Literate(source->file, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, take_name, names) < 0) {
        for (int k = 0; k < names->count; k++)
            free(names->names[k]);
        names->count = 0;
        TRY_DONE(
            h5_check(H5Literate(source->file, H5_INDEX_NAME, H5_ITER_INC, NULL, take_name, names),
                     source->path, "list of datasets"));
    }
    keep_drawable(series, names);
done:
    if (status != STATUS_OK)
        series_names_free(names);
    return status;
}

void series_names_free(struct series_names *names)
{
    for (int k = 0; k < names->count; k++)
        free(names->names[k]);
    free(names->names);
    *names = (struct series_names){0};
}

static enum status unknown_name(const struct series *series, const char *name)
{
    struct series_names names;
    TRY(series_names_read(series, &names));
    const char *nearest = text_nearest(name, (const char *const *)names.names, names.count);
    const enum status status =
        fail(STATUS_INPUT,
             "--field %s: %s holds no such field%s%s; isotherm plot --field list shows them", name,
             series_source(series)->path, nearest != NULL ? ", did you mean " : "",
             nearest != NULL ? nearest : "");
    series_names_free(&names);
    return status;
}

/* ---- attributes ---- */

static enum status read_flag_values(const struct h5_source *source, hid_t dataset,
                                    int values[SERIES_MAX_CLASSES], int *count)
{
    enum status status = STATUS_OK;
    hid_t attribute = H5I_INVALID_HID, space = H5I_INVALID_HID;
    *count = 0;
    if (H5Aexists(dataset, "flag_values") <= 0)
        return STATUS_OK;
    attribute = H5Aopen(dataset, "flag_values", H5P_DEFAULT);
    TRY_DONE(h5_check(attribute, source->path, "flag_values"));
    space = H5Aget_space(attribute);
    TRY_DONE(h5_check(space, source->path, "flag_values"));
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    if (points < 1 || points > SERIES_MAX_CLASSES)
        goto done; /* then they are drawn as numbers */
    TRY_DONE(h5_check(H5Aread(attribute, H5T_NATIVE_INT, values), source->path, "flag_values"));
    *count = (int)points;
done:
    h5_close_space(space);
    h5_close_attribute(attribute);
    return status;
}

/* "steel soft_copper": a word per value, underscores for blanks. */
static void split_meanings(struct series_variable *variable, const int *values, int count)
{
    char *rest = NULL;
    char *word = strtok_r(variable->meanings, " ", &rest);
    for (int k = 0; k < count && word != NULL; k++) {
        for (char *c = word; *c != '\0'; c++)
            *c = *c == '_' ? ' ' : *c;
        variable->classes[k] = (struct series_class){values[k], word};
        variable->class_count++;
        word = strtok_r(NULL, " ", &rest);
    }
}

static enum status read_classes(const struct h5_source *source, hid_t dataset,
                                struct series_variable *variable)
{
    int values[SERIES_MAX_CLASSES], count = 0;
    TRY(read_flag_values(source, dataset, values, &count));
    if (count == 0)
        return STATUS_OK;
    TRY(h5_read_text(dataset, source->path, "flag_meanings", &variable->meanings));
    TRY(memory_alloc(&variable->classes, (size_t)count, sizeof *variable->classes, "classes"));
    split_meanings(variable, values, count);
    return STATUS_OK;
}

static enum status read_attributes(const struct h5_source *source, hid_t dataset,
                                   struct series_variable *variable)
{
    TRY(h5_read_text(dataset, source->path, "long_name", &variable->long_name));
    if (variable->long_name[0] == '\0') {
        free(variable->long_name);
        TRY(memory_copy_text(&variable->long_name, variable->name));
    }
    TRY(h5_read_text(dataset, source->path, "units", &variable->unit));
    if (strcmp(variable->unit, "1") == 0)
        variable->unit[0] = '\0';
    return read_classes(source, dataset, variable);
}

enum status series_variable_open(const struct series *series, const char *name,
                                 struct series_variable *variable)
{
    struct h5_array array = {.dataset = H5I_INVALID_HID};
    enum status status = STATUS_OK;
    bool is_found = false;
    *variable = (struct series_variable){0};
    if (h5_array_exists(series_source(series), name))
        TRY(open_array(series, name, &array, &variable->kind, &is_found));
    if (!is_found)
        return unknown_name(series, name);
    TRY_DONE(memory_copy_text(&variable->name, name));
    TRY_DONE(read_attributes(series_source(series), array.dataset, variable));
done:
    h5_array_close(&array);
    return status;
}

enum status series_variable_open_field(const struct series *series, const char *name,
                                       struct series_variable *variable)
{
    TRY(series_variable_open(series, name != NULL ? name : series_field_name(series, 0), variable));
    if (variable->kind != SERIES_OVER_TIME)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "--field %s: %s holds it as numbers over time, not of cells; isotherm plot draws "
                "them",
                name, series_source(series)->path);
}

void series_variable_close(struct series_variable *variable)
{
    free(variable->name);
    free(variable->long_name);
    free(variable->unit);
    free(variable->classes);
    free(variable->meanings);
    *variable = (struct series_variable){0};
}

/* ---- values ---- */

enum status series_variable_read(const struct series *series,
                                 const struct series_variable *variable, int64_t frame,
                                 double *values)
{
    const struct h5_source *source = series_source(series);
    struct h5_array array;
    TRY(h5_array_open_bare(source, variable->name, &array));
    hsize_t start[H5_MAX_RANK] = {0}, count[H5_MAX_RANK];
    memcpy(count, array.shape, sizeof count);
    if (variable->kind == SERIES_FIELD) {
        start[0] = (hsize_t)frame;
        count[0] = 1;
    } else if (variable->kind == SERIES_OVER_TIME) {
        count[0] = (hsize_t)series_frames(series);
    }
    const enum status status =
        h5_array_read(source, &array, start, count, H5T_NATIVE_DOUBLE, values);
    h5_array_close(&array);
    return status;
}
