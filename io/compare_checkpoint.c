/* compare.h for two checkpoints: their temperature, or all that a resume would read. Sections are
 * read in pieces, so that grids of any size fit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/checkpoint.h"
#include "io/compare_sums.h"
#include "io/input.h"
#include "io/trailer.h"

enum { PIECE = 1 << 16 }; /* values */

static bool is_number(const struct checkpoint_section *section)
{
    return section->type == SECTION_F64 || section->type == SECTION_F32;
}

static int64_t count_of(const struct checkpoint_section *section)
{
    return section->rows * section->columns;
}

static bool is_alike(const struct checkpoint_section *a, const struct checkpoint_section *b)
{
    return a->type == b->type && a->rows == b->rows && a->columns == b->columns;
}

/* values[count] of a section of numbers, as doubles. */
static enum status read_numbers(const struct checkpoint *checkpoint,
                                const struct checkpoint_section *section, int64_t first,
                                int64_t count, double *values)
{
    const size_t element = section_type_bytes(section->type);
    TRY(checkpoint_read(checkpoint, section, first * (int64_t)element, (size_t)count * element,
                        values));
    const float *narrow = (const float *)values;
    for (int64_t c = count; c-- > 0 && section->type == SECTION_F32;) {
        const float value = narrow[c]; /* from the end, so that nothing unread is overwritten */
        values[c] = (double)value;
    }
    return STATUS_OK;
}

/* Two open checkpoints with room for a piece of each. */
struct pair {
    const struct checkpoint *a, *b;
    double *of_a, *of_b; /* (PIECE) */
    struct compare_sums *sums;
};

/* The field of a checkpoint is its first section, (ny, nx) f64 or f32. */
static enum status check_fields(const struct pair *pair)
{
    const struct checkpoint *const both[] = {pair->a, pair->b};
    for (int k = 0; k < 2; k++)
        if (both[k]->section_count == 0 || !is_number(&both[k]->sections[0]))
            return fail(STATUS_FILE, "%s: holds no field", both[k]->path);
    const struct checkpoint_section *a = &pair->a->sections[0], *b = &pair->b->sections[0];
    if (a->rows != b->rows || a->columns != b->columns)
        return compare_grids_differ(pair->a->path, pair->b->path, a->columns, a->rows, b->columns,
                                    b->rows);
    if (strcmp(a->name, b->name) != 0)
        return fail(STATUS_INPUT,
                    "%s holds %s and %s %s; only checkpoints of the same precision can be compared",
                    pair->a->path, a->name, pair->b->path, b->name);
    return STATUS_OK;
}

static enum status compare_fields(struct pair *pair)
{
    const struct checkpoint_section *a = &pair->a->sections[0], *b = &pair->b->sections[0];
    struct compare_span span = {.nx = a->columns, .time = pair->a->time};
    for (int64_t left = count_of(a); left > 0; left -= span.count, span.first += span.count) {
        span.count = left < PIECE ? left : PIECE;
        TRY(read_numbers(pair->a, a, span.first, span.count, pair->of_a));
        TRY(read_numbers(pair->b, b, span.first, span.count, pair->of_b));
        compare_add(pair->sums, pair->of_a, pair->of_b, &span);
    }
    return STATUS_OK;
}

/* How many values are not the same bits: all of them in sections that are not alike. */
static enum status count_differing(struct pair *pair, const struct checkpoint_section *a,
                                   const struct checkpoint_section *b, int64_t *differing)
{
    const int64_t all = count_of(a) > count_of(b) ? count_of(a) : count_of(b);
    const size_t bytes = section_type_bytes(a->type);
    *differing = is_alike(a, b) ? 0 : all;
    for (int64_t first = 0, count = 0; is_alike(a, b) && first < all; first += count) {
        count = all - first < PIECE ? all - first : PIECE;
        const int64_t at = first * (int64_t)bytes;
        TRY(checkpoint_read(pair->a, a, at, (size_t)count * bytes, pair->of_a));
        TRY(checkpoint_read(pair->b, b, at, (size_t)count * bytes, pair->of_b));
        const unsigned char *of_a = (const unsigned char *)pair->of_a;
        const unsigned char *of_b = (const unsigned char *)pair->of_b;
        for (size_t k = 0; k < (size_t)count; k++)
            *differing += memcmp(of_a + k * bytes, of_b + k * bytes, bytes) != 0;
    }
    return STATUS_OK;
}

static enum status read_text(const struct checkpoint *checkpoint,
                             const struct checkpoint_section *section, char **text)
{
    const size_t bytes = (size_t)count_of(section);
    TRY(memory_alloc(text, bytes + 1, 1, "settings"));
    return checkpoint_read(checkpoint, section, 0, bytes, *text);
}

/* Settings differ where a resume would say so: not in where results go or what runs them. */
static enum status compare_settings(struct pair *pair, const struct checkpoint_section *a,
                                    const struct checkpoint_section *b)
{
    char *of_a = NULL, *of_b = NULL, difference[512];
    enum status status = STATUS_OK;
    TRY_DONE(read_text(pair->a, a, &of_a));
    TRY_DONE(read_text(pair->b, b, &of_b));
    if (input_differs(of_a, of_b, difference, sizeof difference))
        compare_note(pair->sums->result, CHECKPOINT_SETTINGS, 1);
done:
    free(of_a);
    free(of_b);
    return status;
}

static enum status compare_section(struct pair *pair, const struct checkpoint_section *a,
                                   const struct checkpoint_section *b)
{
    int64_t differing = 0;
    if (strcmp(a->name, CHECKPOINT_SETTINGS) == 0)
        return compare_settings(pair, a, b);
    TRY(count_differing(pair, a, b, &differing));
    compare_note(pair->sums->result, a->name, differing);
    return STATUS_OK;
}

/* All but the field. The id of the run is no result: each has its own. */
static enum status compare_others(struct pair *pair)
{
    struct compare_result *result = pair->sums->result;
    compare_note(result, "step", pair->a->step != pair->b->step);
    compare_note(result, "time", memcmp(&pair->a->time, &pair->b->time, sizeof(double)) != 0);
    for (int k = 1; k < pair->a->section_count; k++) {
        const struct checkpoint_section *a = &pair->a->sections[k];
        const struct checkpoint_section *b = checkpoint_section(pair->b, a->name);
        if (b != NULL) {
            TRY(compare_section(pair, a, b));
            continue;
        }
        compare_leave_out(result, a->name);
        result->only_fields++;
    }
    for (int k = 1; k < pair->b->section_count; k++)
        if (checkpoint_section(pair->a, pair->b->sections[k].name) == NULL) {
            compare_leave_out(result, pair->b->sections[k].name);
            result->only_fields++;
        }
    return STATUS_OK;
}

static enum status compare_pair(struct pair *pair, const struct compare_options *options)
{
    struct compare_result *result = pair->sums->result;
    TRY(check_fields(pair));
    const bool is_same_time = pair->a->time == pair->b->time;
    result->times = is_same_time ? 1 : 0;
    result->only_a = result->only_b = is_same_time ? 0 : 1;
    if (!is_same_time && !options->is_every)
        return STATUS_OK;
    TRY(memory_alloc(&pair->of_a, PIECE, sizeof(double), "values to compare"));
    TRY(memory_alloc(&pair->of_b, PIECE, sizeof(double), "values to compare"));
    TRY(compare_fields(pair));
    if (result->differing > 0)
        compare_name(result->differing_in, sizeof result->differing_in, result->field);
    if (options->is_every)
        return compare_others(pair);
    compare_leave_out(result, "all but the temperature (--bitwise)");
    return STATUS_OK;
}

static enum status open_one(const char *path, const struct compare_options *options,
                            struct checkpoint *checkpoint)
{
    TRY(checkpoint_open(path, checkpoint));
    return options->is_named ? checkpoint_check_name(checkpoint) : STATUS_OK;
}

enum status compare_checkpoints(const char *path_a, const char *path_b,
                                const struct compare_options *options, struct compare_sums *sums)
{
    struct checkpoint a = {.fd = -1}, b = {.fd = -1};
    struct pair pair = {.a = &a, .b = &b, .sums = sums};
    enum status status = open_one(path_a, options, &a);
    if (status == STATUS_OK)
        status = open_one(path_b, options, &b);
    if (status == STATUS_OK)
        status = compare_pair(&pair, options);
    free(pair.of_a);
    free(pair.of_b);
    checkpoint_close(&a);
    checkpoint_close(&b);
    return status;
}
