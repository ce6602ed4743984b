#include "solver/need.h"

#include "kernels/alike.h"
#include "solver/coefficients.h"

/* What goes by cell, beside the field itself. */
static size_t cell_bytes(const struct plan *plan, size_t element)
{
    const struct input *input = plan->input;
    bool has_floorplan = false;
    size_t bytes = input->fixed_count > 0 ? 1 : 0;
    if (!plan->has_zones)
        return bytes;
    bytes += plan->properties == NULL ? 2 : 1; /* the zone, and the kind */
    for (int s = 0; s < input->source_count; s++) {
        bytes += input->sources[s].type == SOURCE_FILE ? element : 0;
        has_floorplan = has_floorplan || input->sources[s].type == SOURCE_FLOORPLAN;
    }
    bytes += has_floorplan ? sizeof(uint16_t) : 0;
    bytes += plan->properties != NULL ? FACES_ARRAYS * element : 0;
    return bytes + (plan->stages > 0 ? 2 * element : 0); /* what stages remember */
}

/* Where cells are of one kind; not all backends have it. */
static size_t map_bytes(const struct plan *plan, const struct block *block)
{
    return plan->has_zones && plan->properties == NULL ? alike_bytes(block) : 0;
}

size_t need_device_bytes(const struct plan *plan, const struct block *block)
{
    const size_t cells = block_bytes(block) / block->element_bytes;
    const size_t faces = 2 * ((size_t)block->nx + (size_t)block->ny);
    size_t bytes = halo_field_bytes(block) + cells * cell_bytes(plan, block->element_bytes);
    bytes +=
        faces * sizeof(double) + coefficients_level_bytes(plan, block) + map_bytes(plan, block);
    return bytes;
}
