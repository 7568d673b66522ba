/* Selects the kernels and the number of threads that OpenBLAS uses. OpenBLAS selects kernels by processor
 * model. On a model newer than the library it falls back to SSE3, at a quarter of the speed (version 0.3.21
 * of Debian 12 on Emerald Rapids). When the program or libskinbench is loaded, it therefore selects better
 * kernels, unless the user set OPENBLAS_CORETYPE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns the name of the kernels that suit a processor with these instruction sets better than the kernels
 * named `core`. Returns NULL if no better ones are known. */
const char *blas_kernels_better(const char *core, bool avx2, bool avx512);

/* Makes OpenBLAS use the kernels of this name, if it has several. Not while another thread uses OpenBLAS. */
void blas_kernels_set(const char *name);

/* Describes the kernels in use, for example "Haswell", "SkylakeX, set by this program", or "Nehalem, as
 * OPENBLAS_CORETYPE says: this processor has SkylakeX". Returns false if better kernels are known. */
bool blas_kernels_format(char *text, size_t size);

/* Sets the number of threads of OpenBLAS if it creates its own threads. Otherwise does nothing. */
void blas_threads_set(int threads);
