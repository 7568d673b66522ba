/* Direct Delta Mush. The influences are computed by omega.h, or read from the rig if they were saved
 * there. */
#include "methods/skinning/direct-delta-mush/omega.h"

#include "datasets/geometry/jacobi.h"
#include "methods/posing/rigid_pose.h"

typedef enum DdmParameter {
    DDM_LAPLACIAN,
    DDM_LAMBDA,
    DDM_KAPPA,
    DDM_ALPHA,
    DDM_ITERATIONS,
    DDM_THRESHOLD,
    DDM_INFLUENCES,
    DDM_VARIANT,
    DDM_PARAMETER_COUNT
} DdmParameter;

/* Names of the kernel's variants, in their order. */
static const char *const variant_choices[] = {"v0", "v2", "v3", "v4", "v5", NULL};

#define DDM_ALPHA_DEFAULT 0.8
enum { VERTEX_VALUES = 4, DDM_JOINT_FLOATS = 16 }; /* numbers per joint: a matrix and a quaternion */

static const Parameter ddm_parameters[DDM_PARAMETER_COUNT + 1] = {
    [DDM_LAPLACIAN] = {"laplacian", "weights of the edges of the Laplacian", PARAMETER_CHOICE,
                       LAPLACIAN_UNIFORM, 0, 0, laplacian_choices},
    [DDM_LAMBDA] = {"lambda", "step size of the smoothing of rotations", PARAMETER_REAL, 3.0, 0.0, 1e4, NULL},
    [DDM_KAPPA] = {"kappa", "step size of the smoothing of translations", PARAMETER_REAL, 1.0, 0.0, 1e4,
                   NULL},
    [DDM_ALPHA] = {"alpha", "how much the smoothing by kappa contributes to the translation", PARAMETER_REAL,
                   DDM_ALPHA_DEFAULT, 0.0, 1.0, NULL},
    [DDM_ITERATIONS] = {"iterations", "number of steps of each smoothing", PARAMETER_INTEGER, 16, 0, 1000,
                        NULL},
    [DDM_THRESHOLD] = {"threshold",
                       "joints with at most this weight at a vertex are merged into the nearest other joint",
                       PARAMETER_REAL, 1e-14, 0.0, 0.5, NULL},
    [DDM_INFLUENCES] = {"influences", "maximum number of joints per vertex; the heaviest are kept",
                        PARAMETER_INTEGER, 4096, 1, 4096, NULL},
    [DDM_VARIANT] = {"variant", "how rotation and translation are found (section 4)", PARAMETER_CHOICE, 0, 0,
                     0, variant_choices},
};
_Static_assert(DDM_THRESHOLD + 1 == SMOOTHING_PARAMETERS,
               "the parameters up to the threshold are saved with the rig");

/* Largest alpha that is used; the parameter may be 1. M is (1 - alpha) times the matrix without the
 * smoothing of translations (section 3.4). The rotation therefore does not depend on alpha, but it is
 * undefined for alpha = 1. Using this value instead of 1 displaces vertices by a millionth of the distance
 * between the two translations. */
static const double ALPHA_MAX = 1.0 - 0x1p-20;

/* Returns the fraction of a joint's weight in Omega that acts on the rotation, relative to its value for
 * the default alpha. The result is at most 1. */
static double rotation_share(const double *parameters)
{
    return fmin(1.0, (1.0 - fmin(parameters[DDM_ALPHA], ALPHA_MAX)) / (1.0 - DDM_ALPHA_DEFAULT));
}

/* Returns the options for computing Omega. Their threshold is far below the method's, because the method
 * does not drop joints below its own threshold but merges them into others. */
static OmegaOptions omega_options(const double *parameters, int threads)
{
    return (OmegaOptions){
        .laplacian = (LaplacianWeights)parameters[DDM_LAPLACIAN],
        .lambda = parameters[DDM_LAMBDA],
        .kappa = parameters[DDM_KAPPA],
        .alpha = fmin(parameters[DDM_ALPHA], ALPHA_MAX),
        .iterations = (int)parameters[DDM_ITERATIONS],
        .threshold = fmin(parameters[DDM_THRESHOLD], 1e-14) * rotation_share(parameters),
        .threads = threads,
    };
}

/* Returns whether the influences saved in the rig can be used: all parameters are equal, except that the
 * method's threshold may be larger. */
static bool saved_fits(const Rig *rig, const double *parameters)
{
    bool fits = rig->smoothed.first && parameters[DDM_THRESHOLD] >= rig->smoothing[DDM_THRESHOLD];
    for (int i = 0; fits && i < DDM_THRESHOLD; i++)
        fits = rig->smoothing[i] == parameters[i];
    return fits;
}

/* A joint whose weight is below this value moves a vertex by less than the rounding error of floats
 * (README.md). */
static const double FLOAT_THRESHOLD = 1e-7;

static double omega_weight(const JointValues *omega, int64_t entry)
{
    return fabs(omega->values[entry * OMEGA_VALUES + OMEGA_WEIGHT]);
}

/* Returns the number of steps between two joints in the hierarchy. Parents come before their children in
 * `parents`. */
static int joint_steps(const int32_t *parents, int one, int other)
{
    int steps = 0;
    for (; one != other; steps++) {
        if (one > other)
            one = parents[one];
        else
            other = parents[other];
    }
    return steps;
}

/* Scales Omega of a vertex and joint, and converts its moments to moments about p, the vertex's smoothed
 * position. */
static void influence_center(const double *place, double scale, double *weight, double *values)
{
    double *arm = values + OMEGA_PLACE;
    *weight *= scale;
    for (int index = 0; index < OMEGA_WEIGHT; index++)
        values[index] *= scale;
    for (int row = 0, index = 0; row < 3; row++)
        for (int column = row; column < 3; column++, index++)
            values[index] +=
                *weight * place[row] * place[column] - arm[row] * place[column] - place[row] * arm[column];
    for (int axis = 0; axis < 3; axis++)
        arm[axis] -= *weight * place[axis];
}

/* Stores the factor that scales M to about 1 as the vertex's fourth value, and makes the nearest rotation
 * of a rigid motion unique. It is unique if the two smaller eigenvalues of the sum S of the moments have a
 * positive sum. They do not if the neighbours lie on a line or at one point, or if some have negative
 * weights (cotangent weights of obtuse triangles). In that case each joint gets a share of the identity, in
 * proportion to its weight, which draws the rotation towards that of linear blending. */
static void moments_mend(const SkinningInfluences *out, size_t v, int64_t end, double iterations)
{
    const double LEAST = 1e-4,
                 rounding =
                     1e-15 *
                     (8.0 +
                      iterations); /* relative rounding error, which every solve of the smoothing increases */
    double *vertex = out->vertex_values + VERTEX_VALUES * v;
    double sum[6] = {0.0}, vectors[9], places = 0.0;
    for (int axis = 0; axis < 3; axis++)
        places += vertex[axis] * vertex[axis];
    for (int64_t i = out->first[v]; i < end; i++)
        for (int k = 0; k < OMEGA_PLACE; k++)
            sum[k] += out->values[i * OMEGA_WEIGHT + k];
    double s[9] = {sum[0], sum[1], sum[2], sum[1], sum[3], sum[4], sum[2], sum[4], sum[5]};
    jacobi_eigen(s, 3, vectors);
    const double max = fmax(fmax(s[0], s[4]), s[8]), min = fmin(fmin(s[0], s[4]), s[8]);
    const double size = fmax(max, -min), lesser = s[0] + s[4] + s[8] - max;
    const bool point = !(size > rounding * places);
    double added = lesser < LEAST * size ? 0.1 * size - fmin(lesser, 0.0) : 0.0;
    if (point)
        added = 1.0;
    for (int64_t i = out->first[v]; i < end && added > 0.0; i++) {
        double *values = out->values + i * OMEGA_WEIGHT;
        if (point)
            memset(values, 0, OMEGA_WEIGHT * sizeof *values);
        values[0] += added * out->weights[i];
        values[3] += added * out->weights[i];
        values[5] += added * out->weights[i];
    }
    vertex[3] = 1.0 / (point ? 1.0 : size + added);
}

static void omega_free(void *omega)
{
    joint_values_clear(omega);
    memory_free(omega);
}

static Status ddm_prepare(const SkinningBinding *binding, void **out)
{
    const OmegaOptions options = omega_options(binding->parameters, binding->threads);
    if (saved_fits(binding->rig, binding->parameters))
        return status_ok();
    JointValues *omega = NULL;
    ALLOCATE(omega, 1, "the matrices of the joints");
    *out = omega;
    return omega_compute(binding->mesh, binding->rig, &options, omega);
}

/* Chooses the influences of each vertex: the heaviest joints above the threshold, up to the maximum number.
 * Every other joint is merged into the chosen joint nearest to it in the hierarchy, so the sum over the
 * joints does not change. */
static Status ddm_influences(const SkinningBinding *binding, SkinningInfluences *out)
{
    const double *parameters = binding->parameters;
    const double threshold = fmax(parameters[DDM_THRESHOLD], binding->in_floats ? FLOAT_THRESHOLD : 0.0) *
                             rotation_share(parameters);
    const size_t vertices = (size_t)binding->mesh->vertex_count;
    const JointValues *omega = binding->prepared ? binding->prepared : &binding->rig->smoothed;
    const size_t max = (size_t)omega->first[vertices];
    ALLOCATE(out->first, vertices + 1, "the influences of direct-delta-mush");
    ALLOCATE_TABLE(out->vertex_values, vertices, VERTEX_VALUES, "the influences of direct-delta-mush");
    ALLOCATE(out->joints, max, "the influences of direct-delta-mush");
    ALLOCATE(out->weights, max, "the influences of direct-delta-mush");
    ALLOCATE_TABLE(out->values, max, OMEGA_WEIGHT, "the influences of direct-delta-mush");
    int64_t kept = 0;
    LOCAL_ARRAY(int64_t, slots, binding->rig->joint_count, "the influences of direct-delta-mush");
    for (size_t v = 0; v < vertices; v++) {
        const int64_t first = omega->first[v], end = omega->first[v + 1];
        double *place = out->vertex_values + VERTEX_VALUES * v, sum = 0.0;
        for (int64_t i = first; i < end; i++) {
            const double weight = omega_weight(omega, i);
            int heavier = 0;
            for (int64_t other = first; other < end; other++)
                heavier += omega_weight(omega, other) > weight ||
                           (omega_weight(omega, other) == weight && other < i);
            slots[i - first] = -1;
            if (heavier == 0 || (weight > threshold && heavier < (int)parameters[DDM_INFLUENCES])) {
                out->joints[kept] = omega->joints[i];
                slots[i - first] = kept++;
            }
        }
        for (int64_t i = first; i < end; i++) {
            const double *source = omega->values + i * OMEGA_VALUES;
            int64_t slot = slots[i - first];
            for (int64_t candidate = out->first[v], fewest = INT64_MAX;
                 candidate < kept && slots[i - first] < 0; candidate++) {
                const int steps =
                    joint_steps(binding->rig->parents, omega->joints[i], out->joints[candidate]);
                if (steps < fewest) {
                    slot = candidate;
                    fewest = steps;
                }
            }
            for (int k = 0; k < OMEGA_WEIGHT; k++)
                out->values[slot * OMEGA_WEIGHT + k] += source[k];
            out->weights[slot] += source[OMEGA_WEIGHT];
            for (int axis = 0; axis < 3; axis++)
                place[axis] += source[OMEGA_PLACE + axis];
            sum += source[OMEGA_WEIGHT];
        }
        sum = sum > 0.0 ? sum : 1.0;
        for (int axis = 0; axis < 3; axis++)
            place[axis] /= sum;
        for (int64_t i = out->first[v]; i < kept; i++)
            influence_center(place, 1.0 / sum, &out->weights[i], out->values + i * OMEGA_WEIGHT);
        moments_mend(out, v, kept, parameters[DDM_ITERATIONS]);
        out->first[v + 1] = kept;
    }
    return status_ok();
}

/* Fills in the palette: matrices, and unit quaternions for the variants that blend them. */
static Status ddm_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    const int joints = binding->rig->joint_count, variant = (int)binding->parameters[DDM_VARIANT];
    double *values = pose->joint_values;
    memset(values, 0, (size_t)joints * DDM_JOINT_FLOATS * sizeof *values);
    if (variant == 1 || variant == 3) /* write dual quaternions; their second half is overwritten below */
        rigid_pose_dual_quats(binding->rig, pose->transforms, values + 8, DDM_JOINT_FLOATS);
    for (int joint = 0; joint < joints; joint++, values += DDM_JOINT_FLOATS) {
        memcpy(values + 12, values + 8, 4 * sizeof *values);
        memcpy(values, &pose->transforms[joint], sizeof(Transform));
    }
    memset(pose->set_variants, variant, (size_t)binding->sets->set_count);
    return status_ok();
}

enum { DDM_INFLUENCE_COUNT, DDM_COUNTER_COUNT };

static const SkinningCounter ddm_precompute_counters[DDM_COUNTER_COUNT] = {
    [DDM_INFLUENCE_COUNT] = {"influences", "pairs of a vertex and a joint that influences it"},
};

static Status ddm_precompute(const SkinningPrecomputation *work, Rig *rig, double *counts)
{
    const OmegaOptions options = omega_options(work->parameters, work->threads);
    CLEANUP(joint_values_clear) JointValues omega = {0};
    STATUS_TRY(omega_compute(work->mesh, rig, &options, &omega));
    joint_values_clear(&rig->smoothed);
    rig->smoothed = omega;
    memcpy(rig->smoothing, work->parameters, sizeof rig->smoothing);
    rig->smoothing[DDM_THRESHOLD] = options.threshold;
    counts[DDM_INFLUENCE_COUNT] = (double)omega.first[work->mesh->vertex_count];
    omega = (JointValues){0};
    return status_ok();
}

const SkinningMethod direct_delta_mush_method = {
    .name = "direct-delta-mush",
    .title = "Direct Delta Mush",
    .citation = "Le and Lewis 2019, section 3",
    .summary = "Computes the smoothing of Delta Mush in advance, so that each vertex is skinned on its own.",
    .parameters = ddm_parameters,
    .floats_per_joint = DDM_JOINT_FLOATS,
    .floats_per_vertex = VERTEX_VALUES,
    .floats_per_influence = OMEGA_WEIGHT,
    .variant_count = 5,
    .allows_zero_weight_padding = true,
    .rigid_only = true,
    .tolerance = 5e-5,
    .prepare = ddm_prepare,
    .prepared_release = omega_free,
    .influences = ddm_influences,
    .pose = ddm_pose,
    .precompute = ddm_precompute,
    .precompute_counters = ddm_precompute_counters,
    .precompute_counter_count = DDM_COUNTER_COUNT,
};
