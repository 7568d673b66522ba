/* Tests the alternative of CoR section 5, in which rotation and translation together minimise eq. 2, an
 * orthogonal Procrustes problem. Each vertex caches nine values: the integral of (v - p*)(v - p*)^T,
 * weighted by similarity. The blend of the joints' rotations is multiplied by these values, and the
 * rotation nearest to the product is that of the vertex. It is computed for every vertex of a rig's last
 * frame and compared with QLERP, which caches only the centre.
 *
 *   parameters
 *     sigma           sigma of eq. 1
 *     rounds          number of timing rounds
 *   measures
 *     linear_degrees  largest angle from the rotation nearest to the blend alone
 *     qlerp_degrees   largest angle from the rotation of QLERP
 *     svd_ns          time to compute a vertex's rotation on one thread
 *     qlerp_ns        time to compute a vertex's rotation by QLERP on one thread
 *     svd_ratio       svd_ns / qlerp_ns */
#include "harness/run/studies/study.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/nearest_rotation.h"
#include "methods/posing/rigid_quats.h"

enum { JOINTS = 2 };

/* A rig of two joints. weights [N] are the weights of the second joint. */
typedef struct TwoJoints {
    const Mesh *mesh;
    double *weights;               /* [N] */
    double matrices[JOINTS][3][3]; /* rotation of each joint in the last frame */
    Quat quats[JOINTS];            /* the same rotations as quaternions, all in one hemisphere */
} TwoJoints;

/* Returns the similarity of eq. 1. The formula is evaluated for both orders of the two joints, and the two
 * terms are added. */
static double similarity(double p, double v, double sigma)
{
    const double apart = (p * (1.0 - v) - (1.0 - p) * v) / sigma;
    return 2.0 * p * (1.0 - p) * v * (1.0 - v) * exp(-apart * apart);
}

/* Computes the values that a vertex caches, cached [3][3]: the integral over the triangles as in eq. 4.
 * They are zero if the vertex has a single joint. */
static void cross_product_find(const TwoJoints *rig, double weight, double sigma, double cached[3][3])
{
    double mass = 0.0, sum[3] = {0.0}, squares[3][3] = {{0.0}};
    for (int t = 0; t < rig->mesh->triangle_count; t++) {
        const int32_t *corner = rig->mesh->triangles + (ptrdiff_t)3 * t;
        const Vec3 a = point_at(rig->mesh->rest, corner[0]), b = point_at(rig->mesh->rest, corner[1]);
        const Vec3 c = point_at(rig->mesh->rest, corner[2]);
        const double mean =
            (rig->weights[corner[0]] + rig->weights[corner[1]] + rig->weights[corner[2]]) / 3.0;
        const double part =
            similarity(weight, mean, sigma) * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
        const double v[3] = {(a.x + b.x + c.x) / 3.0, (a.y + b.y + c.y) / 3.0, (a.z + b.z + c.z) / 3.0};
        mass += part;
        for (int i = 0; i < 9; i++) {
            sum[i % 3] += i < 3 ? part * v[i] : 0.0;
            squares[i / 3][i % 3] += part * v[i / 3] * v[i % 3];
        }
    }
    for (int i = 0; i < 9; i++)
        cached[i / 3][i % 3] =
            mass > 0.0 ? (squares[i / 3][i % 3] - sum[i / 3] * sum[i % 3] / mass) / mass : 0.0;
}

static void blend_linear(const TwoJoints *rig, double weight, double out[3][3])
{
    for (int i = 0; i < 9; i++)
        out[i / 3][i % 3] =
            (1.0 - weight) * rig->matrices[0][i / 3][i % 3] + weight * rig->matrices[1][i / 3][i % 3];
}

static void rotate_cached(const TwoJoints *rig, double weight, const double cached[3][3], double out[3][3])
{
    double blend[3][3];
    blend_linear(rig, weight, blend);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = blend[i][0] * cached[0][j] + blend[i][1] * cached[1][j] + blend[i][2] * cached[2][j];
    nearest_rotation((const double(*)[3])out, out);
}

static void rotate_qlerp(const TwoJoints *rig, double weight, double out[3][3])
{
    const Quat sum = quat_add_scaled(quat_scale(rig->quats[0], 1.0 - weight), rig->quats[1], weight);
    const Quat q = quat_normalize(sum);
    const double matrix[3][3] = {
        {1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.x * q.z + q.w * q.y)},
        {2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x)},
        {2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)}};
    memcpy(out, matrix, sizeof matrix);
}

/* Returns the angle between two rotations, from |A - B|_F = sqrt(8) sin(angle / 2). */
static double angle_degrees(double a[3][3], double b[3][3])
{
    double squared = 0.0;
    for (int i = 0; i < 9; i++)
        squared += pow(a[i / 3][i % 3] - b[i / 3][i % 3], 2.0);
    return 2.0 * asin(fmin(sqrt(squared / 8.0), 1.0)) * 180.0 / PI;
}

Status study_cached_rotation(const StudyInput *input, Measures *measures)
{
    const double sigma = study_number(input, "sigma", 0.1);
    const int rounds = study_rounds(input, 15.0);
    double linear = 0.0, qlerp = 0.0, sink = 0.0, times[2][STUDY_ROUNDS_MAX], ratios[STUDY_ROUNDS_MAX];
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.joint_count != JOINTS || dataset->rig.frame_count == 0 ||
        dataset->mesh.vertex_count == 0)
        return bad_input("there is no rig of two joints with transforms");
    const Rig *rig = &dataset->rig;
    const int vertices = dataset->mesh.vertex_count, slots = rig->influence_count;
    LOCAL_ARRAY(double, weights, vertices, "a study");
    LOCAL_TABLE(double, cached, vertices, 9, "a study");
    TwoJoints joints = {.mesh = &dataset->mesh, .weights = weights};
    /* get the rotations of the last frame, with quaternions in one hemisphere */
    const Transform *last = rig->transforms + (ptrdiff_t)JOINTS * (rig->frame_count - 1);
    QuatColumns columns;
    rigid_quats_find(last, JOINTS, false, &columns);
    for (int j = 0; j < JOINTS; j++) {
        transform_matrix(last[j], joints.matrices[j]);
        joints.quats[j] =
            quat_make(columns.values[0][j], columns.values[1][j], columns.values[2][j], columns.values[3][j]);
    }
    if (quat_dot(joints.quats[0], joints.quats[1]) < 0.0)
        joints.quats[1] = quat_scale(joints.quats[1], -1.0);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)vertices * slots; i++)
        weights[i / slots] += rig->weight_joints[i] == 1 ? (double)rig->weight_values[i] : 0.0;
    double(*matrices)[3][3] = (double(*)[3][3])(void *)cached;
    for (int j = 0; j < vertices; j++) {
        double plain[3][3], turned[3][3], blended[3][3];
        cross_product_find(&joints, weights[j], sigma, matrices[j]);
        if (!(matrices[j][0][0] + matrices[j][1][1] + matrices[j][2][2] > 0.0))
            for (int i = 0; i < 3; i++)
                matrices[j][i][i] = 1.0;
        blend_linear(&joints, weights[j], plain);
        nearest_rotation((const double(*)[3])plain, plain);
        rotate_cached(&joints, weights[j], (const double(*)[3])matrices[j], turned);
        rotate_qlerp(&joints, weights[j], blended);
        linear = fmax(linear, angle_degrees(turned, plain));
        qlerp = fmax(qlerp, angle_degrees(turned, blended));
    }
    for (int round = 0; round < rounds; round++) {
        double out[3][3];
        const double start_s = clock_now_s();
        for (int j = 0; j < vertices; j++) {
            rotate_cached(&joints, weights[j], (const double(*)[3])matrices[j], out);
            sink += out[0][0];
        }
        const double between_s = clock_now_s();
        for (int j = 0; j < vertices; j++) {
            rotate_qlerp(&joints, weights[j], out);
            sink += out[0][0];
        }
        times[0][round] = 1e9 * (between_s - start_s) / vertices;
        times[1][round] = 1e9 * (clock_now_s() - between_s) / vertices;
        ratios[round] = times[0][round] / times[1][round];
    }
    if (!isfinite(sink))
        return status_make(STATUS_CHECK_FAILED, "a rotation is not finite");
    measures_add(measures, "linear_degrees", linear);
    measures_add(measures, "qlerp_degrees", qlerp);
    measures_add_samples(measures, "svd_ns", times[0], rounds);
    measures_add_samples(measures, "qlerp_ns", times[1], rounds);
    measures_add_samples(measures, "svd_ratio", ratios, rounds);
    return status_ok();
}
