/* Tests weights quantised to integer steps: their sums, bounds on the rounding error, a case worked out by
 * hand, and refused input. */
#include "tests/rigs.h"

#include "datasets/model/compact_weights.h"

TEST(steps_sum_to_one)
{
    const struct {
        int bits, units;
    } rows[] = {{1, 1}, {8, 255}, {16, 65535}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        OWNED_RIG(dataset, .vertices = 500, .joints = 9, .influences = 6, .frames = 3, .angle = 1.0,
                  .seed = 3);
        Rig *rig = &dataset->rig;
        OWNED float *before = memory_array(500 * 6, sizeof *before);
        assert_non_null(before);
        memcpy(before, rig->weight_values, 500 * 6 * sizeof *before);
        SkinDistance cost;
        assert_ok(rig_quantise(rig, &dataset->mesh, rows[row].bits, NULL, &cost));
        for (int v = 0; v < 500; v++) {
            long sum = 0;
            for (int k = 0; k < 6; k++) {
                const double steps = (double)rig->weight_values[6 * v + k] * rows[row].units;
                /* A float represents a weight of an integer number of steps with an error of at most half a
                 * unit in its last place. */
                assert_near(steps, round(steps), rows[row].units * 0x1p-24);
                sum += lround(steps);
                /* A weight is rounded down by less than a step, or up to the next step. */
                assert_true(fabs((double)rig->weight_values[6 * v + k] - (double)before[6 * v + k]) <
                            1.0 / rows[row].units + 1e-6);
            }
            assert_int_equal(sum, rows[row].units);
        }
        /* Each weight changes by at most a step. So a vertex moves by less than 6 steps times the largest
         * distance between the places to which two joints move it. Joints are within 9 of the origin, and
         * vertices within 2 of the chain. */
        assert_true(cost.max > 0.0 && cost.max < 6.0 / rows[row].units * 40.0);
        assert_true(cost.rms > 0.0 && cost.rms <= cost.max);
    }
}

/* In steps of 1/7, the weights 0.5, 0.3 and 0.2 are 3.5, 2.1 and 1.4 steps and become 4, 2 and 1. The
 * second joint moves by 1 along x, and the third by 10 along y. The vertex is off by 2/7 - 0.3 along x and
 * by 10 (1/7 - 0.2) along y. */
TEST(a_vertex_by_hand)
{
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(rig_clear) Rig rig = {0};
    SkinDistance cost;
    assert_ok(mesh_allocate(&mesh, 1, 0));
    assert_ok(rig_allocate(&rig, 1, 3, 2, 3));
    const float values[] = {0.5f, 0.3f, 0.2f};
    for (int k = 0; k < 3; k++) {
        rig.weight_joints[k] = k;
        rig.weight_values[k] = values[k];
    }
    for (int i = 0; i < 6; i++)
        rig.transforms[i] = transform_identity();
    rig.transforms[4].m03 = 1.0;
    rig.transforms[5].m13 = 10.0;
    assert_ok(rig_quantise(&rig, &mesh, 3, NULL, &cost));
    for (int k = 0; k < 3; k++)
        assert_near((double)rig.weight_values[k], (double)(4 >> k) / 7.0, 1e-7);
    const double off = hypot(2.0 / 7.0 - 0.3, 10.0 / 7.0 - 2.0);
    assert_near(cost.max, off, 1e-6);
    assert_near(cost.rms, off / sqrt(2.0), 1e-6);
    assert_int_equal(cost.frame, 1);
    /* Quantising again changes nothing. With a single bit only the largest weight remains, and slots with
     * weight 0 become unused. */
    assert_ok(rig_quantise(&rig, &mesh, 3, NULL, &cost));
    assert_near(cost.max, 0.0, 1e-7);
    assert_ok(rig_quantise(&rig, &mesh, 1, NULL, NULL));
    assert_true(rig.weight_values[0] == 1.0f && rig.weight_values[2] == 0.0f && rig.weight_joints[2] == 0);
    rig.weight_values[1] = -0.5f;
    assert_bad_input("vertex 0 has the weight -0.5", rig_quantise(&rig, &mesh, 8, NULL, NULL));
    rig.weight_values[0] = rig.weight_values[1] = 0.0f;
    assert_bad_input("the weights of vertex 0 have the sum 0", rig_quantise(&rig, &mesh, 8, NULL, NULL));
    rig.weight_values[0] = 1.0f;
    assert_allocations_may_fail(2, rig_quantise(&rig, &mesh, 8, NULL, NULL),
                                assert_holds(failing_status.text, "memory"));
}
