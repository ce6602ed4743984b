/* Transposition of a square of vectors; included by the vector header of an instruction set.
 *
 * One step exchanges, in each pair of rows a, b that lie `distance` apart, the blocks of that size
 * beside the diagonal. LOW and HIGH are the lanes of a (from 0) and b (from LANES) that the two
 * rows get. Steps with distance 1, 2, 4 ... transpose. */
#ifndef ISOTHERM_KERNELS_CPU_VECTOR_H
#define ISOTHERM_KERNELS_CPU_VECTOR_H

/* Over the lanes of a vector, so that arrays of vectors stay in registers. */
#define UNROLL _Pragma("GCC unroll 16")

#define EXCHANGE(vec, rows, lanes, distance, LOW, HIGH)                                            \
    do {                                                                                           \
        UNROLL for (int k = 0; k < lanes; k++)                                                     \
        {                                                                                          \
            if ((k & distance) != 0)                                                               \
                continue;                                                                          \
            const vec a = (rows)[k], b = (rows)[k + distance];                                     \
            (rows)[k] = __builtin_shufflevector(a, b, LOW);                                        \
            (rows)[k + distance] = __builtin_shufflevector(a, b, HIGH);                            \
        }                                                                                          \
    } while (0)

#define LOW_4_1  0, 4, 2, 6
#define HIGH_4_1 1, 5, 3, 7
#define LOW_4_2  0, 1, 4, 5
#define HIGH_4_2 2, 3, 6, 7

#define LOW_8_1  0, 8, 2, 10, 4, 12, 6, 14
#define HIGH_8_1 1, 9, 3, 11, 5, 13, 7, 15
#define LOW_8_2  0, 1, 8, 9, 4, 5, 12, 13
#define HIGH_8_2 2, 3, 10, 11, 6, 7, 14, 15
#define LOW_8_4  0, 1, 2, 3, 8, 9, 10, 11
#define HIGH_8_4 4, 5, 6, 7, 12, 13, 14, 15

#define LOW_16_1  0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define HIGH_16_1 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define LOW_16_2  0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define HIGH_16_2 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LOW_16_4  0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define HIGH_16_4 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define LOW_16_8  0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH_16_8 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31

#endif
