/* What the fuzz targets share. A target is one file here that defines LLVMFuzzerTestOneInput: it hands
 * foreign bytes to a reader, and ends the process where a promise is broken. With SKINBENCH_FUZZ it is linked
 * with libFuzzer (scripts/fuzz), otherwise with replay.c, which runs the inputs kept in corpus/<target>. */
#pragma once

#include "datasets/base/status.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define UNUSED __attribute__((unused)) /* a parameter that a target has no use for */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a target may define too: what comes first, and a mutator, which calls libFuzzer's own. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);

/* The path of a file of that name in this process's own folder (in memory where the system has /dev/shm). The
 * folder goes when the process ends well. Kept until the next call. */
const char *fuzz_path(const char *name);

/* The same, holding the input. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);

/* Requires of what an input came to that a terminal only shows its text. */
void fuzz_status(Status status);

/* The same, and feedback for libFuzzer where it does not see into libraries and children: a text that is new,
 * apart from its numbers and what it quotes, counts as new coverage. */
void fuzz_feedback(Status status);

/* A promise: the process ends where it does not hold. */
#define fuzz_require(promise)                                                                                \
    do {                                                                                                     \
        if (!(promise)) {                                                                                    \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise);                            \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)
