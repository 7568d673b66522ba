/* Eight numbers side by side, for solvers that work on eight small problems at once: arithmetic and
 * comparisons go lane by lane, in whichever vectors the function is compiled for (widest_vectors.h). Values
 * are passed by pointer or within macros, as functions of different instruction sets hand vectors over in
 * different ways. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LANES = 8 };

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

/* As comparisons of Lanes give it: all bits of a lane, or none. */
typedef int64_t LaneMask __attribute__((vector_size(LANES * sizeof(int64_t))));

/* For every lane `yes` where the mask is set, else `no`. */
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
