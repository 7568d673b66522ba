/* Allocation of arrays whose sizes may come from a file: the product is checked before anything is allocated,
 * and the sum of what is live against a limit. Tests can make the k-th allocation fail. */
#pragma once

#include "datasets/base/status.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed memory for count * size bytes, aligned to 64 bytes (a cache line, and the widest vector). NULL if
 * the product overflows, out of memory, or more than the limit would be live. A count of 0 gives a valid
 * pointer. Release with memory_free. */
void *memory_array(size_t count, size_t size);

/* As memory_array for a product of three numbers: rows * columns * size. */
void *memory_table(size_t rows, size_t columns, size_t size);

/* For a list of `count` elements that grows by one: the list itself, or, when count is 0 or a power of two, a
 * copy with twice the capacity in its place. NULL: out of memory, the list stays as it is. */
void *memory_grow(void *list, size_t count, size_t size);

/* A copy of a string, NULL when out of memory. A NULL text gives an empty string. */
char *memory_text(const char *text);
/* The same of its first `max` bytes, where it has more; ends with a NUL even if the text changes
 * meanwhile. */
char *memory_text_start(const char *text, size_t max);

/* Releases what the functions above gave; NULL is allowed. */
void memory_free(void *pointer);

/* The same for several pointers: FREE_ALL(mesh->rest, mesh->triangles). */
#define FREE_ALL(...)                                                                                        \
    memory_free_each((void *[]){__VA_ARGS__}, sizeof(void *[]){__VA_ARGS__} / sizeof(void *))
void memory_free_each(void **pointers, size_t count);

/* The limit on what arrays of this process may hold together, 0: none was set, and the machine's memory is
 * the limit. What libraries allocate for themselves is not counted. */
void memory_limit_set(size_t bytes);

/* The promise to stay within `bytes`, of which `others` are what the program takes besides arrays: their
 * limit becomes the rest, unless one was set that is less. */
void memory_promise(size_t bytes, size_t others);
size_t memory_limit(void);

/* Bytes that arrays hold now. */
size_t memory_live(void);

/* ": --memory-limit is 512 MB" when that limit, or what was promised, and not the system, refused the last
 * array that was not had; empty otherwise. For the message that memory has run out. */
Status status_text_out_of_memory(const char *what);
static inline Status status_out_of_memory(const char *what)
{
    return status_with_code(STATUS_SYSTEM, status_text_out_of_memory(what));
}

/* malloc for a library that takes an allocator and reports that memory has run out as something else
 * (jansson: as a text that is no JSON, or a member that is not there): the failure is counted below. Not part
 * of the limit; free releases it. */
void *memory_for_library(size_t bytes);

/* How many allocations by the functions above have failed in this process. */
long memory_failures(void);

/* For tests: the allocation that comes after `successes` further ones fails, once; -1 switches this off. */
void memory_fail_after(long successes);

/* ---- what a function owns ----
 *     OWNED double *values = NULL;                                   released by memory_free
 *     OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;   by dataset_reader_close(reader)
 *     CLEANUP(mesh_clear) Mesh mesh = {0};                           by mesh_clear(&mesh)
 * A local so marked is released wherever its scope is left, the last declared first. It must have an initial
 * value. Not inside OpenMP regions. */
#define CLEANUP(clear) __attribute__((unused, cleanup(clear))) /* clang does not count it as a use */
#define OWNED CLEANUP(memory_release)
#define OWNED_BY(free) CLEANUP(free##_at)

/* Says that `free` releases what a `type *` points to, for OWNED_BY; NULL is skipped. */
#define DEFINE_OWNED_BY(type, free)                                                                          \
    static inline void free##_at(type **pointer)                                                             \
    {                                                                                                        \
        if (*pointer)                                                                                        \
            free(*pointer);                                                                                  \
    }

DEFINE_OWNED_BY(char, free) /* text of a library that allocates by malloc */

/* The value of the pointer at `address`, which becomes NULL. */
static inline void *memory_take(void *address)
{
    void *pointer = NULL;
    memcpy(&pointer, address, sizeof pointer);
    memset(address, 0, sizeof pointer);
    return pointer;
}

/* Frees what the pointer at `address` points to, and makes it NULL. */
static inline void memory_release(void *address)
{
    memory_free(memory_take(address));
}

/* Hands over what an OWNED local points to: `*out = TAKE(values);`. */
#define TAKE(pointer) memory_take(&(pointer))

/* Allocates zeroed elements for `pointer`, or returns status_out_of_memory(what). */
#define ALLOCATE(pointer, count, what) ALLOCATE_TABLE(pointer, count, 1, what)
#define ALLOCATE_TABLE(pointer, rows, columns, what)                                                         \
    do {                                                                                                     \
        (pointer) = memory_table((size_t)(rows), (size_t)(columns), sizeof(__typeof__(*(pointer))));         \
        ALLOCATED(pointer, what);                                                                            \
    } while (0)

/* Makes room for one more element in a list of `count`, as memory_grow does, or returns
 * status_out_of_memory(what). */
#define GROW(list, count, what)                                                                              \
    do {                                                                                                     \
        void *grown_ = memory_grow((list), (size_t)(count), sizeof(__typeof__(*(list))));                    \
        ALLOCATED(grown_, what);                                                                             \
        (list) = grown_;                                                                                     \
    } while (0)

/* Goes on if all of `pointers` are allocated ("a && b"), or returns status_out_of_memory(what). */
#define ALLOCATED(pointers, what)                                                                            \
    do {                                                                                                     \
        if (!(pointers))                                                                                     \
            return status_out_of_memory(what);                                                               \
    } while (0)

/* Copies a text for `pointer`, or returns status_out_of_memory(what). */
#define COPY_TEXT(pointer, text, what)                                                                       \
    do {                                                                                                     \
        (pointer) = memory_text(text);                                                                       \
        ALLOCATED(pointer, what);                                                                            \
    } while (0)

/* The same as the declaration of an OWNED local: LOCAL_ARRAY(double, values, count, "what"). */
#define LOCAL_ARRAY(type, name, count, what) LOCAL_TABLE(type, name, count, 1, what)
#define LOCAL_TABLE(type, name, rows, columns, what)                                                         \
    OWNED type *name = NULL;                                                                                 \
    ALLOCATE_TABLE(name, rows, columns, what)
