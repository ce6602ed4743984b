#include "solver/rkl2.h"

double rkl2_reach(int stages)
{
    return 0.25 * ((double)stages * stages + stages - 2.0);
}

int rkl2_stages(double steps)
{
    int stages = 3;
    while (stages <= RKL2_MOST_STAGES && rkl2_reach(stages) < steps * (1.0 - 1e-9))
        stages += 2;
    return stages;
}

static double b_of(int j)
{
    return j < 2 ? 1.0 / 3.0 : ((double)j * j + j - 2.0) / (2.0 * j * (j + 1.0));
}

void rkl2_weights(int stages, int j, struct stage *stage)
{
    const double w = 1.0 / rkl2_reach(stages);
    stage->index = j;
    stage->is_last = j == stages;
    if (j == 1) {
        stage->mu = stage->nu = stage->rate = 0.0;
        stage->change = b_of(1) * w;
        return;
    }
    stage->mu = (2.0 * j - 1.0) / j * b_of(j) / b_of(j - 1);
    stage->nu = -(j - 1.0) / j * b_of(j) / b_of(j - 2);
    stage->change = stage->mu * w;
    stage->rate = -(1.0 - b_of(j - 1)) * stage->change;
}

enum status rkl2_open(struct rank *rank)
{
    const struct block *block = &rank->block;
    const size_t bytes = block_bytes(block);
    const int longest = block->nx > block->ny ? block->nx : block->ny;
    void *heat = NULL;
    if (rank->plan->stages == 0)
        return STATUS_OK;
    TRY(rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, &rank->stage.start));
    TRY(rank->backend->allocate(rank->device, bytes, MEMORY_PRIVATE, &rank->stage.start_change));
    TRY(rank->backend->allocate(rank->device,
                                (size_t)(3 * SIDE_COUNT) * (size_t)longest * sizeof(double),
                                MEMORY_PRIVATE, &heat));
    for (int side = 0; side < SIDE_COUNT; side++)
        rank->stage.heat[side] = (double *)heat + (ptrdiff_t)3 * side * longest;
    rank->stage.heat_pitch = longest;
    rank->step.stage = &rank->stage;
    return STATUS_OK;
}

void rkl2_close(struct rank *rank)
{
    rank->backend->release(rank->device, rank->stage.start);
    rank->backend->release(rank->device, rank->stage.start_change);
    rank->backend->release(rank->device, rank->stage.heat[0]);
}
