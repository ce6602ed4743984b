#include "io/kept.h"

#include <math.h>

struct kept kept_all(int64_t nx, int64_t ny)
{
    return (struct kept){.stride = {1, 1}, .count = {nx, ny}};
}

/* Cells count whose centre lies in the region, a hair's breadth included: input_check() has seen to
 * it that there are some. */
struct kept kept_find(const struct input *input)
{
    struct kept kept = kept_all(input->cells[0], input->cells[1]);
    for (int axis = 0; axis < 2; axis++) {
        const int64_t cells = input->cells[axis], stride = input->output.stride[axis];
        int64_t first = 0, last = cells - 1;
        if (input->output.has_region) {
            const double d = input->size[axis] / (double)cells;
            const struct input_region *region = &input->output.region;
            first = (int64_t)fmax(0.0, ceil(region->from[axis] / d - 0.5 - 1e-9));
            last = (int64_t)fmin((double)last, floor(region->to[axis] / d - 0.5 + 1e-9));
        }
        kept.first[axis] = first;
        kept.stride[axis] = stride;
        kept.count[axis] = (last - first) / stride + 1;
    }
    return kept;
}
