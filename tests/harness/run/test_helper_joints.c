/* Tests helper joints: their effect on linear blending of a half twist, invariants of the delivered rig,
 * and agreement with the errors that the fit reports. */
#include "harness/run/fit/helper_joints.h"
#include "tests/skinned.h"
#include "tests/studies.h"

static Status fitted(const Dataset *dataset, const char *target, int helpers, int threads, HelperFit *fit)
{
    const HelperOptions options = {.target = skinning_entry_find(target),
                                   .helpers = helpers,
                                   .poses = 24,
                                   .quadratic = true,
                                   .seed = 5,
                                   .threads = threads};
    return helper_joints_fit(&dataset->mesh, &dataset->rig, &options, fit);
}

/* Returns the root mean square distance between `rig` skinned by lbs and `other` skinned by dqs, over
 * frames 1, 3, 5, ... */
static double distance_of(const Dataset *dataset, const Rig *rig, const Rig *other)
{
    Dataset copy = *dataset;
    double sum = 0.0;
    const int values = 3 * dataset->mesh.vertex_count;
    SkinnerOptions lbs = options_of(skinning_entry_find("lbs"), &backend_reference),
                   dqs = options_of(skinning_entry_find("dqs"), &backend_reference);
    lbs.normals = dqs.normals = false;
    copy.rig = *rig;
    CLEANUP(result_clear) Result linear = skin(&lbs, &copy);
    copy.rig = *other;
    CLEANUP(result_clear) Result target = skin(&dqs, &copy);
    for (int frame = 1; frame < rig->frame_count; frame += 2)
        for (int i = 0; i < values; i++)
            sum += pow(linear.positions[frame * values + i] - target.positions[frame * values + i], 2.0);
    return sqrt(3.0 * sum / (double)(values * (rig->frame_count / 2)));
}

/* Between two joints twisted by the angle a, equal weights keep cos(a / 2) of the radius. A helper joint
 * with half of the twist raises this to cos(a / 4). At 135 degrees, 0.617 of the radius is lost without the
 * helper and 0.168 with it. */
TEST(half_of_a_twist_is_found)
{
    OWNED_SUBJECT(subject, "bar", "motion=twist-135", "frames=16", "around=12", "along=33");
    HelperFit fit;
    const Dataset *bar = subject.dataset;
    assert_ok(fitted(bar, "dqs", 1, 1, &fit));
    CLEANUP(rig_clear) Rig rig = fit.rig;
    assert_int_equal(fit.count, 1);
    assert_int_equal(fit.models[0].joint, 1);
    assert_true(fit.held.after < 0.35 * fit.held.before);
    assert_true(fit.own.after < 0.35 * fit.own.before);
    assert_near(fit.models[0].turn[0][0], 0.5, 0.1); /* about x */
    assert_int_equal(rig.joint_count, 3);
    assert_int_equal(rig.parents[2], 0);
    assert_string_equal(rig.joint_names[2], "tip-helper-1");
    /* the rest pose is the first frame, where the helper joint must not move */
    assert_memory_equal(&rig.transforms[2], &rig.transforms[0], sizeof(Transform));
    for (int v = 0; v < bar->mesh.vertex_count; v++) {
        float sum = 0.0f;
        for (int k = 0; k < rig.influence_count; k++) {
            const float weight = rig.weight_values[v * rig.influence_count + k];
            assert_true(weight >= 0.0f);
            sum += weight;
        }
        assert_near((double)sum, 1.0, 1e-6);
    }
    assert_near(distance_of(bar, &bar->rig, &bar->rig), fit.own.before, 1e-6);
    assert_near(distance_of(bar, &rig, &bar->rig), fit.own.after, 1e-6);
}

/* The result does not depend on the number of threads. With more helper joints, the error to which they are
 * fitted becomes smaller. */
TEST(threads_and_more_helpers)
{
    OWNED_RIG(dataset, .vertices = 120, .joints = 6, .influences = 3, .frames = 12, .angle = 1.2, .seed = 8);
    HelperFit one, two, more;
    assert_ok(fitted(dataset, "dqs", 2, 1, &one));
    assert_ok(fitted(dataset, "dqs", 2, 2, &two));
    assert_ok(fitted(dataset, "dqs", 5, 2, &more));
    CLEANUP(rig_clear) Rig first = one.rig;
    CLEANUP(rig_clear) Rig second = two.rig;
    CLEANUP(rig_clear) Rig third = more.rig;
    assert_true(first.joint_count == 8 && third.joint_count == 11);
    assert_true(one.fitted.after < one.fitted.before && more.fitted.after < one.fitted.after);
    assert_true(one.held.after == two.held.after);
    assert_memory_equal(first.transforms, second.transforms, 8 * 12 * sizeof(Transform));
}

/* If lbs already matches the target's shape, no helper joint is needed. */
TEST(nothing_to_help)
{
    OWNED_RIG(dataset, .vertices = 40, .joints = 4, .influences = 1, .frames = 3, .angle = 0.5, .seed = 9);
    HelperFit fit;
    assert_ok(fitted(dataset, "dqs", 3, 1, &fit));
    CLEANUP(rig_clear) Rig rig = fit.rig;
    assert_int_equal(fit.count, 0);
    assert_int_equal(rig.joint_count, 4);
    assert_near(fit.held.after, 0.0, 1e-5);
    dataset->rig.frame_count = 0;
    assert_bad_input("rest frames and posed frames", fitted(dataset, "dqs", 1, 1, &fit));
    dataset->rig.frame_count = 3;
}
