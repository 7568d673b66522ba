/* Allocates arrays whose sizes may come from a file. Products of sizes are checked before anything is
 * allocated, and the total size of all arrays stays within a limit. Tests can make the k-th allocation
 * fail. */
#pragma once

#include "datasets/base/status.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Allocates count * size zeroed bytes, aligned to 64 bytes (a cache line and the widest vector). Returns
 * NULL if the product overflows, memory runs out or the limit would be exceeded. A count of 0 gives a valid
 * pointer. Release with memory_free. */
void *memory_array(size_t count, size_t size);

/* Allocates rows * columns * size bytes as memory_array does. */
void *memory_table(size_t rows, size_t columns, size_t size);

/* Makes room for one more element in a list of `count`. If `count` is 0 or a power of two, the list is
 * replaced by a copy with twice the capacity. Returns the list, or NULL if out of memory; the list is then
 * unchanged. */
void *memory_grow(void *list, size_t count, size_t size);

/* Returns a copy of a string, or NULL if out of memory. A NULL text gives an empty string. */
char *memory_text(const char *text);
/* Copies at most the first `max` bytes of a string. The copy ends with a NUL even if the text changes
 * meanwhile. */
char *memory_text_start(const char *text, size_t max);

/* Releases memory from the functions above; NULL is allowed. */
void memory_free(void *pointer);

/* Releases several pointers: FREE_ALL(mesh->rest, mesh->triangles). */
#define FREE_ALL(...)                                                                                        \
    memory_free_each((void *[]){__VA_ARGS__}, sizeof(void *[]){__VA_ARGS__} / sizeof(void *))
void memory_free_each(void **pointers, size_t count);

/* Sets the limit on the total size of this process's arrays; 0 means the machine's memory. Memory that
 * libraries allocate for themselves does not count. */
void memory_limit_set(size_t bytes);

/* Promises that the program uses at most `bytes` in total, of which `others` are needed outside arrays.
 * Arrays are then limited to the difference, or to the limit set earlier if that is lower. */
void memory_promise(size_t bytes, size_t others);
size_t memory_limit(void);

/* Returns the total size of live arrays in bytes. */
size_t memory_live(void);

/* Returns a text that completes an out-of-memory message. It names the limit that refused the last array,
 * such as ": --memory-limit is 512 MB", or is "" if the system refused it. */
Status status_text_out_of_memory(const char *what);
static inline Status status_out_of_memory(const char *what)
{
    return status_with_code(STATUS_SYSTEM, status_text_out_of_memory(what));
}

/* Allocates like malloc, for a library that accepts an allocator but reports lack of memory as another
 * error. (jansson reports invalid JSON or a missing member.) memory_failures counts the failures. The
 * memory does not count towards the limit; release it with free. */
void *memory_for_library(size_t bytes);

/* Returns how many allocations by the functions above have failed in this process. */
long memory_failures(void);

/* For tests: lets `successes` further allocations succeed and the next one fail. -1 switches this off. */
void memory_fail_after(long successes);

/* ---- what a function owns ----
 *     OWNED double *values = NULL;                                   released by memory_free
 *     OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;   by dataset_reader_close(reader)
 *     CLEANUP(mesh_clear) Mesh mesh = {0};                           by mesh_clear(&mesh)
 * A local marked in this way is released when its scope ends, the last declared first. It must have an
 * initial value. Do not use this inside OpenMP regions. */
#define CLEANUP(clear)                                                                                       \
    __attribute__((                                                                                          \
        unused,                                                                                              \
        cleanup(clear))) /* without `unused`, clang warns that such a local variable is never used */
#define OWNED CLEANUP(memory_release)
#define OWNED_BY(free) CLEANUP(free##_at)

/* Clears a caller's output if the function returns early. A function that succeeds sets the pointer to NULL:
 *     UNDO_ON_FAILURE(rig_clear) Rig *unfinished = out;
 *     ...
 *     unfinished = NULL;
 *     return status_ok(); */
#define UNDO_ON_FAILURE(clear) OWNED_BY(clear)

/* Defines how OWNED_BY releases a `type *`: by calling `free`, unless the pointer is NULL. */
#define DEFINE_OWNED_BY(type, free)                                                                          \
    static inline void free##_at(type **pointer)                                                             \
    {                                                                                                        \
        if (*pointer)                                                                                        \
            free(*pointer);                                                                                  \
    }

DEFINE_OWNED_BY(char, free) /* texts from libraries that allocate with malloc */

/* Returns the pointer stored at `address` and sets it to NULL. */
static inline void *memory_take(void *address)
{
    void *pointer = NULL;
    memcpy(&pointer, address, sizeof pointer);
    memset(address, 0, sizeof pointer);
    return pointer;
}

/* Frees the memory that the pointer at `address` points to, and sets the pointer to NULL. */
static inline void memory_release(void *address)
{
    memory_free(memory_take(address));
}

/* Moves the memory out of an OWNED local, so that it is not released: `*out = TAKE(values);`. */
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

/* Returns status_out_of_memory(what) from the function unless `pointers`, such as "a && b", is true. */
#define ALLOCATED(pointers, what)                                                                            \
    do {                                                                                                     \
        if (!(pointers))                                                                                     \
            return status_out_of_memory(what);                                                               \
    } while (0)

/* Stores a copy of a text in `pointer`, or returns status_out_of_memory(what). */
#define COPY_TEXT(pointer, text, what)                                                                       \
    do {                                                                                                     \
        (pointer) = memory_text(text);                                                                       \
        ALLOCATED(pointer, what);                                                                            \
    } while (0)

/* Declares an OWNED local and allocates it: LOCAL_ARRAY(double, values, count, "what"). */
#define LOCAL_ARRAY(type, name, count, what) LOCAL_TABLE(type, name, count, 1, what)
#define LOCAL_TABLE(type, name, rows, columns, what)                                                         \
    OWNED type *name = NULL;                                                                                 \
    ALLOCATE_TABLE(name, rows, columns, what)
