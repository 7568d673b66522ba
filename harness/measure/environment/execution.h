/* What libraries read from the environment when they are loaded, before main: how OpenMP's threads wait, and
 * which kernels OpenBLAS takes. */
#pragma once

#include "datasets/base/base.h"

enum { EXECUTION_TEXT_BYTES = 160 };

/* Sets what the user did not set, and where that changes anything executes the program once more, in the same
 * process and with the same arguments, before it has done anything; where that fails the program continues as
 * it is. Call first in main.
 *   - OpenMP's threads sleep rather than turn while they wait, unless the user said how they should
 *     (OMP_WAIT_POLICY, GOMP_SPINCOUNT, KMP_BLOCKTIME, KMP_LIBRARY, or a variable that binds threads is set).
 *   - OpenBLAS takes the best kernels of the processor (OPENBLAS_CORETYPE). It chooses by the processor's
 *     model, and one that is younger than it gets kernels of SSE3, at a quarter of the speed (version 0.3.21,
 *     that of Debian 12, on Emerald Rapids). */
void execution_configure(char **arguments);

/* "passive, set by this program", "as the user set OMP_WAIT_POLICY=active", "default of the OpenMP
 * library". */
void execution_waiting_format(char text[EXECUTION_TEXT_BYTES]);

/* "Haswell", "SkylakeX, set by this program", "Nehalem, as OPENBLAS_CORETYPE says: this processor has
 * SkylakeX". Returns whether nothing better is known. */
bool execution_blas_format(char text[EXECUTION_TEXT_BYTES]);

/* What OPENBLAS_CORETYPE should be where OpenBLAS took the kernels `core` on a processor with these
 * instruction sets; NULL: nothing better is known. */
const char *blas_kernels_better(const char *core, bool avx2, bool avx512);
