#include "solver/state.h"

#include <assert.h>
#include <stdio.h>

static const char *const side_sections[SIDE_COUNT] = {
    [SIDE_LEFT] = "face_sum_left",
    [SIDE_RIGHT] = "face_sum_right",
    [SIDE_BOTTOM] = "face_sum_bottom",
    [SIDE_TOP] = "face_sum_top",
};

const char *state_field_name(bool is_double)
{
    return is_double ? "temperature" : "temperature_deviation";
}

const char *state_side_name(enum side side)
{
    return side_sections[side];
}

enum status state_read_whole(const struct checkpoint *checkpoint, const char *name, size_t bytes,
                             void *to)
{
    const struct checkpoint_section *section = checkpoint_section(checkpoint, name);
    if (section == NULL || (size_t)(section->rows * section->columns) * 8 != bytes)
        return fail(STATUS_FILE,
                    "%s: section %s is missing or of another size; it was written by another "
                    "version of the program",
                    checkpoint->path, name);
    return checkpoint_read(checkpoint, section, 0, bytes, to);
}

enum status state_read_counts(const struct checkpoint *checkpoint, struct state_counts *counts)
{
    return state_read_whole(checkpoint, "counts", sizeof *counts, counts);
}

enum status state_read_values(const struct checkpoint *checkpoint, struct state_values *values)
{
    return state_read_whole(checkpoint, "values", sizeof *values, values);
}

enum status state_read_start_sum(const struct checkpoint *checkpoint, struct exact_sum *sum)
{
    return state_read_whole(checkpoint, "start_sum", sizeof sum->limbs, sum->limbs);
}

enum status state_read_block(const struct checkpoint *checkpoint, const char *name, int64_t x0,
                             int64_t nx, int64_t y0, int64_t ny, size_t element_bytes, void *to)
{
    const struct checkpoint_section *section = checkpoint_section(checkpoint, name);
    if (section == NULL || section->rows < y0 + ny || section->columns < x0 + nx)
        return fail(STATUS_FILE,
                    "%s: section %s is missing or smaller than the domain; it belongs to another "
                    "problem",
                    checkpoint->path, name);
    const size_t row_bytes = (size_t)nx * element_bytes;
    for (int64_t j = 0; j < ny; j++) {
        const int64_t at = ((y0 + j) * section->columns + x0) * (int64_t)element_bytes;
        TRY(checkpoint_read(checkpoint, section, at, row_bytes,
                            (unsigned char *)to + (size_t)j * row_bytes));
    }
    return STATUS_OK;
}

void state_add(struct checkpoint *checkpoint, const char *name, enum section_type type,
               int64_t rows, int64_t columns, const void *data)
{
    assert(checkpoint->section_count < CHECKPOINT_MAX_SECTIONS);
    struct checkpoint_section *section = &checkpoint->sections[checkpoint->section_count++];
    *section =
        (struct checkpoint_section){.type = type, .rows = rows, .columns = columns, .data = data};
    (void)snprintf(section->name, sizeof section->name, "%s", name);
}
