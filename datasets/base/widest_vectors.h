/* WIDEST_VECTORS before a static function compiles it for several instruction sets; the widest the machine
 * has is taken at run time. Sums may then differ by rounding from one machine to another, never from one run
 * to the next. Static functions only: clang gives others no name that another file could link to. */
#pragma once

/* The choice comes before sanitizers are ready. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ /* as gcc has it */
#endif
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST_VECTORS
#endif

/* As fmax of numbers, but a choice that compilers vectorise. */
static inline __attribute__((always_inline, unused)) double vector_greater(double a, double b)
{
    return a > b ? a : b;
}
