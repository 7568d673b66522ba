/* The processors that this process may use, how OpenMP's threads wait, and the sizes of caches. A process
 * limited by affinity or by a control group's quota should not start a thread per core. Cache sizes come
 * from the kernel's files if possible. The C library of Debian 12 is less reliable: it adds up all
 * third-level caches of an AMD processor, although each core uses only one. */
#pragma once

#include "datasets/base/base.h"

enum { PROCESSORS_TEXT_BYTES = 160, EXECUTION_TEXT_BYTES = 160 };

typedef struct Processors {
    int machine;  /* number of processors that are online */
    int affinity; /* number of processors on which this process may run */
    double quota; /* processor time that the control groups of this process grant, in processors; NAN without
                     a limit */
    int user;     /* OMP_NUM_THREADS; 0: not set */
    int usable;   /* useful number of threads, at least 1: OMP_NUM_THREADS if set, otherwise the lower of
                     affinity and quota */
    const char
        *source; /* the limit that gave `usable`: "OMP_NUM_THREADS", "quota", "affinity" or "machine" */
} Processors;

/* Queries the system and the files /proc/self/cgroup and /sys/fs/cgroup below `root` ("" except in
 * tests). */
Processors processors_usable(const char *root);

/* Describes the processors for people: "2 of 64 cores by affinity, a quota of 1.5". */
void processors_format(const Processors *processors, char text[PROCESSORS_TEXT_BYTES]);

/* Returns the processor time that the control groups of this process grant, in processors: the smallest
 * quota of its own group and all groups above it. Reads cpu.max in version 2, and cpu.cfs_quota_us over
 * cpu.cfs_period_us in version 1. NAN if there is no limit. */
double processors_quota(const char *root);

/* Sets variables that make OpenMP's threads sleep while they wait, unless the user set them, and runs the
 * program again so that they take effect. If that fails, the program continues unchanged. */
void execution_configure(char **arguments);

/* Describes how threads wait: "passive, set by this program", "as the user set OMP_WAIT_POLICY=active",
 * "default of the OpenMP library". */
void execution_waiting_format(char text[EXECUTION_TEXT_BYTES]);

/* Returns the size of the first processor's cache of this level (1 to 3); 0 if there is none or it is
 * unknown. `root` is prepended to the kernel's file names; it is "" except in tests, which do not use
 * sysconf. */
size_t cache_bytes(const char *root, int level);

/* Returns the total size of all caches of this level in the machine. If the kernel does not list them, as in
 * some virtual machines, it returns 0. */
size_t cache_bytes_everywhere(const char *root, int level);
