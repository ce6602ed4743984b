/* The vectors of tiles.inc in AVX2 with FMA, by precision. */
#ifndef ISOTHERM_KERNELS_CPU_VECTOR_AVX2_H
#define ISOTHERM_KERNELS_CPU_VECTOR_AVX2_H

#include <immintrin.h>

#include "kernels/cpu/vector.h"

typedef __m256d vec_f64;
typedef __m256 vec_f32;

enum { LANES_f64 = 4, LANES_f32 = 8 };

/* Whether vec_pick costs more than a branch that asks if it would give the same again. */
enum { PICKS_ARE_SLOW = 1 };

static inline vec_f64 vec_all_f64(double value)
{
    return _mm256_set1_pd(value);
}

static inline vec_f32 vec_all_f32(float value)
{
    return _mm256_set1_ps(value);
}

/* From and to any address. */
static inline vec_f64 vec_read_f64(const double *from)
{
    return _mm256_loadu_pd(from);
}

static inline vec_f32 vec_read_f32(const float *from)
{
    return _mm256_loadu_ps(from);
}

static inline void vec_write_f64(double *to, vec_f64 v)
{
    _mm256_storeu_pd(to, v);
}

static inline void vec_write_f32(float *to, vec_f32 v)
{
    _mm256_storeu_ps(to, v);
}

/* To an address that is a multiple of the vector, past the caches. */
static inline void vec_stream_f64(double *to, vec_f64 v)
{
    _mm256_stream_pd(to, v);
}

static inline void vec_stream_f32(float *to, vec_f32 v)
{
    _mm256_stream_ps(to, v);
}

/* Whatever was streamed before is seen by others before what is written later. */
static inline void vec_fence(void)
{
    _mm_sfence();
}

static inline vec_f64 vec_fma_f64(vec_f64 a, vec_f64 b, vec_f64 c)
{
    return _mm256_fmadd_pd(a, b, c);
}

static inline vec_f32 vec_fma_f32(vec_f32 a, vec_f32 b, vec_f32 c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* c - a b */
static inline vec_f64 vec_minus_f64(vec_f64 a, vec_f64 b, vec_f64 c)
{
    return _mm256_fnmadd_pd(a, b, c);
}

static inline vec_f32 vec_minus_f32(vec_f32 a, vec_f32 b, vec_f32 c)
{
    return _mm256_fnmadd_ps(a, b, c);
}

/* 16 numbers of which each lane picks one, by bytes below 16. */
struct vec_table_f64 {
    const double *numbers;
};
struct vec_table_f32 {
    const float *numbers;
};
typedef __m128i vec_index_f64;
typedef __m256i vec_index_f32;

static inline struct vec_table_f64 vec_table_f64(const double *numbers)
{
    return (struct vec_table_f64){numbers};
}

static inline struct vec_table_f32 vec_table_f32(const float *numbers)
{
    return (struct vec_table_f32){numbers};
}

static inline vec_index_f64 vec_index_read_f64(const unsigned char *bytes)
{
    return _mm_cvtepu8_epi32(_mm_loadu_si32(bytes));
}

static inline vec_index_f32 vec_index_read_f32(const unsigned char *bytes)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
}

static inline vec_f64 vec_pick_f64(struct vec_table_f64 table, vec_index_f64 index)
{
    return _mm256_i32gather_pd(table.numbers, index, 8);
}

static inline vec_f32 vec_pick_f32(struct vec_table_f32 table, vec_index_f32 index)
{
    return _mm256_i32gather_ps(table.numbers, index, 4);
}

/* Lane q: `kept` where bit q is set, else `other`. */
static inline vec_f64 vec_keep_f64(unsigned bits, vec_f64 kept, vec_f64 other)
{
    const __m256i lane = _mm256_set_epi64x(8, 4, 2, 1);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi64x((long long)bits), lane);
    return _mm256_blendv_pd(other, kept, _mm256_castsi256_pd(_mm256_cmpeq_epi64(set, lane)));
}

static inline vec_f32 vec_keep_f32(unsigned bits, vec_f32 kept, vec_f32 other)
{
    const __m256i lane = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi32((int)bits), lane);
    return _mm256_blendv_ps(other, kept, _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lane)));
}

/* Lane q takes lane q - 1 (up) or q + 1 (down), around the end. */
static inline vec_f64 vec_up_f64(vec_f64 v)
{
    return __builtin_shufflevector(v, v, 3, 0, 1, 2);
}

static inline vec_f64 vec_down_f64(vec_f64 v)
{
    return __builtin_shufflevector(v, v, 1, 2, 3, 0);
}

static inline vec_f32 vec_up_f32(vec_f32 v)
{
    return __builtin_shufflevector(v, v, 7, 0, 1, 2, 3, 4, 5, 6);
}

static inline vec_f32 vec_down_f32(vec_f32 v)
{
    return __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 0);
}

static inline void vec_transpose_f64(vec_f64 rows[4])
{
    EXCHANGE(vec_f64, rows, 4, 1, LOW_4_1, HIGH_4_1);
    EXCHANGE(vec_f64, rows, 4, 2, LOW_4_2, HIGH_4_2);
}

static inline void vec_transpose_f32(vec_f32 rows[8])
{
    EXCHANGE(vec_f32, rows, 8, 1, LOW_8_1, HIGH_8_1);
    EXCHANGE(vec_f32, rows, 8, 2, LOW_8_2, HIGH_8_2);
    EXCHANGE(vec_f32, rows, 8, 4, LOW_8_4, HIGH_8_4);
}

#endif
