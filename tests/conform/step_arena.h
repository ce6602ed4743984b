/* A step to try and the memory it works on: all that a step reads and writes lies in one piece, an
 * arena, that can be made alike on the host and on the device. */
#ifndef ISOTHERM_TESTS_CONFORM_STEP_ARENA_H
#define ISOTHERM_TESTS_CONFORM_STEP_ARENA_H

#include "kernels/alike.h"
#include "tests/conform/backend_fixture.h"

enum { ARENA_ALIGNMENT = 256 };

enum shape { PATCHES, UPRIGHT, LEVEL, SLANTED, CIRCLES, STRIPES, BOARD, THIN };

struct trial {
    int nx, ny, halo;
    struct region region;
    int steps;
    unsigned boundaries; /* bit s: side s is one */
    unsigned radiating;  /* bit s: it radiates */
    bool is_double, is_equal, has_fixed, has_heat, has_levels;
    int zones;        /* 0: none */
    enum shape shape; /* of zones */
    bool has_kinds, has_gain, has_loss;
    bool is_alike; /* all zones conduct alike */
    int fields, spots;
    int stage; /* 0: none; the last one is STAGES */
    int again; /* how often the step is repeated */
};

enum { STAGES = 4 };

static const double REFERENCE =
    2.345678901234567; /* fields are around zero, temperatures above it */

/* Offsets into the arena. */
struct parts {
    size_t from, to, fixed, a[4], b[4], heat[4];
    size_t start, start_change, stage_heat[4];
    size_t zone, conductance[2], loss, source, unit, factor, fields, spot_x, spot_y;
    size_t kind, kind_zone, kind_conductance, alike;
    size_t faces; /* of one level, margins included */
    size_t bytes;
};

static inline size_t part(struct parts *parts, size_t bytes)
{
    const size_t at = parts->bytes;
    parts->bytes += (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    return at;
}

static inline void parts_add_zones(struct parts *parts, const struct trial *trial,
                                   const struct block *block)
{
    const size_t levels = trial->has_levels ? (size_t)trial->steps : 1;
    const size_t element = block->element_bytes, zones = (size_t)trial->zones;
    parts->start = part(parts, block_bytes(block));
    parts->start_change = part(parts, block_bytes(block));
    for (int s = 0; s < 4; s++)
        parts->stage_heat[s] = part(parts, 3 * parts->faces * sizeof(double));
    parts->zone = part(parts, block_bytes(block) / element);
    for (int axis = 0; axis < 2; axis++)
        parts->conductance[axis] = part(parts, zones * zones * element);
    parts->kind = part(parts, block_bytes(block) / element);
    parts->alike = part(parts, alike_bytes(block));
    parts->kind_zone = part(parts, KINDS_MOST);
    parts->kind_conductance = part(parts, (size_t)4 * KINDS_MOST * element);
    parts->loss = part(parts, zones * element);
    parts->unit = part(parts, zones * element);
    parts->source = part(parts, levels * zones * element);
    parts->factor = part(parts, levels * (size_t)trial->fields * element);
    parts->fields = part(parts, (size_t)trial->fields * block_bytes(block));
    parts->spot_x = part(parts, levels * (size_t)trial->spots * parts->faces * element);
    parts->spot_y = part(parts, levels * (size_t)trial->spots * parts->faces * element);
}

static inline struct parts parts_make(const struct trial *trial, const struct block *block)
{
    struct parts parts = {0};
    const int longest = trial->nx > trial->ny ? trial->nx : trial->ny;
    parts.faces = (size_t)(longest + 2 * trial->halo);
    parts.from = part(&parts, block_bytes(block));
    parts.to = part(&parts, block_bytes(block));
    parts.fixed = part(&parts, block_bytes(block) / block->element_bytes);
    for (int s = 0; s < 4; s++) {
        const size_t levels = trial->has_levels ? (size_t)trial->steps : 1;
        parts.a[s] = part(&parts, levels * parts.faces * block->element_bytes);
        parts.b[s] = part(&parts, levels * parts.faces * block->element_bytes);
        parts.heat[s] = part(&parts, parts.faces * sizeof(double));
    }
    parts_add_zones(&parts, trial, block);
    return parts;
}

static inline struct zones zones_make(const struct trial *trial, const struct block *block,
                                      const struct parts *parts, unsigned char *memory)
{
    const int is_level = trial->has_levels ? 1 : 0;
    const size_t origin = (size_t)trial->halo * block->element_bytes;
    struct zones zones = {
        .zone = memory + parts->zone,
        .count = trial->zones,
        .conductance = {memory + parts->conductance[0], memory + parts->conductance[1]},
        .loss = memory + parts->loss,
        .ambient = 0.1234567890123456,
        .source = memory + parts->source,
        .source_stride = is_level * trial->zones,
        .has_gain = trial->has_gain,
        .is_equal = trial->is_equal,
        .has_loss = trial->has_gain && trial->has_loss,
        .unit = memory + parts->unit,
        .field_count = trial->fields,
        .factor = memory + parts->factor,
        .factor_stride = is_level * trial->fields,
        .spot_count = trial->spots,
        .spot_x = memory + parts->spot_x + origin,
        .spot_y = memory + parts->spot_y + origin,
        .spot_x_pitch = (int)parts->faces,
        .spot_y_pitch = (int)parts->faces,
        .spot_x_stride = is_level * trial->spots * (int)parts->faces,
        .spot_y_stride = is_level * trial->spots * (int)parts->faces,
    };
    for (int f = 0; f < trial->fields; f++)
        zones.fields[f] = memory + parts->fields + (size_t)f * block_bytes(block);
    return zones;
}

static inline struct stage stage_make(const struct trial *trial, const struct parts *parts,
                                      unsigned char *memory)
{
    struct stage stage = {
        .index = trial->stage,
        .is_last = trial->stage == STAGES,
        .mu = 1.7234567890123456,
        .nu = -0.7123456789012345,
        .change = 0.2345678901234567,
        .rate = -0.1234567890123456,
        .start = memory + parts->start,
        .start_change = memory + parts->start_change,
        .heat_pitch = (int)parts->faces,
    };
    for (int s = 0; s < 4; s++)
        stage.heat[s] = (double *)(void *)(memory + parts->stage_heat[s]) + trial->halo;
    return stage;
}

static inline struct step step_make(const struct trial *trial, const struct block *block,
                                    const struct parts *parts, unsigned char *memory,
                                    struct zones *zones, struct stage *stage)
{
    *zones = zones_make(trial, block, parts, memory);
    *stage = stage_make(trial, parts, memory);
    struct step step = {
        .zones = trial->zones > 0 ? zones : NULL,
        .stage = trial->stage > 0 ? stage : NULL,
        .block = block,
        .from = memory + parts->from,
        .to = memory + parts->to,
        .region = trial->region,
        .steps = trial->steps,
        .rx = 0.2134567890123456,
        .ry = trial->is_equal ? 0.2134567890123456 : 0.1765432109876543,
        .fixed = trial->has_fixed ? memory + parts->fixed : NULL,
    };
    for (int s = 0; s < 4; s++) {
        const size_t origin = (size_t)trial->halo;
        step.sides[s] = (struct side_map){
            .is_boundary = (trial->boundaries >> s & 1) != 0,
            .is_radiating = (trial->radiating >> s & 1) != 0,
            .reference = REFERENCE,
            .a = memory + parts->a[s] + origin * block->element_bytes,
            .b = memory + parts->b[s] + origin * block->element_bytes,
            .level_stride = trial->has_levels ? (int)parts->faces : 0,
            .heat = trial->has_heat ? (double *)(void *)(memory + parts->heat[s]) + origin : NULL,
        };
    }
    return step;
}

#endif
