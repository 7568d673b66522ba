/* Measures how far a method pulls apart two vertices that coincide and have similar weights. The gap
 * appears as a crack. Joints 1 and 2 are siblings at a distance of 2, rotated by 70 and -20 degrees about
 * z. Joint 3 beside them is rotated by 30 degrees about x.
 *   set_gap      one vertex has joints 1 and 2 at (1 - w) / 2 each, and joint 3 at w; the other
 *                lacks joint 3. They have different joint sets, and in SBS different centres for
 *                any w (DQS Figure 8)
 *   nearest_gap  both have joints 1 and 2 at 1/2; one is closer to joint 1, the other to joint 2
 *                (DQS Figure 7)
 *   parameters: method, set; the method "sbs-per-vertex" is SBS with a centre for each vertex */

#include "datasets/geometry/jacobi.h"
#include "harness/run/studies/small_rig.h"

enum { WEIGHT_COUNT = 9, VERTEX_COUNT = 2 * WEIGHT_COUNT + 2 };

/* Returns the weight w of step i, one of 0.1, 0.03, 0.01, ... */
static double weight_at(int i)
{
    return pow(10.0, -1.0 - 0.5 * i);
}

/* Finds the centre that DQS section 2.3 wishes for SBS: one for each vertex, by its weights. It minimises
 *   sum over a < b of w_a w_b |C_a r - C_b r|^2
 * by the normal equations, and has the smallest norm if there are several. */
static Vec3 weighted_center(const SmallRig *rig, const float *weights)
{
    double normal[9] = {0.0}, side[3] = {0.0}, vectors[9], center[3] = {0.0}, max = 0.0;
    for (int a = 0; a < rig->joint_count; a++)
        for (int b = 0; b < a; b++) {
            const Transform difference = transform_add_scaled(rig->pose[a], rig->pose[b], -1.0);
            const double *d = &difference.m00, weight = (double)weights[a] * (double)weights[b];
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++) {
                    side[i] -= weight * d[4 * k + i] * d[4 * k + 3];
                    for (int j = 0; j < 3; j++)
                        normal[3 * i + j] += weight * d[4 * k + i] * d[4 * k + j];
                }
        }
    jacobi_eigen(normal, 3, vectors);
    for (int i = 0; i < 3; i++)
        max = fmax(max, normal[4 * i]);
    for (int i = 0; i < 3; i++) {
        double along = 0.0;
        for (int k = 0; k < 3; k++)
            along += vectors[3 * k + i] * side[k];
        for (int k = 0; k < 3 && normal[4 * i] > 1e-12 * max; k++)
            center[k] += vectors[3 * k + i] * along / normal[4 * i];
    }
    return vec3_make(center[0], center[1], center[2]);
}

/* Skins by SBS eq. 9 with a centre for each vertex. */
static void skin_per_vertex(const SmallRig *rig, const Quat *quats, double *out)
{
    for (int v = 0; v < rig->vertex_count; v++) {
        const float *weights = rig->weights + (ptrdiff_t)v * rig->joint_count;
        const Vec3 center = weighted_center(rig, weights);
        Quat sum = quat_make(0.0, 0.0, 0.0, 0.0);
        Vec3 moved = vec3_make(0.0, 0.0, 0.0);
        for (int j = 0; j < rig->joint_count; j++) {
            const double weight = (double)weights[j];
            sum = quat_add_scaled(sum, quats[j], quat_dot(sum, quats[j]) < 0.0 ? -weight : weight);
            moved = vec3_add_scaled(moved, transform_point(rig->pose[j], center), weight);
        }
        const Vec3 arm = vec3_sub(point_at(rig->positions, v), center);
        vector_store(vec3_add(quat_rotate(quat_normalize(sum), arm), moved), out + 3 * (ptrdiff_t)v);
    }
}

Status study_discontinuity(const StudyInput *input, Measures *measures)
{
    double out[3 * VERTEX_COUNT], weights[WEIGHT_COUNT], gaps[WEIGHT_COUNT];
    SkinnerOptions options;
    CLEANUP(small_rig_clear) SmallRig rig = {0};
    STATUS_TRY(small_rig_init(4, VERTEX_COUNT, &rig));
    const Vec3 z = vec3_make(0.0, 0.0, 1.0), x = vec3_make(1.0, 0.0, 0.0), zero = vec3_make(0.0, 0.0, 0.0);
    const Vec3 positions[] = {zero, vec3_make(-1.0, 0.0, 0.0), vec3_make(1.0, 0.0, 0.0),
                              vec3_make(0.0, 2.0, 0.0)};
    const Vec3 axes[] = {z, z, z, x};
    const double degrees[] = {0.0, 70.0, -20.0, 30.0};
    Quat quats[4];
    for (int j = 0; j < rig.joint_count; j++) {
        quats[j] = quat_turn(axes[j], degrees[j] * PI / 180.0);
        rig.parents[j] = j == 0 ? -1 : 0;
        rig.rest[j] = transform_translate(positions[j]);
        rig.pose[j] = transform_rotate_about(axes[j], degrees[j] * PI / 180.0, positions[j], zero);
    }
    const Vec3 middle = vec3_make(0.0, 0.5, 0.0);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        double w = weight_at(i);
        small_rig_vertex(&rig, 2 * i, middle, (double[]){0.0, 0.5, 0.5, 0.0});
        small_rig_vertex(&rig, 2 * i + 1, middle, (double[]){0.0, 0.5 * (1.0 - w), 0.5 * (1.0 - w), w});
    }
    for (int i = 0; i < 2; i++)
        small_rig_vertex(&rig, 2 * WEIGHT_COUNT + i, vec3_make(i == 0 ? -1e-6 : 1e-6, 0.5, 0.0),
                         (double[]){0.0, 0.5, 0.5, 0.0});
    const char *method = study_text(input, "method", "sbs");
    if (strcmp(method, "sbs-per-vertex") == 0) {
        skin_per_vertex(&rig, quats, out);
    } else {
        STATUS_TRY(study_method(input, method, "set", &options));
        STATUS_TRY(small_rig_skin(&rig, &options, out));
    }
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weights[i] = weight_at(i);
        gaps[i] = study_distance(out + 6 * i, out + 6 * i + 3);
    }
    measures_add(measures, "set_gap_1e-2", gaps[2]);
    measures_add(measures, "set_gap_1e-4", gaps[6]);
    measures_add(measures, "set_gap_1e-5", gaps[8]);
    measures_add(measures, "nearest_gap", study_distance(out + 6 * WEIGHT_COUNT, out + 6 * WEIGHT_COUNT + 3));
    measures_add_curve(measures, "weight", weights, WEIGHT_COUNT);
    measures_add_curve(measures, "set_gap", gaps, WEIGHT_COUNT);
    return status_ok();
}
