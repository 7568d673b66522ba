/* Implements the loops. Twelve to fourteen chains hide the latency of their instructions and leave
 * registers for the operands. Each loaded value is passed to an empty assembler instruction, so that the
 * compiler does not remove the load. Compiled once per level, with these definitions:
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
#define FUSED 1
#else
#define FUSED 0
#endif

#if defined(__x86_64__)
#define KEEP(vector) __asm__ volatile("" : : "x"(vector))
#elif defined(__aarch64__)
#define KEEP(vector) __asm__ volatile("" : : "w"(vector))
#else
#define KEEP(vector) __asm__ volatile("" : : "m"(vector))
#endif

enum { LANES = VECTOR_BYTES / sizeof(float) };
typedef float Vector __attribute__((vector_size(VECTOR_BYTES)));
typedef float VectorAnywhere __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

/* Runs CHAINS chains of instructions, and returns their number. Chain i repeats UPDATE(i) on the vector x[i],
 * whose values differ, because compilers would merge chains that are equal. `one` is 1, which they do not
 * know. */
#define DEFINE_CHAINS(name, CHAINS, UPDATE)                                                                  \
    static double name(long turns)                                                                           \
    {                                                                                                        \
        float value = 1.0f;                                                                                  \
        __asm__("" : "+m"(value));                                                                           \
        const Vector zero = {0.0f}, one = zero + value;                                                      \
        Vector x[CHAINS], sum = zero;                                                                        \
        for (int i = 0; i < (CHAINS); i++)                                                                   \
            x[i] = one * (float)(i + 1);                                                                     \
        for (long turn = 0; turn < turns; turn++) {                                                          \
            _Pragma("GCC unroll 16") for (int i = 0; i < (CHAINS); i++) UPDATE(i);                           \
        }                                                                                                    \
        for (int i = 0; i < (CHAINS); i++)                                                                   \
            sum += x[i];                                                                                     \
        KEEP(sum);                                                                                           \
        return (CHAINS) * (double)turns;                                                                     \
    }

#define MULTIPLY_ADD(i) x[i] = x[i] * one + one
#define MULTIPLY(i) x[i] = x[i] * one
#define ADD(i) x[i] = x[i] + one
#define MULTIPLY_OR_ADD(i) x[i] = (i) % 2 ? x[i] * one : x[i] + one

#if FUSED
DEFINE_CHAINS(products, 12, MULTIPLY_ADD)
#else
DEFINE_CHAINS(products, 12, MULTIPLY)
#endif
DEFINE_CHAINS(sums, 12, ADD)
DEFINE_CHAINS(mixed, 14, MULTIPLY_OR_ADD)

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

const LimitLoops LEVEL_OBJECT = {.lanes = LANES,
                                 .fused = FUSED,
                                 .products = products,
                                 .sums = sums,
                                 .mixed = mixed,
                                 .loads = loads,
                                 .copy = copy,
                                 .fill = fill};
