/* Evaluates a rig and a low-rank model at a vertex, and compares the results with values worked out by
 * hand. */
#include "tests/support.h"

#include "datasets/model/evaluate.h"

enum { FRAMES = 2, VERTICES = 2 };

/* Joint 0 scales by 2 and translates along x by an amount that grows with the frame. Joint 1 rotates by 90
 * degrees about z, which moves (x, y) to (-y, x). */
static Transform transforms[FRAMES][2] = {
    {{.m00 = 2.0, .m11 = 2.0, .m22 = 2.0}, {.m01 = -1.0, .m10 = 1.0, .m22 = 1.0}},
    {{.m00 = 2.0, .m11 = 2.0, .m22 = 2.0, .m03 = 8.0}, {.m01 = -1.0, .m10 = 1.0, .m22 = 1.0}}};
static int32_t joints[VERTICES][2] = {{0, 1}, {1, 0}};
static float weights[VERTICES][2] = {{0.25f, 0.75f}, {1.0f, 0.0f}};

static Rig rig_of_two(void)
{
    return (Rig){.joint_count = 2,
                 .frame_count = FRAMES,
                 .influence_count = 2,
                 .transforms = transforms[0],
                 .weight_joints = joints[0],
                 .weight_values = weights[0]};
}

/* Joint 0 takes (2, 4, 8) to (4, 8, 16), and joint 1 takes it to (-4, 2, 8). The blend is a quarter of the
 * first plus three quarters of the second. */
TEST(linear_blends)
{
    const Rig rig = rig_of_two();
    const Vec3 zero = {0.0, 0.0, 0.0}, rest = {2.0, 4.0, 8.0};
    assert_vec3(rig_skin_point(&rig, 0, 0, rest, zero), vec3_make(-2.0, 3.5, 10.0), 0.0);
    assert_vec3(rig_skin_point(&rig, 1, 0, rest, zero), vec3_make(0.0, 3.5, 10.0), 0.0);
    assert_vec3(rig_skin_point(&rig, 1, 1, rest, vec3_make(4.0, -2.0, -7.0)), vec3_make(0.0, 0.0, 1.0), 0.0);
    for (int frame = 0; frame < FRAMES; frame++)
        for (int vertex = 0; vertex < VERTICES; vertex++)
            assert_vec3(rig_skin_point(&rig, frame, vertex, rest, zero),
                        transform_point(rig_blend(&rig, frame, vertex), rest), 0.0);
}

TEST(low_rank_products)
{
    double basis[3 * FRAMES][2] = {{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}, {2, 2}};
    float coefficients[2][VERTICES] = {{3, 5}, {-1, 7}};
    const LowRank model = {2, 3 * FRAMES, basis[0], coefficients[0]};
    assert_vec3(low_rank_point(&model, 0, VERTICES, 0, vec3_make(0.0, 0.0, 0.0)), vec3_make(3.0, -1.0, 2.0),
                0.0);
    assert_vec3(low_rank_point(&model, 1, VERTICES, 1, vec3_make(1.0, 2.0, 3.0)), vec3_make(11.0, 16.0, 27.0),
                0.0);
}
