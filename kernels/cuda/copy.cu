/* The kernel behind copy lists. */
#include "kernels/cuda/launch.h"

namespace
{

constexpr unsigned COPY_THREADS = 256;

/* One access a thread: on an H200 that copies 4.29 TB/s, a few accesses one after the other 3.9
 * (bench/results/h200-backend-step.txt). */
template <typename PIECE> __device__ void copy_piece(const copy_rectangle &rectangle)
{
    const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= rectangle.pieces)
        return;
    const unsigned row = n / rectangle.row_pieces;
    const size_t offset = (n - row * rectangle.row_pieces) * sizeof(PIECE);
    const unsigned char *const from = rectangle.from + row * rectangle.from_pitch + offset;
    unsigned char *const to = rectangle.to + row * rectangle.to_pitch + offset;
    *reinterpret_cast<PIECE *>(to) = *reinterpret_cast<const PIECE *>(from);
}

/* blockIdx.y is the rectangle. Memory that other processes or the host write is read here too, so
 * no load may go through the read-only cache. */
__global__ void __launch_bounds__(COPY_THREADS) copy_kernel(const copy_rectangle *rectangles)
{
    const copy_rectangle rectangle = rectangles[blockIdx.y];
    switch (rectangle.piece_bytes) {
    case 16:
        copy_piece<uint4>(rectangle);
        break;
    case 8:
        copy_piece<uint2>(rectangle);
        break;
    case 4:
        copy_piece<unsigned>(rectangle);
        break;
    case 2:
        copy_piece<unsigned short>(rectangle);
        break;
    default:
        copy_piece<unsigned char>(rectangle);
        break;
    }
}

} // namespace

extern "C" cudaError_t launch_copy_prepare(void)
{
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, copy_kernel);
}

extern "C" cudaError_t launch_copy(const struct copy_rectangle *rectangles, int count,
                                   unsigned most_pieces, cudaStream_t stream)
{
    const unsigned blocks = (most_pieces + COPY_THREADS - 1) / COPY_THREADS;
    copy_kernel<<<dim3(blocks, (unsigned)count), COPY_THREADS, 0, stream>>>(rectangles);
    return cudaGetLastError();
}
