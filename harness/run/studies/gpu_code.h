/* Counts the instructions of a compiled GPU kernel in its assembly text (PTX) and in its machine code (a
 * CUBIN, which is an ELF file). */
#pragma once

#include "datasets/base/base.h"

typedef struct PtxCounts {
    int all;        /* instructions, without declarations and labels */
    int arithmetic; /* instructions on floats (.f32), except loads, stores and moves */
    int loads;      /* from memory, except parameters */
    int stores;
} PtxCounts;

/* Counts the body of `.entry <entry>`; all zero if there is none. */
PtxCounts ptx_count(const char *ptx, const char *entry);

/* Number of 16-byte instructions (compute capability 7.0 and later) in the section `.text.<entry>`, without
 * the trailing padding: no-operations, and an instruction that jumps to itself. Negative if the file is not
 * such an ELF file or lacks the section. */
int cubin_count(char *cubin, size_t size, const char *entry);
