/* What this process may use of the machine's processors, how OpenMP's threads wait, and the sizes of caches.
 * A processor that is shared, by affinity or by a quota of a control group, is not to be filled with a thread
 * for each of its cores. Caches are asked of the kernel's files first: the C library of Debian 12 adds up the
 * third-level caches of a whole AMD processor, of which a core reaches one. */
#pragma once

#include "datasets/base/base.h"

enum { PROCESSORS_TEXT_BYTES = 160, EXECUTION_TEXT_BYTES = 160 };

typedef struct Processors {
    int machine;  /* processors that are on line */
    int affinity; /* of those, the ones this process may run on */
    double quota; /* processors' worth of time its control groups grant; NAN: as much as there is */
    int user;     /* OMP_NUM_THREADS; 0: not set */
    int usable;   /* threads that make sense: the user's, else affinity and quota, whichever is less; >= 1 */
    const char *source; /* what decided: "OMP_NUM_THREADS", "quota", "affinity", "machine" */
} Processors;

/* Asks the system, and the files below `root` ("" but in tests): /proc/self/cgroup and /sys/fs/cgroup. */
Processors processors_usable(const char *root);

/* "2 of 64 cores by affinity, a quota of 1.5": for people. */
void processors_format(const Processors *processors, char text[PROCESSORS_TEXT_BYTES]);

/* Processors' worth of time that the control groups of this process grant it, the least of its own and of all
 * above it, version 2 (cpu.max) or 1 (cpu.cfs_quota_us over cpu.cfs_period_us); NAN: they grant whatever
 * there is. */
double processors_quota(const char *root);

/* Sets variables that the user did not set, by which OpenMP's threads sleep while they wait, and executes the
 * program once more. The program continues as it is where that fails. Call first in main. */
void execution_configure(char **arguments);

/* "passive, set by this program", "as the user set OMP_WAIT_POLICY=active", "default of the OpenMP
 * library". */
void execution_waiting_format(char text[EXECUTION_TEXT_BYTES]);

/* What the first processor's cache of this level (1 to 3) holds; 0: there is none, or it is not known.
 * `root` precedes the kernel's files: "" but in tests, where sysconf is left out. */
size_t cache_bytes(const char *root, int level);

/* The same of all caches of this level that the machine has. */
size_t cache_bytes_everywhere(const char *root, int level);
