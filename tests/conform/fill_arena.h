/* The values of an arena before a step: random ones where the step may look, NaN elsewhere. */
#ifndef ISOTHERM_TESTS_CONFORM_FILL_ARENA_H
#define ISOTHERM_TESTS_CONFORM_FILL_ARENA_H

#include "tests/conform/reference_step.h"
#include "tests/conform/step_arena.h"

/* -1 <= value < 1 with a full mantissa. */
static inline double random_value(uint64_t *state)
{
    return (double)(int64_t)random_bits(state) * 0x1p-63;
}

static inline void fill_reals(uint64_t *state, void *memory, size_t count, bool is_double)
{
    for (size_t n = 0; n < count; n++) {
        const double value = random_value(state);
        if (is_double)
            ((double *)memory)[n] = value;
        else
            ((float *)memory)[n] = (float)value;
    }
}

/* Patches have cells alone among others and cells among their like. */
static inline int zone_at(uint64_t *state, const struct trial *trial, int i, int j)
{
    const int x = i - trial->nx * 2 / 5, y = j - trial->ny * 3 / 7;
    switch (trial->shape) {
    case UPRIGHT:
        return (i + 200) / 131 % trial->zones;
    case LEVEL:
        return (j + 200) / 11 % trial->zones;
    case SLANTED:
        return (3 * i + 17 * j + 9000) / 701 % trial->zones;
    case CIRCLES:
        return (x * x + 9 * y * y) / (20 * trial->nx + 1) % trial->zones;
    case STRIPES:
        return (i + 235) / 47 % trial->zones;
    case BOARD:
        return ((i + 207) / 9 + (j + 210) / 14) % trial->zones;
    case THIN: /* cells that conduct alike to both sides, but not in x as in y */
        return ((i + 205) % 41 == 7 || (j + 207) % 9 == 4) && trial->zones > 1;
    default:
        return random_below(state, 100) == 0 ? random_below(state, trial->zones)
                                             : ((i + 100) / 71 + (j + 100) / 7) % trial->zones;
    }
}

static inline void fill_zones(uint64_t *state, const struct trial *trial, const struct step *step,
                              const struct parts *parts, unsigned char *memory)
{
    const struct block *const block = step->block;
    const struct region used = reference_grown(step, step->steps);
    const size_t levels = trial->has_levels ? (size_t)trial->steps : 1;
    const size_t zones = (size_t)trial->zones, element = block->element_bytes;
    for (int j = used.y0; j < used.y1; j++) {
        const size_t at = (size_t)block_index(block, used.x0, j);
        const size_t cells = (size_t)(used.x1 - used.x0);
        for (size_t n = 0; n < cells; n++)
            memory[parts->zone + at + n] =
                (unsigned char)zone_at(state, trial, used.x0 + (int)n, j);
        for (int f = 0; f < trial->fields; f++)
            fill_reals(state,
                       memory + parts->fields + (size_t)f * block_bytes(block) +
                           at * block->element_bytes,
                       cells, trial->is_double);
    }
    for (int axis = 0; axis < 2; axis++)
        fill_reals(state, memory + parts->conductance[axis], zones * zones, trial->is_double);
    for (size_t at = element; trial->is_alike && at < zones * zones * element; at += element)
        for (int axis = 0; axis < 2; axis++)
            memcpy(memory + parts->conductance[axis] + at, memory + parts->conductance[axis],
                   element);
    if (trial->is_equal)
        memcpy(memory + parts->conductance[1], memory + parts->conductance[0],
               zones * zones * element);
    fill_reals(state, memory + parts->loss, zones, trial->is_double);
    fill_reals(state, memory + parts->unit, zones, trial->is_double);
    fill_reals(state, memory + parts->source, levels * zones, trial->is_double);
    if (!trial->has_gain || !trial->has_loss)
        memset(memory + parts->loss, 0, zones * element);
    if (!trial->has_gain)
        memset(memory + parts->source, 0, levels * zones * element);
    fill_reals(state, memory + parts->factor, levels * (size_t)trial->fields, trial->is_double);
    const size_t spots = levels * (size_t)trial->spots * parts->faces;
    fill_reals(state, memory + parts->spot_x, spots, trial->is_double);
    fill_reals(state, memory + parts->spot_y, spots, trial->is_double);
}

/* Radiation takes heat away where it is hot: strengths are positive, surroundings above 0 K. */
static inline void make_radiating(const struct trial *trial, const struct parts *parts, int side,
                                  unsigned char *memory)
{
    const size_t count = (trial->has_levels ? (size_t)trial->steps : 1) * parts->faces;
    void *const strengths = memory + parts->a[side];
    for (size_t n = 0; n < count; n++) {
        if (trial->is_double)
            ((double *)strengths)[n] = fabs(((double *)strengths)[n]);
        else
            ((float *)strengths)[n] = fabsf(((float *)strengths)[n]);
    }
}

static inline void arena_fill(uint64_t *state, const struct trial *trial, const struct step *step,
                              const struct parts *parts, unsigned char *memory)
{
    memset(memory, 0xff, parts->bytes); /* NaN in both precisions, and a mask of fixed cells */
    const struct block *const block = step->block;
    const struct region used = reference_grown(step, step->steps);
    for (int j = used.y0; j < used.y1; j++) {
        const size_t at = (size_t)block_index(block, used.x0, j);
        const size_t cells = (size_t)(used.x1 - used.x0);
        fill_reals(state, memory + parts->from + at * block->element_bytes, cells,
                   trial->is_double);
        for (size_t n = 0; n < cells; n++)
            memory[parts->fixed + at + n] = random_below(state, 8) == 0 ? 1 : 0;
    }
    const size_t levels = trial->has_levels ? (size_t)trial->steps : 1;
    for (int s = 0; s < 4; s++) {
        fill_reals(state, memory + parts->a[s], levels * parts->faces, trial->is_double);
        fill_reals(state, memory + parts->b[s], levels * parts->faces, trial->is_double);
        fill_reals(state, memory + parts->heat[s], parts->faces, true);
        if ((trial->radiating >> s & 1) != 0)
            make_radiating(trial, parts, s, memory);
    }
    for (int j = 0; trial->stage > 1 && j < block->ny; j++) {
        const size_t at = (size_t)block_index(block, 0, j) * block->element_bytes;
        fill_reals(state, memory + parts->to + at, (size_t)block->nx, trial->is_double);
        fill_reals(state, memory + parts->start + at, (size_t)block->nx, trial->is_double);
        fill_reals(state, memory + parts->start_change + at, (size_t)block->nx, trial->is_double);
    }
    for (int s = 0; trial->stage > 1 && s < 4; s++)
        fill_reals(state, memory + parts->stage_heat[s], 3 * parts->faces, true);
    if (trial->zones > 0)
        fill_zones(state, trial, step, parts, memory);
}

#endif
