/* A priority queue, stored as a binary heap. An entry has a number as its key, and two items. */
#pragma once

#include "datasets/base/memory.h"

/* An entry. Entries of equal keys are ordered by their items. */
typedef struct QueueEntry {
    double key;
    int32_t first, second;
} QueueEntry;

/* Initialise with {0}; release `entries` with memory_free. */
typedef struct PriorityQueue {
    QueueEntry *entries; /* [count] a heap; entries[0] has the smallest key */
    size_t count, capacity;
} PriorityQueue;

static inline bool queue_entry_before(const QueueEntry *a, const QueueEntry *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->first != b->first ? a->first < b->first : a->second < b->second;
}

static inline Status priority_queue_push(PriorityQueue *queue, QueueEntry entry)
{
    if (queue->count == queue->capacity) {
        /* The count may rise and fall around one value, so memory grows with the capacity. */
        GROW(queue->entries, queue->capacity, "a priority queue");
        queue->capacity = queue->capacity > 0 ? 2 * queue->capacity : 1;
    }
    QueueEntry *entries = queue->entries;
    size_t slot = queue->count++;
    for (; slot > 0 && queue_entry_before(&entry, &entries[(slot - 1) / 2]); slot = (slot - 1) / 2)
        entries[slot] = entries[(slot - 1) / 2];
    entries[slot] = entry;
    return status_ok();
}

/* Removes and returns the entry with the smallest key. The queue must not be empty. */
static inline QueueEntry priority_queue_pop(PriorityQueue *queue)
{
    QueueEntry *entries = queue->entries;
    const QueueEntry least = entries[0], last = entries[--queue->count];
    size_t slot = 0;
    for (size_t child = 1; child < queue->count; child = 2 * slot + 1) {
        if (child + 1 < queue->count && queue_entry_before(&entries[child + 1], &entries[child]))
            child++;
        if (!queue_entry_before(&entries[child], &last))
            break;
        entries[slot] = entries[child];
        slot = child;
    }
    entries[slot] = last;
    return least;
}
