/* The words in which kernels, and the geometry that they use, are written: the common subset of C11, OpenCL
 * C 1.2 and CUDA C. Each language has a branch here that defines them.
 *
 *   Real, REAL(0.5), REAL_EPSILON    numbers: double in host code and in the reference backend, float if
 *                                    REAL_IS_FLOAT is 1. Write constants as REAL(0.5), so that no backend
 *                                    computes in the wrong precision. REAL_EPSILON is the distance from 1 to
 *                                    the next Real
 *   real_sqrt, real_abs, real_floor  the language's functions for a Real
 *   RealCondition                    result of comparing Reals, for `condition ? a : b`; do not branch on it
 *   REAL_ANY(condition)              whether the condition holds in any lane
 *   KERNEL_FUNCTION                  begins the declaration of every function
 *   KERNEL_UNROLL                    before a loop over influences: devices unroll the loop if the count is
 *                                    constant (host compilers do so because of an option)
 *   KERNEL_ON_DEVICE                 1: a work item is one vertex in one frame; 0: the host's loops call the
 *                                    kernel
 *
 * With OpenCL on a processor, if DEVICE_LANES is 4, 8 or 16, a Real is a vector of that many floats.
 *
 * On a device there are also words for entry points (methods/kernel/device_kernel.h):
 *
 *   KERNEL_GLOBAL, KERNEL_RESTRICT   qualify pointers: device memory; no overlap
 *   KERNEL_ENTRY                     storage class and result type of an entry point
 *   KERNEL_ITEM_X, _Y                position of the work item in the launch, from 0 */
#ifndef SKINBENCH_GEOMETRY_DIALECT_H
#define SKINBENCH_GEOMETRY_DIALECT_H

#if defined(__OPENCL_VERSION__)

#define KERNEL_ON_DEVICE 1
#define KERNEL_FUNCTION static inline __attribute__((always_inline))
#define KERNEL_UNROLL _Pragma("unroll")
#define KERNEL_GLOBAL __global
#define KERNEL_RESTRICT restrict
#define KERNEL_ENTRY __kernel void
#define KERNEL_ITEM_X ((int)get_global_id(0))
#define KERNEL_ITEM_Y ((int)get_global_id(1))
#define REAL_IS_FLOAT 1
#define real_sqrt(x) sqrt(x)
#define real_abs(x) fabs(x)
#define real_floor(x) floor(x)

#elif defined(__CUDACC__)

#define KERNEL_ON_DEVICE 1
#define KERNEL_FUNCTION static __device__ __forceinline__
#define KERNEL_UNROLL _Pragma("unroll")
#define KERNEL_GLOBAL
#define KERNEL_RESTRICT __restrict__
#define KERNEL_ENTRY extern "C" __global__ void
#define KERNEL_ITEM_X ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define KERNEL_ITEM_Y ((int)blockIdx.y)
#define REAL_IS_FLOAT 1
#define real_sqrt(x) sqrtf(x)
#define real_abs(x) fabsf(x)
#define real_floor(x) floorf(x)

#else /* C11: the host */

#include <math.h>
#define KERNEL_ON_DEVICE 0
#define KERNEL_FUNCTION static inline __attribute__((always_inline, unused))
#define KERNEL_UNROLL
#if defined(SKINBENCH_REAL_FLOAT) /* defined when the float version of a kernel is compiled */
#define REAL_IS_FLOAT 1
#define real_sqrt(x) sqrtf(x)
#define real_abs(x) fabsf(x)
#define real_floor(x) floorf(x)
#else
#define REAL_IS_FLOAT 0
#define real_sqrt(x) sqrt(x)
#define real_abs(x) fabs(x)
#define real_floor(x) floor(x)
#endif

#endif

#if REAL_IS_FLOAT
#define REAL(constant) constant##f
#define REAL_EPSILON 1.1920929e-7f
#else
#define REAL(constant) constant
#define REAL_EPSILON 2.220446049250313e-16
#endif

#if defined(__OPENCL_VERSION__) && defined(DEVICE_LANES) && DEVICE_LANES > 1
#define REAL_VECTOR_OF(type, lanes) type##lanes
#define REAL_VECTOR(type, lanes) REAL_VECTOR_OF(type, lanes)
typedef REAL_VECTOR(float, DEVICE_LANES) Real;
typedef REAL_VECTOR(int, DEVICE_LANES) RealCondition;
#define REAL_ANY(condition) any(condition)
#else
#if REAL_IS_FLOAT
typedef float Real;
#else
typedef double Real;
#endif
typedef int RealCondition;
#define REAL_ANY(condition) (condition)
#endif

#endif
