/* Compiles a static function for several instruction sets; the best one for the machine is chosen at run
 * time. Write WIDEST_VECTORS before the function. Sums may differ by rounding between machines, but never
 * between runs on one machine. Only static functions are allowed, because clang gives other functions names
 * that the linker does not find. Loops over a constant number of lanes suit all instruction sets. If a type
 * with vector_size is wider than the vectors of the machine, gcc 12 may multiply it by a number through
 * memory, which takes ten times as long. */
#pragma once

/* Not used with the thread sanitizer, because the choice would be made before the sanitizer is ready. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ /* gcc defines this itself */
#endif
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST_VECTORS
#endif

/* Marks a function that functions with WIDEST_VECTORS call. Each caller gets a copy of its own, which is
 * compiled for the instruction set of the caller. */
#define INLINE static inline __attribute__((always_inline, unused))

/* Begins a loop over numbers that lie side by side in memory. Compilers turn the loop into vectors. `count`
 * must be a constant after inlining: then compilers can keep an array of `count` numbers in registers. */
#define EACH_LANE(lane, count) _Pragma("omp simd") for (int lane = 0; lane < (count); lane++)

/* Returns the larger number, like fmax, but in a form that compilers can vectorise. */
INLINE double vector_greater(double a, double b)
{
    return a > b ? a : b;
}
