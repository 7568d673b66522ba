/* Replaces dialect.h for a Real that counts its operations (counted_real.h). The algorithms are the same as
 * for floats, but every operation is a function call. A square root counts as a division. Must be included
 * before any kernel. */
#pragma once

#ifdef SKINBENCH_GEOMETRY_DIALECT_H
#error "counted_dialect.h stands in the place of dialect.h, and comes first"
#endif
#define SKINBENCH_GEOMETRY_DIALECT_H

#include "datasets/geometry/counted_real.h"
#include <math.h>

#define KERNEL_ON_DEVICE 0
#define KERNEL_FUNCTION static inline __attribute__((always_inline, unused))
#define KERNEL_UNROLL
#define REAL_IS_FLOAT 1
#define Real CountedReal
#define REAL(constant) constant##f
#define RealCondition int
#define REAL_ANY(condition) (condition)
#define REAL_EPSILON 1.1920929e-7f
#define real_sqrt(x) ((x) / (Real)sqrt((double)(x)))
#define real_abs(x) ((x) < 0.0f ? -(x) : (x))
#define real_floor(x) ((Real)floor((double)(x)))
