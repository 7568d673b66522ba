/* Counts the instructions of a compiled GPU kernel in its assembly text (PTX) and in its machine code (a
 * CUBIN, which is an ELF file). */
#pragma once

#include "datasets/base/base.h"

typedef struct PtxCounts {
    int all;        /* number of instructions, without declarations and labels */
    int arithmetic; /* instructions on floats (.f32), except loads, stores and moves */
    int loads;      /* loads from memory, except loads of kernel parameters */
    int stores;
} PtxCounts;

/* Counts the instructions in the body of `.entry <entry>`; all counts are zero if there is none. */
PtxCounts ptx_count(const char *ptx, const char *entry);

/* Returns the number of 16-byte instructions (compute capability 7.0 and later) in the section
 * `.text.<entry>`, without the trailing no-operations and the jump to itself. Returns a negative number if
 * the file is not such an ELF file or lacks the section. */
int cubin_count(char *cubin, size_t size, const char *entry);
