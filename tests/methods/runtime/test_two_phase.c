/* Compares two-phase skinning (DQS section 4.2) with closed forms. */
#include "datasets/geometry/angles.h"
#include "datasets/model/two_phase.h"
#include "tests/skinned.h"

static const Mat3 unscaled = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/* A chain of two joints at x = 0 and x = 1. The first joint is scaled by 2 along x and 3 along y. The
 * second rotates by 90 degrees about z at its own position. Three vertices, a triangle in the plane x + y =
 * 2.5, belong to the second joint. */
typedef struct Arm {
    float rest[9];
    int32_t triangle[3], parents[2], joints[6];
    float weights[6];
    Transform rest_frames[2], transforms[2];
    Mat3 scale[2];
    Mesh mesh;
    Rig rig;
} Arm;

static void arm_make(Arm *arm, int joint)
{
    *arm = (Arm){.rest = {1.5f, 1.0f, 0.0f, 2.5f, 0.0f, 0.0f, 1.5f, 1.0f, 1.0f},
                 .triangle = {0, 1, 2},
                 .parents = {-1, 0},
                 .scale = {{2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0}, unscaled}};
    for (int vertex = 0; vertex < 3; vertex++) {
        arm->joints[2 * vertex] = joint;
        arm->weights[2 * vertex] = 1.0f;
    }
    arm->rest_frames[0] = transform_identity();
    arm->rest_frames[1] = transform_translate(AXES[0]);
    arm->transforms[0] = transform_identity();
    arm->transforms[1] = transform_about(quat_about(AXES[2], PI / 2.0), AXES[0], ORIGIN);
    arm->mesh = (Mesh){.vertex_count = 3, .triangle_count = 1, .rest = arm->rest, .triangles = arm->triangle};
    arm->rig = (Rig){.joint_count = 2,
                     .frame_count = 1,
                     .influence_count = 2,
                     .parents = arm->parents,
                     .rest = arm->rest_frames,
                     .transforms = arm->transforms,
                     .scale = arm->scale,
                     .weight_joints = arm->joints,
                     .weight_values = arm->weights};
}

static SkinnerOptions two_phase_options(const SkinningEntry *entry)
{
    SkinnerOptions options = options_of(entry, &backend_reference);
    options.two_phase = true;
    options.first_phase = skinning_first_phase();
    return options;
}

/* The scaled joint maps (x, y, z) to (2x, 3y, z) and the normal (1, 1, 0) to (1/2, 1/3, 0). Its child is
 * not scaled, but the bone to it is twice as long and ends at x = 2. A vertex of the child moves by (1, 0,
 * 0) and then rotates by 90 degrees about (2, 0, 0), so (x, y) maps to (2 - y, x - 1). */
TEST(scale_moves_its_joint_and_children)
{
    static const Transform moved[2] = {{2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0},
                                       {0, -1, 0, 2, 1, 0, 0, -1, 0, 0, 1, 0}};
    for (int m = 0; m < 2 * skinning_entry_count(); m++) {
        const int joint = m % 2;
        Arm arm;
        arm_make(&arm, joint);
        if (skinning_entry_at(m / 2)->method->frames) /* refused */
            continue;
        SkinnerOptions options = two_phase_options(skinning_entry_at(m / 2));
        double positions[9], normals[9];
        assert_ok(skin_frames(&options, &arm.mesh, &arm.rig, positions, normals));
        for (int vertex = 0; vertex < 3; vertex++) {
            assert_vec3(vec3_at(positions, vertex), transform_point(moved[joint], point_at(arm.rest, vertex)),
                        1e-9);
            if (joint > 0)
                continue;
            double sign = normals[0] > 0.0 ? 1.0 : -1.0, length = hypot(0.5, 1.0 / 3.0);
            assert_near(sign * normals[3 * vertex], 0.5 / length, 1e-6);
            assert_near(sign * normals[3 * vertex + 1], 1.0 / 3.0 / length, 1e-6);
        }
    }
}

/* The papers transform normals by the blended matrix. If x is scaled by 2 and y by 3, this maps (1, 1, 0)
 * to (2, 3, 0). The cofactors of the matrix map it to (3, 2, 0). */
TEST(normals_by_cofactors_or_matrix)
{
    static const double expected[2][2] = {{3.0, 2.0}, {2.0, 3.0}};
    Arm arm;
    arm_make(&arm, 0);
    Transform stretched[2];
    for (int j = 0; j < 2; j++)
        stretched[j] = (Transform){.m00 = 2.0, .m11 = 3.0, .m22 = 1.0};
    Rig rig = arm.rig;
    rig.transforms = stretched;
    rig.scale = NULL;
    for (int matrix = 0; matrix < 2; matrix++) {
        SkinnerOptions options = two_phase_options(skinning_entry_find("lbs"));
        double positions[9], normals[9];
        options.two_phase = false;
        options.parameters.values[0] = matrix;
        assert_ok(skin_frames(&options, &arm.mesh, &rig, positions, normals));
        const double sign = normals[0] > 0.0 ? 1.0 : -1.0;
        for (int axis = 0; axis < 2; axis++)
            assert_near(sign * normals[axis], expected[matrix][axis] / sqrt(13.0), 1e-6);
    }
}

/* A stage that processes whole frames uses the unscaled rest pose, so a method with such a stage refuses
 * scale. */
TEST(whole_frame_stages_refuse_scale)
{
    Arm arm;
    arm_make(&arm, 1);
    SkinnerOptions options = two_phase_options(skinning_entry_find("delta-mush"));
    double positions[9], normals[9];
    assert_bad_input("the rig has scale (rig/scale), which delta-mush does not support",
                     skin_frames(&options, &arm.mesh, &arm.rig, positions, normals));
}

TEST(split_frames)
{
    Arm arm;
    Transform first[2], second[2], rest[2];
    arm_make(&arm, 1);
    assert_ok(two_phase_split(&arm.rig, arm.transforms, arm.scale, first, second, rest));
    assert_near(rest[1].m03, 2.0, 1e-12);
    assert_near(first[1].m03, 1.0, 1e-12);
    assert_near(first[0].m00, 2.0, 1e-12);
    assert_near(second[1].m10, 1.0, 1e-12); /* rigid */
    assert_near(second[1].m00, 0.0, 1e-12);
    arm.scale[0].m00 = NAN;
    assert_bad_input("the scale of joint 0 is not finite",
                     two_phase_split(&arm.rig, arm.transforms, arm.scale, first, second, rest));
    arm.scale[0] = unscaled;
    arm.rest_frames[0].m00 = 0.0;
    assert_bad_input("the rest frame of joint 0 has no inverse",
                     two_phase_split(&arm.rig, arm.transforms, arm.scale, first, second, rest));
}

/* Any affine transformation, including a mirroring, equals the product of its separated scale and motion,
 * and the motion is rigid. A rigid transformation has no scale. */
TEST(separated_frames)
{
    Arm arm;
    Random random = {7};
    arm_make(&arm, 1);
    arm.rest_frames[1] = transform_product(
        transform_about(quat_about(AXES[1], 0.4), AXES[0], vec3_make(0.3, 0.2, 0.1)), arm.rest_frames[1]);
    for (int trial = 0; trial < 20; trial++) {
        Transform given[2], first[2], second[2], rest[2];
        for (int i = 0; i < 24; i++)
            (&given[0].m00)[i] = random_between(&random, -2.0, 2.0);
        memcpy(arm.transforms, given, sizeof given);
        two_phase_separate(&arm.rig, arm.transforms, arm.scale);
        for (int j = 0; j < 2; j++) {
            Vec3 axes[3];
            transform_axes(arm.transforms[j], axes);
            assert_near(vec3_dot(axes[0], axes[0]), 1.0, 1e-9);
            assert_near(vec3_dot(vec3_cross(axes[0], axes[1]), axes[2]), 1.0, 1e-9);
        }
        assert_ok(two_phase_split(&arm.rig, arm.transforms, arm.scale, first, second, rest));
        two_phase_join(2, first, second);
        for (int i = 0; i < 24; i++)
            assert_near((&second[0].m00)[i], (&given[0].m00)[i], 1e-8);
    }
    const Transform turned = transform_about(quat_about(AXES[2], 0.7), AXES[0], vec3_make(0.0, 2.0, 0.0));
    arm.transforms[0] = arm.transforms[1] = turned;
    two_phase_separate(&arm.rig, arm.transforms, arm.scale);
    for (int i = 0; i < 24; i++)
        assert_near((&arm.transforms[0].m00)[i], (&turned.m00)[i % 12], 1e-12);
    for (int i = 0; i < 18; i++)
        assert_near((&arm.scale[0].m00)[i], (&unscaled.m00)[i % 9], 1e-12);
}

/* Rigid methods refuse scale without the option. Methods that accept any transformation, such as lbs, do
 * not need the option, because they do not separate scale and motion. */
TEST(rigid_methods_refused_without_the_option)
{
    Arm arm;
    arm_make(&arm, 1);
    for (int m = 0; m < skinning_entry_count(); m++) {
        if (skinning_entry_at(m)->method->frames) /* refused */
            continue;
        SkinnerOptions options = two_phase_options(skinning_entry_at(m));
        double positions[9], normals[9], both[9];
        assert_ok(skin_frames(&options, &arm.mesh, &arm.rig, both, normals));
        options.two_phase = false;
        if (options.entry->method->rigid_only)
            assert_bad_input("the rig has scale (rig/scale)",
                             skin_frames(&options, &arm.mesh, &arm.rig, positions, normals));
        else
            assert_ok(skin_frames(&options, &arm.mesh, &arm.rig, positions, normals));
        for (int i = 0; i < 9 && !options.entry->method->rigid_only; i++)
            assert_true(positions[i] == both[i]);
    }
}

/* Compares the results of one backend with reference positions and normals [count]. */
static void assert_agree(const SkinnerOptions *options, const Dataset *dataset, const double *positions,
                         const double *normals, int count)
{
    OWNED double *out = memory_array((size_t)count, sizeof(double));
    OWNED double *out_normals = memory_array((size_t)count, sizeof(double));
    assert_ok(skin_frames(options, &dataset->mesh, &dataset->rig, out, out_normals));
    for (int i = 0; i < count; i++)
        if (!(fabs(out[i] - positions[i]) <= 1e-4 && fabs(out_normals[i] - normals[i]) <= 1e-3))
            fail_msg("%s on %s: real %d is %g, expected %g, its normal %g, expected %g",
                     options->entry->method->name, options->backend->name, i, out[i], positions[i],
                     out_normals[i], normals[i]);
}

/* With the scale S = I, two-phase skinning changes nothing. With any S, all backends agree with the
 * reference. This includes a two-phase skinner that is posed without scale. */
TEST(backends_agree)
{
    enum { VERTICES = 150, JOINTS = 6, FRAMES = 19, REALS = 3 * VERTICES * FRAMES };
    OWNED_RIG(dataset, .vertices = VERTICES, .joints = JOINTS, .influences = 2, .frames = FRAMES,
              .angle = 0.3, .seed = 51);
    Random random = {52};
    OWNED double *plain = memory_array(REALS, sizeof(double)), *out = memory_array(REALS, sizeof(double));
    OWNED double *plain_normals = memory_array(REALS, sizeof(double)),
                 *normals = memory_array(REALS, sizeof(double));
    OWNED Mat3 *scale = memory_array((size_t)JOINTS * FRAMES, sizeof *scale);
    assert_non_null(scale);
    for (int m = 0; m < skinning_entry_count(); m++) {
        if (skinning_entry_at(m)->method->frames) /* refused */
            continue;
        SkinnerOptions options = two_phase_options(skinning_entry_at(m));
        dataset->rig.scale = NULL;
        assert_ok(skin_frames(&options, &dataset->mesh, &dataset->rig, plain, plain_normals));
        for (int i = 0; i < JOINTS * FRAMES; i++)
            scale[i] = unscaled;
        dataset->rig.scale = scale;
        assert_ok(skin_frames(&options, &dataset->mesh, &dataset->rig, out, normals));
        for (int i = 0; i < REALS; i++) {
            assert_near(out[i], plain[i], 1e-6); /* weights sum to 1 within 1e-7 */
            assert_near(normals[i], plain_normals[i], 1e-6);
        }
        for (int i = 0; i < JOINTS * FRAMES; i++)
            for (int k = 0; k < 9; k++)
                (&scale[i].m00)[k] += random_between(&random, -0.2, 0.2);
        assert_ok(skin_frames(&options, &dataset->mesh, &dataset->rig, plain, plain_normals));
        dataset->rig.scale = NULL;
        options.backend = &backend_reference;
        assert_ok(skin_frames(&options, &dataset->mesh, &dataset->rig, out, normals));
        for (int backend = 1; backend < BACKEND_COUNT; backend++) {
            options.backend = backend_at(backend);
            if (!is_here(options.backend))
                continue;
            dataset->rig.scale = scale;
            for (options.threads = 1; options.threads <= (options.backend->is_device ? 1 : 2);
                 options.threads++)
                assert_agree(&options, dataset, plain, plain_normals, REALS);
            dataset->rig.scale = NULL;
            assert_agree(&options, dataset, out, normals, REALS);
        }
    }
    dataset->rig.scale = NULL;
}
