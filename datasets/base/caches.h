/* Sizes of the processor's caches for data, in bytes. Asked of the kernel's files, and of sysconf where these
 * are not: the C library of Debian 12 adds up the third-level caches of a whole AMD processor, of which a
 * core reaches one. */
#pragma once

#include <stddef.h>

/* What the first processor's cache of this level (1 to 3) holds; 0: there is none, or it is not known.
 * `root` precedes the kernel's files: "" but in tests, where sysconf is left out. */
size_t cache_bytes(const char *root, int level);

/* The same of all caches of this level that the machine has. */
size_t cache_bytes_everywhere(const char *root, int level);
