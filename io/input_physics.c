/* Materials, shapes, sources and loss: names become indices, and what does not make sense is
 * refused. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/input_check.h"

/* What the kernels have room for. */
enum { MOST_MATERIALS = 64, MOST_SPOTS = 16, MOST_FILES = 4, MOST_SOURCES = 64 };

/* A list whose entries are being looked at, for messages. */
struct place {
    const struct input *input;
    const struct tree *tree;
    const char *list;
    int index;
};

PRINTF_LIKE(3, 4)
static enum status fail_entry(const struct place *place, const char *setting, const char *format,
                              ...)
{
    char path[TREE_PATH_BYTES], what[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)snprintf(path, sizeof path, "%s.[%d].%s", place->list, place->index, setting);
    return tree_fail(place->tree, NULL, path, "%s", what);
}

static bool is_known(const struct place *place, const char *setting)
{
    char path[TREE_PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s.[%d].%s", place->list, place->index, setting);
    return tree_is_known(place->tree, path);
}

/* Whether names of materials may be missing here. */
static bool may_be_unread(const struct place *place)
{
    const struct input *input = place->input;
    if (!tree_is_known(place->tree, "materials") || input->material_count < 1 ||
        input->material_count > MOST_MATERIALS)
        return true;
    for (int m = 0; m < input->material_count; m++)
        if (input->materials[m].name == NULL || input->materials[m].name[0] == '\0')
            return true;
    return false;
}

/* `name` is NULL where it could not be read. */
static enum status find_material(const struct place *place, const char *setting, const char *name,
                                 int *index)
{
    const struct input *input = place->input;
    const char *names[MOST_MATERIALS];
    if (name == NULL || may_be_unread(place))
        return STATUS_OK; /* the mistake is another one's */
    for (int m = 0; m < input->material_count; m++) {
        names[m] = input->materials[m].name;
        if (strcmp(names[m], name) == 0) {
            *index = m;
            return STATUS_OK;
        }
    }
    const char *nearest = text_nearest(name, names, input->material_count);
    if (nearest != NULL)
        return fail_entry(place, setting, "unknown material \"%.60s\"; did you mean %s?", name,
                          nearest);
    return fail_entry(place, setting, "unknown material \"%.60s\"; materials names them", name);
}

static enum status check_materials(const struct input *input, const struct tree *tree)
{
    enum status status = STATUS_OK;
    if (!tree_is_known(tree, "materials"))
        return STATUS_OK;
    if (input->material_count < 1 || input->material_count > MOST_MATERIALS)
        return tree_fail(tree, NULL, "materials", "%d materials; 1 to %d are possible",
                         input->material_count, (int)MOST_MATERIALS);
    for (int m = 0; m < input->material_count; m++) {
        const struct place place = {input, tree, "materials", m};
        const char *name = input->materials[m].name;
        if (name != NULL && name[0] == '\0')
            TRY_EACH(fail_entry(&place, "name", "the name is empty"));
        for (int before = 0; before < m && name != NULL && name[0] != '\0'; before++) {
            const char *other = input->materials[before].name;
            if (other != NULL && strcmp(name, other) == 0)
                TRY_EACH(
                    fail_entry(&place, "name", "another material has the name %.60s too", name));
        }
    }
    return status;
}

static enum status check_rectangle(const struct place *place, const double from[2],
                                   const double to[2])
{
    if (!is_known(place, "from") || !is_known(place, "to"))
        return STATUS_OK;
    for (int axis = 0; axis < 2; axis++)
        if (!(from[axis] < to[axis]))
            return fail_entry(place, "to", "it ends in %c at %.9g m but starts at %.9g m",
                              "xy"[axis], to[axis], from[axis]);
    return STATUS_OK;
}

/* The image or the field under the shapes. */
static enum status resolve_geometry(struct input *input, const struct tree *tree)
{
    char where[TREE_WHERE_BYTES];
    if (!input->geometry.has_image)
        return STATUS_OK;
    if (input->geometry.has_material)
        return tree_fail(tree, NULL, "geometry.image",
                         "has no place beside geometry.material; remove one of them");
    tree_where_path(tree, "geometry.image", where);
    return memory_copy_text(&input->geometry.image_where, where);
}

static enum status resolve_shape(const struct place *place, struct input_shape *shape)
{
    char path[TREE_PATH_BYTES], where[TREE_WHERE_BYTES];
    enum status status = STATUS_OK;
    (void)snprintf(path, sizeof path, "geometry.shapes.[%d]", place->index);
    tree_where_path(place->tree, path, where);
    TRY(memory_copy_text(&shape->where, where));
    TRY_EACH(find_material(place, "material", shape->material, &shape->index));
    if (!is_known(place, "type"))
        return status;
    if (shape->type == SHAPE_RECTANGLE)
        TRY_EACH(check_rectangle(place, shape->from, shape->to));
    if (shape->type == SHAPE_POLYGON && is_known(place, "points") && shape->points.count < 3)
        TRY_EACH(fail_entry(place, "points", "a polygon has at least 3 corners, not %d",
                            shape->points.count));
    return status;
}

static enum status resolve_shapes(struct input *input, const struct tree *tree)
{
    enum status status = STATUS_OK;
    for (int s = 0; s < input->shape_count; s++) {
        const struct place place = {input, tree, "geometry.shapes", s};
        TRY_EACH(resolve_shape(&place, &input->shapes[s]));
    }
    return status;
}

static enum status resolve_contact(const struct place *place, struct input_contact *contact)
{
    enum status status = STATUS_OK;
    TRY_EACH(find_material(place, "material", contact->material, &contact->index));
    TRY_EACH(find_material(place, "beside", contact->beside, &contact->beside_index));
    if (status == STATUS_OK && contact->material != NULL && contact->beside != NULL &&
        strcmp(contact->material, contact->beside) == 0)
        TRY_EACH(fail_entry(place, "beside", "a material has no contact with itself"));
    return status;
}

/* Between the same two, in either order. */
static bool is_same_pair(const struct input_contact *a, const struct input_contact *b)
{
    if (a->material == NULL || a->beside == NULL || b->material == NULL || b->beside == NULL)
        return false;
    return (strcmp(a->material, b->material) == 0 && strcmp(a->beside, b->beside) == 0) ||
           (strcmp(a->material, b->beside) == 0 && strcmp(a->beside, b->material) == 0);
}

/* The first entry for the same two gives them the same resistance. */
static enum status check_repeated(const struct place *place)
{
    const struct input_contact *contacts = place->input->contacts;
    const struct input_contact *contact = &contacts[place->index];
    char path[TREE_PATH_BYTES], where[TREE_WHERE_BYTES];
    struct place before = *place;
    if (!is_known(place, "resistance"))
        return STATUS_OK;
    for (before.index = 0; before.index < place->index; before.index++) {
        const struct input_contact *other = &contacts[before.index];
        if (!is_same_pair(contact, other) || !is_known(&before, "resistance"))
            continue;
        if (other->resistance == contact->resistance)
            return STATUS_OK;
        (void)snprintf(path, sizeof path, "contacts.[%d].resistance", before.index);
        tree_where_path(place->tree, path, where);
        return fail_entry(place, "resistance",
                          "%.9g m2 K/W, but %.9g m2 K/W between the same two materials at %s; "
                          "remove one",
                          contact->resistance, other->resistance, where);
    }
    return STATUS_OK;
}

static enum status resolve_contacts(struct input *input, const struct tree *tree)
{
    enum status status = STATUS_OK;
    for (int c = 0; c < input->contact_count; c++) {
        const struct place place = {input, tree, "contacts", c};
        TRY_EACH(resolve_contact(&place, &input->contacts[c]));
        TRY_EACH(check_repeated(&place));
    }
    return status;
}

static enum status resolve_fixed(struct input *input, const struct tree *tree)
{
    enum status status = STATUS_OK;
    for (int f = 0; f < input->fixed_count; f++) {
        const struct place place = {input, tree, "fixed", f};
        struct input_fixed *fixed = &input->fixed[f];
        if (fixed->is_material && fixed->is_side)
            TRY_EACH(fail_entry(&place, "region.material",
                                "has no place beside side; remove one of them"));
        if (fixed->is_material)
            TRY_EACH(find_material(&place, "region.material", fixed->material, &fixed->index));
    }
    return status;
}

static enum status resolve_region(const struct place *place, struct input_source *source)
{
    if (source->type != SOURCE_UNIFORM && is_known(place, "type") &&
        (source->has_from || source->has_to || source->is_material))
        return fail_entry(place, "region", "has no place with this type; remove it");
    if (source->has_from != source->has_to && !place->tree->has_strange)
        return fail_entry(place, "region", "from and to go together; give both");
    if (source->has_from && source->is_material)
        return fail_entry(place, "region", "a rectangle or a material, not both");
    if (source->is_material)
        return find_material(place, "region.material", source->material, &source->index);
    return STATUS_OK;
}

static enum status check_path(const struct place *place, const struct input_points *path)
{
    if (!is_known(place, "path"))
        return STATUS_OK;
    if (path->count < 1)
        return fail_entry(place, "path", "at least one point [t, x, y] is needed");
    for (int n = 1; n < path->count; n++)
        if (!(path->values[(ptrdiff_t)3 * n] > path->values[(ptrdiff_t)3 * (n - 1)]))
            return fail_entry(place, "path", "entry %d is not later than the one before", n);
    return STATUS_OK;
}

static enum status resolve_file(const struct place *place, struct input_field *field)
{
    char path[TREE_PATH_BYTES], where[TREE_WHERE_BYTES];
    (void)snprintf(path, sizeof path, "sources.[%d].file", place->index);
    tree_where_path(place->tree, path, where);
    TRY(memory_copy_text(&field->where, where));
    field->kind = FIELD_FILE;
    if (field->dataset == NULL) /* could not be read */
        return STATUS_OK;
    if (field->dataset[0] == '\0') {
        free(field->dataset);
        field->dataset = NULL;
    } else if (field->from_top) {
        return fail_entry(place, "from_top",
                          "from_top is for text arrays; an HDF5 dataset has row 0 at the bottom");
    }
    return STATUS_OK;
}

static enum status resolve_floorplan(const struct place *place, struct input_source *source)
{
    char path[TREE_PATH_BYTES], where[TREE_WHERE_BYTES];
    (void)snprintf(path, sizeof path, "sources.[%d].floorplan", place->index);
    tree_where_path(place->tree, path, where);
    TRY(memory_copy_text(&source->floorplan_where, where));
    (void)snprintf(path, sizeof path, "sources.[%d].trace", place->index);
    tree_where_path(place->tree, path, where);
    return memory_copy_text(&source->trace_where, where);
}

static enum status resolve_source(const struct place *place, struct input_source *source)
{
    enum status status = STATUS_OK;
    TRY_EACH(resolve_region(place, source));
    if (!is_known(place, "type"))
        return status;
    if (source->type == SOURCE_GAUSSIAN)
        TRY_EACH(check_path(place, &source->path));
    if (source->type == SOURCE_FILE)
        TRY_EACH(resolve_file(place, &source->field));
    if (source->type == SOURCE_FLOORPLAN)
        TRY_EACH(resolve_floorplan(place, source));
    return status;
}

static enum status resolve_sources(struct input *input, const struct tree *tree)
{
    int counts[4] = {0};
    enum status status = STATUS_OK;
    if (input->source_count > MOST_SOURCES)
        return tree_fail(tree, NULL, "sources", "%d sources; at most %d are possible",
                         input->source_count, (int)MOST_SOURCES);
    for (int s = 0; s < input->source_count; s++) {
        const struct place place = {input, tree, "sources", s};
        struct input_source *source = &input->sources[s];
        counts[source->type]++;
        if (source->type == SOURCE_GAUSSIAN && counts[SOURCE_GAUSSIAN] == MOST_SPOTS + 1)
            TRY_EACH(fail_entry(&place, "type", "more than %d gaussian sources", (int)MOST_SPOTS));
        if (source->type == SOURCE_FILE && counts[SOURCE_FILE] == MOST_FILES + 1)
            TRY_EACH(
                fail_entry(&place, "type", "more than %d sources from files", (int)MOST_FILES));
        TRY_EACH(resolve_source(&place, source));
    }
    return status;
}

static enum status check_loss(const struct input *input, const struct tree *tree)
{
    if (!(input->loss.coefficient > 0.0) || input->loss.has_ambient || tree->has_strange)
        return STATUS_OK;
    return tree_fail(tree, NULL, "loss.ambient",
                     "is missing; a loss needs the temperature of the surroundings");
}

enum status input_resolve(struct input *input, const struct tree *tree)
{
    enum status status = STATUS_OK;
    TRY_EACH(check_materials(input, tree));
    TRY_EACH(resolve_geometry(input, tree));
    TRY_EACH(resolve_shapes(input, tree));
    TRY_EACH(resolve_contacts(input, tree));
    TRY_EACH(resolve_fixed(input, tree));
    TRY_EACH(resolve_sources(input, tree));
    TRY_EACH(check_loss(input, tree));
    return status;
}
