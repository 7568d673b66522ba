/* The arrays of a data set, as a table: what reads, writes, checks, copies or reorders them goes through it.
 */
#pragma once

#include "datasets/model/dataset.h"

/* The element types of schema 1. Files may hold the same class in another width or byte order. */
typedef enum ArrayElement { ARRAY_FLOAT32, ARRAY_FLOAT64, ARRAY_INT32, ARRAY_TEXT } ArrayElement;

enum { DATASET_ARRAYS = 18, ARRAY_RANK_MAX = 4 };

/* As the file has it (datasets/README.md). An extent is the offset of a count in a Dataset, or less than 0:
 * -3 is the number 3; 0: no more. */
typedef struct DatasetArray {
    const char *path; /* "rig/weights/values" */
    ArrayElement element;
    bool optional;  /* may be NULL where its part is there */
    size_t pointer; /* where in a Dataset the values are */
    int part;       /* the count that is 0 where its part is absent; 0: it never is */
    int extents[ARRAY_RANK_MAX];
} DatasetArray;

#define DATASET_COUNT(member) ((int)offsetof(Dataset, member))

/* In the order of the file; path NULL: the end. */
extern const DatasetArray dataset_arrays[DATASET_ARRAYS + 1];

/* The array of a path that there is. */
const DatasetArray *dataset_array_find(const char *path);

/* The count at an offset; the extents of an array, 0 for those it has not. Returns its rank. */
int *dataset_count(Dataset *dataset, int offset);
int dataset_array_extents(const Dataset *dataset, const DatasetArray *array, int64_t extents[ARRAY_RANK_MAX]);

/* Bytes of an element in memory, and of all values of an array. */
size_t array_element_bytes(ArrayElement element);
size_t dataset_array_bytes(const Dataset *dataset, const DatasetArray *array);

/* The values of an array; NULL where it or the part that it belongs to is absent. */
void *dataset_array_values(const Dataset *dataset, const DatasetArray *array);

/* Allocates an array of the data set's counts (zeroed) where there is none yet. */
Status dataset_array_allocate(Dataset *dataset, const DatasetArray *array, void **values);
