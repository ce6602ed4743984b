#include "io/h5_scale.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/h5.h"

/* One entry of the attribute REFERENCE_LIST. */
struct back_reference {
    hobj_ref_t dataset;
    int dimension;
};

/* The specification asks for text that ends with a zero, other than everywhere else. */
static enum status write_mark(hid_t dataset, const char *path, const char *name, const char *text)
{
    enum status status = STATUS_OK;
    const hid_t type = H5Tcopy(H5T_C_S1);
    TRY_DONE(h5_check(type, path, name));
    TRY_DONE(h5_check(H5Tset_size(type, strlen(text) + 1), path, name));
    TRY_DONE(h5_write_value(dataset, path, name, type, text));
done:
    h5_close_type(type);
    return status;
}

enum status h5_scale_mark(hid_t dataset, const char *path, const char *name)
{
    TRY(write_mark(dataset, path, "CLASS", "DIMENSION_SCALE"));
    return write_mark(dataset, path, "NAME", name);
}

/* An attribute of `count` elements. */
static enum status write_list(hid_t file, const char *path, const char *dataset, const char *name,
                              hid_t type, hsize_t count, const void *values)
{
    enum status status = STATUS_OK;
    hid_t space = H5I_INVALID_HID, attribute = H5I_INVALID_HID;
    space = H5Screate_simple(1, &count, NULL);
    TRY_DONE(h5_check(space, path, name));
    attribute =
        H5Acreate_by_name(file, dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    TRY_DONE(h5_check(attribute, path, name));
    TRY_DONE(h5_check(H5Awrite(attribute, type, values), path, name));
done:
    h5_close_attribute(attribute);
    h5_close_space(space);
    return status;
}

static enum status write_dimension_list(hid_t file, const char *path, const char *const scales[],
                                        const struct h5_scaled *dataset)
{
    hobj_ref_t references[H5_SCALED_RANK];
    hvl_t list[H5_SCALED_RANK];
    for (int d = 0; d < dataset->rank; d++) {
        TRY(h5_check(H5Rcreate(&references[d], file, scales[dataset->scales[d]], H5R_OBJECT, -1),
                     path, scales[dataset->scales[d]]));
        list[d] = (hvl_t){.len = 1, .p = &references[d]};
    }
    const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
    TRY(h5_check(type, path, "DIMENSION_LIST"));
    const enum status status =
        write_list(file, path, dataset->name, "DIMENSION_LIST", type, (hsize_t)dataset->rank, list);
    h5_close_type(type);
    return status;
}

static enum status back_reference_type(const char *path, hid_t *type)
{
    *type = H5Tcreate(H5T_COMPOUND, sizeof(struct back_reference));
    TRY(h5_check(*type, path, "REFERENCE_LIST"));
    TRY(h5_check(
        H5Tinsert(*type, "dataset", HOFFSET(struct back_reference, dataset), H5T_STD_REF_OBJ), path,
        "REFERENCE_LIST"));
    return h5_check(
        H5Tinsert(*type, "dimension", HOFFSET(struct back_reference, dimension), H5T_NATIVE_INT),
        path, "REFERENCE_LIST");
}

/* Who has the scale `scale`, as list[*count]. */
static enum status find_users(hid_t file, const char *path, int scale,
                              const struct h5_scaled *datasets, int dataset_count,
                              struct back_reference *list, int *count)
{
    *count = 0;
    for (int k = 0; k < dataset_count; k++)
        for (int d = 0; d < datasets[k].rank; d++) {
            if (datasets[k].scales[d] != scale)
                continue;
            struct back_reference *entry = &list[(*count)++];
            entry->dimension = d;
            TRY(h5_check(H5Rcreate(&entry->dataset, file, datasets[k].name, H5R_OBJECT, -1), path,
                         datasets[k].name));
        }
    return STATUS_OK;
}

enum status h5_scales_attach(hid_t file, const char *path, const char *const scales[],
                             int scale_count, const struct h5_scaled *datasets, int dataset_count)
{
    enum status status = STATUS_OK;
    hid_t type = H5I_INVALID_HID;
    struct back_reference *list = NULL;
    for (int k = 0; k < dataset_count; k++)
        TRY(write_dimension_list(file, path, scales, &datasets[k]));
    TRY(memory_alloc(&list, (size_t)dataset_count * H5_SCALED_RANK, sizeof *list, "scales"));
    TRY_DONE(back_reference_type(path, &type));
    for (int k = 0; k < scale_count; k++) {
        int count = 0;
        TRY_DONE(find_users(file, path, k, datasets, dataset_count, list, &count));
        if (count > 0)
            TRY_DONE(
                write_list(file, path, scales[k], "REFERENCE_LIST", type, (hsize_t)count, list));
    }
done:
    h5_close_type(type);
    free(list);
    return status;
}
