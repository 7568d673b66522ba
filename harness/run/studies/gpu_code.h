/* Instructions of a compiled GPU kernel, counted in its assembler text (PTX) and in its machine code (a
 * CUBIN, which is an ELF file). */
#pragma once

#include "datasets/base/base.h"

typedef struct PtxCounts {
    int all;        /* instructions, declarations and labels left out */
    int arithmetic; /* those on floats: .f32, but for loads, stores and moves */
    int loads;      /* from memory, parameters left out */
    int stores;
} PtxCounts;

/* The body of `.entry <entry>`; all zero where there is none. */
PtxCounts ptx_count(const char *ptx, const char *entry);

/* Instructions of 16 bytes each (compute capability 7.0 and later) in the section `.text.<entry>`, without
 * the padding behind the last one: no-operations, and the jump of an instruction to itself. Negative for a
 * file that is no such ELF file or has no such section. */
int cubin_count(char *cubin, size_t size, const char *entry);
