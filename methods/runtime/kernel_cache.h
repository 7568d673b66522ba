/* Compiled kernels of devices, kept on disk from one run to the next: a file for each, named by the digest of
 * all that it was made of (device, driver or compiler and their versions, options, program text). A file that
 * is torn, of another key, or anything else is as if it were not there, and is replaced by the next one
 * stored. */
#pragma once

#include "datasets/io/sha256.h"

enum { KERNEL_CACHE_PATH_BYTES = 1024, KERNEL_ARCHITECTURES_MAX = 16 };
/* In the place of a target: the list of those that a folder of kernels is for. */
#define KERNEL_ARCHITECTURES "architectures"

/* The folder: SKINBENCH_CACHE, else skinbench/kernels in XDG_CACHE_HOME, else in ~/.cache. False: there is
 * none, as SKINBENCH_CACHE is empty, or no home is known. It need not exist. */
bool kernel_cache_folder(char path[KERNEL_CACHE_PATH_BYTES]);

/* The key of what is made of these texts, NULL-terminated. */
void kernel_cache_key(const char *const *parts, char key[SHA256_TEXT_BYTES]);

/* Kernels compiled ahead of time (`skinbench kernels`), in the folder SKINBENCH_KERNELS, else the cache's:
 * they are of no compiler's version. architectures [count]: that of their PTX, which is the least, then those
 * of their machine code; the count is returned, 0 where there are none. */
int kernel_ahead_architectures(int architectures[KERNEL_ARCHITECTURES_MAX]);
/* The key of a program for "sm_80" or "compute_75". */
void kernel_ahead_key(const char *target, const char *text, char key[SHA256_TEXT_BYTES]);
/* As kernel_cache_load. */
Status kernel_ahead_load(const char *key, void **code, size_t *size);

/* code [size], for memory_free; NULL: there is none. STATUS_SYSTEM when out of memory. */
Status kernel_cache_load(const char *key, void **code, size_t *size);

/* The file of a key in a folder: as kernel_cache_load, and written into a folder that exists. */
Status kernel_file_load(const char *folder, const char *key, void **code, size_t *size);
Status kernel_file_write(const char *folder, const char *key, const void *code, size_t size);

/* Stores code [size], whole or not at all; that it cannot be stored is no failure. STATUS_SYSTEM when out of
 * memory. */
Status kernel_cache_store(const char *key, const void *code, size_t size);
