/* Tests the numbers of a gate on a strip of triangles, where each has a closed form. */
#include "harness/measure/gate/gate.h"
#include "tests/rigs.h"

enum { COLUMNS = 20 };

/* A strip of two rows of vertices along x, of length COLUMNS - 1, with a triangle on each side of the
 * diagonals. All vertices follow joint 0; joint 1 moves by 1 along y in the only frame. */
static Dataset *strip(int influences)
{
    Dataset *data = dataset_made("strip", 0.0, 2 * COLUMNS, 2 * (COLUMNS - 1), 3, 1, influences);
    for (int v = 0; v < 2 * COLUMNS; v++) {
        data->mesh.rest[3 * v] = (float)(v / 2);
        data->mesh.rest[3 * v + 1] = (float)(v % 2);
        data->rig.weight_values[v * influences] = 1.0f;
    }
    for (int t = 0; t < 2 * (COLUMNS - 1); t++) {
        int32_t *corners = data->mesh.triangles + 3 * (ptrdiff_t)t;
        corners[0] = t;
        corners[1] = t % 2 ? t + 2 : t + 1;
        corners[2] = t % 2 ? t + 1 : t + 2;
    }
    for (int j = 0; j < 3; j++) {
        data->rig.parents[j] = j - 1;
        data->rig.rest[j] = transform_translate(vec3_make((double)j, 0.0, 0.0));
        data->rig.transforms[j] = transform_translate(vec3_make(0.0, j == 1 ? 1.0 : 0.0, 0.0));
        data->rig.joint_names[j] = memory_text(text_of("joint%d", j));
    }
    return data;
}

static Gate measured(const Dataset *data, int influences, int bits, double sum_high)
{
    Gate gate;
    assert_ok(gate_measure(&(GateTask){data, 1.0, sum_high, influences, bits, NULL}, &gate));
    return gate;
}

/* Gives a vertex a share of joint 1, in its second slot. */
static void share_give(Dataset *data, int vertex, float share)
{
    const ptrdiff_t slot = (ptrdiff_t)vertex * data->rig.influence_count;
    data->rig.weight_values[slot] = 1.0f - share;
    data->rig.weight_joints[slot + 1] = 1;
    data->rig.weight_values[slot + 1] = share;
}

static const double diagonal_percent = 100.0 / 19.02629759; /* the diagonal of a box of 19 by 1 */

TEST(a_clean_rig_passes)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    const Gate gate = measured(data, 4, 8, 1.0);
    for (int i = 0; i < GATE_COUNT; i++)
        assert_true(gate.values[i] <= gate_rows[i].limit);
    assert_true(gate.values[GATE_UNREACHED] == 2.0);
    assert_string_equal(gate.places[GATE_UNREACHED], "joint joint1");
}

TEST(a_joint_above_one_that_moves_vertices_is_reached)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    data->rig.weight_joints[0] = 2;
    assert_true(measured(data, 4, 8, 1.0).values[GATE_UNREACHED] == 0.0);
}

TEST(a_sum_that_an_import_scaled_counts)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    assert_true(measured(data, 4, 8, 2.0).values[GATE_SUMS] == 1.0);
    data->rig.weight_values[6] = 0.75f;
    const Gate gate = measured(data, 4, 8, 1.0);
    assert_true(gate.values[GATE_SUMS] == 0.25);
    assert_string_equal(gate.places[GATE_SUMS], "vertex 3 has the sum 0.75");
}

TEST(numbers_that_are_not_finite_are_counted_and_end_the_rest)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    data->mesh.rest[5] = NAN;
    data->rig.transforms[1].m11 = INFINITY;
    const Gate gate = measured(data, 4, 8, 1.0);
    assert_true(gate.values[GATE_NOT_FINITE] == 2.0 && gate.values[GATE_ERRORS] > 0.0);
    assert_string_equal(gate.places[GATE_NOT_FINITE], "rest pose[5]");
    assert_true(isnan(gate.values[GATE_BLEED]) && isnan(gate.values[GATE_SEAMS]));
}

TEST(a_dropped_influence_moves_the_vertex_by_its_share)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    share_give(data, 8, 0.25f);
    const Gate gate = measured(data, 1, 8, 1.0);
    assert_true(gate.values[GATE_INFLUENCES] == 1.0);
    assert_string_equal(gate.places[GATE_INFLUENCES], "vertex 8 has 2");
    assert_near(gate.values[GATE_FEW_INFLUENCES], 0.25 * diagonal_percent, 1e-5);
    assert_string_equal(gate.places[GATE_FEW_INFLUENCES], "vertex 8 in frame 0");
}

TEST(slots_of_one_joint_are_one_influence)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    share_give(data, 8, 0.25f);
    data->rig.weight_joints[2 * 8 + 1] = data->rig.weight_joints[2 * 8];
    const Gate gate = measured(data, 1, 8, 1.0);
    assert_true(gate.values[GATE_INFLUENCES] == 0.0);
    assert_near(gate.values[GATE_FEW_INFLUENCES], 0.0, 1e-5);
}

TEST(one_bit_rounds_a_share_away)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    share_give(data, 8, 0.25f);
    assert_near(measured(data, 4, 1, 1.0).values[GATE_QUANTISED], 0.25 * diagonal_percent, 1e-5);
    assert_near(measured(data, 4, 2, 1.0).values[GATE_QUANTISED], (1.0 / 3.0 - 0.25) * diagonal_percent,
                1e-5);
}

TEST(vertices_in_one_place_part_by_the_difference_of_their_shares)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    for (int i = 0; i < 3; i++)
        data->mesh.rest[3 * 30 + i] = data->mesh.rest[3 * 8 + i];
    assert_true(measured(data, 4, 8, 1.0).values[GATE_SEAMS] == 0.0);
    share_give(data, 8, 0.5f);
    share_give(data, 30, 0.125f);
    const Gate gate = measured(data, 4, 8, 1.0);
    assert_near(gate.values[GATE_SEAMS], 0.375 * diagonal_percent, 1e-5);
    assert_string_equal(gate.places[GATE_SEAMS], "vertices 8 and 30 in frame 0");
}

TEST(a_weight_apart_from_the_region_of_its_joint_is_bleed)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    for (int v = 0; v < 20; v++)
        share_give(data, v, 0.5f);
    assert_true(measured(data, 4, 8, 1.0).values[GATE_BLEED] == 0.0);
    share_give(data, 33, 0.25f);
    const Gate gate = measured(data, 4, 8, 1.0);
    assert_true(gate.values[GATE_BLEED] == 0.25);
    assert_string_equal(gate.places[GATE_BLEED], "vertex 33, joint joint1");
    share_give(data, 33, 0.005f); /* too small to be seen */
    assert_true(measured(data, 4, 8, 1.0).values[GATE_BLEED] == 0.0);
    for (int v = 30; v < 40; v++) /* half of the joint's weight: a second region on purpose */
        share_give(data, v, 0.5f);
    assert_true(measured(data, 4, 8, 1.0).values[GATE_BLEED] == 0.0);
}

TEST(a_rig_without_frames_is_posed)
{
    OWNED_BY(dataset_free) Dataset *data = strip(2);
    share_give(data, 8, 0.25f);
    data->rig.frame_count = 0;
    const Gate gate = measured(data, 1, 8, 1.0);
    assert_true(gate.values[GATE_FEW_INFLUENCES] > 0.0 && gate.values[GATE_FEW_INFLUENCES] < 100.0);
}
