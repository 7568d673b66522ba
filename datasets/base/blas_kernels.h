/* Which kernels OpenBLAS takes, and how many threads. It chooses kernels by the processor's model, and one
 * that is younger than it gets those of SSE3, at a quarter of the speed (version 0.3.21, that of Debian 12,
 * on Emerald Rapids). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum BlasKernels { BLAS_KERNELS_FIT, BLAS_KERNELS_HASWELL, BLAS_KERNELS_SKYLAKEX } BlasKernels;

/* What is better than the kernels `core` on a processor with these instruction sets, as far as is known. */
BlasKernels blas_kernels_better(const char *core, bool avx2, bool avx512);

/* The same of what the library has taken, which is open, on this processor. */
BlasKernels blas_kernels_wanted(void);

/* For an OpenBLAS that is opened later: sets OPENBLAS_CORETYPE unless the user did. */
void blas_kernels_set(BlasKernels kernels);

/* "Haswell", "SkylakeX, set by this program", "Nehalem, as OPENBLAS_CORETYPE says: this processor has
 * SkylakeX". Returns whether nothing better is known. */
bool blas_kernels_format(char *text, size_t size);

/* For an OpenBLAS that brings threads of its own. */
void blas_threads_set(int threads);
