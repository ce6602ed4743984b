/* A new run.h5: dimensions, coordinates, attributes, and no frame yet. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/h5.h"
#include "io/h5_driver.h"
#include "io/snapshot_maker.h"

enum { SERIES_CHUNK = 512 };

static const char *const dimension_names[DIMENSION_COUNT] = {"time", "y", "x", "nv"};

static hsize_t dimension_size(const struct snapshot_spec *spec, int dimension)
{
    const struct kept kept = snapshot_kept(spec);
    const hsize_t sizes[DIMENSION_COUNT] = {0, (hsize_t)kept.count[1], (hsize_t)kept.count[0], 2};
    return sizes[dimension];
}

static enum status set_filters(const struct snapshot_spec *spec, hid_t list)
{
    if (spec->compression != COMPRESSION_NONE) {
        const unsigned level = spec->compression == COMPRESSION_SMALL ? 6 : 1;
        TRY(h5_check(H5Pset_shuffle(list), spec->path, "shuffle"));
        TRY(h5_check(H5Pset_deflate(list, level), spec->path, "deflate"));
    }
    return h5_check(H5Pset_fletcher32(list), spec->path, "fletcher32");
}

/* Of a dataset along time: chunks, and for a field also filters and the fill value. */
static enum status set_chunks(const struct snapshot_spec *spec,
                              const struct snapshot_variable *variable, hid_t list)
{
    const struct kept kept = snapshot_kept(spec);
    int64_t columns = 0, rows = 0;
    snapshot_chunk(kept.count[0], kept.count[1], snapshot_element_bytes(spec), &columns, &rows);
    const hsize_t of_field[3] = {1, (hsize_t)rows, (hsize_t)columns};
    const hsize_t of_series[1] = {SERIES_CHUNK};
    const bool is_field = variable->rank == 3;
    TRY(h5_check(H5Pset_chunk(list, variable->rank, is_field ? of_field : of_series), spec->path,
                 "chunks"));
    if (!is_field)
        return STATUS_OK;
    const double nan = NAN;
    TRY(h5_check(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nan), spec->path, "fill value"));
    return set_filters(spec, list);
}

static enum status set_flat_chunks(const struct snapshot_spec *spec,
                                   const struct snapshot_variable *variable, hid_t list)
{
    const struct kept kept = snapshot_kept(spec);
    int64_t columns = 0, rows = 0;
    snapshot_chunk(kept.count[0], kept.count[1], H5Tget_size(variable->type), &columns, &rows);
    const hsize_t chunk[2] = {(hsize_t)rows, (hsize_t)columns};
    TRY(h5_check(H5Pset_chunk(list, 2, chunk), spec->path, "chunks"));
    if (variable->everywhere != NULL)
        TRY(h5_check(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, variable->everywhere), spec->path,
                     "fill value"));
    return set_filters(spec, list);
}

static enum status make_list(const struct snapshot_spec *spec,
                             const struct snapshot_variable *variable, hid_t *list)
{
    *list = H5Pcreate(H5P_DATASET_CREATE);
    TRY(h5_check(*list, spec->path, variable->name));
    TRY(h5_check(H5Pset_attr_creation_order(*list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
                 spec->path, variable->name));
    TRY(h5_check(H5Pset_obj_track_times(*list, false), spec->path, variable->name));
    if (variable->dimensions[0] == DIMENSION_TIME)
        TRY(set_chunks(spec, variable, *list));
    else if (variable->is_packed)
        TRY(set_flat_chunks(spec, variable, *list));
    return STATUS_OK;
}

static enum status write_words(const struct snapshot_spec *spec,
                               const struct snapshot_variable *variable, hid_t dataset)
{
    const struct {
        const char *name, *text;
    } words[] = {{"units", variable->units},
                 {"long_name", variable->long_name},
                 {"bounds", variable->bounds},
                 {"Attribute", variable->vtk_role}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (words[k].text != NULL)
            TRY(h5_write_text(dataset, spec->path, words[k].name, words[k].text));
    return STATUS_OK;
}

/* A dimension without values is a dataset too, with a name that the netCDF library knows. */
static enum status mark_scale(const struct snapshot_spec *spec,
                              const struct snapshot_variable *variable, hid_t dataset)
{
    char name[80];
    if (variable->dimensions[0] == DIMENSION_NV)
        (void)snprintf(name, sizeof name,
                       "This is a netCDF dimension but not a netCDF variable.%10d", 2);
    else
        (void)snprintf(name, sizeof name, "%s", variable->name);
    return h5_scale_mark(dataset, spec->path, name);
}

static bool is_scale(const struct snapshot_variable *variable)
{
    return strcmp(variable->name, dimension_names[variable->dimensions[0]]) == 0;
}

enum status snapshot_make_variable(struct snapshot_maker *maker,
                                   const struct snapshot_variable *variable, const void *values)
{
    const struct snapshot_spec *spec = maker->spec;
    const hid_t held = variable->held != 0 ? variable->held : H5T_NATIVE_DOUBLE;
    enum status status = STATUS_OK;
    hid_t list = H5I_INVALID_HID, space = H5I_INVALID_HID, dataset = H5I_INVALID_HID;
    hsize_t size[3], most[3];
    for (int d = 0; d < variable->rank; d++) {
        size[d] = dimension_size(spec, variable->dimensions[d]);
        most[d] = variable->dimensions[d] == DIMENSION_TIME ? H5S_UNLIMITED : size[d];
    }
    TRY_DONE(make_list(spec, variable, &list));
    space = H5Screate_simple(variable->rank, size, most);
    TRY_DONE(h5_check(space, spec->path, variable->name));
    dataset = H5Dcreate2(maker->file, variable->name, variable->type, space, H5P_DEFAULT, list,
                         H5P_DEFAULT);
    TRY_DONE(h5_check(dataset, spec->path, variable->name));
    TRY_DONE(write_words(spec, variable, dataset));
    if (variable->rank == 3) {
        const double nan = NAN;
        const float nan_single = NAN;
        TRY_DONE(h5_write_value(dataset, spec->path, "_FillValue", variable->type,
                                spec->precision == PRECISION_DOUBLE ? (const void *)&nan
                                                                    : (const void *)&nan_single));
    }
    if (is_scale(variable))
        TRY_DONE(mark_scale(spec, variable, dataset));
    if (values != NULL)
        TRY_DONE(h5_check(H5Dwrite(dataset, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
                          spec->path, variable->name));
    struct h5_scaled *made = &maker->variables[maker->count];
    if (!is_scale(variable)) {
        *made = (struct h5_scaled){.name = variable->name, .rank = variable->rank};
        memcpy(made->scales, variable->dimensions, sizeof variable->dimensions);
        maker->count++;
    }
done:
    h5_close_dataset(dataset);
    h5_close_space(space);
    h5_close_list(list);
    return status;
}

/* ---- coordinates ---- */

/* Centres or lower and upper bounds (.., 2) of the kept ones of n equal cells; edge k is k * size /
 * n on both sides of it, so that neighbours share the same number. */
static enum status make_axis(struct snapshot_maker *maker, int dimension)
{
    const struct snapshot_spec *spec = maker->spec;
    const bool is_x = dimension == DIMENSION_X;
    const int64_t n = is_x ? spec->nx : spec->ny;
    const double size = spec->size[is_x ? 0 : 1];
    const int axis = is_x ? 0 : 1;
    const struct kept kept = snapshot_kept(spec);
    double *values = NULL;
    TRY(memory_alloc(&values, (size_t)kept.count[axis], 2 * sizeof *values, "coordinates"));
    for (int64_t k = 0; k < kept.count[axis]; k++)
        values[k] = ((double)kept_cell(&kept, axis, k) + 0.5) * size / (double)n;
    enum status status = STATUS_OK;
    TRY_DONE(snapshot_make_variable(
        maker,
        &(struct snapshot_variable){.name = is_x ? "x" : "y",
                                    .units = "m",
                                    .long_name =
                                        is_x ? "x of the cell centre" : "y of the cell centre",
                                    .bounds = is_x ? "x_bnds" : "y_bnds",
                                    .type = H5T_NATIVE_DOUBLE,
                                    .rank = 1,
                                    .dimensions = {dimension}},
        values));
    for (int64_t k = 0; k < kept.count[axis]; k++) {
        const int64_t cell = kept_cell(&kept, axis, k);
        values[2 * k] = (double)cell * size / (double)n;
        values[2 * k + 1] = (double)(cell + 1) * size / (double)n;
    }
    TRY_DONE(
        snapshot_make_variable(maker,
                               &(struct snapshot_variable){.name = is_x ? "x_bnds" : "y_bnds",
                                                           .type = H5T_NATIVE_DOUBLE,
                                                           .rank = 2,
                                                           .dimensions = {dimension, DIMENSION_NV}},
                               values));
done:
    free(values);
    return status;
}

static enum status make_field(struct snapshot_maker *maker, int field)
{
    const bool is_first = (snapshot_field_set(maker->spec) & ((1U << field) - 1)) == 0;
    return snapshot_make_variable(
        maker,
        &(struct snapshot_variable){.name = output_field_names[field],
                                    .vtk_role = is_first ? "Scalars" : NULL,
                                    .units = snapshot_fields[field].units,
                                    .long_name = snapshot_fields[field].long_name,
                                    .type = snapshot_element_type(maker->spec),
                                    .rank = 3,
                                    .dimensions = {DIMENSION_TIME, DIMENSION_Y, DIMENSION_X}},
        NULL);
}

static enum status make_number(struct snapshot_maker *maker, const struct snapshot_number *number)
{
    return snapshot_make_variable(maker,
                                  &(struct snapshot_variable){.name = number->name,
                                                              .units = number->units,
                                                              .long_name = number->long_name,
                                                              .type = H5T_NATIVE_DOUBLE,
                                                              .rank = 1,
                                                              .dimensions = {DIMENSION_TIME}},
                                  NULL);
}

/* In the order in which tools list them. */
static enum status make_variables(struct snapshot_maker *maker)
{
    static const double
        no_values[2]; /* of the bare dimension, so that it has a place in the file */
    TRY(make_number(maker, &snapshot_numbers[0]));
    TRY(snapshot_make_variable(
        maker,
        &(struct snapshot_variable){
            .name = "nv", .type = H5T_IEEE_F32BE, .rank = 1, .dimensions = {DIMENSION_NV}},
        no_values));
    TRY(make_axis(maker, DIMENSION_Y));
    TRY(make_axis(maker, DIMENSION_X));
    for (int field = 0; field < OUTPUT_FIELDS; field++)
        if (snapshot_has(maker->spec, field))
            TRY(make_field(maker, field));
    TRY(snapshot_make_variable(
        maker,
        &(struct snapshot_variable){.name = "step",
                                    .units = "1",
                                    .long_name = "time steps since the start",
                                    .type = H5T_NATIVE_INT64,
                                    .rank = 1,
                                    .dimensions = {DIMENSION_TIME}},
        NULL));
    for (int k = 1; k < snapshot_number_count(maker->spec); k++)
        TRY(make_number(maker, &snapshot_numbers[k]));
    TRY(snapshot_make_material(maker));
    return snapshot_make_stills(maker);
}

static enum status write_file_words(const struct snapshot_spec *spec, hid_t file)
{
    TRY(h5_write_text(file, spec->path, "Conventions", "CF-1.11"));
    TRY(h5_write_text(file, spec->path, "title", spec->title));
    TRY(h5_write_text(file, spec->path, "source", spec->source));
    TRY(h5_write_text(file, spec->path, "history", spec->history));
    return h5_write_text(file, spec->path, "input", spec->input_text);
}

static enum status make_creation(const char *path, hid_t *creation)
{
    const unsigned tracked = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    *creation = H5Pcreate(H5P_FILE_CREATE);
    TRY(h5_check(*creation, path, "create"));
    TRY(h5_check(H5Pset_link_creation_order(*creation, tracked), path, "link order"));
    TRY(h5_check(H5Pset_attr_creation_order(*creation, tracked), path, "attribute order"));
    TRY(h5_check(H5Pset_obj_track_times(*creation, false), path, "times"));
    /* All links in one place instead of a tree. */
    return h5_check(
        H5Pset_link_phase_change(*creation, 2 * SNAPSHOT_MOST_VARIABLES, SNAPSHOT_MOST_VARIABLES),
        path, "links");
}

enum status snapshot_create(const struct snapshot_spec *spec)
{
    enum status status = STATUS_OK;
    hid_t creation = H5I_INVALID_HID;
    struct h5_update update = {.file = H5I_INVALID_HID, .medium = {.fd = -1}};
    struct snapshot_maker maker = {.spec = spec};
    TRY(h5_start());
    TRY_DONE(make_creation(spec->path, &creation));
    TRY_DONE(h5_update_create(spec->path, creation, &update));
    maker.file = update.file;
    TRY_DONE(write_file_words(spec, update.file));
    TRY_DONE(make_variables(&maker));
    TRY_DONE(h5_scales_attach(update.file, spec->path, dimension_names, DIMENSION_COUNT,
                              maker.variables, maker.count));
    TRY_DONE(h5_update_commit(&update, 0, false));
done:
    h5_update_close(&update);
    h5_close_list(creation);
    return status;
}
