/* Dihedral roughness: how far the angles between adjacent triangles differ from those of the target, over
 * all edges with two triangles, and over the edges between joint sets (seams). */
#include "harness/measure/metrics/further.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"

/* Whether the joints of one row are a subset of those of the other. */
static bool joints_within(const Rig *rig, int32_t one, int32_t other)
{
    const int influences = rig->influence_count;
    const int32_t *joints = rig->weight_joints;
    const float *values = rig->weight_values;
    for (int64_t i = (int64_t)one * influences, end = i + influences; i < end; i++) {
        bool found = values[i] == 0.0f;
        for (int64_t k = (int64_t)other * influences, last = k + influences; k < last && !found; k++)
            found = values[k] != 0.0f && joints[k] == joints[i];
        if (!found)
            return false;
    }
    return true;
}

Status seams_find(const Mesh *mesh, const Rig *rig, const int32_t *rows, const MeshEdge *edges,
                  int edge_count, Seam **seams, int *seam_count, int *inner_count)
{
    LOCAL_ARRAY(Seam, list, edge_count, "the seams of a rig");
    for (int e = 0; e < edge_count; e++)
        list[e] = (Seam){edges[e].low, edges[e].high, -1, -1};
    for (int t = 0; t < 3 * mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + t - t % 3;
        const int32_t from = corners[t % 3], end = corners[(t + 1) % 3], third = corners[(t + 2) % 3];
        const MeshEdge *edge = mesh_edge_find(edges, edge_count, from, end);
        if (edge && edge->forwards == 1 && edge->backwards == 1)
            *(from < end ? &list[edge - edges].ahead : &list[edge - edges].behind) = third;
    }
    *inner_count = 0;
    for (int e = 0; e < edge_count; e++)
        if (list[e].ahead >= 0 && list[e].behind >= 0)
            list[(*inner_count)++] = list[e];
    *seam_count = 0;
    for (int e = 0; rig && e < *inner_count; e++) {
        const Seam edge = list[e];
        const int32_t low = rows ? rows[edge.low] : edge.low, high = rows ? rows[edge.high] : edge.high;
        if (joints_within(rig, low, high) && joints_within(rig, high, low))
            continue;
        list[e] = list[*seam_count];
        list[(*seam_count)++] = edge;
    }
    *seams = TAKE(list);
    return status_ok();
}

/* Returns the signed angle between the normals of the two triangles at an edge, from -PI to PI. */
static double seam_angle(const float *points, const Seam *seam)
{
    const Vec3 ahead = triangle_cross(points, (int32_t[3]){seam->low, seam->high, seam->ahead}),
               behind = triangle_cross(points, (int32_t[3]){seam->high, seam->low, seam->behind}),
               along = vec3_sub(point_at(points, seam->high), point_at(points, seam->low));
    const double length = vec3_length(along);
    return length > 0.0 ? atan2(vec3_dot(vec3_cross(ahead, behind), along) / length, vec3_dot(ahead, behind))
                        : 0.0;
}

void seams_add(const FrameWindow *window, FurtherSums *sums)
{
    for (int s = 0; s < window->inner_count; s++) {
        const double apart = seam_angle(window->candidate[0], &window->seams[s]) -
                             seam_angle(window->target[0], &window->seams[s]);
        const double degrees = 180.0 / PI * fabs(remainder(apart, 2.0 * PI));
        sums->inner_angle += degrees;
        sums->seam_angle += s < window->seam_count ? degrees : 0.0;
    }
    sums->inner_count += window->inner_count;
    sums->seam_count += window->seam_count;
}
