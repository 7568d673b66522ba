/* Compares studies of direct methods with closed forms: figures 1 and 3 of SBS; figures 6 and 22, section 4.2
 * and equation 15 of DQS; section 5 of CoR. */
#include "datasets/geometry/angles.h"
#include "datasets/geometry/counted_real.h"
#include "tests/rigs.h"
#include "tests/studies.h"

/* A vertex 1 beyond an elbow that bends by 120 degrees. LBS moves it along the chord, and SBS along the arc.
 * The largest distance between them is 1 - cos(60 degrees). About the shoulder, the rotation by 60 degrees
 * and half of the translation take it to (3, sqrt(3)), which is 2 from the elbow. */
TEST(joints_that_meet_blend_to_a_segment_or_an_arc)
{
    static const char arm[] = "{'method':'%s','first':[0,0,0],'second':[120,3,-1.7320508075688772],"
                              "'point':[3,0],'rest_second':[2,0]}";
    static const struct {
        const char *method;
        double chord_off, half_drift;
    } cases[] = {{"lbs", 0.0, 0.5}, {"sbs", 0.5, 0.0}, {"dqs", 0.5, 0.0}, {"linear-translations", NAN, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MEASURED(path, "planar-path", text_of(arm, cases[i].method), NULL, 1);
        assert_measured(&path, "half_drift", cases[i].half_drift, 1e-9);
        if (!isnan(cases[i].chord_off))
            assert_measured(&path, "chord_off", cases[i].chord_off, 1e-9);
    }
}

/* q and -q are one rotation, which their powers reach on two ways that are a full turn together. */
TEST(powers_of_a_quaternion_and_its_negative_share_a_turn)
{
    static const double turns[] = {240.0, 90.0, 181.0};
    for (int i = 0; i < 3; i++) {
        const char *format = "{'method':'power','second':[1,2,2,%g]%s}";
        MEASURED(one, "rotation-path", text_of(format, turns[i], ""), NULL, 1);
        MEASURED(other, "rotation-path", text_of(format, turns[i], ",'negated':true"), NULL, 1);
        assert_measured(&one, "way_degrees", turns[i], 1e-6);
        assert_measured(&other, "way_degrees", 360.0 - turns[i], 1e-6);
        assert_measured(&other, "shortest_degrees", fmin(turns[i], 360.0 - turns[i]), 1e-6);
    }
    assert_refused(STATUS_USAGE, "axis and an angle",
                   study_refused("rotation-path", "{'method':'power','second':[1,2]}", NULL));
}

/* With a centre for each vertex, the gap of SBS closes in proportion to the third weight, like that of LBS.
 * Without a third joint, it is SBS itself. */
TEST(a_centre_for_each_vertex_closes_the_gap)
{
    MEASURED(each, "discontinuity", "{'method':'sbs-per-vertex'}", NULL, 1);
    MEASURED(sets, "discontinuity", "{'method':'sbs'}", NULL, 1);
    assert_near(measures_value(&each, "set_gap_1e-4") / measures_value(&each, "set_gap_1e-2"), 0.01, 2e-3);
    assert_near(measures_value(&each, "set_gap_1e-5") / measures_value(&each, "set_gap_1e-4"), 0.1, 1e-2);
    assert_true(measures_value(&sets, "set_gap_1e-5") > 0.05);
    assert_true(measures_value(&each, "nearest_gap") < 1e-5);
}

/* In the bar, the joint between the bones is the origin, so that blending about the origin is SBS. The origin
 * is then moved away from the joint, and the skin is torn off. */
TEST(pairs_blend_about_the_origin)
{
    static const char methods[] = "{'methods':['pairs','sbs']}";
    static const char *const measures[] = {"stretch_max", "stretch_percent", "volume_most_percent",
                                           "lbs_distance_max_percent"};
    OWNED_SUBJECT(bar, "bar", "motion=bend-90", "around=12", "along=25", "frames=3");
    Dataset *dataset = bar.dataset;
    MEASURED(at_joint, "skin-shape", methods, &bar, 1);
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        assert_measured(&at_joint, text_of("pairs_%s", measures[i]),
                        measures_value(&at_joint, text_of("sbs_%s", measures[i])), 1e-4);
    const Transform there = transform_translate(vec3_make(0.0, 20.0, 0.0)),
                    back = transform_translate(vec3_make(0.0, -20.0, 0.0));
    for (int i = 0; i < dataset->rig.joint_count; i++)
        dataset->rig.rest[i] = transform_product(there, dataset->rig.rest[i]);
    for (int i = 0; i < dataset->rig.joint_count * dataset->rig.frame_count; i++)
        dataset->rig.transforms[i] =
            transform_product(there, transform_product(dataset->rig.transforms[i], back));
    for (int v = 0; v < dataset->mesh.vertex_count; v++)
        dataset->mesh.rest[3 * v + 1] += 20.0f;
    MEASURED(far, "skin-shape", methods, &bar, 1);
    assert_measured(&far, "sbs_stretch_max", measures_value(&at_joint, "sbs_stretch_max"), 1e-3);
    assert_true(measures_value(&far, "pairs_stretch_max") > 2.0 * measures_value(&far, "sbs_stretch_max"));
}

/* The skin of forearm and hand keeps its shape under a local scale of the upper arm, up to the rounding of
 * floats. If it inherits the scale s, an edge grows by at most s - 1, and an edge in that direction does. */
TEST(a_local_scale_leaves_the_skin_below)
{
    OWNED_SUBJECT(arm, "arm", NULL);
    MEASURED(found, "scale-scope", "{'joint':'upper_arm','scale':[1.5,1.5,1.5]}", &arm, 1);
    assert_at_most(measures_value(&found, "local_change"), 1e-4); /* weights are floats */
    assert_measured(&found, "inherited_change", 0.5, 1e-5);
    assert_true(measures_value(&found, "edges") > 10.0);
    assert_bad_input("no joint 'tail'",
                     study_refused("scale-scope", "{'joint':'tail','scale':[1,1,1]}", &arm));
    assert_bad_input("no edge", study_refused("scale-scope", "{'joint':'hand','scale':[1,1,1]}", &arm));
    assert_refused(STATUS_USAGE, "three factors", study_refused("scale-scope", "{'joint':'hand'}", &arm));
}

/* Counted by hand. Equation 15: two cross products of 6 multiplications and 3 subtractions, and three times a
 * vector plus a multiple of another, 3 of each, of which there are two. The first product of q v q* has 4
 * components of 3 terms, and the second has 3 components of 4 terms. LBS: test_kernel_work.c. */
TEST(operations_are_those_of_the_formulas)
{
    if (!COUNTED_REAL)
        skip();
    MEASURED(cross, "rotation-form", "{'form':'cross'}", NULL, 1);
    MEASURED(products, "rotation-form", "{'form':'products'}", NULL, 1);
    MEASURED(lbs, "kernel-operations", "{'method':'lbs'}", NULL, 1);
    assert_measured(&cross, "operations", 18.0 + 12.0, 0.0); /* a compiler may add a vector to itself */
    assert_measured(&products, "multiplications", 24.0, 0.0);
    assert_measured(&products, "additions", 17.0, 0.0);
    assert_at_most(measures_value(&products, "apart"), 1e-14);
    assert_measured(&lbs, "multiplications", 48.0, 0.0);
    assert_measured(&lbs, "additions", 45.0, 0.0);
    /* A sign against the sum so far takes a dot product for each influence: 4 multiplications and 3
     * additions. A compiler takes up to two operations more for the sign itself. */
    MEASURED(bone, "kernel-operations", "{'method':'cor','variant':0}", NULL, 1);
    MEASURED(vertex, "kernel-operations", "{'method':'cor','variant':3}", NULL, 1);
    const double more = measures_value(&vertex, "operations") - measures_value(&bone, "operations");
    assert_true(more >= 3.0 * 7.0 && more <= 4.0 * 9.0);
    assert_refused(STATUS_USAGE, "no kernel for variant 9",
                   study_refused("kernel-operations", "{'variant':9}", NULL));
}

/* Under LBS, a ring halfway between two joints that are twisted by an angle a shrinks to cos(a / 2). A helper
 * bone halves the angle. */
TEST(a_helper_bone_halves_the_twist)
{
    OWNED_SUBJECT(bar, "bar", "motion=twist-135", "around=12", "along=193");
    MEASURED(helped, "bar-shape", "{'methods':['lbs','dqs'],'helper':true}", &bar, 1);
    MEASURED(plain, "bar-shape", "{'methods':['lbs'],'helper':false}", &bar, 1);
    assert_measured(&plain, "lbs_collapse_percent", 100.0 * (1.0 - cos(67.5 * PI / 180.0)), 0.05);
    assert_measured(&helped, "lbs_collapse_percent", 100.0 * (1.0 - cos(33.75 * PI / 180.0)), 0.05);
    assert_measured(&helped, "dqs_collapse_percent", 0.0, 1e-3);
    OWNED_SUBJECT(arm, "arm", NULL);
    assert_bad_input("two joints", study_refused("bar-shape", "{'methods':[],'helper':true}", &arm));
}
