/* Tests the pruning of weights, and the statistics of weights that `info` prints. */
#include "tests/rigs.h"

#include "datasets/model/compact_weights.h"
#include "datasets/model/joint_sets.h"

/* Makes a rig of 10 joints with the given weights per vertex. Unused slots have joint 0 and weight 0. */
static Rig rig_of(int vertices, int slots, const int32_t *joints, const float *values)
{
    Rig rig = {0};
    assert_ok(rig_allocate(&rig, vertices, 10, 0, slots));
    memcpy(rig.weight_joints, joints, sizeof *joints * (size_t)vertices * (size_t)slots);
    memcpy(rig.weight_values, values, sizeof *values * (size_t)vertices * (size_t)slots);
    return rig;
}

TEST(largest_weights_are_kept)
{
    const int32_t joints[] = {7, 3, 5, 1, /**/ 4, 2, 9, 0, /**/ 6, 8, 6, 0, /**/ 2, 0, 0, 0, /**/ 1, 2, 3, 4};
    const float values[] = {0.1f,      0.4f, 0.2f, 0.3f, /**/ 0.25f, 0.25f, 0.25f, 0.25f,
                            /**/ 0.3f, 0.4f, 0.3f, 0.f,
                            /**/ 1.f,  0.f,  0.f,  0.f,  /**/ -0.5f, 0.7f,  0.6f,  0.2f};
    CLEANUP(rig_clear) Rig rig = rig_of(5, 4, joints, values);
    assert_ok(rig_prune(&rig, 5, 2));
    assert_int_equal(rig.influence_count, 2);
    /* The expected two influences of each vertex:
     *   vertex 0: the two largest weights, 0.4 and 0.3, divided by 0.7
     *   vertex 1: all weights are equal, so the joints with the lowest numbers stay
     *   vertex 2: the two weights of joint 6 are merged to 0.6
     *   vertex 3: the single influence stays, and its free slot has joint 0
     *   vertex 4: the negative weight is dropped first */
    const int32_t kept[] = {3, 1, 0, 2, 6, 8, 2, 0, 2, 3};
    const double expected[] = {4.0 / 7, 3.0 / 7, 0.5, 0.5, 0.6, 0.4, 1.0, 0.0, 7.0 / 13, 6.0 / 13};
    for (int i = 0; i < 10; i++) {
        assert_int_equal(rig.weight_joints[i], kept[i]);
        assert_true(fabs(rig.weight_values[i] - expected[i]) < 1e-7);
    }
    rig_clear(&rig);
    rig = rig_of(5, 4, joints, values);
    assert_ok(rig_prune(&rig, 5, 12));
    assert_int_equal(rig.influence_count, 4);
    assert_true(rig.weight_joints[16] == 2 && rig.weight_joints[19] == 1);
    assert_ok(rig_prune(&rig, 5, 1));
    for (int v = 0; v < 5; v++)
        assert_true(rig.weight_values[v] == 1.0f);
}

/* Centres of rotation depend on the weights, so they are dropped when the weights change. */
TEST(centers_are_dropped)
{
    const int32_t joints[] = {0, 1};
    const float values[] = {0.25f, 0.75f};
    CLEANUP(rig_clear) Rig rig = rig_of(1, 2, joints, values);
    rig.centers = memory_table(1, 3, sizeof *rig.centers);
    assert_ok(rig_prune(&rig, 1, 1));
    assert_null(rig.centers);
}

TEST(impossible_prunings_are_refused)
{
    const int32_t joints[] = {0, 1, 0, 1};
    const float values[] = {0.5f, 0.5f, 0.f, 0.f};
    CLEANUP(rig_clear) Rig rig = rig_of(2, 2, joints, values);
    assert_bad_input("vertex 1", rig_prune(&rig, 2, 1));
    assert_refused(STATUS_USAGE, "0 influences", rig_prune(&rig, 2, 0));
    assert_allocations_may_fail(2, rig_prune(&rig, 1, 1), assert_int_equal(rig.influence_count, 2));
    rig_clear(&rig);
    assert_ok(rig_allocate(&rig, 0, 1, 0, 4));
    assert_ok(rig_prune(&rig, 0, 2));
}

TEST(sets_are_counted)
{
    /* The joint sets are {3,7} for two vertices that list it in different orders, {3} beside a zero weight,
     * {0,3,7}, and {7} listed twice. */
    const int32_t joints[] = {3, 7, 0, /**/ 7, 3, 0, /**/ 3, 7, 0, /**/ 7, 0, 3, /**/ 7, 7, 0};
    const float values[] = {.5f,      .5f, 0.f, /**/ .5f, .5f, 0.f, /**/ 1.f, 0.f, 0.f, /**/ .3f, .3f, .4f,
                            /**/ .5f, .5f, 0.f};
    CLEANUP(rig_clear) Rig rig = rig_of(5, 3, joints, values);
    RigStatistics statistics;
    assert_ok(rig_statistics(&rig, 5, &statistics));
    assert_int_equal(statistics.joint_sets, 4);
    assert_int_equal(statistics.joint_sets_blended, 2);
    assert_int_equal(statistics.joints_used, 3);
    assert_int_equal(statistics.most_influences, 3);
    assert_true(fabs(statistics.mean_influences - 9.0 / 5) < 1e-15);
    assert_int_equal(statistics.histogram[1], 2);
    assert_int_equal(statistics.histogram[2], 2);
    assert_int_equal(statistics.histogram[3], 1);
    assert_allocations_may_fail(2, rig_statistics(&rig, 5, &statistics), (void)0);
}

/* The statistics equal numbers found independently: 569 joint sets, 2.6 influences on average, and 124 of
 * 163 joints with weights. */
TEST(data_makehuman_has_its_published_sets)
{
    OWNED_DATA(dataset, "makehuman.h5");
    RigStatistics statistics;
    int vertices = dataset->mesh.vertex_count;
    assert_ok(rig_statistics(&dataset->rig, vertices, &statistics));
    assert_int_equal(statistics.joints_used, 124);
    assert_int_equal(statistics.most_influences, 9);
    int more_than_four = 0;
    for (int i = 5; i < INFLUENCE_HISTOGRAM_SIZE; i++)
        more_than_four += statistics.histogram[i];
    assert_int_equal(more_than_four, 2460);
    assert_ok(rig_prune(&dataset->rig, vertices, 4));
    assert_ok(rig_statistics(&dataset->rig, vertices, &statistics));
    assert_int_equal(statistics.joint_sets, 569);
    assert_true(fabs(statistics.mean_influences - 2.6) < 0.05);
    for (int v = 0; v < vertices; v++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++)
            sum += dataset->rig.weight_values[4 * v + k];
        assert_true(fabs(sum - 1.0) < 3e-7);
    }
}
