/* Tests the transformations of shapes. A rig in which most of them are the identity is stored sparsely, and
 * blends in each form are compared with the explicit sum. */
#include "tests/rigs.h"

#include "datasets/model/shape_transforms.h"

enum { SHAPES = 23, JOINTS = 11 };

/* Makes a rig with a transformation for each joint j in each shape k. If 3 divides k + j, it has the
 * rotation r = (k, 0, -j) / 64 and the translation t = (1, k, 0) / 32. Otherwise it is the identity. */
static void linear_rig_fill(Rig *rig)
{
    assert_ok(rig_allocate(rig, 1, JOINTS, SHAPES, 1));
    for (int i = 0; i < SHAPES * JOINTS; i++) {
        const int shape = i / JOINTS;
        const double k = shape, j = i % JOINTS, on = (shape + i % JOINTS) % 3 == 0;
        rig->transforms[i] = (Transform){
            1.0, on * j / 64.0, 0.0, on / 32.0, -on * j / 64.0, 1.0, -on * k / 64.0, on * k / 32.0,
            0.0, on * k / 64.0, 1.0, 0.0};
    }
}

TEST(sums_of_the_shapes)
{
    CLEANUP(rig_clear) Rig rig = {0};
    float shares[SHAPES];
    linear_rig_fill(&rig);
    int count = 0, entries = 0, cells = 0;
    for (int k = 0; k < SHAPES; k++) {
        shares[k] = (float)(k % 5 - 2) / 4.0f; /* sums of these weights are exact */
        for (int j = 0; j < JOINTS; j++) {
            count += (k + j) % 3 == 0;
            entries += (k + j) % 3 == 0 ? 1 + 2 * (k > 0) + (j > 0) : 0;
            cells += (k + j) % 3 == 0 ? 1 + 3 * (k > 0) + 2 * (j > 0) : 0;
        }
    }
    for (ShapeForm form = SHAPES_SPARSE; form <= SHAPES_EXACT; form++) {
        CLEANUP(shape_transforms_clear) ShapeTransforms transforms = {0};
        Transform blended[JOINTS];
        assert_ok(shape_transforms_make(&rig, form, &transforms));
        if (form == SHAPES_SPARSE) {
            assert_int_equal(transforms.block_count, count);
            assert_int_equal(transforms.entry_count, entries);
            assert_int_equal(transforms.cell_count, cells);
        }
        shape_transforms_blend(&transforms, shares, blended);
        for (int j = 0; j < JOINTS; j++) {
            double r0 = 0.0, r2 = 0.0, t0 = 0.0;
            for (int k = 0; k < SHAPES; k++)
                if ((k + j) % 3 == 0) {
                    r0 += (double)shares[k] * k / 64.0;
                    r2 -= (double)shares[k] * j / 64.0;
                    t0 += (double)shares[k] / 32.0;
                }
            const double expected[AFFINE_VALUES] = {1, -r2, 0, t0, r2, 1, -r0, 2.0 * r0, 0, r0, 1, 0};
            for (int i = 0; i < AFFINE_VALUES; i++)
                assert_near((&blended[j].m00)[i], expected[i], 0.0);
        }
    }
    rig.transforms[JOINTS + 4].m00 = 1.01;
    CLEANUP(shape_transforms_clear) ShapeTransforms none = {0};
    assert_bad_input("frame 1: the transform of joint 4", shape_transforms_make(&rig, SHAPES_SPARSE, &none));
}
