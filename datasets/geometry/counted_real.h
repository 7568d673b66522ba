/* A Real that counts operations. Kernels compiled with it (methods/runtime/count_kernel.c) make a call for
 * every addition, subtraction, multiplication and division, as compilers do for quadruple precision.
 * counted_real.c defines the called functions, which compute in double. On processors without such calls
 * COUNTED_REAL is 0 and nothing is counted. */
#pragma once

/* Counts of floating-point operations; a square root counts as a division. */
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

/* Returns the operations that this thread has counted since the last call. Then sets its counts to zero. */
OperationCounts counted_operations_reset(void);
