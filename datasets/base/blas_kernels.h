/* Selects the kernels and the number of threads that OpenBLAS uses. OpenBLAS selects kernels by processor
 * model. On a model newer than the library it falls back to SSE3, at a quarter of the speed (version 0.3.21
 * of Debian 12 on Emerald Rapids). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum BlasKernels { BLAS_KERNELS_FIT, BLAS_KERNELS_HASWELL, BLAS_KERNELS_SKYLAKEX } BlasKernels;

/* Returns the kernels that suit a processor with these instruction sets better than the kernels named
 * `core`. Returns BLAS_KERNELS_FIT if no better ones are known. */
BlasKernels blas_kernels_better(const char *core, bool avx2, bool avx512);

/* Returns the kernels that suit this processor better than those that the loaded OpenBLAS uses. Returns
 * BLAS_KERNELS_FIT if no better ones are known. */
BlasKernels blas_kernels_wanted(void);

/* Sets the environment variable OPENBLAS_CORETYPE, unless the user has set it. OpenBLAS reads the variable
 * when it is loaded, so this must be called earlier. */
void blas_kernels_set(BlasKernels kernels);

/* Describes the kernels in use, for example "Haswell", "SkylakeX, set by this program", or "Nehalem, as
 * OPENBLAS_CORETYPE says: this processor has SkylakeX". Returns false if better kernels are known. */
bool blas_kernels_format(char *text, size_t size);

/* Sets the number of threads of OpenBLAS if it creates its own threads. Otherwise does nothing. */
void blas_threads_set(int threads);
