/* The arithmetic of a kernel: written once, in the common subset of C11, OpenCL C 1.2 and CUDA C.
 * `Real` is double in host code and in the reference backend, float where SKINBENCH_REAL_FLOAT is defined.
 * Constants are written REAL(0.5), so that no backend computes in the wrong precision; REAL_EPSILON is the
 * distance from 1 to the next Real. */
#ifndef SKINBENCH_GEOMETRY_REAL_H
#define SKINBENCH_GEOMETRY_REAL_H

#if defined(__OPENCL_VERSION__)
typedef float Real;
#define REAL(constant) constant##f
#define REAL_EPSILON 1.1920929e-7f
#define KERNEL_FUNCTION static inline
#define real_sqrt(x) sqrt(x)
#define real_abs(x) fabs(x)
#elif defined(__CUDACC__)
typedef float Real;
#define REAL(constant) constant##f
#define REAL_EPSILON 1.1920929e-7f
#define KERNEL_FUNCTION static __device__ __forceinline__
#define real_sqrt(x) sqrtf(x)
#define real_abs(x) fabsf(x)
#else
#include <math.h>
#define KERNEL_FUNCTION static inline __attribute__((always_inline, unused))
#if defined(SKINBENCH_REAL_FLOAT)
typedef float Real;
#define REAL(constant) constant##f
#define REAL_EPSILON 1.1920929e-7f
#define real_sqrt(x) sqrtf(x)
#define real_abs(x) fabsf(x)
#else
typedef double Real;
#define REAL(constant) constant
#define REAL_EPSILON 2.220446049250313e-16
#define real_sqrt(x) sqrt(x)
#define real_abs(x) fabs(x)
#endif
#endif

#endif
