/* Loops over the bones, or over the dimensions, of a fit are compiled for several instruction sets, and the
 * widest the machine has is taken at run time: sums then differ by rounding from one machine to another,
 * never from one run to the next. */
#ifndef SKINBENCH_COORDINATE_DESCENT_VECTORS_H
#define SKINBENCH_COORDINATE_DESCENT_VECTORS_H

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST_VECTORS
#endif

#endif
