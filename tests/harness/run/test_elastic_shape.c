/* Tests elastic flesh on bones. Rigid motions leave it unstrained, and the change by a twist is bounded. */
#include "tests/generated.h"
#include "tests/rigs.h"

#include "datasets/geometry/angles.h"
#include "datasets/model/evaluate.h"
#include "harness/run/advice/elastic_shape.h"

/* In the rest pose, or if all joints follow one rigid motion, flesh is not strained. */
TEST(rigid_motions_move_the_skin_rigidly)
{
    OWNED_BY(dataset_free) Dataset *dataset = GENERATED("bar", "motion=bend-90", "frames=2");
    const int n = dataset->mesh.vertex_count, joints = dataset->rig.joint_count;
    OWNED float *shapes = memory_array(6 * (size_t)n, sizeof *shapes);
    Transform poses[4];
    assert_int_equal(joints, 2);
    const Transform moves[2] = {
        transform_identity(),
        transform_rigid(quat_about(vec3_make(1.0, 2.0, -1.0), 2.5), vec3_make(3.0, -1.0, 0.5))};
    for (int i = 0; i < 4; i++)
        poses[i] = moves[i / 2];
    assert_ok(elastic_shapes(&dataset->mesh, &dataset->rig, poses, 2, 2, NULL, shapes));
    for (int i = 0; i < 2 * n; i++) {
        const Vec3 expected = transform_point(moves[i / n], point_at(dataset->mesh.rest, i % n));
        assert_near(vec3_length(vec3_sub(point_at(shapes, i), expected)), 0.0, 2e-6); /* float rounding */
    }
}

/* In the middle of a bar twisted by the angle a, lbs shrinks the radius to cos(a / 2), 0.383 at 135
 * degrees. Flesh becomes thinner where it is stretched along a helix, but loses less than half as much
 * radius. Skin with a single joint moves rigidly with the joint. */
TEST(a_twist_keeps_the_girth)
{
    OWNED_BY(dataset_free) Dataset *dataset = GENERATED("bar", "motion=twist-135", "frames=2");
    const Rig *rig = &dataset->rig;
    const int n = dataset->mesh.vertex_count;
    OWNED float *shapes = memory_array(3 * (size_t)n, sizeof *shapes);
    double least[2] = {INFINITY, INFINITY};
    assert_ok(elastic_shapes(&dataset->mesh, rig, rig->transforms + 2, 1, 1, NULL, shapes));
    for (int v = 0; v < n; v++) {
        const Vec3 rest = point_at(dataset->mesh.rest, v), shape = point_at(shapes, v);
        const Vec3 blended = rig_skin_point(rig, 1, v, rest, vec3_make(0.0, 0.0, 0.0));
        const double radius = hypot(rest.y, rest.z);
        if (rig->weight_values[2 * v] == 1.0f)
            assert_near(vec3_length(vec3_sub(shape, blended)), 0.0, 2e-6);
        if (fabs(rest.x) < 1.0 && radius > 0.5) {
            least[0] = fmin(least[0], hypot(blended.y, blended.z) / radius);
            least[1] = fmin(least[1], hypot(shape.y, shape.z) / radius);
        }
    }
    assert_near(least[0], cos(135.0 / 360.0 * PI), 0.02); /* no vertex is exactly in the middle */
    assert_true(least[1] > 0.5 * (1.0 + cos(135.0 / 360.0 * PI)));
}

TEST(refuses_a_rig_without_rest_frames)
{
    OWNED_BY(dataset_free) Dataset *dataset = generated("bar", NULL);
    float none[1];
    FREE_ALL(dataset->rig.rest);
    dataset->rig.rest = NULL;
    assert_refused(STATUS_BAD_INPUT, "rig/rest",
                   elastic_shapes(&dataset->mesh, &dataset->rig, dataset->rig.transforms, 0, 1, NULL, none));
}
