/* The environment of a measurement: commit, compiler, libraries, processor, devices. */
#pragma once

#include "methods/runtime/skinner.h"

enum {
    ENVIRONMENT_TEXT_BYTES = 512,
    ENVIRONMENT_FLAGS_BYTES = 2048,
    ENVIRONMENT_HASH_BYTES = 17,
    ENVIRONMENT_LEVEL_BYTES = 16,
    ENVIRONMENT_TIME_BYTES = 32,
    MACHINE_BYTES = 1024
};

/* The environment. Texts that this machine does not provide are "", numbers NAN. */
typedef struct Environment {
    /* Hash of all other members except version, commit, commit time and dirty. It is the same for two
     * commits measured on one machine with one compiler. Only times with equal hashes may be compared. */
    char hash[ENVIRONMENT_HASH_BYTES];
    char version[ENVIRONMENT_TEXT_BYTES], commit[ENVIRONMENT_TEXT_BYTES];
    char commit_time[ENVIRONMENT_TIME_BYTES]; /* time of the commit, UTC: "2026-01-31T12:00:00Z" */
    bool dirty; /* the sources differ from the commit's: changed or unknown files, methods outside the tree */
    char build_type[ENVIRONMENT_TEXT_BYTES], compiler[ENVIRONMENT_TEXT_BYTES], flags[ENVIRONMENT_FLAGS_BYTES];
    char hdf5[ENVIRONMENT_TEXT_BYTES], openblas[ENVIRONMENT_TEXT_BYTES], jansson[ENVIRONMENT_TEXT_BYTES];
    char libarchive[ENVIRONMENT_TEXT_BYTES], openmp[ENVIRONMENT_TEXT_BYTES], libc[ENVIRONMENT_TEXT_BYTES];
    char kernel[ENVIRONMENT_TEXT_BYTES], release[ENVIRONMENT_TEXT_BYTES],
        architecture[ENVIRONMENT_TEXT_BYTES];
    char cpu_model[ENVIRONMENT_TEXT_BYTES], governor[ENVIRONMENT_TEXT_BYTES];
    char levels[SIMD_LEVELS_MAX][ENVIRONMENT_LEVEL_BYTES]; /* instruction-set levels */
    int level_count;
    double cores, memory_bytes;
    double l1d_bytes, l1i_bytes, l2_bytes, l3_bytes;
    int threads;
    char devices[BACKEND_COUNT][ENVIRONMENT_TEXT_BYTES]; /* device of each backend, indexed like backend_at;
                                                            "" for backends without a device */
    char nvidia_driver[ENVIRONMENT_TEXT_BYTES];
    char machine[MACHINE_BYTES]; /* set by environment_machine */
} Environment;

/* Describes this machine and this program, for runs with `threads` threads. Fails only if memory runs out;
 * missing information is not an error. */
Status environment_describe(int threads, Environment *out);

/* Removes what may identify a person or a system: kernel release, memory, governor, driver, and flags that
 * contain paths. Processor (model, cores, caches, levels), devices, compiler and libraries remain. The hash
 * is computed again from the remaining members. It reveals nothing more, and is the same for all anonymous
 * runs on one machine. */
void environment_anonymize(Environment *environment);

/* Sets the member `machine`, a readable identity of the machine: "AMD EPYC, 2 cores, 24 GiB", and the
 * NVIDIA device with its driver, if any. It does not depend on the program or its libraries, and is "" if
 * the environment is unknown. environment_describe calls this function. */
void environment_machine(Environment *environment);

/* Returns the folder of the project's own data (results/published, scripts/plots), laid out like the source
 * tree. If $SKINBENCH_HOME is set, it is the folder. Otherwise the folder is sought relative to the
 * program, in an installation or a source tree, both of which can be moved. If that fails, it is the source
 * tree of the build. Valid until the next call in this thread. */
const char *environment_home(void);

/* Returns whether the build had one plain loop per kernel (SKINBENCH_ONE_LOOP), whose times mean nothing. */
bool environment_one_loop(const Environment *environment);

/* Returns whether $SKINBENCH_ONE_LOOP_TIMES is set, which lets such builds take times and reports show them.
 * The tests of such builds set it. */
bool environment_allows_one_loop_times(void);

/* Fails with STATUS_UNAVAILABLE if this program is such a build, so that its kernels are not timed, unless
 * $SKINBENCH_ONE_LOOP_TIMES is set. */
Status environment_kernel_times_check(void);

/* Return the version, such as "0.1.0", and the day of the commit, such as "2026-11-22"; "" if unknown. */
const char *environment_version(void);
const char *environment_date(void);

/* Returns a description of the build: "0.1.0 (commit 1234567, with changes not committed)". */
const char *environment_build(void);
