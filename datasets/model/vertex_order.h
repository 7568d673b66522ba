/* In which order a data set's vertices stand. For speed they can be brought into that of their joint sets
 * once, as an engine's asset pipeline does; Mesh.original_vertices keeps which vertex each of them was, so
 * that measuring and exporting still speak of the original ones. N vertices. */
#pragma once

#include "datasets/model/dataset.h"

/* Brings the vertices into another order: vertex i is then the one that was order[i], a permutation [N]. All
 * that stands by vertex follows; triangles keep their order and name the same points. STATUS_SYSTEM: out of
 * memory, and nothing is changed. */
Status dataset_reorder(Dataset *dataset, const int32_t *order);

/* The bound order of influences as listed (joint_sets.h), and so of influences by joint: what is bound to the
 * rig then finds its vertices in place. STATUS_BAD_INPUT where there is no rig, or as joint_sets_init. */
Status dataset_order_by_joint_sets(Dataset *dataset);

/* The original order again; nothing to do where it is there. */
Status dataset_order_restore(Dataset *dataset);

/* What `--order` names: "joint-sets" and "original", the functions above; a NULL name is none. STATUS_USAGE
 * for another. */
typedef Status (*VertexOrdering)(Dataset *dataset);
Status vertex_ordering_named(const char *name, VertexOrdering *ordering);

/* Between two orders of the same vertices, given by what original vertex each one is [N] (NULL: the original
 * order): (*map)[i] is the vertex of `from` that is vertex i of `to`. *map is NULL where the orders are one;
 * else release it with memory_free. */
Status vertex_order_map(const int32_t *from, const int32_t *to, int vertex_count, int32_t **map);

/* out[i] = rows[map[i]] for rows of row_bytes, count of them; out is other memory. */
void rows_gather(const void *rows, size_t row_bytes, const int32_t *map, int count, void *out);
