#include "kernels/block.h"

struct block block_make(int nx, int ny, int halo, bool is_double)
{
    struct block block = {.nx = nx, .ny = ny, .halo = halo};
    block.element_bytes = is_double ? sizeof(double) : sizeof(float);
    const int line = (int)(BLOCK_ALIGNMENT / block.element_bytes);
    block.lead = (halo + line - 1) / line * line;
    /* One line more than needed at the end: vector loads may read past the last ghost cell. */
    block.pitch = (block.lead + nx + halo + line - 1) / line * line + line;
    return block;
}
