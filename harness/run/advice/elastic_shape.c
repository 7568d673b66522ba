/* Models the flesh under the skin as tetrahedra. Each triangle of the skin is the base of a tetrahedron
 * whose tip lies on the bone of the joint with the most weight at the triangle. Bones are rigid, and so are
 * vertices with at least the fraction BOUND of their weight on one joint. The flesh between them takes the
 * shape with the least strain. Thus the rig decides where the skin stretches, and elasticity decides
 * how. */
#include "harness/run/advice/elastic_shape.h"

#include "datasets/generate/projective.h"
#include "datasets/model/evaluate.h"
#include "datasets/rigging/bones.h"

enum {
    TIPS = 16,
    SHAPE_BLOCK = 32
}; /* TIPS is the number of points along a bone to which tetrahedra can be attached, including both ends.
      SHAPE_BLOCK is the number of poses that are solved together. */
static const double BOUND =
    0.99; /* a vertex is fixed to a joint that has at least this fraction of its weight */
static const double FLAT =
    0.02; /* smallest height of a tetrahedron, relative to the square root of its base area */

/* Returns the tip of the tetrahedron over a triangle: the point closest to the triangle's center, on the
 * bone of the joint with the most weight at the triangle's corners. */
static int triangle_tip(const Mesh *mesh, const Rig *rig, const Vec3 *tips, const int32_t *corners,
                        double *weights)
{
    int best = -1, tip = 0;
    Vec3 middle = {0.0, 0.0, 0.0};
    memset(weights, 0, (size_t)rig->joint_count * sizeof *weights);
    for (int i = 0; i < 3; i++) {
        middle = vec3_add_scaled(middle, point_at(mesh->rest, corners[i]), 1.0 / 3.0);
        for (int k = 0; k < rig->influence_count; k++) {
            const ptrdiff_t slot = (ptrdiff_t)corners[i] * rig->influence_count + k;
            const int joint = rig->weight_joints[slot];
            weights[joint] += (double)rig->weight_values[slot];
            if (best < 0 || weights[joint] > weights[best] ||
                (weights[joint] >= weights[best] && joint < best))
                best = joint;
        }
    }
    for (int i = 1; i < TIPS; i++) {
        const Vec3 *bone = tips + (ptrdiff_t)best * TIPS;
        tip = vec3_length(vec3_sub(bone[i], middle)) < vec3_length(vec3_sub(bone[tip], middle)) ? i : tip;
    }
    return best * TIPS + tip;
}

/* Makes the elastic body at rest: the vertices of the skin, followed by the points along all bones.
 * joint_of [vertex_count] receives the joint that moves a vertex rigidly; -1 if the vertex is free. */
static Status body_make(const Mesh *mesh, const Rig *rig, ProjectiveModel *body, int32_t *joint_of)
{
    const int vertices = mesh->vertex_count;
    double trace = 0.0;
    LOCAL_ARRAY(double, weights, rig->joint_count, "the elastic shapes");
    for (int v = 0; v < body->vertex_count; v++) {
        Vec3 from, end;
        if (v < vertices) {
            body->start[v] = point_at(mesh->rest, v);
            joint_of[v] = rig_heaviest_joint(rig, v);
            double total = 0.0;
            for (int k = 0; k < rig->influence_count; k++)
                if (rig->weight_joints[(ptrdiff_t)v * rig->influence_count + k] == joint_of[v])
                    total += (double)rig->weight_values[(ptrdiff_t)v * rig->influence_count + k];
            joint_of[v] = total >= BOUND ? joint_of[v] : -1;
        } else {
            joint_of[v] = (v - vertices) / TIPS;
            const double share = (double)((v - vertices) % TIPS) / (TIPS - 1);
            if (!joint_bone(rig, joint_of[v], &from, &end))
                from = end = rig_joint_place(rig, joint_of[v]);
            body->start[v] = vec3_add_scaled(from, vec3_sub(end, from), share);
        }
        if (joint_of[v] >= 0)
            body->pins[body->pin_count++] = v;
    }
    body->element_count = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (ptrdiff_t)t;
        const int tip = vertices + triangle_tip(mesh, rig, body->start + vertices, corners, weights);
        const int32_t picked[4] = {corners[0], corners[1], corners[2], tip};
        Vec3 rest[4];
        for (int i = 0; i < 4; i++)
            rest[i] = body->start[picked[i]];
        const Vec3 across = vec3_cross(vec3_sub(rest[1], rest[0]), vec3_sub(rest[2], rest[0]));
        const double base = vec3_length(across), high = fabs(vec3_dot(across, vec3_sub(rest[3], rest[0])));
        if (!(high > FLAT * base * sqrt(base)))
            continue;
        StrainElement *element = &body->elements[body->element_count++];
        strain_element_make(4, picked, rest, 1.0, element);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                trace += element->weight * element->gradients[i][k] * element->gradients[i][k];
    }
    for (int v = 0; v < body->vertex_count; v++)
        body->masses[v] = fmax(1e-4 * trace / body->vertex_count, 1e-300);
    return status_ok();
}

Status elastic_shapes(const Mesh *mesh, const Rig *rig, const Transform *transforms, int count, int threads,
                      const Progress *progress, float *shapes)
{
    const int joints = rig->joint_count;
    CLEANUP(projective_clear)
    ProjectiveModel body = {.vertex_count = mesh->vertex_count + TIPS * joints,
                            .element_count = mesh->triangle_count,
                            .corners = 4};
    const ptrdiff_t n = body.vertex_count;
    if (!rig->rest)
        return bad_input("has no rest frames (rig/rest), which an elastic reference needs to find the bones");
    body.pin_count = body.vertex_count;
    STATUS_TRY(projective_allocate(&body));
    body.pin_count = 0;
    LOCAL_ARRAY(int32_t, joint_of, n, "the elastic shapes");
    LOCAL_TABLE(Vec3, positions, SHAPE_BLOCK, n, "the elastic shapes");
    STATUS_TRY(body_make(mesh, rig, &body, joint_of));
    Rig posed = *rig;
    posed.transforms = (Transform *)transforms;
    for (int first = 0; first < count; first += SHAPE_BLOCK) {
        const int poses = int_min(count - first, SHAPE_BLOCK), parts = int_clamp(threads, 1, poses);
        Status status = status_ok();
        for (int f = 0; f < poses; f++)
            for (ptrdiff_t v = 0; v < n; v++)
                positions[f * n + v] =
                    joint_of[v] >= 0
                        ? transform_point(transforms[(ptrdiff_t)(first + f) * joints + joint_of[v]],
                                          body.start[v])
                        : rig_skin_point(&posed, first + f, (int)v, body.start[v], vec3_make(0.0, 0.0, 0.0));
#pragma omp parallel for num_threads(parts) schedule(static, 1)
        for (int part = 0; part < parts; part++) {
            const int from = poses * part / parts, end = poses * (part + 1) / parts;
            const Status result = projective_minimize(&body, end - from, positions + from * n);
#pragma omp critical(elastic_shapes_failure)
            status = result.code != STATUS_OK ? result : status;
        }
        STATUS_TRY(status);
        for (ptrdiff_t f = 0; f < poses; f++)
            for (ptrdiff_t v = 0; v < mesh->vertex_count; v++)
                point_set(shapes, (first + f) * mesh->vertex_count + v, positions[f * n + v]);
        if (!progress_report(progress, "elastic shapes", 0.1 * (first + poses) / count))
            return status_make(STATUS_STOPPED, "stopped after computing %d of %d elastic shapes",
                               first + poses, count);
    }
    return status_ok();
}
