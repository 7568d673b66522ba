/* Macros for the loops around a kernel. If KERNEL_LANES is more than 1, they are vector loops. Part of
 * host_loops.c. */
#pragma once

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))
/* Every loop is a separate function, because compilers honour `restrict` only on arguments. */
#define LOOP_FUNCTION static __attribute__((noinline))

#if KERNEL_LANES > 1
#define KERNEL_VECTOR 1
#define LANES_LOOP _Pragma("omp simd")
#else
#define KERNEL_VECTOR 0
#define LANES_LOOP
#endif
