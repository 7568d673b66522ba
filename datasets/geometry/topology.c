#include "datasets/geometry/topology.h"

#include "datasets/base/memory.h"

#include <stdlib.h>

static int edge_compare(const void *left, const void *right)
{
    const MeshEdge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

Status mesh_edges_make(const int32_t *triangles, int triangle_count, int vertex_count, MeshEdge **edges,
                       int *count)
{
    size_t sides = 0;
    MeshEdge *list = memory_table((size_t)triangle_count, 3, sizeof *list);
    *edges = list;
    *count = 0;
    if (!list)
        return status_out_of_memory("the edges of a mesh");
    for (int t = 0; t < triangle_count; t++) {
        const int32_t *corners = triangles + 3 * (size_t)t;
        for (int i = 0; i < 3 && triangle_in_range(corners, vertex_count); i++) {
            int32_t from = corners[i], to = corners[(i + 1) % 3];
            if (from != to)
                list[sides++] = (MeshEdge){from < to ? from : to, from < to ? to : from, from<to, from> to};
        }
    }
    if (sides > 0)
        qsort(list, sides, sizeof *list, edge_compare);
    for (size_t i = 0; i < sides; i++)
        if (*count > 0 && edge_compare(&list[*count - 1], &list[i]) == 0) {
            list[*count - 1].forwards += list[i].forwards;
            list[*count - 1].backwards += list[i].backwards;
        } else {
            list[(*count)++] = list[i];
        }
    return status_ok();
}
