#include "io/h5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum status h5_start(void)
{
    static bool is_started;
    if (is_started)
        return STATUS_OK;
    if (setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1) != 0)
        return fail(STATUS_MEMORY, "no memory for the environment");
    /* At exit the library would write what a full disk had refused before, and crash. */
    if (H5dont_atexit() < 0 || H5open() < 0)
        return fail(STATUS_FILE, "the HDF5 library cannot be started");
    TRY(h5_check(H5Eset_auto2(H5E_DEFAULT, NULL, NULL), "HDF5", "messages cannot be switched off"));
    TRY(h5_check(H5PLset_loading_state(0), "HDF5", "plug-ins cannot be switched off"));
    is_started = true;
    return STATUS_OK;
}

struct deepest {
    char text[256];
    bool is_cut; /* the file has fewer bytes than it says */
};

static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *kept)
{
    struct deepest *deepest = kept;
    if (n == 0 && error->desc != NULL)
        (void)snprintf(deepest->text, sizeof deepest->text, "%s", error->desc);
    if (n == 0)
        deepest->is_cut = error->min_num == H5E_TRUNCATED;
    return 0;
}

static struct deepest find_deepest(void)
{
    struct deepest deepest = {.text = "no reason given"};
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &deepest);
    return deepest;
}

bool h5_is_cut(void)
{
    return find_deepest().is_cut;
}

enum status h5_check(int64_t result, const char *path, const char *what)
{
    if (result >= 0)
        return STATUS_OK;
    const struct deepest deepest = find_deepest();
    if (deepest.is_cut)
        return fail(STATUS_FILE, "%s: %s: the file is cut short", path, what);
    return fail(STATUS_FILE, "%s: %s: HDF5: %s", path, what, deepest.text);
}

/* What was written is known to be out before anything is closed, and reading leaves nothing behind:
 * a close that fails changes nothing. */
void h5_close_file(hid_t file)
{
    if (file >= 0)
        (void)H5Fclose(file);
}

void h5_close_dataset(hid_t dataset)
{
    if (dataset >= 0)
        (void)H5Dclose(dataset);
}

void h5_close_space(hid_t space)
{
    if (space >= 0)
        (void)H5Sclose(space);
}

void h5_close_type(hid_t type)
{
    if (type >= 0)
        (void)H5Tclose(type);
}

void h5_close_list(hid_t list)
{
    if (list >= 0)
        (void)H5Pclose(list);
}

void h5_close_attribute(hid_t attribute)
{
    if (attribute >= 0)
        (void)H5Aclose(attribute);
}

/* ---- attributes ---- */

enum status h5_write_value(hid_t object, const char *path, const char *name, hid_t type,
                           const void *value)
{
    enum status status = STATUS_OK;
    hid_t attribute = H5I_INVALID_HID;
    const hid_t space = H5Screate(H5S_SCALAR);
    TRY_DONE(h5_check(space, path, name));
    attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    TRY_DONE(h5_check(attribute, path, name));
    TRY_DONE(h5_check(H5Awrite(attribute, type, value), path, name));
done:
    h5_close_attribute(attribute);
    h5_close_space(space);
    return status;
}

enum status h5_write_text(hid_t object, const char *path, const char *name, const char *text)
{
    enum status status = STATUS_OK;
    const size_t length = strlen(text);
    const hid_t type = H5Tcopy(H5T_C_S1);
    TRY_DONE(h5_check(type, path, name));
    TRY_DONE(h5_check(H5Tset_size(type, length > 0 ? length : 1), path, name));
    TRY_DONE(h5_check(H5Tset_strpad(type, H5T_STR_NULLPAD), path, name));
    TRY_DONE(h5_check(H5Tset_cset(type, H5T_CSET_UTF8), path, name));
    TRY_DONE(h5_write_value(object, path, name, type, text));
done:
    h5_close_type(type);
    return status;
}

enum { TEXT_MOST_BYTES = 64 << 20 };

/* Text of variable length is the library's until it is reclaimed. */
static enum status read_variable_text(hid_t attribute, hid_t type, const char *path,
                                      const char *name, char **text)
{
    char *value = NULL;
    TRY(h5_check(H5Aread(attribute, type, &value), path, name));
    const enum status status = memory_copy_text(text, value != NULL ? value : "");
    (void)H5free_memory(value);
    return status;
}

static enum status read_fixed_text(hid_t attribute, hid_t type, const char *path, const char *name,
                                   char **text)
{
    const size_t bytes = H5Tget_size(type);
    if (bytes == 0 || bytes > TEXT_MOST_BYTES)
        return fail(STATUS_FILE, "%s: attribute %s: a text of %zu bytes is refused", path, name,
                    bytes);
    TRY(memory_alloc(text, bytes + 1, 1, "text of an attribute"));
    return h5_check(H5Aread(attribute, type, *text), path, name);
}

enum status h5_read_text(hid_t object, const char *path, const char *name, char **text)
{
    enum status status = STATUS_OK;
    hid_t attribute = H5I_INVALID_HID, type = H5I_INVALID_HID, space = H5I_INVALID_HID;
    *text = NULL;
    if (H5Aexists(object, name) <= 0)
        return memory_copy_text(text, "");
    attribute = H5Aopen(object, name, H5P_DEFAULT);
    TRY_DONE(h5_check(attribute, path, name));
    type = H5Aget_type(attribute);
    TRY_DONE(h5_check(type, path, name));
    space = H5Aget_space(attribute);
    TRY_DONE(h5_check(space, path, name));
    if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
        TRY_DONE(memory_copy_text(text, ""));
    else if (H5Tis_variable_str(type) > 0)
        TRY_DONE(read_variable_text(attribute, type, path, name, text));
    else
        TRY_DONE(read_fixed_text(attribute, type, path, name, text));
done:
    h5_close_space(space);
    h5_close_type(type);
    h5_close_attribute(attribute);
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
