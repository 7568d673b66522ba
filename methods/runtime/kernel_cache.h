/* Caches compiled device kernels on disk between runs. The name of each file is a digest of everything that
 * determines the kernel: device, driver or compiler and their versions, options, and program text. A file
 * that is damaged or belongs to another key is ignored, and the next store replaces it. */
#pragma once

#include "datasets/io/sha256.h"

enum { KERNEL_CACHE_PATH_BYTES = 1024, KERNEL_ARCHITECTURES_MAX = 16 };
/* Target in the key of the file that lists for which architectures a folder holds kernels. */
#define KERNEL_ARCHITECTURES "architectures"

/* Computes the path of the cache folder: SKINBENCH_CACHE if it is set, otherwise skinbench/kernels in
 * XDG_CACHE_HOME or in ~/.cache. The folder need not exist. Returns false if there is no cache, because
 * SKINBENCH_CACHE is empty or no home folder is known. */
bool kernel_cache_folder(char path[KERNEL_CACHE_PATH_BYTES]);

/* Computes the key of a kernel made from these texts, a NULL-terminated list. */
void kernel_cache_key(const char *const *parts, char key[SHA256_TEXT_BYTES]);

/* Lists the architectures of the kernels that were compiled ahead of time (`skinbench kernels`). These
 * kernels do not depend on a compiler's version. They are in the folder SKINBENCH_KERNELS, or else in the
 * cache folder. architectures [count] begins with the architecture of the PTX, the lowest one; the
 * architectures of the machine code follow. Returns the count, or 0 if there are no such kernels. */
int kernel_ahead_architectures(int architectures[KERNEL_ARCHITECTURES_MAX]);
/* Computes the key of a program compiled ahead of time for a target such as "sm_80" or "compute_75". */
void kernel_ahead_key(const char *target, const char *text, char key[SHA256_TEXT_BYTES]);
/* As kernel_cache_load. */
Status kernel_ahead_load(const char *key, void **code, size_t *size);

/* Loads code [size], to be released with memory_free. *code is NULL if the code is not in the cache. Fails
 * with STATUS_SYSTEM if memory runs out. */
Status kernel_cache_load(const char *key, void **code, size_t *size);

/* Load and write the file of a key in a given folder, which must exist. kernel_file_load reports its result
 * in the same way as kernel_cache_load. */
Status kernel_file_load(const char *folder, const char *key, void **code, size_t *size);
Status kernel_file_write(const char *folder, const char *key, const void *code, size_t size);

/* Stores code [size] completely or not at all. It is not an error if the code cannot be stored. Fails with
 * STATUS_SYSTEM if memory runs out. */
Status kernel_cache_store(const char *key, const void *code, size_t size);
