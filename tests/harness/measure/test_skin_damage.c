/* Measures the damage that a pose does to the skin, on skins of a few triangles. */
#include "harness/measure/metrics/skin_damage.h"
#include "tests/support.h"

/* Two separate triangles of blended skin. The second is perpendicular to the first, with one corner below
 * it. Two edges of the second pass through the first, and no edge of the first passes through the second.
 * Two of six edges therefore cross skin. */
TEST(skin_that_passes_through_skin)
{
    float rest[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 4, 0, 1, 0, 4, 1};
    float crossed[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 0.5f, 1, 1, 1.5f, 1, 1};
    int32_t triangles[6] = {0, 1, 2, 3, 4, 5}, parents[2] = {-1, 0}, joints[12];
    float weights[12];
    Transform identity = {.m00 = 1.0, .m11 = 1.0, .m22 = 1.0}, places[2] = {identity, identity};
    for (int i = 0; i < 12; i++) {
        joints[i] = i % 2;
        weights[i] = 0.5f;
    }
    const Mesh mesh = {.vertex_count = 6, .triangle_count = 2, .rest = rest, .triangles = triangles};
    const Rig rig = {.joint_count = 2,
                     .parents = parents,
                     .rest = places,
                     .influence_count = 2,
                     .weight_joints = joints,
                     .weight_values = weights};
    CLEANUP(skin_at_rest_clear) SkinAtRest at_rest = {.rig = NULL}, at_crossed = {.rig = NULL};
    double crossing = NAN;
    assert_ok(skin_at_rest_make(&mesh, &rig, &at_rest));
    assert_ok(skin_crossing(&at_rest, rest, &crossing));
    assert_true(crossing == 0.0);
    assert_ok(skin_crossing(&at_rest, crossed, &crossing));
    assert_true(crossing == 2.0 / 6.0);
    /* edges that already cross skin at rest are not counted */
    const Mesh other = {.vertex_count = 6, .triangle_count = 2, .rest = crossed, .triangles = triangles};
    assert_ok(skin_at_rest_make(&other, &rig, &at_crossed));
    assert_ok(skin_crossing(&at_crossed, crossed, &crossing));
    assert_true(crossing == 0.0);
}
