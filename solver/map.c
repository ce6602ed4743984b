#include "solver/map.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "io/png_read.h"
#include "solver/host_memory.h"
#include "solver/values.h"

static enum status from_image(const struct input *input, struct map *map)
{
    struct png_levels levels = {0};
    TRY(png_read_levels(input->geometry.image, input->geometry.image_where, &levels));
    map->width = levels.width;
    map->height = levels.height;
    map->materials = levels.values;
    for (int64_t row = 0; row < levels.height; row++)
        for (int64_t x = 0; x < levels.width; x++) {
            const int level = levels.values[row * levels.width + x];
            if (level >= input->material_count)
                return fail(STATUS_INPUT,
                            "%s: %s: pixel (%lld, %lld), counted from the top left, has level %d, "
                            "which is no material; they are counted from 0 to %d",
                            input->geometry.image_where, input->geometry.image, (long long)x,
                            (long long)row, level, input->material_count - 1);
            map->is_used |= (uint64_t)1 << level;
        }
    for (int64_t j = 0; j < map->height / 2; j++)
        for (int64_t x = 0; x < map->width; x++) {
            unsigned char *a = &map->materials[j * map->width + x];
            unsigned char *b = &map->materials[(map->height - 1 - j) * map->width + x];
            const unsigned char kept = *a;
            *a = *b;
            *b = kept;
        }
    return STATUS_OK;
}

static enum status from_field(const struct input *input, struct map *map)
{
    const struct input_field *field = &input->geometry.material;
    const int64_t nx = input->cells[0], ny = input->cells[1];
    double *values = NULL;
    map->width = nx;
    map->height = ny;
    TRY(host_memory_check_cells(input, sizeof(double) + 1.0, ""));
    TRY(memory_alloc(&map->materials, (size_t)(nx * ny), 1, "materials"));
    TRY(memory_alloc(&values, (size_t)(nx * ny), sizeof *values, "materials"));
    enum status status = values_evaluate(input, field, NULL, 0, values);
    for (int64_t c = 0; c < nx * ny && status == STATUS_OK; c++) {
        if (!(values[c] >= 0.0 && values[c] < input->material_count) ||
            values[c] != floor(values[c])) {
            status = fail(STATUS_INPUT,
                          "%s: cell (%lld, %lld) has %.9g, which is no material; they are "
                          "counted from 0 to %d",
                          field->where, (long long)(c % nx), (long long)(c / nx), values[c],
                          input->material_count - 1);
            break;
        }
        map->materials[c] = (unsigned char)values[c];
        map->is_used |= (uint64_t)1 << map->materials[c];
    }
    free(values);
    return status;
}

enum status map_open(const struct input *input, struct map *map)
{
    *map = (struct map){.is_used = 1};
    if (!input->geometry.has_image && !input->geometry.has_material)
        return STATUS_OK;
    map->is_used = 0;
    return input->geometry.has_image ? from_image(input, map) : from_field(input, map);
}

void map_close(struct map *map)
{
    free(map->materials);
    *map = (struct map){0};
}
