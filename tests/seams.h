/* Splits a mesh along seams, as files do whose vertices have several normals or texture coordinates. */
#pragma once

#include "datasets/model/dataset.h"
#include "tests/support.h"

enum { SEAM_KINDS = 3 };

/* Splits the vertices of a mesh between groups of triangles: 0 each triangle is a group; 1 the triangles on
 * each side of a plane; 2 every third triangle. Sets triangles [3 T] to the new vertices, and from [3 T] to
 * the old vertex of each. Returns the number of new vertices. */
static inline int seams_split(const Mesh *mesh, int kind, int32_t *triangles, int32_t *from)
{
    const int corners = 3 * mesh->triangle_count;
    int count = 0;
    OWNED int *groups = memory_array((size_t)corners + 1, sizeof *groups);
    float middle = 0.0f;
    for (int v = 0; v < mesh->vertex_count; v++)
        middle += mesh->rest[3 * v] / (float)mesh->vertex_count;
    for (int c = 0; c < corners; c++) {
        const int t = c / 3, side = mesh->rest[3 * mesh->triangles[3 * t]] < middle,
                  group = kind == 0   ? t
                          : kind == 1 ? side
                                      : t % 3;
        int v = 0;
        while (v < count && (from[v] != mesh->triangles[c] || groups[v] != group))
            v++;
        from[v] = mesh->triangles[c];
        groups[v] = group;
        triangles[c] = v;
        count += v == count;
    }
    return count;
}
