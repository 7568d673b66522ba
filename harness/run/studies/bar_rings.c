/* Rings of a bar, the medial axis of its pose, and the radial deviation from it (CoR Fig. 2 and 7). */
#include "harness/run/studies/bar_rings.h"

#include "datasets/base/memory.h"
#include "datasets/base/numbers.h"
#include "datasets/geometry/points.h"
#include <math.h>

/* Caps end in their middle, on the axis; all other vertices are about a radius away from it. */
static double greatest_radius(const Mesh *mesh)
{
    double greatest = 0.0;
    for (int v = 0; v < mesh->vertex_count; v++) {
        Vec3 p = point_at(mesh->rest, v);
        greatest = fmax(greatest, hypot(p.y, p.z));
    }
    return greatest;
}

static void rings_number(const Mesh *mesh, BarRings *rings)
{
    const double least = 0.5 * greatest_radius(mesh);
    double before = NAN;
    for (int v = 0; v < mesh->vertex_count; v++) {
        Vec3 p = point_at(mesh->rest, v);
        rings->ring_of[v] = -1;
        if (hypot(p.y, p.z) <= least)
            continue;
        rings->ring_count += p.x != before;
        rings->ring_of[v] = rings->ring_count - 1;
        rings->members[rings->ring_count - 1]++;
        before = p.x;
    }
}

Status bar_rings_find(const Mesh *mesh, BarRings *out)
{
    OWNED_BY(bar_rings_clear) BarRings *unfinished = out;
    const size_t vertices = (size_t)mesh->vertex_count;
    *out = (BarRings){.mesh = mesh};
    ALLOCATE(out->ring_of, vertices, "the rings of a bar");
    ALLOCATE(out->members, vertices, "the rings of a bar");
    LOCAL_TABLE(double, rest, vertices, 3, "the rings of a bar");
    rings_number(mesh, out);
    if (out->ring_count < 2)
        return status_make(STATUS_BAD_INPUT, "%d rings of vertices along x, expected a bar of 2 or more",
                           out->ring_count);
    ALLOCATE(out->centers, out->ring_count, "the rings of a bar");
    for (size_t i = 0; i < 3 * vertices; i++)
        rest[i] = (double)mesh->rest[i];
    bar_rings_axis(out, rest, out->centers);
    unfinished = NULL;
    return status_ok();
}

void bar_rings_clear(BarRings *rings)
{
    memory_free(rings->ring_of);
    memory_free(rings->members);
    memory_free(rings->centers);
    *rings = (BarRings){0};
}

void bar_rings_axis(const BarRings *rings, const double *positions, Vec3 *axis)
{
    for (int ring = 0; ring < rings->ring_count; ring++)
        axis[ring] = vec3_make(0.0, 0.0, 0.0);
    for (int v = 0; v < rings->mesh->vertex_count; v++) {
        const double *p = positions + 3 * (size_t)v;
        const int ring = rings->ring_of[v];
        if (ring >= 0)
            axis[ring] = vec3_add(axis[ring], vec3_make(p[0], p[1], p[2]));
    }
    for (int ring = 0; ring < rings->ring_count; ring++)
        axis[ring] = vec3_scale(axis[ring], 1.0 / rings->members[ring]);
}

/* The heaviest influence of a ring, by its first vertex; of equals the first. */
static int ring_slot(const BarRings *rings, const Rig *rig, int ring)
{
    int vertex = 0;
    while (rings->ring_of[vertex] != ring)
        vertex++;
    int best = vertex * rig->influence_count;
    for (int slot = best; slot < (vertex + 1) * rig->influence_count; slot++)
        best = rig->weight_values[slot] > rig->weight_values[best] ? slot : best;
    return best;
}

void bar_rings_bones(const BarRings *rings, const Rig *rig, int frame, Vec3 *axis)
{
    for (int ring = 0; ring < rings->ring_count; ring++) {
        const int joint = rig->weight_joints[ring_slot(rings, rig, ring)];
        axis[ring] = transform_point(
            rig->transforms[(size_t)frame * (size_t)rig->joint_count + (size_t)joint], rings->centers[ring]);
    }
}

/* About the corner x, from which both bones go on for `d` before the arc touches them. */
static void arc_compute(Vec3 x, Vec3 first, Vec3 second, double d, int count, Vec3 *axis)
{
    const double angle = acos(fmax(-1.0, fmin(1.0, vec3_dot(first, second)))), radius = d / tan(0.5 * angle);
    const Vec3 from = vec3_add_scaled(x, first, -d);
    const Vec3 inward = vec3_normalize(vec3_add_scaled(second, first, -vec3_dot(first, second)));
    const Vec3 center = vec3_add_scaled(from, inward, radius);
    for (int i = 0; i < count; i++) {
        const double turned = angle * (i + 1) / (count + 1);
        axis[i] = vec3_add_scaled(vec3_add_scaled(center, inward, -radius * cos(turned)), first,
                                  radius * sin(turned));
    }
}

void bar_rings_arc(const BarRings *rings, const Rig *rig, const Vec3 *bones, Vec3 *axis)
{
    int first = rings->ring_count, last = -1;
    for (int ring = 0; ring < rings->ring_count; ring++) {
        axis[ring] = bones[ring];
        if (rig->weight_values[ring_slot(rings, rig, ring)] < 1.0f) {
            first = int_min(first, ring);
            last = ring;
        }
    }
    if (first < 1 || last > rings->ring_count - 2 || first >= last)
        return;
    const Vec3 from = bones[first - 1], to = bones[last + 1];
    const Vec3 before = vec3_normalize(vec3_sub(from, bones[0]));
    const Vec3 after = vec3_normalize(vec3_sub(bones[rings->ring_count - 1], to));
    /* The corner is where the bones meet: from + p before = to - q after. */
    const double along = vec3_dot(before, after), sine2 = 1.0 - along * along;
    const Vec3 gap = vec3_sub(to, from);
    if (sine2 < 1e-12 || first < 2 || last > rings->ring_count - 3)
        return;
    const double p = (vec3_dot(gap, before) - along * vec3_dot(gap, after)) / sine2;
    const double q = (vec3_dot(gap, after) - along * vec3_dot(gap, before)) / sine2;
    arc_compute(vec3_add_scaled(from, before, p), before, after, fmin(p, q), last - first + 1, axis + first);
}

static double segment_distance(Vec3 p, Vec3 from, Vec3 to)
{
    Vec3 along = vec3_sub(to, from), arm = vec3_sub(p, from);
    double length2 = vec3_dot(along, along);
    double share = length2 > 0.0 ? fmin(1.0, fmax(0.0, vec3_dot(arm, along) / length2)) : 0.0;
    return vec3_length(vec3_add_scaled(arm, along, -share));
}

static double axis_distance(Vec3 p, const Vec3 *axis, int count)
{
    double least = INFINITY;
    for (int i = 0; i + 1 < count; i++)
        least = fmin(least, segment_distance(p, axis[i], axis[i + 1]));
    return least;
}

void bar_rings_deviation(const BarRings *rings, const double *positions, const Vec3 *axis, BarDeviation *out)
{
    const int last = rings->ring_count - 1;
    Vec3 rest = vec3_normalize(vec3_sub(rings->centers[last], rings->centers[0]));
    Vec3 end = vec3_sub(axis[last], axis[last - 1]);
    Vec3 across = vec3_add_scaled(end, rest, -vec3_dot(end, rest));
    double length = vec3_length(across);
    const Vec3 bent =
        length > 1e-6 * vec3_length(end) ? vec3_scale(across, 1.0 / length) : vec3_make(0.0, 0.0, 0.0);
    out->bulge = out->collapse = 0.0;
    for (int ring = 0; ring < rings->ring_count; ring++)
        out->profile[ring] = 0.0;
    for (int v = 0; v < rings->mesh->vertex_count; v++) {
        const int ring = rings->ring_of[v];
        if (ring < 0)
            continue;
        Vec3 arm = vec3_sub(point_at(rings->mesh->rest, v), rings->centers[ring]);
        double radius = vec3_length(arm);
        if (vec3_dot(arm, bent) > 1e-6 * radius)
            continue;
        const double *p = positions + 3 * (size_t)v;
        double deviation = axis_distance(vec3_make(p[0], p[1], p[2]), axis, rings->ring_count) / radius - 1.0;
        out->bulge = fmax(out->bulge, deviation);
        out->collapse = fmax(out->collapse, -deviation);
        if (fabs(deviation) > fabs(out->profile[ring]))
            out->profile[ring] = deviation;
    }
}
