/* Launchers of the CUDA kernels, for C. Each queues one kernel and returns what
 * cudaGetLastError() says directly after. */
#ifndef ISOTHERM_KERNELS_CUDA_LAUNCH_H
#define ISOTHERM_KERNELS_CUDA_LAUNCH_H

#include <cuda_runtime_api.h>

#include "kernels/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rectangle of a copy list, cut into pieces of `piece_bytes` (16, 8, 4, 2 or 1), which divides
 * both addresses, both pitches and the length of a row. */
struct copy_rectangle {
    const unsigned char *from;
    unsigned char *to;
    size_t from_pitch, to_pitch; /* bytes */
    unsigned row_pieces;
    unsigned pieces; /* rows * row_pieces */
    int piece_bytes;
};

/* What a GPU offers to a kernel. */
struct launch_limits {
    int shared_bytes; /* shared memory of a block at most */
    int multiprocessors;
};

/* Load the kernels, so that the time loop loads nothing, and let them use what the GPU has. */
cudaError_t launch_step_prepare(const struct launch_limits *limits);
cudaError_t launch_copy_prepare(void);

/* The most steps that launch_step takes in one call; >= 1. */
int launch_step_limit(const struct step *step, const struct launch_limits *limits);

/* The step on a stream; the region must not be empty. */
cudaError_t launch_step(const struct step *step, const struct launch_limits *limits,
                        cudaStream_t stream);

/* `rectangles` lies in device memory; `most_pieces` is the largest of their counts, > 0. */
cudaError_t launch_copy(const struct copy_rectangle *rectangles, int count, unsigned most_pieces,
                        cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
