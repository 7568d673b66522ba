/* Libraries that are opened when one of their functions is first called. Most commands need few of them,
 * and loading all takes 30 ms and 400 MB of address space, mostly for OpenBLAS. Callers use the usual names
 * of the functions (late_calls.c). If a library cannot be opened, the program ends with exit code 5. */
#pragma once

#include "datasets/base/status.h"
#include <stdbool.h>

typedef enum LateLibrary {
    LATE_NONE,
    LATE_ALGEBRA, /* LAPACKE, CHOLMOD and OpenBLAS */
    LATE_HDF5,
    LATE_ARCHIVE,
    LATE_SCENES,  /* assimp */
    LATE_RAYS,    /* Embree */
    LATE_DIGESTS, /* libcrypto */
    LATE_PACKED,  /* meshoptimizer */
    LATE_COUNT
} LateLibrary;

/* Opens a library, first in a child process and then in this process. The child is needed because the
 * constructors of some libraries end or stall a process that lacks memory. Does nothing if the library is
 * open already or was linked in the usual way. Selects the best OpenBLAS kernels for the processor
 * (blas_kernels.h). STATUS_SYSTEM if memory runs out or the library is not installed. */
Status late_library_open(LateLibrary library);

/* Opens a library directly, without first trying it in a child. For a process that is allowed to crash or
 * stall. */
Status late_library_open_here(LateLibrary library);

bool late_library_is_open(LateLibrary library);

/* Returns the address of a function or a variable of a library by its name, and opens the library if
 * necessary. If that fails, prints the reason and ends the program. */
void *late_library_symbol(LateLibrary library, const char *name);
