#include "io/vtkhdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/h5.h"
#include "io/h5_driver.h"
#include "io/snapshot_layout.h"

/* The file while it is made. */
struct maker {
    const char *path;
    hid_t file;
    const struct snapshot_spec *spec;
    int64_t frames;
};

static enum status make_group(const struct maker *maker, const char *name)
{
    const hid_t group = H5Gcreate2(maker->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    TRY(h5_check(group, maker->path, name));
    return h5_check(H5Gclose(group), maker->path, name);
}

/* An attribute of `group`; count 0 makes a scalar. */
static enum status write_list(const struct maker *maker, const char *group, const char *name,
                              hid_t type, hsize_t count, const void *values)
{
    enum status status = STATUS_OK;
    hid_t attribute = H5I_INVALID_HID;
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    TRY_DONE(h5_check(space, maker->path, name));
    attribute = H5Acreate_by_name(maker->file, group, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                  H5P_DEFAULT);
    TRY_DONE(h5_check(attribute, maker->path, name));
    TRY_DONE(h5_check(H5Awrite(attribute, type, values), maker->path, name));
done:
    h5_close_attribute(attribute);
    h5_close_space(space);
    return status;
}

/* VTK reads text of fixed length in ASCII only. */
static enum status write_word(const struct maker *maker, const char *group, const char *name,
                              const char *word)
{
    enum status status = STATUS_OK;
    const hid_t type = H5Tcopy(H5T_C_S1);
    TRY_DONE(h5_check(type, maker->path, name));
    TRY_DONE(h5_check(H5Tset_size(type, strlen(word)), maker->path, name));
    TRY_DONE(h5_check(H5Tset_strpad(type, H5T_STR_NULLPAD), maker->path, name));
    TRY_DONE(write_list(maker, group, name, type, 0, word));
done:
    h5_close_type(type);
    return status;
}

/* Cell values of one layer: the extent counts points, and the third one is flat. */
static enum status write_grid(const struct maker *maker)
{
    const struct snapshot_spec *spec = maker->spec;
    const int64_t version[2] = {2, 0};
    const struct kept kept = snapshot_kept(spec);
    const int64_t extent[6] = {0, kept.count[0], 0, kept.count[1], 0, 0};
    const double d[2] = {spec->size[0] / (double)spec->nx, spec->size[1] / (double)spec->ny};
    /* The kept cells are in the middle of VTK's. */
    const double spacing[3] = {d[0] * (double)kept.stride[0], d[1] * (double)kept.stride[1], 1.0};
    const double origin[3] = {d[0] * ((double)kept.first[0] - 0.5 * (double)(kept.stride[0] - 1)),
                              d[1] * ((double)kept.first[1] - 0.5 * (double)(kept.stride[1] - 1)),
                              0.0};
    const double direction[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const char *root = "/VTKHDF";
    TRY(make_group(maker, root));
    TRY(write_list(maker, root, "Version", H5T_NATIVE_INT64, 2, version));
    TRY(write_word(maker, root, "Type", "ImageData"));
    TRY(write_list(maker, root, "WholeExtent", H5T_NATIVE_INT64, 6, extent));
    TRY(write_list(maker, root, "Origin", H5T_NATIVE_DOUBLE, 3, origin));
    TRY(write_list(maker, root, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing));
    return write_list(maker, root, "Direction", H5T_NATIVE_DOUBLE, 9, direction);
}

static const char *bare_name(const struct snapshot_spec *spec)
{
    const char *slash = strrchr(spec->path, '/');
    return slash != NULL ? slash + 1 : spec->path;
}

static enum status link_to(const struct maker *maker, const char *dataset, const char *name)
{
    return h5_check(H5Lcreate_external(bare_name(maker->spec), dataset, maker->file, name,
                                       H5P_DEFAULT, H5P_DEFAULT),
                    maker->path, name);
}

static enum status link_cells(const struct maker *maker, const char *name)
{
    char from[80], to[80];
    (void)snprintf(from, sizeof from, "/%s", name);
    (void)snprintf(to, sizeof to, "/VTKHDF/CellData/%s", name);
    return link_to(maker, from, to);
}

/* What does not change with time, (y, x), as a field of one time, (1, y, x). */
static enum status view_cells(const struct maker *maker, const char *name, hid_t type)
{
    enum status status = STATUS_OK;
    char from[80], to[80];
    (void)snprintf(from, sizeof from, "/%s", name);
    (void)snprintf(to, sizeof to, "/VTKHDF/CellData/%s", name);
    const struct kept kept = snapshot_kept(maker->spec);
    const hsize_t shape[3] = {1, (hsize_t)kept.count[1], (hsize_t)kept.count[0]};
    hid_t list = H5I_INVALID_HID, flat = H5I_INVALID_HID, dataset = H5I_INVALID_HID;
    const hid_t space = H5Screate_simple(3, shape, NULL);
    TRY_DONE(h5_check(space, maker->path, to));
    flat = H5Screate_simple(2, shape + 1, NULL);
    TRY_DONE(h5_check(flat, maker->path, to));
    list = H5Pcreate(H5P_DATASET_CREATE);
    TRY_DONE(h5_check(list, maker->path, to));
    TRY_DONE(
        h5_check(H5Pset_virtual(list, space, bare_name(maker->spec), from, flat), maker->path, to));
    dataset = H5Dcreate2(maker->file, to, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    TRY_DONE(h5_check(dataset, maker->path, to));
done:
    h5_close_dataset(dataset);
    h5_close_list(list);
    h5_close_space(flat);
    h5_close_space(space);
    return status;
}

/* Frame k of a field begins at row k of the dataset; of the one that does not change at row 0. */
static enum status write_offsets(const struct maker *maker, const char *field, bool is_static)
{
    enum status status = STATUS_OK;
    char name[96];
    (void)snprintf(name, sizeof name, "/VTKHDF/Steps/CellDataOffsets/%s", field);
    const hsize_t count = (hsize_t)maker->frames;
    int64_t *offsets = NULL;
    hid_t space = H5I_INVALID_HID, dataset = H5I_INVALID_HID;
    TRY_DONE(memory_alloc(&offsets, (size_t)maker->frames, sizeof *offsets, "frames"));
    for (int64_t k = 0; k < maker->frames; k++)
        offsets[k] = is_static ? 0 : k;
    space = H5Screate_simple(1, &count, NULL);
    TRY_DONE(h5_check(space, maker->path, name));
    dataset = H5Dcreate2(maker->file, name, H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT,
                         H5P_DEFAULT);
    TRY_DONE(h5_check(dataset, maker->path, name));
    TRY_DONE(h5_check(H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, offsets),
                      maker->path, name));
done:
    h5_close_dataset(dataset);
    h5_close_space(space);
    free(offsets);
    return status;
}

static enum status write_contents(const struct maker *maker)
{
    TRY(write_grid(maker));
    const bool has_materials = maker->spec->materials != NULL;
    const char *material = output_field_names[OUTPUT_MATERIAL];
    TRY(make_group(maker, "/VTKHDF/CellData"));
    for (int field = 0; field < OUTPUT_FIELDS; field++)
        if (snapshot_has(maker->spec, field))
            TRY(link_cells(maker, output_field_names[field]));
    if (has_materials)
        TRY(view_cells(maker, material, H5T_NATIVE_UCHAR));
    for (int field = 0; field < STILL_FIELDS; field++)
        if (maker->spec->still.fields >> field & 1U)
            TRY(view_cells(maker, snapshot_stills[field].name, snapshot_element_type(maker->spec)));
    TRY(make_group(maker, "/VTKHDF/Steps"));
    TRY(write_list(maker, "/VTKHDF/Steps", "NSteps", H5T_NATIVE_INT64, 0, &maker->frames));
    TRY(link_to(maker, "/time", "/VTKHDF/Steps/Values"));
    TRY(make_group(maker, "/VTKHDF/Steps/CellDataOffsets"));
    for (int field = 0; field < OUTPUT_FIELDS; field++)
        if (snapshot_has(maker->spec, field))
            TRY(write_offsets(maker, output_field_names[field], false));
    for (int field = 0; field < STILL_FIELDS; field++)
        if (maker->spec->still.fields >> field & 1U)
            TRY(write_offsets(maker, snapshot_stills[field].name, true));
    return has_materials ? write_offsets(maker, material, true) : STATUS_OK;
}

enum status vtkhdf_write(const char *path, const struct snapshot_spec *spec, int64_t frames)
{
    enum status status = STATUS_OK;
    struct h5_update update = {.file = H5I_INVALID_HID, .medium = {.fd = -1}};
    TRY(h5_start());
    TRY_DONE(h5_update_create(path, H5P_DEFAULT, &update));
    TRY_DONE(write_contents(
        &(struct maker){.path = path, .file = update.file, .spec = spec, .frames = frames}));
    TRY_DONE(h5_update_commit(&update, 0, false));
done:
    h5_update_close(&update);
    return status;
}
