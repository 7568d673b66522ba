/* Checks of rigs: the hierarchy, weights, rest frames and transformations, and whether the rig stays at
 * the mesh. */
#include "datasets/model/check_rows.h"

#include "datasets/base/memory.h"
#include "datasets/geometry/enclosing_ball.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Float weights miss the sum 1 by about 1e-7 per influence; weights typed with 6 digits pass as well. */
static const double SUM_TOLERANCE = 1e-4;
/* Of the axes' dot products and lengths: matrices printed with 6 digits pass. */
static const double RIGID_TOLERANCE = 1e-5;

static Status check_parent_order(const Dataset *dataset, CheckFinding *finding)
{
    for (int j = 0; j < dataset->rig.joint_count; j++)
        if (dataset->rig.parents[j] < -1 || dataset->rig.parents[j] >= j)
            check_fault(finding, "rig/parents[%d] is %d, expected -1 or a joint before it", j,
                        dataset->rig.parents[j]);
    return status_ok();
}

static int joint_names_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static Status check_joint_names(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    const char **names = memory_array((size_t)rig->joint_count, sizeof *names);
    if (!names)
        return status_out_of_memory("the joints' names");
    for (int j = 0; j < rig->joint_count; j++)
        names[j] = rig->joint_names[j] ? rig->joint_names[j] : "";
    if (rig->joint_count > 0)
        qsort((void *)names, (size_t)rig->joint_count, sizeof *names, joint_names_compare);
    for (int j = 0; j < rig->joint_count; j++)
        if (names[j][0] == '\0')
            check_fault(finding, "a joint has no name");
        else if (j > 0 && strcmp(names[j - 1], names[j]) == 0)
            check_fault(finding, "two joints are called '%s'", names[j]);
    memory_free((void *)names);
    return status_ok();
}

/* The slots of one vertex. */
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

/* Vertices to look at: none where there is no rig. */
static int bound_vertices(const Dataset *dataset)
{
    return dataset->rig.joint_count > 0 ? dataset->mesh.vertex_count : 0;
}

static Status check_joint_range(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(&dataset->rig, v);
        for (int k = 0; k < slots.count; k++)
            if (slots.joints[k] < 0 || slots.joints[k] >= dataset->rig.joint_count)
                check_fault(finding, "rig/weights/joints[%d,%d] is %d, expected 0 to %d", v, k,
                            slots.joints[k], dataset->rig.joint_count - 1);
    }
    return status_ok();
}

static Status check_joint_duplicate(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(&dataset->rig, v);
        for (int k = 0; k < slots.count; k++)
            for (int i = 0; i < k && slots.values[k] != 0.0f; i++)
                if (slots.values[i] != 0.0f && slots.joints[i] == slots.joints[k])
                    check_fault(finding, "vertex %d lists joint %d in slots %d and %d", v, slots.joints[k], i,
                                k);
    }
    return status_ok();
}

static Status check_joint_unused(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    unsigned char *used = memory_array((size_t)rig->joint_count, 1);
    if (!used)
        return status_out_of_memory("the joints");
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
    memory_free(used);
    return status_ok();
}

static Status check_weight_finite(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(&dataset->rig, v);
        for (int k = 0; k < slots.count; k++)
            if (!isfinite(slots.values[k]))
                check_fault(finding, "rig/weights/values[%d,%d] is %g", v, k, (double)slots.values[k]);
    }
    return status_ok();
}

static double weight_sum(Slots slots)
{
    double sum = 0.0;
    for (int k = 0; k < slots.count; k++)
        sum += slots.values[k];
    return sum;
}

static Status check_weight_none(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        double sum = weight_sum(slots_of(&dataset->rig, v));
        if (sum <= 0.0)
            check_fault(finding, "vertex %d has the sum %g", v, sum);
    }
    return status_ok();
}

static Status check_weight_sum(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        double sum = weight_sum(slots_of(&dataset->rig, v));
        if (sum > 0.0 && fabs(sum - 1.0) > SUM_TOLERANCE)
            check_fault(finding, "vertex %d has the sum %.9g, expected 1 within %g", v, sum, SUM_TOLERANCE);
    }
    return status_ok();
}

static Status check_weight_negative(const Dataset *dataset, CheckFinding *finding)
{
    for (int v = 0; v < bound_vertices(dataset); v++) {
        Slots slots = slots_of(&dataset->rig, v);
        for (int k = 0; k < slots.count; k++)
            if (slots.values[k] < 0.0f)
                check_fault(finding, "rig/weights/values[%d,%d] is %g", v, k, (double)slots.values[k]);
    }
    return status_ok();
}

static bool transform_finite(const Transform *transform)
{
    const double *values = &transform->m00;
    for (int i = 0; i < 12; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static void transform_axes(const Transform *t, Vec3 axes[3])
{
    axes[0] = vec3_make(t->m00, t->m10, t->m20);
    axes[1] = vec3_make(t->m01, t->m11, t->m21);
    axes[2] = vec3_make(t->m02, t->m12, t->m22);
}

static double transform_determinant(const Transform *transform)
{
    Vec3 axes[3];
    transform_axes(transform, axes);
    return vec3_dot(axes[0], vec3_cross(axes[1], axes[2]));
}

/* The greatest departure of R^T R from the identity. */
static double transform_departure(const Transform *transform)
{
    Vec3 axes[3];
    double worst = 0.0;
    transform_axes(transform, axes);
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            worst = fmax(worst, fabs(vec3_dot(axes[i], axes[k]) - (i == k)));
    return worst;
}

static Status check_rest_frame_finite(const Dataset *dataset, CheckFinding *finding)
{
    for (int j = 0; j < dataset->rig.joint_count; j++)
        if (!transform_finite(&dataset->rig.rest[j]))
            check_fault(finding, "rig/rest[%d] holds a value that is no number", j);
    return status_ok();
}

static Status check_rest_frame_singular(const Dataset *dataset, CheckFinding *finding)
{
    for (int j = 0; j < dataset->rig.joint_count; j++) {
        const Transform *rest = &dataset->rig.rest[j];
        Vec3 axes[3];
        transform_axes(rest, axes);
        double size = vec3_length(axes[0]) * vec3_length(axes[1]) * vec3_length(axes[2]);
        if (transform_finite(rest) && fabs(transform_determinant(rest)) <= 1e-12 * size)
            check_fault(finding, "rig/rest[%d] has the determinant %g", j, transform_determinant(rest));
    }
    return status_ok();
}

static Status check_rest_frame_rigid(const Dataset *dataset, CheckFinding *finding)
{
    for (int j = 0; j < dataset->rig.joint_count; j++) {
        double departure = transform_departure(&dataset->rig.rest[j]);
        if (departure > RIGID_TOLERANCE)
            check_fault(finding, "rig/rest[%d] departs from a rotation by %g", j, departure);
    }
    return status_ok();
}

/* Whether a transform is to be doubted, and by which value. */
typedef bool (*TransformDoubt)(const Transform *transform, double *value);

static void transforms_visit(const Rig *rig, TransformDoubt doubt, const char *what, CheckFinding *finding)
{
    for (int64_t i = 0; i < (int64_t)rig->frame_count * rig->joint_count; i++) {
        double value = 0.0;
        if (doubt(&rig->transforms[i], &value))
            check_fault(finding, "rig/transforms[%lld,%lld] %s %g", (long long)i / rig->joint_count,
                        (long long)i % rig->joint_count, what, value);
    }
}

static bool doubt_finite(const Transform *transform, double *value)
{
    *value = NAN;
    return !transform_finite(transform);
}

static bool doubt_rigid(const Transform *transform, double *value)
{
    *value = transform_departure(transform);
    return *value > RIGID_TOLERANCE;
}

static bool doubt_mirrored(const Transform *transform, double *value)
{
    *value = transform_determinant(transform);
    return *value < 0.0;
}

static Status check_transform_finite(const Dataset *dataset, CheckFinding *finding)
{
    transforms_visit(&dataset->rig, doubt_finite, "holds", finding);
    return status_ok();
}

static Status check_transform_rigid(const Dataset *dataset, CheckFinding *finding)
{
    transforms_visit(&dataset->rig, doubt_rigid, "departs from a rotation by", finding);
    return status_ok();
}

static Status check_transform_mirrored(const Dataset *dataset, CheckFinding *finding)
{
    transforms_visit(&dataset->rig, doubt_mirrored, "has the determinant", finding);
    return status_ok();
}

/* Joints may stand outside the mesh (controls, ends of chains), but a rig in other units than the mesh has
 * most of them far away or all in one spot; far is two radii from the middle. Fitted rigs keep all their
 * rest frames at the origin, so that alone is no sign. */
static Status check_rig_away(const Dataset *dataset, CheckFinding *finding)
{
    const Rig *rig = &dataset->rig;
    Ball ball;
    if (bound_vertices(dataset) == 0 ||
        enclosing_ball(dataset->mesh.rest, dataset->mesh.vertex_count, &ball).code != STATUS_OK)
        return status_ok();
    for (int j = 0; j < rig->joint_count; j++) {
        const Transform *rest = &rig->rest[j];
        Vec3 head = {rest->m03, rest->m13, rest->m23};
        double distance =
            vec3_length(vec3_sub(head, vec3_make(ball.center[0], ball.center[1], ball.center[2])));
        if (distance > 2.0 * ball.radius && vec3_length(head) > 0.0)
            check_fault(finding, "joint %d (%s) is %.3g radii from the middle of the mesh", j,
                        rig->joint_names[j] ? rig->joint_names[j] : "", distance / ball.radius);
    }
    return status_ok();
}

const CheckRow check_rig_rows[] = {
    {"parent-order", CHECK_ERROR, "parents stand before their children", check_parent_order},
    {"joint-names", CHECK_WARNING, "joints have names of their own", check_joint_names},
    {"joint-range", CHECK_ERROR, "weights name joints there are", check_joint_range},
    {"joint-duplicate", CHECK_WARNING, "no vertex lists a joint twice", check_joint_duplicate},
    {"joint-unused", CHECK_NOTE, "every joint moves a vertex", check_joint_unused},
    {"weight-finite", CHECK_ERROR, "weights are numbers", check_weight_finite},
    {"weight-none", CHECK_ERROR, "every vertex has an influence", check_weight_none},
    {"weight-sum", CHECK_ERROR, "weights of a vertex sum to 1", check_weight_sum},
    {"weight-negative", CHECK_NOTE, "weights are not negative", check_weight_negative},
    {"rest-frame-finite", CHECK_ERROR, "rest frames are numbers", check_rest_frame_finite},
    {"rest-frame-singular", CHECK_ERROR, "rest frames can be inverted", check_rest_frame_singular},
    {"rest-frame-rigid", CHECK_NOTE, "rest frames are rigid", check_rest_frame_rigid},
    {"transform-finite", CHECK_ERROR, "transforms are numbers", check_transform_finite},
    {"transform-rigid", CHECK_NOTE, "transforms are rigid (affine rigs are legal)", check_transform_rigid},
    {"transform-mirrored", CHECK_WARNING, "transforms do not mirror", check_transform_mirrored},
    {"rig-away", CHECK_WARNING, "joints are near the mesh", check_rig_away},
    {.code = NULL},
};
