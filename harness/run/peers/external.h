/* Programs that others wrote in any language. A JSON file describes such a program: its command, its formats,
 * its limits. The harness writes the input, runs the command without a shell under these limits
 * (limited_child.h), reads and checks the output, and computes all errors itself. results/formats.md
 * documents the file. */
#pragma once

#include "harness/records/record/record.h"
#include "harness/run/peers/external_arrays.h"
#include "methods/fitting/decomposition_method.h"

extern const char *const external_kind_names[EXTERNAL_KIND_COUNT + 1]; /* "fit", ...; NULL-terminated */

enum {
    EXTERNAL_ARGUMENTS_MAX = 32,
    EXTERNAL_ARGUMENT_BYTES = 512,
    EXTERNAL_BONES_MAX = 1024 /* largest number of joints that a predicted rig may have */
};

typedef struct External {
    char name[CELL_METHOD_BYTES], title[128], citation[256];
    char input[32], output[32]; /* names of formats, or "arrays" for a folder of .npy files */
    ExternalKind kind;
    char command[EXTERNAL_ARGUMENTS_MAX][EXTERNAL_ARGUMENT_BYTES];
    char version[EXTERNAL_ARGUMENTS_MAX][EXTERNAL_ARGUMENT_BYTES]; /* command that prints the version */
    int command_count, version_count;
    bool deterministic;
    double time_limit_s, memory_mb;
    char folder[EXTERNAL_PATH_BYTES]; /* folder of the description */
    DecompositionMethod method;       /* the program as a method (external_fit.h) */
    ExternalFacts facts;              /* what is known after the last run */
    bool is_started;                  /* whether its start-up was measured */
    bool is_repeated; /* whether its first task was run twice, if it says that it is deterministic */
} External;

/* Reads a description: the file `name`, or NAME.json in the folder SKINBENCH_EXTERNALS, by default
 * skinbench/externals in the user's data folder, if `name` is a plain name. Asks the program for its
 * version. STATUS_UNAVAILABLE if there is no such description or no such program. Release with
 * memory_free. */
Status external_read(const char *name, External **out);

typedef struct ExternalTask {
    const Dataset *data;
    int bones, influences, iterations, threads;
    uint64_t seed;
    double time_limit_s; /* replaces the limit of the description if it is shorter; 0: no other limit */
    const Progress *progress;
} ExternalTask;

/* Runs the program on the data, and first twice on a tetrahedron, to measure its start-up. If the description
 * says that the program is deterministic, its first task is run twice. *out is a data set with as many
 * vertices as the task's. It has a rig, for EXTERNAL_SKIN an animation. STATUS_CHECK_FAILED, with the
 * program's last words, if it fails or its output is not valid. */
Status external_run(External *program, const ExternalTask *task, Dataset **out);

/* Copies the facts of the last run into a record. */
Status external_facts_copy(const External *program, Record *record);
