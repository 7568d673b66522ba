/* Declarations shared by the fuzz targets. A target is a file in this folder that defines
 * LLVMFuzzerTestOneInput. It passes the input to a reader and aborts if a promise is broken. With
 * SKINBENCH_FUZZ a target is linked with libFuzzer (scripts/fuzz). Otherwise it is linked with replay.c,
 * which runs the inputs stored in corpus/<target>. */
#pragma once

#include "datasets/base/status.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define UNUSED __attribute__((unused)) /* marks a parameter that a target does not use */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A target may also define an initialisation, and a mutator, which may call libFuzzer's own mutator. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);

/* Returns the path of a file in this process's private folder, which is in memory if the system has
 * /dev/shm. A successful exit removes the folder. The text is valid until the next call. */
const char *fuzz_path(const char *name);

/* Writes the input to a file and returns the file's path, valid until the next call. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);

/* Requires that the text of a status is safe to print on a terminal. */
void fuzz_status(Status status);

/* Checks a status as fuzz_status does, and gives libFuzzer feedback about libraries and child processes,
 * which it does not instrument. Each new text counts as new coverage; numbers and quoted parts are
 * ignored. */
void fuzz_feedback(Status status);

/* Aborts the process if a promise does not hold. */
#define fuzz_require(promise)                                                                                \
    do {                                                                                                     \
        if (!(promise)) {                                                                                    \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise);                            \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)
