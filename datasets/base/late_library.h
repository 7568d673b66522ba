/* Libraries that are opened when they are first called: most commands need few of them, and all together take
 * 30 ms to load and, OpenBLAS first, 400 MB of address space. Their functions keep their names
 * (late_calls.c); a function that nobody has opened the library for opens it, and ends the program with 5
 * where it cannot. */
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

/* Opens a library in a child process first, as the constructors of some end or stall a process that lacks
 * memory, and then here; nothing where it is open, or linked as any other. OpenBLAS takes the best kernels of
 * the processor (blas_kernels.h). STATUS_SYSTEM when out of memory or not installed. */
Status late_library_open(LateLibrary library);

/* The same in a process that may end as it likes. */
Status late_library_open_here(LateLibrary library);

bool late_library_is_open(LateLibrary library);

/* A function or a variable of it, by name. Opens it; where that fails the program ends with the reason. */
void *late_library_symbol(LateLibrary library, const char *name);
