/* Checks rigs: the hierarchy, weights, rest frames and transformations, and whether the joints are near the
 * mesh. */
#include "datasets/model/check.h"

#include "datasets/geometry/enclosing_ball.h"
#include "datasets/geometry/points.h"

/* Tolerance for the sum of weights. Rounding to float changes the sum by about 1e-7 per influence. The
 * tolerance also accepts text files whose weights have 6 digits. */
static const double SUM_TOLERANCE = 1e-4;

static void check_parent_order(const Dataset *dataset, CheckFinding *finding)
{
    for (int j = 0; j < dataset->rig.joint_count; j++)
        if (dataset->rig.parents[j] < -1 || dataset->rig.parents[j] >= j)
            check_fault(finding, "rig/parents[%d] is %d, expected -1 or a joint before it", j,
                        dataset->rig.parents[j]);
}

static int joint_names_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static Status check_joint_names(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    LOCAL_ARRAY(const char *, names, rig->joint_count, "the joints' names");
    for (int j = 0; j < rig->joint_count; j++)
        names[j] = rig->joint_names[j] ? rig->joint_names[j] : "";
    if (rig->joint_count > 0)
        qsort((void *)names, (size_t)rig->joint_count, sizeof *names, joint_names_compare);
    for (int j = 0; j < rig->joint_count; j++) {
        if (!text_is_printable(names[j]) || strlen(names[j]) > CHECK_NAME_BYTES_MAX)
            check_fault(finding,
                        "a joint's name has %zu bytes, expected %d or fewer, all printable UTF-8: %.64s",
                        strlen(names[j]), CHECK_NAME_BYTES_MAX, names[j]);
        if (names[j][0] == '\0')
            check_fault(finding, "a joint has no name");
        else if (j > 0 && strcmp(names[j - 1], names[j]) == 0)
            check_fault(finding, "two joints are called '%s'", names[j]);
    }
    return status_ok();
}

/* Joints and weights of the influences of one vertex. */
typedef struct Slots {
    const int32_t *joints;
    const float *values;
    int count;
} Slots;

static Slots slots_of(const Rig *rig, int vertex)
{
    size_t first = (size_t)vertex * (size_t)rig->influence_count;
    return (Slots){rig->weight_joints + first, rig->weight_values + first, rig->influence_count};
}

/* Returns the number of vertices whose weights are checked, which is 0 if there is no rig. */
static int bound_vertices(const Dataset *dataset)
{
    return dataset->rig.joint_count > 0 ? dataset->mesh.vertex_count : 0;
}

static void check_joint_range(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    const int64_t count = (int64_t)bound_vertices(dataset) * rig->influence_count;
    const uint32_t joints = (uint32_t)rig->joint_count;
    int beyond = 0;
    for (int64_t i = 0; i < count; i++)
        beyond |= (uint32_t)rig->weight_joints[i] >= joints;
    for (int64_t i = 0; beyond && i < count && !(finding->first_only && finding->count > 0); i++)
        if ((uint32_t)rig->weight_joints[i] >= joints)
            check_fault(finding, "rig/weights/joints[%lld,%lld] is %d, expected 0 to %d",
                        (long long)i / rig->influence_count, (long long)i % rig->influence_count,
                        rig->weight_joints[i], rig->joint_count - 1);
}

static void check_joint_duplicate(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(&dataset->rig, v);
        for (int k = 0; k < slots.count; k++)
            for (int i = 0; i < k && slots.values[k] != 0.0f; i++)
                if (slots.values[i] != 0.0f && slots.joints[i] == slots.joints[k])
                    check_fault(finding, "vertex %d lists joint %d in slots %d and %d", v, slots.joints[k], i,
                                k);
    }
}

static Status check_joint_unused(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    LOCAL_ARRAY(unsigned char, used, rig->joint_count, "the joints");
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(rig, v);
        for (int k = 0; k < slots.count; k++)
            if (slots.values[k] != 0.0f && slots.joints[k] >= 0 && slots.joints[k] < rig->joint_count)
                used[slots.joints[k]] = 1;
    }
    for (int j = 0; j < rig->joint_count; j++)
        if (!used[j])
            check_fault(finding, "joint %d (%s) moves no vertex", j,
                        rig->joint_names[j] ? rig->joint_names[j] : "");
    return status_ok();
}

static double weight_sum(Slots slots)
{
    double sum = 0.0;
    for (int k = 0; k < slots.count; k++)
        sum += slots.values[k];
    return sum;
}

static void check_weight_none(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset) && !(finding->first_only && finding->count > 0); v++) {
        double sum = weight_sum(slots_of(&dataset->rig, v));
        if (sum <= 0.0)
            check_fault(finding, "rig/weights/values of vertex %d have the sum %g, expected 1", v, sum);
    }
}

static void check_weight_sum(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        double sum = weight_sum(slots_of(&dataset->rig, v));
        if (sum > 0.0 && fabs(sum - 1.0) > SUM_TOLERANCE)
            check_fault(finding,
                        "the weights of vertex %d have the sum %.9g, expected 1 within %g; "
                        "`weights prune --influences %d` scales the weights to sum to 1",
                        v, sum, SUM_TOLERANCE, dataset->rig.influence_count);
    }
}

static void check_weight_tiny(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(&dataset->rig, v);
        for (int k = 0; k < slots.count; k++)
            if (slots.values[k] > 0.0f && (double)slots.values[k] < WEIGHT_NEGLIGIBLE)
                check_fault(finding,
                            "vertex %d has the weight %.3g for joint %d, which has no visible effect, "
                            "but may move the centres of rotation of sbs and qb; `weights prune` removes "
                            "such weights",
                            v, (double)slots.values[k], slots.joints[k]);
    }
}

static void check_weight_negative(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(&dataset->rig, v);
        for (int k = 0; k < slots.count; k++)
            if (slots.values[k] < 0.0f)
                check_fault(finding,
                            "rig/weights/values[%d,%d] is %g; "
                            "`weights prune` refuses vertices whose largest weights sum to 0 or less",
                            v, k, (double)slots.values[k]);
    }
}

static bool transform_finite(const Transform *transform)
{
    const double *values = &transform->m00;
    for (int i = 0; i < 12; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Returns the largest element of |A A^T - I|, where A is the 3 x 3 part of the transformation. */
static double transform_departure(const Transform *t)
{
    const Vec3 rows[3] = {vec3_make(t->m00, t->m01, t->m02), vec3_make(t->m10, t->m11, t->m12),
                          vec3_make(t->m20, t->m21, t->m22)};
    double worst = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            worst = fmax(worst, fabs(vec3_dot(rows[i], rows[k]) - (i == k)));
    return worst;
}

/* Whether a transformation has no usable inverse, because its axes are nearly coplanar or an axis has
 * almost no length. */
static bool transform_singular(const Transform *transform)
{
    const double VANISHING = 1e-30, FLAT = 1e-12;
    Vec3 axes[3];
    transform_axes(*transform, axes);
    const double size = vec3_length(axes[0]) * vec3_length(axes[1]) * vec3_length(axes[2]);
    const double determinant = fabs(transform_determinant(*transform));
    return transform_finite(transform) && (determinant <= FLAT * size || determinant < VANISHING);
}

static void check_rest_frame_singular(const Dataset *dataset, CheckFinding *finding)
{
    for (int j = 0; j < dataset->rig.joint_count; j++) {
        const Transform *rest = &dataset->rig.rest[j];
        if (transform_singular(rest))
            check_fault(finding, "rig/rest[%d] has the determinant %g and cannot be inverted", j,
                        transform_determinant(*rest));
    }
}

static void check_rest_frame_rigid(const Dataset *dataset, CheckFinding *finding)
{
    for (int j = 0; j < dataset->rig.joint_count; j++) {
        double departure = transform_departure(&dataset->rig.rest[j]);
        if (departure > RIGID_TOLERANCE)
            check_fault(finding, "rig/rest[%d] differs from a rotation by %g", j, departure);
    }
}

static void check_scale(const Dataset *dataset, CheckFinding *finding)
{
    if (dataset->rig.scale)
        check_fault(finding,
                    "rig/scale is present; only `skin --two-phase` applies it, and measure refuses it");
}

/* Runs the row of the table that finding->code names. Several rows, which check transforms, share this
 * function. */
static void check_transforms(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    const bool rigid = strcmp(finding->code, "transform-rigid") == 0,
               mirrored = strcmp(finding->code, "transform-mirrored") == 0;
    for (int64_t i = 0; i < (int64_t)rig->frame_count * rig->joint_count; i++) {
        const Transform *t = &rig->transforms[i];
        const double number = rigid ? transform_departure(t) : transform_determinant(*t);
        const char *fault = NULL;
        if (rigid && number > RIGID_TOLERANCE)
            fault = "is refused by rigid methods: it differs from a rotation by";
        else if (mirrored && number < 0.0)
            fault = "mirrors, which rigid methods refuse: its determinant is";
        else if (!rigid && !mirrored && transform_singular(t))
            fault = "cannot be skinned in two phases: its determinant is";
        if (fault)
            check_fault(finding, "rig/transforms[%lld,%lld] %s %g", (long long)i / rig->joint_count,
                        (long long)i % rig->joint_count, fault, number);
    }
}

/* Finds rigs whose units differ from those of the mesh: most joints are then far from the mesh, or all are
 * in one place. Far means more than two radii from the centre. Single joints (controls, ends of chains) may
 * be outside. Joints that are all at the origin are accepted, because fitted rigs have such rest frames. */
static void check_rig_away(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    Ball ball;
    if (bound_vertices(dataset) == 0 ||
        enclosing_ball(dataset->mesh.rest, dataset->mesh.vertex_count, &ball).code != STATUS_OK ||
        !(ball.radius > 0.0))
        return;
    for (int j = 0; j < rig->joint_count; j++) {
        const Vec3 head = rig_joint_place(rig, j);
        double distance = vec3_length(vec3_sub(head, vector_at(ball.center, 0)));
        if (distance > 2.0 * ball.radius && vec3_length(head) > 0.0)
            check_fault(finding, "joint %d (%s) is %.3g radii from the middle of the mesh", j,
                        rig->joint_names[j] ? rig->joint_names[j] : "", distance / ball.radius);
    }
}

static void check_joint_unnamed(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    for (int j = 0; j < rig->joint_count; j++)
        if (rig->joint_names[j] && strncmp(rig->joint_names[j], CHECK_UNNAMED, strlen(CHECK_UNNAMED)) == 0)
            check_fault(finding, "joint %d has no name of its own, and is called '%s'", j,
                        rig->joint_names[j]);
}

const CheckRow check_rig_rows[] = {
    {"parent-order", CHECK_ERROR, "parents precede their children", .look = check_parent_order,
     .refusal = CHECK_REFUSED},
    {"joint-names", CHECK_WARNING, "joint names are unique, short and in UTF-8", .run = check_joint_names},
    {"joint-unnamed", CHECK_NOTE, "joints have names", .look = check_joint_unnamed},
    {"joint-range", CHECK_ERROR, "weights refer to existing joints", .look = check_joint_range,
     .refusal = CHECK_REFUSED},
    {"joint-duplicate", CHECK_WARNING, "no vertex lists a joint twice", .look = check_joint_duplicate},
    {"joint-unused", CHECK_NOTE, "every joint moves a vertex", .run = check_joint_unused},
    {"weight-finite", CHECK_ERROR, "weights are finite and of a sensible size", .look = check_finite,
     .refusal = CHECK_REFUSED},
    {"weight-none", CHECK_ERROR, "every vertex has an influence", .look = check_weight_none,
     .refusal = CHECK_REFUSED},
    {"weight-sum", CHECK_ERROR, "weights of a vertex sum to 1", .look = check_weight_sum},
    {"weight-tiny", CHECK_NOTE, "no weight is negligibly small", .look = check_weight_tiny},
    {"weight-negative", CHECK_NOTE, "weights are not negative", .look = check_weight_negative},
    {"rest-frame-finite", CHECK_ERROR, "rest frames are finite and of a sensible size", .look = check_finite,
     .refusal = CHECK_REFUSED},
    {"rest-frame-singular", CHECK_ERROR, "rest frames can be inverted", .look = check_rest_frame_singular},
    {"rest-frame-rigid", CHECK_NOTE, "rest frames are rigid", .look = check_rest_frame_rigid},
    {"transform-finite", CHECK_ERROR, "transforms are finite and of a sensible size", .look = check_finite,
     .refusal = CHECK_REFUSED},
    {"transform-rigid", CHECK_WARNING,
     "transforms are rigid (affine rigs are valid, but not all methods support them)",
     .look = check_transforms},
    {"transform-mirrored", CHECK_WARNING, "transforms contain no reflection", .look = check_transforms},
    {"transform-singular", CHECK_WARNING, "transforms can be inverted", .look = check_transforms},
    {"scale-finite", CHECK_ERROR, "scales are finite and of a sensible size", .look = check_finite,
     .refusal = CHECK_REFUSED},
    {"scale", CHECK_NOTE, "the rig has no scale", .look = check_scale},
    {"centers-finite", CHECK_ERROR, "centres of rotation are finite and of a sensible size",
     .look = check_finite, .refusal = CHECK_REFUSED},
    {"rig-away", CHECK_WARNING, "joints are near the mesh", .look = check_rig_away},
    {.code = NULL},
};
