/* Compares two ways to find the normals of a fitted rig (FESAM section 5). Normals that follow the bones are
 * sum_k w_k M_k^-T n. Averaged normals are computed from the skinned triangles around a vertex. Both are
 * compared with the averaged normals of the animation itself, after a fit with preset=paper.
 *
 *   parameters
 *     bones, iterations    number of bones and of iterations of the fit
 *     rounds               number of timing rounds; each takes one frame
 *   measures
 *     followed_degrees     mean angle between the normals that follow the bones and the animation's
 *     averaged_degrees     mean angle between the averaged normals and the animation's
 *     apart_degrees        mean angle between the two
 *     followed_ns          time per vertex to invert the transformations of a frame and blend the normals
 *     averaged_ns          time per vertex to average the normals of the triangles of a frame
 *     averaged_ratio       averaged_ns / followed_ns */
#include "harness/run/studies/study.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/transform_parts.h"
#include "datasets/model/evaluate.h"

/* Computes normals [N][3] that follow the bones in a frame, not normalised. palette [P] is workspace. */
static void normals_follow(const Rig *rig, int vertices, int frame, const double *rest, Transform *palette,
                           double *normals)
{
    for (int bone = 0; bone < rig->joint_count; bone++) {
        const Transform map = rig->transforms[(ptrdiff_t)frame * rig->joint_count + bone];
        palette[bone] = map;
        (void)transform_inverse(map, &palette[bone]);
    }
    for (ptrdiff_t v = 0; v < vertices; v++) {
        const double *n = rest + 3 * v;
        double sum[3] = {0.0};
        for (ptrdiff_t slot = v * rig->influence_count; slot < (v + 1) * rig->influence_count; slot++) {
            const double weight = (double)rig->weight_values[slot];
            const Transform *m = &palette[rig->weight_joints[slot]];
            sum[0] += weight * (m->m00 * n[0] + m->m10 * n[1] + m->m20 * n[2]);
            sum[1] += weight * (m->m01 * n[0] + m->m11 * n[1] + m->m21 * n[2]);
            sum[2] += weight * (m->m02 * n[0] + m->m12 * n[1] + m->m22 * n[2]);
        }
        memcpy(normals + 3 * v, sum, sizeof sum);
    }
}

/* Returns the angle between two vectors in degrees, or NAN if one of them is zero. */
static double degrees_between(Vec3 one, Vec3 other)
{
    const double sine = vec3_length(vec3_cross(one, other)), cosine = vec3_dot(one, other);
    return sine == 0.0 && cosine == 0.0 ? NAN : atan2(sine, cosine) * 180.0 / PI;
}

Status study_fit_normals(const StudyInput *input, Measures *measures)
{
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->animation.frame_count < 1 || dataset->mesh.triangle_count < 1)
        return bad_input("there is no animation of triangles to fit");
    CLEANUP(decomposition_result_clear) DecompositionResult fit = {0};
    STATUS_TRY(study_fit_as_paper(input, (int)study_number(input, "iterations", 15.0), &fit));
    const int vertices = dataset->mesh.vertex_count, frames = dataset->animation.frame_count,
              rounds = int_min(study_rounds(input, 9.0), frames);
    const int32_t *triangles = dataset->mesh.triangles;
    const int triangle_count = dataset->mesh.triangle_count;
    Mesh mesh = dataset->mesh;
    mesh.rest = fit.rest;
    LOCAL_TABLE(double, normals, vertices, 12, "the normals");
    LOCAL_TABLE(float, skinned, vertices, 3, "the normals");
    LOCAL_ARRAY(Transform, palette, fit.rig.joint_count, "the normals");
    double *rest = normals, *target = normals + 3 * (ptrdiff_t)vertices,
           *followed = target + 3 * (ptrdiff_t)vertices, *averaged = followed + 3 * (ptrdiff_t)vertices,
           sums[3] = {0.0}, counts[3] = {0.0};
    double times[2][STUDY_ROUNDS_MAX];
    vertex_normals(triangles, triangle_count, vertices, fit.rest, rest);
    for (int f = 0; f < frames; f++) {
        for (int v = 0; v < vertices; v++)
            point_set(skinned, v, model_point(&mesh, &fit.rig, &fit.low_rank, f, v));
        vertex_normals(triangles, triangle_count, vertices,
                       dataset->animation.positions + 3 * (ptrdiff_t)f * vertices, target);
        const double start_s = clock_now_s();
        normals_follow(&fit.rig, vertices, f, rest, palette, followed);
        const double between_s = clock_now_s();
        vertex_normals(triangles, triangle_count, vertices, skinned, averaged);
        if (f < rounds) {
            times[0][f] = 1e9 * (between_s - start_s) / vertices;
            times[1][f] = 1e9 * (clock_now_s() - between_s) / vertices;
        }
        for (ptrdiff_t v = 0; v < vertices; v++) {
            const double *pairs[3][2] = {{followed, target}, {averaged, target}, {followed, averaged}};
            for (int i = 0; i < 3; i++) {
                const double angle =
                    degrees_between(vector_at(pairs[i][0], (size_t)v), vector_at(pairs[i][1], (size_t)v));
                sums[i] += isnan(angle) ? 0.0 : angle;
                counts[i] += !isnan(angle);
            }
        }
    }
    measures_add(measures, "followed_degrees", sums[0] / counts[0]);
    measures_add(measures, "averaged_degrees", sums[1] / counts[1]);
    measures_add(measures, "apart_degrees", sums[2] / counts[2]);
    study_add_times(measures, (const char *const[]){"followed_ns", "averaged_ns"},
                    (const double *const[]){times[0], times[1]}, rounds, "averaged_ratio");
    return status_ok();
}
