/* What does not change with time in a new run.h5: material, conductivity, heat capacity, source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/h5.h"
#include "io/snapshot_chunk.h"
#include "io/snapshot_maker.h"

const struct snapshot_still_name snapshot_stills[STILL_FIELDS] = {
    [STILL_CONDUCTIVITY_X] = {"conductivity_x", "W/m/K", "heat conductivity along x"},
    [STILL_CONDUCTIVITY_Y] = {"conductivity_y", "W/m/K", "heat conductivity along y"},
    [STILL_CAPACITY] = {"volumetric_heat_capacity", "J/m3/K", "density times heat capacity"},
    [STILL_SOURCE] = {"source", "W/m3", "heat of all sources in the first step"},
};

/* The names of all materials in one text, as CF's flag_meanings: blanks become underscores. */
static enum status join_names(const struct input *input, char **joined)
{
    size_t bytes = 1;
    for (int m = 0; m < input->material_count; m++)
        bytes += strlen(input->materials[m].name) + 1;
    TRY(memory_alloc(joined, bytes, 1, "names of materials"));
    for (int m = 0; m < input->material_count; m++) {
        char *end = *joined + strlen(*joined);
        (void)snprintf(end, bytes - (size_t)(end - *joined), "%s%s", m > 0 ? " " : "",
                       input->materials[m].name);
        for (char *c = m > 0 ? end + 1 : end; *c != '\0'; c++)
            *c = *c == ' ' ? '_' : *c;
    }
    return STATUS_OK;
}

static enum status write_flags(const struct snapshot_spec *spec, hid_t dataset)
{
    enum status status = STATUS_OK;
    unsigned char values[256];
    char *names = NULL;
    const hsize_t count = (hsize_t)spec->input->material_count;
    hid_t attribute = H5I_INVALID_HID;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    for (hsize_t m = 0; m < count; m++)
        values[m] = (unsigned char)m;
    TRY_DONE(h5_check(space, spec->path, "flag_values"));
    attribute =
        H5Acreate2(dataset, "flag_values", H5T_NATIVE_UCHAR, space, H5P_DEFAULT, H5P_DEFAULT);
    TRY_DONE(h5_check(attribute, spec->path, "flag_values"));
    TRY_DONE(h5_check(H5Awrite(attribute, H5T_NATIVE_UCHAR, values), spec->path, "flag_values"));
    TRY_DONE(join_names(spec->input, &names));
    TRY_DONE(h5_write_text(dataset, spec->path, "flag_meanings", names));
done:
    if (attribute >= 0)
        (void)H5Aclose(attribute);
    h5_close_space(space);
    free(names);
    return status;
}

static enum status keep_materials(const struct snapshot_spec *spec, unsigned char **materials)
{
    const struct kept kept = snapshot_kept(spec);
    const int64_t nx = kept.count[0], ny = kept.count[1];
    TRY(memory_alloc(materials, (size_t)(nx * ny), 1, "materials"));
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++)
            (*materials)[j * nx + i] =
                spec->materials[kept_cell(&kept, 1, j) * spec->nx + kept_cell(&kept, 0, i)];
    return STATUS_OK;
}

/* Which material is where, for tools that colour by it. */
enum status snapshot_make_material(struct snapshot_maker *maker)
{
    const struct snapshot_spec *spec = maker->spec;
    unsigned char *materials = NULL;
    if (spec->materials == NULL)
        return STATUS_OK;
    TRY(keep_materials(spec, &materials));
    const enum status made = snapshot_make_variable(
        maker,
        &(struct snapshot_variable){.name = "material",
                                    .long_name = "material of the cell",
                                    .type = H5T_NATIVE_UCHAR,
                                    .held = H5T_NATIVE_UCHAR,
                                    .rank = 2,
                                    .dimensions = {DIMENSION_Y, DIMENSION_X},
                                    .is_packed = spec->compression != COMPRESSION_NONE},
        materials);
    free(materials);
    TRY(made);
    const hid_t dataset = H5Dopen2(maker->file, "material", H5P_DEFAULT);
    TRY(h5_check(dataset, spec->path, "material"));
    const enum status status = write_flags(spec, dataset);
    h5_close_dataset(dataset);
    return status;
}

/* ---- conductivity, heat capacity, source ---- */

/* A field, chunk by chunk, row by row of them. */
struct still_chunks {
    const struct snapshot_spec *spec;
    enum still_field field;
    int64_t nx, ny, columns, rows, across; /* kept cells; a chunk; chunks side by side */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct snapshot_place find_place(const struct still_chunks *chunks, int64_t index)
{
    const int64_t i = index % chunks->across * chunks->columns;
    const int64_t j = index / chunks->across * chunks->rows;
    return (struct snapshot_place){
        .name = snapshot_stills[chunks->field].name,
        .has_deflate = chunks->spec->compression != COMPRESSION_NONE,
        .rank = 2,
        .start = {(hsize_t)j, (hsize_t)i},
        .rows = chunks->rows,
        .columns = chunks->columns,
        .inside_rows = smaller(chunks->rows, chunks->ny - j),
        .inside_columns = smaller(chunks->columns, chunks->nx - i),
    };
}

static void fill(const void *state, int64_t index, void *chunk, void *scratch)
{
    const struct still_chunks *chunks = state;
    const struct snapshot_still *still = &chunks->spec->still;
    const struct snapshot_place place = find_place(chunks, index);
    for (int64_t j = 0; j < chunks->rows; j++) {
        double *row = snapshot_row_begin(chunks->spec, chunk, scratch, j, chunks->columns);
        const int64_t filled = j < place.inside_rows ? place.inside_columns : 0;
        if (filled > 0)
            still->row(still->state, chunks->field, (int64_t)place.start[0] + j,
                       (int64_t)place.start[1], filled, row);
        snapshot_row_end(chunks->spec, chunk, row, j, chunks->columns, filled);
    }
}

static enum status write_chunks(const struct still_chunks *chunks, hid_t dataset)
{
    const struct snapshot_spec *spec = chunks->spec;
    struct pack_work work = snapshot_pack_work(spec, chunks->rows, chunks->columns,
                                               spec->compression != COMPRESSION_NONE);
    work.fill = fill;
    work.state = chunks;
    work.count = chunks->across * ((chunks->ny + chunks->rows - 1) / chunks->rows);
    struct pack *pack = NULL;
    enum status status = pack_open(&work, &pack);
    for (int64_t index = 0; status == STATUS_OK && index < work.count; index++) {
        struct pack_chunk chunk;
        struct snapshot_place place = find_place(chunks, index);
        place.dataset = dataset;
        pack_take(pack, &chunk);
        status = snapshot_write_chunk(spec, &place, &work, &chunk);
    }
    pack_close(pack);
    return status;
}

static enum status fill_still(const struct snapshot_maker *maker, enum still_field field)
{
    const struct snapshot_spec *spec = maker->spec;
    const struct kept kept = snapshot_kept(spec);
    struct still_chunks chunks = {
        .spec = spec, .field = field, .nx = kept.count[0], .ny = kept.count[1]};
    snapshot_chunk(chunks.nx, chunks.ny, snapshot_element_bytes(spec), &chunks.columns,
                   &chunks.rows);
    chunks.across = (chunks.nx + chunks.columns - 1) / chunks.columns;
    const hid_t dataset = H5Dopen2(maker->file, snapshot_stills[field].name, H5P_DEFAULT);
    TRY(h5_check(dataset, spec->path, snapshot_stills[field].name));
    const enum status status = write_chunks(&chunks, dataset);
    h5_close_dataset(dataset);
    return status;
}

/* A field that is the same in all cells needs no chunk: what HDF5 fills in where there is none says
 * it all. It is not CF's _FillValue, which would be no value. */
static enum status make_still(struct snapshot_maker *maker, enum still_field field)
{
    const struct snapshot_still *still = &maker->spec->still;
    const bool is_uniform = still->uniform >> field & 1U;
    double everywhere = 0.0;
    if (is_uniform)
        still->row(still->state, field, 0, 0, 1, &everywhere);
    TRY(snapshot_make_variable(
        maker,
        &(struct snapshot_variable){.name = snapshot_stills[field].name,
                                    .units = snapshot_stills[field].units,
                                    .long_name = snapshot_stills[field].long_name,
                                    .type = snapshot_element_type(maker->spec),
                                    .rank = 2,
                                    .dimensions = {DIMENSION_Y, DIMENSION_X},
                                    .is_packed = true,
                                    .everywhere = is_uniform ? &everywhere : NULL},
        NULL));
    return is_uniform ? STATUS_OK : fill_still(maker, field);
}

enum status snapshot_make_stills(struct snapshot_maker *maker)
{
    for (int field = 0; field < STILL_FIELDS; field++)
        if (maker->spec->still.fields >> field & 1U)
            TRY(make_still(maker, (enum still_field)field));
    return STATUS_OK;
}
