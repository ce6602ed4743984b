/* Which material is where under the shapes: from the image or the field of the input. */
#ifndef ISOTHERM_SOLVER_MAP_H
#define ISOTHERM_SOLVER_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "io/input.h"

struct map {
    int64_t width, height;    /* of the image, or the cells of the domain */
    unsigned char *materials; /* (height, width), row 0 at the bottom, owned; NULL: the first
                                 material everywhere */
    uint64_t is_used;         /* bit m: material m occurs */
};

/* Reads the image or evaluates the field of the input, if it has one; STATUS_INPUT names the pixel
 * or cell whose number is no material. On failure map_close() may still be called. */
enum status map_open(const struct input *input, struct map *map) MUST_CHECK;
void map_close(struct map *map);

/* The material of cell (i, j) of nx x ny: of the pixel that the cell's centre lies in. */
static inline int map_at(const struct map *map, int64_t i, int64_t j, int64_t nx, int64_t ny)
{
    if (map->materials == NULL)
        return 0;
    /* The centre lies at (i + 1/2)/nx of the width; between two pixels the right, upper one. */
    const int64_t x = (2 * i + 1) * map->width / (2 * nx);
    const int64_t y = (2 * j + 1) * map->height / (2 * ny);
    return map->materials[y * map->width + x];
}

#endif
