/* A table of the arrays of a data set. All code that reads, writes, checks, copies or reorders arrays uses
 * this table. */
#pragma once

#include "datasets/model/dataset.h"

/* The element types of schema 1. In a file, elements may have another width or byte order. */
typedef enum ArrayElement { ARRAY_FLOAT32, ARRAY_FLOAT64, ARRAY_INT32, ARRAY_TEXT } ArrayElement;

enum { DATASET_ARRAYS = 19, ARRAY_RANK_MAX = 4 };

/* An array of a data set (datasets/README.md). Its list of extents ends with 0. A positive extent is the
 * offset of a count in the struct Dataset. A negative extent is a constant: -3 means 3. */
typedef struct DatasetArray {
    const char *path; /* "rig/weights/values" */
    ArrayElement element;
    bool optional;  /* whether the array may be NULL even if its part of the data set exists */
    size_t pointer; /* offset, in the struct Dataset, of the pointer to the values */
    int part;       /* offset of the count that is 0 if the part is absent; 0: the part is always present */
    int extents[ARRAY_RANK_MAX];
} DatasetArray;

#define DATASET_COUNT(member) ((int)offsetof(Dataset, member))

/* The arrays in file order. A NULL path ends the table. */
extern const DatasetArray dataset_arrays[DATASET_ARRAYS + 1];

/* Returns the array with this path, which must exist. */
const DatasetArray *dataset_array_find(const char *path);

/* dataset_count returns the count at an offset. dataset_array_extents stores the extents of an array, with
 * 0 beyond its rank, and returns the rank. */
int *dataset_count(Dataset *dataset, int offset);
int dataset_array_extents(const Dataset *dataset, const DatasetArray *array, int64_t extents[ARRAY_RANK_MAX]);

/* Return the size in bytes of an element in memory, and of all values of an array. */
size_t array_element_bytes(ArrayElement element);
size_t dataset_array_bytes(const Dataset *dataset, const DatasetArray *array);

/* Returns the values of an array, or NULL if the array or its part of the data set is absent. */
void *dataset_array_values(const Dataset *dataset, const DatasetArray *array);

/* Allocates an array of zeros with the counts of the data set, unless the array exists already. */
Status dataset_array_allocate(Dataset *dataset, const DatasetArray *array, void **values);
