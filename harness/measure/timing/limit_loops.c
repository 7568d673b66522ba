/* Implements the loops. Twelve chains of multiply-adds hide any latency and leave registers for their
 * factors. Each loaded value is passed to an empty assembler instruction, so that the compiler does not
 * remove the load. Compiled once per level, with these definitions:
 *   LEVEL_OBJECT   name of the LimitLoops to define
 *   LEVEL          name of the level, a string */
#include "harness/measure/timing/limit_loops.h"

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define FUSED true
#else
#define FUSED false
#endif

#if defined(__x86_64__)
#define KEEP(vector) __asm__ volatile("" : : "x"(vector))
#elif defined(__aarch64__)
#define KEEP(vector) __asm__ volatile("" : : "w"(vector))
#else
#define KEEP(vector) __asm__ volatile("" : : "m"(vector))
#endif

enum { LANES = VECTOR_BYTES / sizeof(float), CHAINS = 12 };
typedef float Vector __attribute__((vector_size(VECTOR_BYTES)));
typedef float VectorAnywhere __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

static double arithmetic(long turns)
{
    float one = 1.0f, little = 1e-9f;
    __asm__("" : "+m"(one), "+m"(little));
    const Vector factor = {0.0f}, a = factor + one, b = factor + little;
    Vector x[CHAINS], sum = factor;
    for (int i = 0; i < CHAINS; i++)
        x[i] =
            a * (float)(i + 1); /* the values differ, because compilers would merge chains that are equal */
    for (long turn = 0; turn < turns; turn++) {
#pragma GCC unroll 16
        for (int i = 0; i < CHAINS; i++)
            x[i] = x[i] * a + b;
    }
    for (int i = 0; i < CHAINS; i++)
        sum += x[i];
    KEEP(sum);
    return (FUSED ? 1.0 : 2.0) * CHAINS * (double)turns;
}

static double loads(const float *data, long turns)
{
    for (long turn = 0; turn < turns; turn++) {
        __asm__ volatile("" : "+r"(data));
#pragma GCC unroll 16
        for (int i = 0; i < LIMIT_LOADS; i++) {
            const Vector loaded = *(const Vector *)(const void *)(data + (ptrdiff_t)i * LANES);
            KEEP(loaded);
        }
    }
    return (double)LIMIT_LOADS * (double)turns;
}

static void copy(float *restrict target, const float *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i += 4 * LANES)
        for (size_t k = 0; k < 4; k++) {
            const Vector vector = *(const VectorAnywhere *)(from + i + k * LANES);
            KEEP(vector); /* prevents the compiler from calling memcpy instead */
            *(VectorAnywhere *)(target + i + k * LANES) = vector;
        }
}

static void fill(float *target, size_t count, float value)
{
    const Vector zero = {0.0f}, vector = zero + value;
    for (size_t i = 0; i < count; i += 4 * LANES)
        for (size_t k = 0; k < 4; k++) {
            KEEP(vector);
            *(VectorAnywhere *)(target + i + k * LANES) = vector;
        }
}

const LimitLoops LEVEL_OBJECT = {
    .lanes = LANES, .fused = FUSED, .arithmetic = arithmetic, .loads = loads, .copy = copy, .fill = fill};
