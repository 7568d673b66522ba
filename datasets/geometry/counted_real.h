/* A Real that counts: of the kernels' text compiled with it (methods/runtime/count_kernel.c) every addition,
 * subtraction, multiplication and division is a call, as compilers make of arithmetic in quadruple precision,
 * and the functions called are counted_real.c's. They compute in double. On processors whose compilers have
 * no such calls (COUNTED_REAL is 0) nothing is counted. */
#ifndef SKINBENCH_GEOMETRY_COUNTED_REAL_H
#define SKINBENCH_GEOMETRY_COUNTED_REAL_H

/* Floating-point operations; a square root is a division. */
typedef struct OperationCounts {
    double additions, multiplications, divisions;
} OperationCounts;

#if defined(__x86_64__) && defined(__SIZEOF_FLOAT128__)
#define COUNTED_REAL 1
__extension__ typedef __float128 CountedReal;
#else
#define COUNTED_REAL 0
typedef double CountedReal;
#endif

/* What this thread has counted since the last call. */
OperationCounts counted_operations_reset(void);

#endif
