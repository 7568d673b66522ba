/* Finds the edges of a mesh by sorting and counting the sides of its triangles. */
#include "datasets/geometry/topology.h"

#include "datasets/base/memory.h"

/* Compares edges by `low`, then by `high`. */
static int mesh_edge_compare(const void *left, const void *right)
{
    const MeshEdge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

/* Sorts the sides of all triangles by their lower vertex with a counting sort, then the sides of each lower
 * vertex by their higher vertex. */
Status mesh_edges_make(const int32_t *triangles, int triangle_count, int vertex_count, MeshEdge **edges,
                       int *count)
{
    int64_t first = 0;
    *edges = NULL;
    *count = 0;
    LOCAL_TABLE(MeshEdge, list, triangle_count, 3, "the edges of a mesh");
    /* where the sides of each lower vertex start in the list, and then the place of its next side */
    LOCAL_ARRAY(int64_t, next, (size_t)vertex_count + 2, "the edges of a mesh");
    for (int t = 0; t < triangle_count; t++) {
        const int32_t *corners = triangles + 3 * (size_t)t;
        for (int i = 0; i < 3 && triangle_in_range(corners, vertex_count); i++) {
            const int32_t from = corners[i], to = corners[(i + 1) % 3];
            next[(from < to ? from : to) + 1] += from != to;
        }
    }
    for (int v = 0; v < vertex_count; v++)
        next[v + 1] += next[v];
    for (int t = 0; t < triangle_count; t++) {
        const int32_t *corners = triangles + 3 * (size_t)t;
        for (int i = 0; i < 3 && triangle_in_range(corners, vertex_count); i++) {
            int32_t from = corners[i], to = corners[(i + 1) % 3];
            if (from != to)
                list[next[from < to ? from : to]++] =
                    (MeshEdge){from < to ? from : to, from < to ? to : from, from<to, from> to};
        }
    }
    for (int v = 0; v < vertex_count;
         first = next[v++]) { /* next[v] is now the start of the following vertex */
        if (next[v] - first > 1)
            qsort(list + first, (size_t)(next[v] - first), sizeof *list, mesh_edge_compare);
        for (int64_t i = first; i < next[v]; i++)
            if (*count > 0 && mesh_edge_compare(&list[*count - 1], &list[i]) == 0) {
                list[*count - 1].forwards += list[i].forwards;
                list[*count - 1].backwards += list[i].backwards;
            } else {
                list[(*count)++] = list[i];
            }
    }
    *edges = TAKE(list);
    return status_ok();
}

const MeshEdge *mesh_edge_find(const MeshEdge *edges, int count, int32_t one, int32_t other)
{
    const MeshEdge wanted = {.low = one < other ? one : other, .high = one < other ? other : one};
    return bsearch(&wanted, edges, (size_t)count, sizeof *edges, mesh_edge_compare);
}
