#include "solver/faces.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ipc/control.h"
#include "solver/properties.h"
#include "solver/setup.h"
#include "solver/zoning.h"

enum { FACES_RATE = 2 }; /* beside the axes */

/* What cell (i, j) of the block has in the array for an axis, or in that of rates; 0 where no step
 * looks. The faces after the last cell at a boundary belong to cells that are none. */
static double value_at(const struct rank *rank, int array, int i, int j)
{
    const struct plan *plan = rank->plan;
    int64_t x = 0, y = 0;
    if (zoning_cell(rank, i, j, &x, &y)) {
        if (array == FACES_RATE)
            return 1.0 / plan->properties->capacity[y * plan->layout.nx + x];
    } else if (array == FACES_RATE ||
               !zoning_cell(rank, i - (array == 0), j - (array == 1), &x, &y)) {
        return 0.0;
    } else {
        x += array == 0;
        y += array == 1;
    }
    const double d = array == 0 ? plan->dx : plan->dy;
    return properties_face(plan, array, x, y) / (d * d);
}

static void fill(const struct rank *rank, int array, void *to)
{
    const struct block *block = &rank->block;
    for (int j = -block->halo; j < block->ny + block->halo; j++) {
        for (int i = -block->halo; i < block->nx + block->halo; i++) {
            const int64_t at = block_index(block, i, j);
            const double value = value_at(rank, array, i, j);
            if (rank->plan->is_double)
                ((double *)to)[at] = value;
            else
                ((float *)to)[at] = (float)value;
        }
        control_beat(rank->run->control, rank->index);
    }
}

enum status faces_open(struct rank *rank)
{
    struct coefficients *own = rank->coefficients;
    const size_t bytes = block_bytes(&rank->block);
    void *host = NULL;
    if (rank->plan->properties == NULL)
        return STATUS_OK;
    TRY(memory_alloc(&host, bytes, 1, "conductances"));
    enum status status = STATUS_OK;
    for (int array = 0; array < FACES_ARRAYS && status == STATUS_OK; array++) {
        fill(rank, array, host);
        status = rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, &own->faces[array]);
        if (status == STATUS_OK)
            status = setup_upload(rank, host, own->faces[array], bytes);
    }
    free(host);
    own->zones.faces[0] = own->faces[0];
    own->zones.faces[1] = own->faces[1];
    own->zones.rate = own->faces[FACES_RATE];
    own->zones.loss_density = rank->plan->input->loss.coefficient;
    return status;
}

void faces_close(struct rank *rank)
{
    for (int array = 0; array < FACES_ARRAYS; array++)
        rank->backend->release(rank->device, rank->coefficients->faces[array]);
}
