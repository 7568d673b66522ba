/* Tests linear blends in fits: residuals of two maps computed by hand, the squared error on any number of
 * threads, and the conversion of a blend to a rig. */
#include "methods/fitting/rig_delivery.h"

#include "tests/support.h"

enum { VERTICES = 2, INFLUENCES = 2, BONES = 3, ROWS = 3 };

/* Bone 0 is the identity, bone 1 doubles a point and adds (1, 0, 0), and bone 2 is unused. The columns of
 * the linear part come first, then the translation. */
static const double maps[4 * BONES * ROWS] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
                                              2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0};
static const double rest[3 * VERTICES] = {1, 2, 3, 4, 5, 6};
static const int32_t bones[VERTICES * INFLUENCES] = {0, 1, 1, 0};
static const double weights[VERTICES * INFLUENCES] = {0.75, 0.25, 1.0, 0.0};

static LinearBlend blend_make(void)
{
    return (LinearBlend){.vertex_count = VERTICES,
                         .influence_count = INFLUENCES,
                         .row_count = ROWS,
                         .rest = rest,
                         .maps = maps,
                         .bones = bones,
                         .weights = weights};
}

TEST(residuals_are_target_less_blend)
{
    LinearBlend blend = blend_make();
    double residual[ROWS] = {2.0, 2.0, 2.0}, last[1] = {0.0};
    /* 0.75 (1, 2, 3) + 0.25 (3, 4, 6) */
    linear_blend_subtract(&blend, 0, 0, ROWS, residual);
    assert_true(residual[0] == 0.5 && residual[1] == -0.5 && residual[2] == -1.75);
    linear_blend_subtract(&blend, 1, 2, 1, last); /* the last coordinate only */
    assert_true(last[0] == -12.0);
    /* Weights that sum to 1.5 add half of the offset to the result. */
    const double offset[ROWS] = {8.0, 0.0, 0.0}, heavy[VERTICES * INFLUENCES] = {1.0, 0.5, 1.0, 0.0};
    blend.offset = offset;
    blend.weights = heavy;
    memset(residual, 0, sizeof residual);
    linear_blend_subtract(&blend, 0, 0, ROWS, residual);
    assert_true(residual[0] == -2.5 - 4.0 && residual[1] == -4.0 && residual[2] == -6.0);
}

static void target_zero(UNUSED const void *context, UNUSED int j, double *target)
{
    memset(target, 0, ROWS * sizeof *target);
}

TEST(squared_errors_add_up)
{
    const LinearBlend blend = blend_make();
    for (int threads = 1; threads <= 3; threads++) {
        double error = 0.0;
        assert_ok(linear_blend_squared_error(&blend, target_zero, NULL, NULL, threads, &error));
        /* |(1.5, 2.5, 3.75)|^2 + |(9, 10, 12)|^2 */
        assert_true(error == 2.25 + 6.25 + 14.0625 + 81.0 + 100.0 + 144.0);
    }
}

TEST(unused_bones_are_left_out)
{
    const LinearBlend blend = blend_make();
    double rounded[VERTICES * INFLUENCES] = {0.75, 0.1, 1.0, 0.0};
    int32_t numbers[BONES];
    OWNED float *pose = NULL;
    CLEANUP(rig_clear) Rig rig = {0};
    assert_ok(rig_begin(&blend, NULL, VERTICES, BONES, 1, numbers, &rig, &pose));
    assert_non_null(pose);
    assert_int_equal(rig.joint_count, 2);
    assert_true(numbers[0] == 0 && numbers[1] == 1 && numbers[2] == -1);
    rig_fill_weights(bones, numbers, 0, VERTICES, rounded, &rig);
    assert_true(rig.weight_joints[1] == 1 && rig.weight_values[1] == 0.1f && rounded[1] == (double)0.1f);
    assert_true(rig.weight_joints[3] == 0 && rig.weight_values[3] == 0.0f);
    /* With unit 2 and centre (1, 1, 1), this map takes the scaled position (v - 1) / 2 back to v. */
    const RestUnits units = {.center = {1, 1, 1}, .unit = 2.0};
    const double map[4 * ROWS] = {2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}, offset[ROWS] = {1, 1, 1};
    rig_fill_transforms(&units, map, offset, 1, &rig);
    const Transform *m = &rig.transforms[1];
    assert_true(m->m00 == 1.0 && m->m11 == 1.0 && m->m22 == 1.0 && m->m03 == 0.0 && m->m13 == 0.0);
}
