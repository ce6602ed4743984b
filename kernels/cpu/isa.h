/* What one source per instruction set provides; private to kernels/cpu. */
#ifndef ISOTHERM_KERNELS_CPU_ISA_H
#define ISOTHERM_KERNELS_CPU_ISA_H

#include <stddef.h>

#include "kernels/backend.h"

enum side { SIDE_LEFT, SIDE_RIGHT, SIDE_BOTTOM, SIDE_TOP };

/* Scratch memory comes on addresses that are a multiple of this. */
enum { SCRATCH_ALIGNMENT = 128 };

struct cpu_precision {
    size_t (*scratch_bytes)(const struct step *step);
    void (*advance)(const struct step *step, unsigned char *scratch);
};

struct cpu_isa {
    const char *name;
    struct cpu_precision f64, f32;
};

extern const struct cpu_isa cpu_isa_baseline, cpu_isa_avx2, cpu_isa_avx512;

/* A function with flags that its callers know: each gets a loop of its own. */
#define SPECIAL static inline __attribute__((always_inline))

static inline int int_min(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_max(int a, int b)
{
    return a > b ? a : b;
}

/* The cells that `region` depends on after `steps` steps: grown, but not past a boundary. */
static inline struct region region_grow(const struct step *step, struct region region, int steps)
{
    const struct side_map *sides = step->sides;
    struct region grown = {region.x0 - steps, region.x1 + steps, region.y0 - steps,
                           region.y1 + steps};
    if (sides[SIDE_LEFT].is_boundary)
        grown.x0 = int_max(grown.x0, 0);
    if (sides[SIDE_RIGHT].is_boundary)
        grown.x1 = int_min(grown.x1, step->block->nx);
    if (sides[SIDE_BOTTOM].is_boundary)
        grown.y0 = int_max(grown.y0, 0);
    if (sides[SIDE_TOP].is_boundary)
        grown.y1 = int_min(grown.y1, step->block->ny);
    return grown;
}

#endif
