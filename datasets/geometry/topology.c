/* Finds the edges of a mesh by sorting and counting the sides of its triangles. */
#include "datasets/geometry/topology.h"

#include "datasets/base/memory.h"

int mesh_edge_compare(const void *left, const void *right)
{
    const MeshEdge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

/* Returns where the sides of each vertex start in a list that is sorted by the lower vertex of a side,
 * [vertex_count + 1]. Returns NULL if out of memory. */
static int64_t *sides_begin(const int32_t *triangles, int triangle_count, int vertex_count)
{
    int64_t *begins = memory_array((size_t)vertex_count + 2, sizeof *begins);
    for (int t = 0; begins && t < triangle_count; t++) {
        const int32_t *corners = triangles + 3 * (size_t)t;
        for (int i = 0; i < 3 && triangle_in_range(corners, vertex_count); i++) {
            const int32_t from = corners[i], to = corners[(i + 1) % 3];
            begins[(from < to ? from : to) + 1] += from != to;
        }
    }
    for (int v = 0; begins && v < vertex_count; v++)
        begins[v + 1] += begins[v];
    return begins;
}

/* Sorts the sides of all triangles by their lower vertex with a counting sort, then the sides of each lower
 * vertex by their higher vertex. */
Status mesh_edges_make(const int32_t *triangles, int triangle_count, int vertex_count, MeshEdge **edges,
                       int *count)
{
    MeshEdge *list = memory_table((size_t)triangle_count, 3, sizeof *list);
    int64_t *next = sides_begin(triangles, triangle_count, vertex_count), first = 0;
    *edges = list;
    *count = 0;
    if (!list || !next) {
        FREE_ALL(next, list);
        *edges = NULL;
        return status_out_of_memory("the edges of a mesh");
    }
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
    memory_free(next);
    return status_ok();
}
