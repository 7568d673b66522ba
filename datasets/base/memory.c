/* Aligned, zeroed arrays whose sizes are checked, and allocations that fail on purpose for the tests. */
#include "datasets/base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* The one piece of mutable state of the ground floor: the countdown of the fault-injection tests. */
static atomic_long successes_left = -1;

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

void *memory_array(size_t count, size_t size)
{
    if (allocation_fails())
        return NULL;
    if (size != 0 && count > (SIZE_MAX / 2 - ALIGNMENT) / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    void *pointer = aligned_alloc(ALIGNMENT, bytes);
    if (pointer)
        memset(pointer, 0, bytes);
    return pointer;
}

void *memory_table(size_t rows, size_t columns, size_t size)
{
    if (columns != 0 && rows > SIZE_MAX / columns)
        return NULL;
    return memory_array(rows * columns, size);
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
    size_t length = text ? strlen(text) : 0;
    char *copy = memory_array(length + 1, 1);
    if (copy && text)
        memcpy(copy, text, length + 1);
    return copy;
}

void memory_free(void *pointer)
{
    free(pointer);
}
