/* Selects the kernels and the number of threads that OpenBLAS uses. OpenBLAS selects kernels by processor
 * model. On a model newer than the library it falls back to SSE3, at a quarter of the speed (version 0.3.21
 * of Debian 12 on Emerald Rapids). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum BlasKernels { BLAS_KERNELS_FIT, BLAS_KERNELS_HASWELL, BLAS_KERNELS_SKYLAKEX } BlasKernels;

/* Returns kernels that are faster than `core` on a processor with these instruction sets, if any are
 * known. */
BlasKernels blas_kernels_better(const char *core, bool avx2, bool avx512);

/* Returns kernels that are faster on this processor than those that the loaded library uses, if any are
 * known. */
BlasKernels blas_kernels_wanted(void);

/* Sets the environment variable OPENBLAS_CORETYPE, which OpenBLAS reads when it is loaded later. Leaves the
 * variable alone if the user has set it. */
void blas_kernels_set(BlasKernels kernels);

/* Describes the kernels in use: "Haswell", "SkylakeX, set by this program", "Nehalem, as OPENBLAS_CORETYPE
 * says: this processor has SkylakeX". Returns false if better ones are known. */
bool blas_kernels_format(char *text, size_t size);

/* Sets the number of threads of an OpenBLAS that has its own threads. */
void blas_threads_set(int threads);
