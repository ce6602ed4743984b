/* The fields of a frame: chunk by chunk from the cells that are kept into the datasets. */
#include <string.h>

#include "base/clock.h"
#include "io/h5.h"
#include "io/snapshot_chunk.h"

/* All chunks of a frame, field by field and in each row by row, are numbered through. */
struct frame_chunks {
    const struct snapshot_spec *spec;
    const struct snapshot_frame *frame;
    enum output_field fields[OUTPUT_FIELDS]; /* (field_count) */
    hid_t datasets[OUTPUT_FIELDS];           /* likewise */
    int field_count;
    int64_t nx, ny;           /* kept cells */
    int64_t columns, rows;    /* of a chunk */
    int64_t across, of_field; /* chunks side by side, and of a field */
};

/* A chunk by its number, and its part that lies on the grid. */
struct place {
    int field; /* index into the above */
    int64_t i, j, inside_columns, inside_rows;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct place find_place(const struct frame_chunks *chunks, int64_t index)
{
    struct place place = {.field = (int)(index / chunks->of_field)};
    const int64_t in_field = index % chunks->of_field;
    place.i = in_field % chunks->across * chunks->columns;
    place.j = in_field / chunks->across * chunks->rows;
    place.inside_columns = smaller(chunks->columns, chunks->nx - place.i);
    place.inside_rows = smaller(chunks->rows, chunks->ny - place.j);
    return place;
}

static void get_row(const struct frame_chunks *chunks, const struct place *place, int64_t j,
                    double *values)
{
    const struct snapshot_frame *frame = chunks->frame;
    if (frame->temperature != NULL)
        memcpy(values, frame->temperature + j * chunks->nx + place->i,
               (size_t)place->inside_columns * sizeof *values);
    else
        frame->row(frame->state, chunks->fields[place->field], j, place->i, place->inside_columns,
                   values);
}

/* Cells converted; what lies beyond the grid is NaN. Needs no scratch for doubles. */
static void fill(const void *state, int64_t index, void *chunk, void *scratch)
{
    const struct frame_chunks *chunks = state;
    const struct place place = find_place(chunks, index);
    for (int64_t j = 0; j < chunks->rows; j++) {
        double *row = snapshot_row_begin(chunks->spec, chunk, scratch, j, chunks->columns);
        const int64_t filled = j < place.inside_rows ? place.inside_columns : 0;
        if (filled > 0)
            get_row(chunks, &place, place.j + j, row);
        snapshot_row_end(chunks->spec, chunk, row, j, chunks->columns, filled);
    }
}

/* Whether the file was made with filters that compress: as set_filters() in snapshot_create.c makes
 * them, the same for all fields. A run that is resumed may want it otherwise now. */
static enum status find_filters(const struct frame_chunks *chunks, bool *has_deflate)
{
    enum status status = STATUS_OK;
    const char *path = chunks->spec->path, *name = output_field_names[chunks->fields[0]];
    const hid_t list = H5Dget_create_plist(chunks->datasets[0]);
    TRY_DONE(h5_check(list, path, name));
    const int count = H5Pget_nfilters(list);
    *has_deflate = count == 3;
    if (count != 1 && count != 3)
        status = fail(STATUS_FILE, "%s: %s is not as this program writes it", path, name);
done:
    h5_close_list(list);
    return status;
}

static enum status write_chunk(const struct frame_chunks *chunks, hsize_t frame, int64_t index,
                               const struct pack_work *work, const struct pack_chunk *chunk,
                               bool has_deflate)
{
    const struct place place = find_place(chunks, index);
    return snapshot_write_chunk(
        chunks->spec,
        &(struct snapshot_place){.dataset = chunks->datasets[place.field],
                                 .name = output_field_names[chunks->fields[place.field]],
                                 .has_deflate = has_deflate,
                                 .rank = 3,
                                 .start = {frame, (hsize_t)place.j, (hsize_t)place.i},
                                 .rows = chunks->rows,
                                 .columns = chunks->columns,
                                 .inside_rows = place.inside_rows,
                                 .inside_columns = place.inside_columns},
        work, chunk);
}

/* Makes and writes them all. `pace` may be NULL. HDF5's own filters compress while they write. */
static enum status write_made(const struct frame_chunks *chunks, hsize_t frame,
                              const struct pack_work *work, bool has_deflate, struct pace *pace)
{
    struct crew *crew = chunks->spec->crew;
    struct pack *pack = NULL;
    enum status status = pack_open(work, &pack);
    for (int64_t index = 0; status == STATUS_OK && index < work->count; index++) {
        struct pack_chunk chunk;
        if (crew != NULL && crew_hurries(crew))
            pack_use_all(pack);
        if (pace != NULL)
            pack_set_plain(pack, pace_is_plain(pace, work->threads, work->chunk_bytes));
        pack_take(pack, &chunk);
        if (crew != NULL)
            crew_note(crew, chunk.seconds, chunk.threads);
        const double start = clock_seconds();
        status = write_chunk(chunks, frame, index, work, &chunk, has_deflate);
        const double write_s = clock_seconds() - start;
        const bool is_packed_now = work->kind == PACK_BARE && chunk.form != PACK_PLAIN;
        if (pace != NULL)
            pace_note(pace, &(struct pace_chunk){.is_plain = chunk.form == PACK_PLAIN,
                                                 .make_s = chunk.seconds +
                                                           (is_packed_now ? write_s : 0.0),
                                                 .write_s = is_packed_now ? 0.0 : write_s,
                                                 .bytes = chunk.bytes});
    }
    pack_close(pack);
    return status;
}

static enum status write_chunks(const struct frame_chunks *chunks, hsize_t frame)
{
    enum { LEAST_BYTES = 1 << 20 }; /* less is compressed as fast as HDF5 opens the file */
    const struct snapshot_spec *spec = chunks->spec;
    bool has_deflate = false;
    TRY(find_filters(chunks, &has_deflate));
    const bool is_packed = has_deflate && spec->compression != COMPRESSION_NONE;
    struct pack_work work = snapshot_pack_work(spec, chunks->rows, chunks->columns, is_packed);
    work.fill = fill;
    work.state = chunks;
    work.count = chunks->of_field * chunks->field_count;
    work.room = spec->room;
    work.threads_at_first = spec->crew != NULL ? spec->crew->size : 0;
    const bool may_hurry = is_packed && spec->compression == COMPRESSION_AUTO &&
                           (double)work.count * (double)work.chunk_bytes >= LEAST_BYTES;
    return write_made(chunks, frame, &work, has_deflate, may_hurry ? spec->pace : NULL);
}

/* Opens the dataset of a field and makes room in it for the frame. */
static enum status add_field(struct frame_chunks *chunks, const struct h5_update *update,
                             enum output_field field, hsize_t frame)
{
    const char *name = output_field_names[field];
    hid_t *dataset = &chunks->datasets[chunks->field_count];
    hsize_t shape[3] = {0};
    *dataset = H5I_INVALID_HID;
    TRY(snapshot_open_dataset(update, name, dataset));
    chunks->fields[chunks->field_count++] = field;
    TRY(snapshot_get_shape(update, name, *dataset, 3, shape));
    if (shape[1] != (hsize_t)chunks->ny || shape[2] != (hsize_t)chunks->nx)
        return fail(STATUS_FILE,
                    "%s: holds a grid of %llu x %llu cells, not %lld x %lld; it is of another run",
                    update->path, (unsigned long long)shape[2], (unsigned long long)shape[1],
                    (long long)chunks->nx, (long long)chunks->ny);
    shape[0] = frame + 1;
    return h5_check(H5Dset_extent(*dataset, shape), update->path, name);
}

enum status snapshot_append_fields(const struct snapshot_spec *spec, const struct h5_update *update,
                                   hsize_t index, const struct snapshot_frame *frame)
{
    const struct kept kept = snapshot_kept(spec);
    struct frame_chunks chunks = {
        .spec = spec, .frame = frame, .nx = kept.count[0], .ny = kept.count[1]};
    enum status status = STATUS_OK;
    snapshot_chunk(chunks.nx, chunks.ny, snapshot_element_bytes(spec), &chunks.columns,
                   &chunks.rows);
    chunks.across = (chunks.nx + chunks.columns - 1) / chunks.columns;
    chunks.of_field = chunks.across * ((chunks.ny + chunks.rows - 1) / chunks.rows);
    for (int field = 0; field < OUTPUT_FIELDS && status == STATUS_OK; field++)
        if (snapshot_has(spec, field))
            status = add_field(&chunks, update, (enum output_field)field, index);
    if (status == STATUS_OK)
        status = write_chunks(&chunks, index);
    for (int k = 0; k < chunks.field_count; k++)
        h5_close_dataset(chunks.datasets[k]);
    return status;
}
