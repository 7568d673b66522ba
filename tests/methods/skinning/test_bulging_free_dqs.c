/* Bulging-free dual quaternion skinning limits the distances of vertices from the bones, which DQS does not
 * preserve. */
#include "datasets/geometry/angles.h"
#include "tests/single.h"
#include "tests/studies.h"

static double bar_measure(const char *motion, const char *name)
{
    OWNED_SUBJECT(subject, "bar", motion, "frames=2");
    MEASURED(measures, "bar-shape", "{\"methods\":[\"dqs\",\"bulging-free-dqs\"]}", &subject, 1);
    return measures_value(&measures, name);
}

/* In a bent bar, no vertex may be farther from its bones than at rest, whereas DQS bulges by a fifth and
 * more. No vertex may be closer than with DQS. A twist moves no vertex away from its bones, so it must be
 * unchanged. */
TEST(bends_do_not_bulge)
{
    static const char *const motions[] = {"motion=bend-120", "motion=bend-90"};
    for (int i = 0; i < 2; i++) {
        assert_true(bar_measure(motions[i], "dqs_bones_bulge_percent") > 20.0);
        assert_true(fabs(bar_measure(motions[i], "bulging-free-dqs_bones_bulge_percent")) < 1e-4);
        assert_near(bar_measure(motions[i], "bulging-free-dqs_bones_collapse_percent"),
                    bar_measure(motions[i], "dqs_bones_collapse_percent"), 1e-4);
    }
    assert_near(bar_measure("motion=twist-135", "bulging-free-dqs_bones_bulge_percent"), 0.0, 1e-4);
    assert_near(bar_measure("motion=twist-135", "bulging-free-dqs_bones_collapse_percent"), 0.0, 1e-4);
}

/* A bone extends from (0, 0, 0) to (2, 0, 0), and its child's bone is bent by 90 degrees about z at (2, 0,
 * 0). Vertices have the weights 0.6 and 0.4. DQS keeps the vertex (2, -1, 0) at distance 1 from the end of
 * the first bone, so the method leaves it there. DQS moves the vertex (1, -1, 0) farther than 1 from the
 * bone, and the method brings it back to 1. */
TEST(a_vertex_comes_back_to_its_distance)
{
    Single single = single_about_x(2, (double[]){0.0, 0.0}, (float[]){0.6f, 0.4f});
    for (int j = 0; j < 2; j++)
        single.rest[j] = (Transform){1.0, 0.0, 0.0, 2.0 * j, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    single.transforms[1] = transform_about(quat_about(AXES[2], 0.5 * PI), vec3_make(2.0, 0.0, 0.0), ORIGIN);
    for (int i = 0; i < 2; i++) {
        const double at[3] = {2.0 - i, -1.0, 0.0};
        memcpy(single.at, at, sizeof at);
        const Vec3 plain = single_skinned("dqs", NULL, &single);
        const Vec3 out = single_skinned("bulging-free-dqs", NULL, &single);
        /* the nearest point of the bone is its end */
        const double from_end = hypot(plain.x - 2.0, plain.y);
        assert_near(from_end, hypot((double)i, 1.0), 1e-12);
        const bool beyond = plain.x > 2.0;
        const double distance = beyond ? from_end : fabs(plain.y), share = fmin(1.0, 1.0 / distance);
        assert_true(i == 0 || distance > 1.0 + 1e-3);
        assert_near(out.y, share * plain.y, 1e-12);
        assert_near(out.x, beyond ? 2.0 + share * (plain.x - 2.0) : plain.x, 1e-12);
    }
}

/* If all vertices have one joint, the skin is rigid, wherever the bone is. A rig without rest frames is
 * refused. */
TEST(needs_rest_frames)
{
    Single single = single_about_x(1, (double[]){1.0}, (float[]){1.0f});
    assert_vec3(single_skinned("bulging-free-dqs", NULL, &single), single_skinned("dqs", NULL, &single),
                1e-12);
    OWNED_RIG(dataset, .vertices = 10, .joints = 2, .influences = 2, .frames = 1, .seed = 5);
    memory_free(dataset->rig.rest);
    dataset->rig.rest = NULL;
    SkinnerOptions options = {
        .entry = skinning_entry_find("bulging-free-dqs"),
        .parameters = parameters_default(skinning_entry_find("bulging-free-dqs")->method->parameters)};
    Skinner *skinner = NULL;
    assert_bad_input("rest frames", skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
}
