/* Tests the division of vertices in bound order (sorted by joint set) into blocks of lanes. */
#include "tests/rigs.h"

#include "methods/runtime/backends/device_binding.h"
#include "methods/runtime/backends/lane_blocks.h"

/* A rig with two influences per vertex, and given numbers of vertices with the joint sets {0}, {0, 1} and
 * {2}. */
typedef struct ThreeSets {
    int32_t joints[64][2];
    float weights[64][2];
    Rig rig;
    JointSets sets;
} ThreeSets;

static void three_sets_make(ThreeSets *small, int alone, int pairs, int others)
{
    const int count = alone + pairs + others;
    for (int i = 0; i < count; i++) {
        const bool pair = i >= alone && i < alone + pairs, other = i >= alone + pairs;
        small->joints[i][0] = other ? 2 : 0;
        small->joints[i][1] = 1;
        small->weights[i][0] = pair ? 0.5f : 1.0f;
        small->weights[i][1] = pair ? 0.5f : 0.0f;
    }
    small->rig = (Rig){.joint_count = 3,
                       .influence_count = 2,
                       .weight_joints = small->joints[0],
                       .weight_values = small->weights[0]};
    assert_ok(joint_sets_init(&small->rig, count, INFLUENCES_BY_JOINT, &small->sets));
}

static void assert_blocks(const JointSets *sets, bool mix, int mixed_set_joints, const uint8_t *expected,
                          int64_t count)
{
    LaneBlocks blocks = {
        .lanes = 8, .mix = mix, .joints_max = BLOCK_JOINTS_FEW, .mixed_set_joints = mixed_set_joints};
    assert_ok(lane_blocks_cut(sets, &blocks));
    assert_int_equal(blocks.count, count);
    assert_memory_equal(blocks.vertices, expected, (size_t)count);
    memory_free(blocks.vertices);
}

/* In bound order, the sets {0}, {2} and {0, 1} have 10, 2 and 9 vertices. In separate blocks of 8 lanes
 * they need two, one and two blocks. If blocks may be mixed, three suffice: the second contains all three
 * sets, and the last is the shortest. */
TEST(full_blocks_come_first)
{
    ThreeSets small;
    three_sets_make(&small, 10, 9, 2);
    assert_blocks(&small.sets, false, 0, (const uint8_t[]){8, 2, 2, 8, 1}, 5);
    assert_blocks(&small.sets, true, 1, (const uint8_t[]){8, 8, 5}, 3);
    assert_blocks(&small.sets, true, 2, (const uint8_t[]){8, 2, 2, 8, 1},
                  5); /* only one of the joint sets has two joints, so no block is shared by several sets */
    joint_sets_clear(&small.sets);
}

/* On a device, 8 of the same 21 vertices form a tile. If tiles may be mixed, the first has the set {0}, the
 * second has {0}, {2} and {0, 1}, and the third {0, 1}. Otherwise, or with one vertex per tile, each tile
 * has one set. Every vertex is in exactly one lane, and the remaining lanes repeat a vertex of their
 * tile. */
TEST(device_tiles_hold_every_vertex_once)
{
    enum { VERTICES = 21 };
    static const struct {
        DeviceShape shape;
        bool mix;
        int tiles, groups, sets_of_second;
    } cases[] = {{{.lanes = 8, .reals = 1}, true, 3, 3, 3},
                 {{.lanes = 8, .reals = 1}, false, 5, 3, 1},
                 {{.lanes = 1, .reals = 8}, true, 5, 3, 1},
                 {{.lanes = 1, .reals = 1}, true, VERTICES, 3, 1}};
    ThreeSets small;
    three_sets_make(&small, 10, 9, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLEANUP(device_tiles_clear) DeviceTiles tiles = {0};
        int next = 0;
        const int lanes = device_tile_lanes(&cases[i].shape);
        assert_ok(device_tiles_init(&small.sets, &cases[i].shape, cases[i].mix, &tiles));
        assert_int_equal(tiles.tile_count, cases[i].tiles);
        assert_int_equal(tiles.lane_count, cases[i].tiles * lanes);
        assert_int_equal(tiles.group_count, cases[i].groups);
        assert_int_equal(tiles.groups[1].set_count, cases[i].sets_of_second);
        for (int lane = 0; lane < tiles.lane_count; lane++) {
            const DeviceGroup *group = &tiles.groups[tiles.group_of[lane / lanes]];
            const int vertex = tiles.vertex_of[lane], set = small.sets.set_of_vertex[vertex];
            assert_true(set >= group->first_set && set < group->first_set + group->set_count);
            if (device_lane_is_vertex(&tiles, lane))
                assert_int_equal(vertex, next++);
            else
                assert_true(lane % lanes > 0 && vertex == next - 1);
        }
        assert_int_equal(next, VERTICES);
    }
    joint_sets_clear(&small.sets);
}

/* A set with many joints is never mixed with other sets, however few vertices it has. */
TEST(wide_sets_stay_alone)
{
    enum { VERTICES = 6, JOINTS = 20 };
    int32_t joints[VERTICES][JOINTS];
    float weights[VERTICES][JOINTS];
    for (int i = 0; i < VERTICES; i++)
        for (int k = 0; k < JOINTS; k++) {
            joints[i][k] = k;
            weights[i][k] = k < 17 + i / 3 ? 0.05f : 0.0f;
        }
    Rig rig = {.joint_count = JOINTS,
               .influence_count = JOINTS,
               .weight_joints = joints[0],
               .weight_values = weights[0]};
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    assert_ok(joint_sets_init(&rig, VERTICES, INFLUENCES_BY_JOINT, &sets));
    assert_blocks(&sets, true, 0, (const uint8_t[]){3, 3}, 2);
}

/* Most sets of these rigs have only one vertex. Every vertex must be in exactly one block, and mixing must
 * not need more lanes. */
TEST(all_vertices_once)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        OWNED_RIG(dataset, .vertices = 97, .joints = 3 + (int)seed, .influences = 1 + (int)seed % 5,
                  .seed = seed);
        CLEANUP(joint_sets_clear) JointSets sets = {0};
        assert_ok(joint_sets_init(&dataset->rig, 97, INFLUENCES_BY_JOINT, &sets));
        int64_t counts[2];
        for (int mix = 0; mix < 2; mix++) {
            LaneBlocks blocks = {.lanes = 16, .mix = mix == 1, .joints_max = BLOCK_JOINTS_FEW};
            int vertices = 0;
            assert_ok(lane_blocks_cut(&sets, &blocks));
            for (int64_t block = 0; block < blocks.count; block++) {
                assert_in_range(blocks.vertices[block], 1, 16);
                vertices += blocks.vertices[block];
            }
            assert_int_equal(vertices, 97);
            counts[mix] = blocks.count;
            memory_free(blocks.vertices);
        }
        assert_true(counts[1] <= counts[0] && counts[1] >= (97 + 15) / 16);
    }
}

TEST(joints_unite)
{
    static const int32_t one[] = {1, 4, 9}, other[] = {0, 4, 5, 10}, expected[] = {0, 1, 4, 5, 9, 10};
    int32_t many[BLOCK_JOINTS_MAX], out[BLOCK_JOINTS_MAX];
    assert_int_equal(lane_blocks_unite(one, 3, other, 4, out), 6);
    assert_memory_equal(out, expected, sizeof expected);
    for (int i = 0; i < BLOCK_JOINTS_MAX; i++)
        many[i] = 2 * i;
    assert_int_equal(lane_blocks_unite(many, BLOCK_JOINTS_MAX, many, BLOCK_JOINTS_MAX, out),
                     BLOCK_JOINTS_MAX);
    assert_int_equal(lane_blocks_unite(many, BLOCK_JOINTS_MAX, one, 1, out), BLOCK_JOINTS_MAX + 1);
}

TEST(every_allocation_may_fail)
{
    ThreeSets small;
    three_sets_make(&small, 10, 9, 2);
    LaneBlocks blocks = {.lanes = 8, .mix = true, .joints_max = BLOCK_JOINTS_FEW};
    assert_allocations_may_fail(2, lane_blocks_cut(&small.sets, &blocks), assert_null(blocks.vertices));
    memory_free(blocks.vertices);
    joint_sets_clear(&small.sets);
}
