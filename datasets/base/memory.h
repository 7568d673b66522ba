/* Allocation of arrays whose sizes may come from a file: the product is checked before anything is allocated.
 * Tests can make the k-th allocation fail. */
#ifndef SKINBENCH_BASE_MEMORY_H
#define SKINBENCH_BASE_MEMORY_H

#include <stddef.h>

/* Zeroed memory for count * size bytes, aligned to 64 bytes (a cache line, and the widest vector). NULL if the
 * product overflows or memory is out. A count of 0 gives a valid pointer. Release with memory_free. */
void *memory_array(size_t count, size_t size);

/* As memory_array for a product of three numbers: rows * columns * size. */
void *memory_table(size_t rows, size_t columns, size_t size);

/* For a list of `count` elements that grows by one: the list itself, or, when count is 0 or a power of two, a
 * copy with twice the capacity in its place. NULL: memory is out, the list stays as it is. */
void *memory_grow(void *list, size_t count, size_t size);

/* A copy of a string, NULL when memory is out. A NULL text gives an empty string. */
char *memory_text(const char *text);

/* Releases what the functions above gave; NULL is legal. */
void memory_free(void *pointer);

/* For tests: the allocation that comes after `successes` further ones fails, once; -1 switches this off. */
void memory_fail_after(long successes);

#endif
