/* Vectors of eight numbers, for solvers that work on eight small problems at once. Arithmetic and
 * comparisons work lane by lane, with the vector instructions for which the function is compiled
 * (widest_vectors.h). Pass values by pointer or use macros, because functions for different instruction
 * sets pass vectors in different ways. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LANES = 8 };

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

/* The result of comparing two Lanes. In each lane all bits are set (true) or none (false). */
typedef int64_t LaneMask __attribute__((vector_size(LANES * sizeof(int64_t))));

/* Selects `yes` in lanes whose mask is set, and `no` in all other lanes. */
#define LANES_CHOOSE(mask, yes, no)                                                                          \
    ((Lanes)(((LaneMask)(yes) & (LaneMask)(mask)) | ((LaneMask)(no) & ~(LaneMask)(mask))))

#define LANES_ALL(value) ((value) + (Lanes){0.0})

static inline __attribute__((always_inline, unused)) bool lanes_any(const LaneMask *mask)
{
    int64_t any = 0;
    for (int lane = 0; lane < LANES; lane++)
        any |= (*mask)[lane];
    return any != 0;
}
