/* What libraries read from the environment when they are loaded, before main: how OpenMP's threads wait, and
 * which kernels OpenBLAS takes. */
#pragma once

#include "datasets/base/base.h"

enum { EXECUTION_TEXT_BYTES = 160 };

/* Sets variables that the user did not set, and executes the program once more where that changes anything:
 * OpenMP's threads sleep while they wait, and OpenBLAS takes the best kernels of the processor. The program
 * continues as it is where that fails. Call first in main. */
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
