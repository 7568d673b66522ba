/* Finds the nearest of many points: a balanced k-d tree (Bentley 1975). */
#pragma once

#include "datasets/base/memory.h"
#include "datasets/geometry/vec3.h"
#include <stdint.h>

typedef struct PointTree {
    const Vec3 *points; /* [count], borrowed */
    int32_t *order;     /* [count] indices of the points; the middle one of a range divides the others */
    uint8_t *axes;      /* [count] axis along which the point at this place of `order` divides its range */
    int count;
} PointTree;

/* Builds a tree over finite points, which must outlive it. STATUS_SYSTEM if out of memory. Release with
 * point_tree_clear, also on failure. */
Status point_tree_init(const Vec3 *points, int count, PointTree *out);
void point_tree_clear(PointTree *tree);

/* Returns the index of the point nearest to `query`, the lowest of equally near points, and stores its
 * distance. Returns -1 and INFINITY if the tree is empty. Several threads may share a tree. */
int32_t point_tree_nearest(const PointTree *tree, Vec3 query, double *distance);
