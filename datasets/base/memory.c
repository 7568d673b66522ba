/* Aligned, zeroed arrays with checked sizes and a limit on their total size. Tests can make allocations
 * fail. The size of an array is counted as malloc reports it (malloc_usable_size). */
#include "datasets/base/memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

/* All mutable state of this file, shared by the whole process: the countdown of the fault-injection tests,
 * the number of failures so far, the limit (0: none), the bytes in live arrays, and whether the limit
 * caused the last failure. */
static atomic_long successes_left = -1, failures;
static atomic_size_t limit_bytes, promised_bytes, live_bytes;
static atomic_bool refused_by_limit;

void memory_fail_after(long successes)
{
    atomic_store(&successes_left, successes);
}

static int allocation_fails(void)
{
    if (atomic_load_explicit(&successes_left, memory_order_relaxed) < 0)
        return 0;
    return atomic_fetch_sub(&successes_left, 1) == 0;
}

/* The system is queried only once, because every allocation needs the answer. */
static size_t machine_bytes(void)
{
    static atomic_size_t known;
    size_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes > 0)
        return bytes;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    bytes = pages > 0 && page > 0 && (size_t)pages <= SIZE_MAX / (size_t)page ? (size_t)pages * (size_t)page
                                                                              : SIZE_MAX;
    atomic_store_explicit(&known, bytes, memory_order_relaxed);
    return bytes;
}

void memory_limit_set(size_t bytes)
{
    atomic_store(&limit_bytes, bytes);
    atomic_store(&promised_bytes, 0);
}

void memory_promise(size_t bytes, size_t others)
{
    const size_t limit = memory_limit(), arrays = bytes > others ? bytes - others : 1;
    if (limit > 0 && limit <= arrays)
        return;
    atomic_store(&limit_bytes, arrays);
    atomic_store(&promised_bytes, bytes);
}

size_t memory_limit(void)
{
    return atomic_load_explicit(&limit_bytes, memory_order_relaxed);
}

size_t memory_live(void)
{
    return atomic_load(&live_bytes);
}

/* Size of a text that names the limit, such as ": --memory-limit is 512 MB". The text is empty if the last
 * array was refused by the system and not by a limit. */
enum { LIMIT_TEXT_BYTES = 64 };

Status status_text_out_of_memory(const char *what)
{
    char reason[LIMIT_TEXT_BYTES];
    const size_t limit = memory_limit();
    reason[0] = '\0';
    const size_t promised = atomic_load(&promised_bytes);
    if (atomic_load(&refused_by_limit) && promised > 0)
        snprintf(reason, LIMIT_TEXT_BYTES, ": --memory is %.6g MB", (double)promised / (1 << 20));
    else if (atomic_load(&refused_by_limit) && limit > 0)
        snprintf(reason, LIMIT_TEXT_BYTES, ": --memory-limit is %.6g MB", (double)limit / (1 << 20));
    else if (atomic_load(&refused_by_limit))
        snprintf(reason, LIMIT_TEXT_BYTES, ": the machine has %.6g MB", (double)machine_bytes() / (1 << 20));
    return status_text("out of memory for %s%s", what, reason);
}

/* Adds `bytes` to the bytes in live arrays, unless the sum would exceed the limit. */
static int live_add(size_t bytes)
{
    const size_t set = memory_limit(), limit = set > 0 ? set : machine_bytes();
    const size_t before = atomic_fetch_add(&live_bytes, bytes);
    const int allowed = before <= limit && bytes <= limit - before;
    if (!allowed) {
        atomic_fetch_sub(&live_bytes, bytes);
        atomic_store(&refused_by_limit, 1);
    }
    return allowed;
}

static void *array_allocate(size_t count, size_t size)
{
    if (allocation_fails()) {
        atomic_store(&refused_by_limit, 0);
        return NULL;
    }
    if (size != 0 && count > (SIZE_MAX / 2 - ALIGNMENT) / size) {
        atomic_store(&refused_by_limit, 1);
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    if (!live_add(bytes))
        return NULL;
    void *pointer = aligned_alloc(ALIGNMENT, bytes);
    if (pointer) {
        atomic_fetch_add(&live_bytes, malloc_usable_size(pointer) - bytes);
        memset(pointer, 0, bytes);
    } else {
        atomic_fetch_sub(&live_bytes, bytes);
        atomic_store(&refused_by_limit, 0);
    }
    return pointer;
}

void *memory_array(size_t count, size_t size)
{
    void *pointer = array_allocate(count, size);
    if (!pointer)
        atomic_fetch_add(&failures, 1);
    return pointer;
}

void *memory_for_library(size_t bytes)
{
    void *pointer = allocation_fails() ? NULL : malloc(bytes);
    if (!pointer)
        atomic_fetch_add(&failures, 1);
    return pointer;
}

long memory_failures(void)
{
    return atomic_load(&failures);
}

void *memory_table(size_t rows, size_t columns, size_t size)
{
    return memory_array(columns != 0 && rows > SIZE_MAX / columns ? SIZE_MAX : rows * columns, size);
}

void *memory_grow(void *list, size_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return list;
    void *larger = memory_array(count > 0 ? 2 * count : 1, size);
    if (!larger)
        return NULL;
    if (count > 0)
        memcpy(larger, list, count * size);
    memory_free(list);
    return larger;
}

char *memory_text(const char *text)
{
    return memory_text_start(text ? text : "", SIZE_MAX);
}

char *memory_text_start(const char *text, size_t max)
{
    size_t length = strnlen(text, max);
    char *copy = memory_array(length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void memory_free(void *pointer)
{
    if (pointer)
        atomic_fetch_sub(&live_bytes, malloc_usable_size(pointer));
    free(pointer);
}

void memory_free_each(void **pointers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memory_free(pointers[i]);
}
