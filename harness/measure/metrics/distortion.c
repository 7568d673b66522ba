/* Computes the relative changes of edge lengths and triangle areas, and counts the triangles that are
 * inverted with respect to the target. */
#include "harness/measure/metrics/further.h"
#include "harness/measure/metrics/surface.h"

void distortion_add(const FrameWindow *window, FurtherSums *sums)
{
    const float *target = window->target[0], *candidate = window->candidate[0];
    for (int e = 0; e < window->edge_count; e++) {
        const MeshEdge *edge = &window->edges[e];
        const double before = vec3_length(edge_vector(edge, target)),
                     after = vec3_length(edge_vector(edge, candidate));
        sums->edge_change += fabs(after - before);
        sums->edge_length += before;
    }
    for (int t = 0; t < window->mesh->triangle_count; t++) {
        const int32_t *corners = window->mesh->triangles + 3 * (size_t)t;
        const Vec3 before = triangle_cross(target, corners), after = triangle_cross(candidate, corners);
        const double area = vec3_length(before);
        sums->area_change += fabs(vec3_length(after) - area);
        sums->area += area;
        sums->inverted += vec3_dot(before, after) < 0.0;
    }
    sums->triangles += window->mesh->triangle_count;
}
