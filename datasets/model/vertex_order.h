/* The order of the vertices of a data set. For speed they can be sorted once by joint set, as in the asset
 * pipeline of an engine. Mesh.original_vertices stores their original numbers, so that measuring and
 * exporting use the original order. N is the number of vertices. */
#pragma once

#include "datasets/model/dataset.h"

/* Reorders the vertices: new vertex i is the old vertex order[i]. order [N] is a permutation. All arrays
 * indexed by vertex are reordered, and triangles are renumbered. If out of memory, returns STATUS_SYSTEM
 * and changes nothing. */
Status dataset_reorder(Dataset *dataset, const int32_t *order);

/* Puts the vertices into the bound order for influences as listed (joint_sets.h), which is also a bound
 * order for influences by joint. Methods then find their vertices already sorted. STATUS_BAD_INPUT if there
 * is no rig, or if joint_sets_init refuses the rig. */
Status dataset_order_by_joint_sets(Dataset *dataset);

/* Restores the original order of the vertices if they were reordered. */
Status dataset_order_restore(Dataset *dataset);

/* Finds the function for a value of the option `--order`, "joint-sets" or "original". If the value is NULL,
 * the function is NULL. STATUS_USAGE for any other name. */
typedef Status (*VertexOrdering)(Dataset *dataset);
Status vertex_ordering_named(const char *name, VertexOrdering *ordering);

/* Maps one order of vertices to another. Each order is given by the original number of its vertices [N]
 * (NULL: the original order). Vertex (*map)[i] of `from` is vertex i of `to`. *map is NULL if the orders
 * are equal. Otherwise release *map with memory_free. */
Status vertex_order_map(const int32_t *from, const int32_t *to, int vertex_count, int32_t **map);

/* Sets out[i] = rows[map[i]] for `count` rows of row_bytes. `out` must not overlap `rows`. */
void rows_gather(const void *rows, size_t row_bytes, const int32_t *map, int count, void *out);
