/* What a number was measured with: commit, compiler, libraries, processor, devices. */
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

/* A text that this machine does not give is "", a number NAN. */
typedef struct Environment {
    /* Of all that follows but version, commit, its time and dirty: two commits measured on one machine with
     * one compiler have the same hash, and only their times may be compared. */
    char hash[ENVIRONMENT_HASH_BYTES];
    char version[ENVIRONMENT_TEXT_BYTES], commit[ENVIRONMENT_TEXT_BYTES];
    char commit_time[ENVIRONMENT_TIME_BYTES]; /* UTC, of the commit: "2026-01-31T12:00:00Z" */
    bool dirty;                               /* changes are not committed */
    char build_type[ENVIRONMENT_TEXT_BYTES], compiler[ENVIRONMENT_TEXT_BYTES], flags[ENVIRONMENT_FLAGS_BYTES];
    char hdf5[ENVIRONMENT_TEXT_BYTES], openblas[ENVIRONMENT_TEXT_BYTES], jansson[ENVIRONMENT_TEXT_BYTES];
    char libarchive[ENVIRONMENT_TEXT_BYTES], openmp[ENVIRONMENT_TEXT_BYTES], libc[ENVIRONMENT_TEXT_BYTES];
    char kernel[ENVIRONMENT_TEXT_BYTES], release[ENVIRONMENT_TEXT_BYTES],
        architecture[ENVIRONMENT_TEXT_BYTES];
    char cpu_model[ENVIRONMENT_TEXT_BYTES], governor[ENVIRONMENT_TEXT_BYTES];
    char levels[SIMD_LEVELS_MAX][ENVIRONMENT_LEVEL_BYTES]; /* of instruction sets */
    int level_count;
    double cores, memory_bytes;
    double l1d_bytes, l1i_bytes, l2_bytes, l3_bytes;
    int threads;
    char devices[BACKEND_COUNT][ENVIRONMENT_TEXT_BYTES]; /* by backend_at; "" for those on no device */
    char nvidia_driver[ENVIRONMENT_TEXT_BYTES];
    char machine[MACHINE_BYTES]; /* as environment_machine says */
} Environment;

/* Describes this machine and this program, for runs on this many threads. Fails when out of memory; what the
 * machine does not say is no failure. */
Status environment_describe(int threads, Environment *out);

/* Leaves only the processor (model, cores, caches, levels), devices, compiler and libraries: no kernel
 * release, memory, governor, driver, or flags with paths. The hash is made again from what is left, so it
 * tells no more than that, and two anonymous runs on one machine have the same. */
void environment_anonymize(Environment *environment);

/* Sets `machine`, the identity of the machine, readable for people: "AMD EPYC, 2 cores, 24 GiB" and, where
 * there is one, the NVIDIA device and its driver. Neither the program nor its libraries count. "": the
 * environment is not known. environment_describe has done it. */
void environment_machine(Environment *environment);

/* Folder of the project's own data (results/published, scripts/plots), in which all stands as in the source
 * tree: $SKINBENCH_HOME where that is set; else the folder of an installation, or the source tree, that is
 * found from where the program is now, so that both may be moved; else the source tree as it was built. Valid
 * until this thread's next call. */
const char *environment_home(void);

/* "0.1.0"; and the day of the commit, "2026-11-22", "" where it is not known. */
const char *environment_version(void);
const char *environment_date(void);

/* "0.1.0 (commit 1234567, with changes not committed)": what was built. */
const char *environment_build(void);
