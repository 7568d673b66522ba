/* Compares studies with closed forms and with the numbers that the papers print. */
#include "harness/run/studies/small_rig.h"
#include "tests/rigs.h"
#include "tests/studies.h"

/* Returns the difference between the angles of QLERP and SLERP, for two rotations an angle alpha apart.
 * QLERP rotates by 2 atan(t sin(alpha / 2) / (1 - t + t cos(alpha / 2))). */
static double qlerp_excess(double alpha, double t)
{
    return fabs(2.0 * atan2(t * sin(alpha / 2.0), 1.0 - t + t * cos(alpha / 2.0)) - alpha * t);
}

static double qlerp_excess_max(double alpha)
{
    double max = 0.0;
    for (int i = 0; i <= 100000; i++)
        max = fmax(max, qlerp_excess(alpha, i / 100000.0));
    return max;
}

/* SBS section 4.1 gives a maximum of 0.143 rad at t = 1/2 -+ sqrt(1/pi - 1/4). DQS Figure 23 prints
 * 0.1422292755 for the angle and 0.1501415529 for the translation. */
TEST(linear_blends_reach_their_bounds_at_a_half_turn)
{
    const double offset = sqrt(1.0 / PI - 0.25);
    static const char *const methods[] = {"{'method':'sbs','angle_degrees':180}",
                                          "{'method':'dqs','angle_degrees':180,'shift':2.5}"};
    for (int i = 0; i < 2; i++) {
        MEASURED(measures, "screw-bound", methods[i], NULL, 1);
        assert_measured(&measures, "angle_rad", 0.1422292755, 1e-9);
        assert_measured(&measures, "angle_degrees", 8.149, 5e-4);
        assert_measured(&measures, "quat_angle_rad", 0.071, 2e-4);
        assert_measured(&measures, "quat_angle_degrees", 4.07, 5e-3);
        /* The difference is antisymmetric about t = 1/2, so its minimum is minus its maximum. DQS Figure 23
         * prints ten times this value. */
        assert_measured(&measures, "angle_least_rad", -0.1422292755, 1e-9);
        /* The mean is twice the integral of pi t - 2 atan(t / (1 - t)) from 0 to 1/2. */
        assert_measured(&measures, "angle_mean_rad", 0.25 * PI - log(2.0), 1e-6);
        assert_measured(&measures, "angle_at", 0.5 - offset, 1e-6);
        assert_measured(&measures, "angle_at_later", 0.5 + offset, 1e-6);
        if (i == 1) {
            assert_measured(&measures, "shift_percent", 15.01415529, 1e-6);
            assert_measured(&measures, "shift_least", -0.1501415529, 1e-8);
            assert_measured(&measures, "shift_most", 0.1501415529, 1e-8);
        }
    }
}

TEST(smaller_turns_stay_below_them)
{
    for (int degrees = 30; degrees < 180; degrees += 60) {
        MEASURED(measures, "screw-bound", text_of("{'method':'dqs','angle_degrees':%d,'shift':1}", degrees),
                 NULL, 1);
        assert_measured(&measures, "angle_rad", qlerp_excess_max(degrees * PI / 180.0), 1e-9);
        assert_true(measures_value(&measures, "shift_percent") < 15.01);
        assert_int_equal(measures_find(&measures, "t")->count,
                         measures_find(&measures, "angle_degrees_over_t")->count);
    }
}

/* In DQS Figure 8, a gap remains with SBS however small the third weight is. With DLB and LBS, the gap
 * shrinks in proportion to the weight. In Figure 7, only QB has a jump, because its centre jumps at the
 * place where another joint becomes the nearest. */
TEST(gaps_are_those_of_the_figures)
{
    MEASURED(sbs, "discontinuity", "{'method':'sbs'}", NULL, 1);
    MEASURED(dqs, "discontinuity", "{'method':'dqs'}", NULL, 1);
    MEASURED(lbs, "discontinuity", "{'method':'lbs'}", NULL, 1);
    MEASURED(qb, "discontinuity", "{'method':'qb'}", NULL, 1);
    double kept = measures_value(&sbs, "set_gap_1e-5");
    assert_true(kept > 0.05);
    assert_measured(&sbs, "set_gap_1e-4", kept, 1e-3 * kept);
    /* The gap of LBS is the third weight w times a fixed distance. This is the distance between two
     * positions of the vertex: one moved by the third joint, the other blended by the first two joints. */
    const Measures *closing[] = {&lbs, &dqs, &qb};
    for (int i = 0; i < 3; i++) {
        double two = measures_value(closing[i], "set_gap_1e-2");
        double four = measures_value(closing[i], "set_gap_1e-4");
        assert_near(four / two, 0.01, i == 0 ? 1e-5 : 2e-3);
    }
    assert_true(measures_value(&qb, "nearest_gap") > 0.1);
    assert_true(measures_value(&sbs, "nearest_gap") < 1e-5 && measures_value(&dqs, "nearest_gap") < 1e-5);
}

/* In DQS Figure 16, the short way between 170 and -170 degrees is 20 degrees, and the long way is 340
 * degrees. */
TEST(logarithms_go_the_long_way)
{
    static const struct {
        const char *method;
        double way;
    } cases[] = {{"dqs", 20.0}, {"dib", 20.0}, {"sbs", 20.0}, {"log-matrix", 340.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path =
            text_of("{'method':'%s','first':[2,0,0,170],'second':[1,0,0,-170]}", cases[i].method);
        MEASURED(measures, "rotation-path", path, NULL, 1);
        assert_measured(&measures, "shortest_degrees", 20.0, 1e-6);
        assert_measured(&measures, "way_degrees", cases[i].way, 1e-5);
    }
    /* In a twist by 150 degrees, the best-fitting rotation of the linear blend follows a chord. QLERP
     * follows the chord of half the angle (CoR Figure 14). */
    static const struct {
        const char *method;
        double fastest;
    } twists[] = {{"lbs", 2.851}, {"sbs", 1.1724}, {"sclerp", 1.0}};
    for (size_t i = 0; i < sizeof twists / sizeof *twists; i++) {
        const char *path =
            text_of("{'method':'%s','first':[1,0,0,0],'second':[1,0,0,150]}", twists[i].method);
        MEASURED(measures, "rotation-path", path, NULL, 1);
        assert_measured(&measures, "fastest_over_mean", twists[i].fastest, 1e-4);
    }
    /* Between rotations about two axes, the shortest path is 2 acos(1/4), and the path of the logarithms is
     * longer. */
    MEASURED(measures, "rotation-path", "{'first':[1,0,0,120],'second':[0,1,0,120]}", NULL, 1);
    assert_measured(&measures, "shortest_degrees", 2.0 * acos(0.25) * 180.0 / PI, 1e-6);
    assert_true(measures_value(&measures, "way_over_shortest") > 1.01);
}

/* For rotations about a principal axis, the blend of the nine values acts on the plane as a complex number
 * times diag(a, b). Its nearest rotation is the rotation of that complex number. The linear blend has the
 * same nearest rotation, by atan(w sin a / (1 - w + w cos a)). QLERP rotates by 2 atan(w sin(a / 2) / (1 -
 * w + w cos(a / 2))). */
TEST(nine_cached_values_turn_as_the_linear_blend_about_one_axis)
{
    OWNED_SUBJECT(twisted, "bar", "motion=twist-135", "degrees=150", "around=24", "along=49");
    OWNED_SUBJECT(bent, "bar", "motion=bend-120", "around=24", "along=49");
    MEASURED(a, "cached-rotation", "{'rounds':1}", &twisted, 1);
    MEASURED(b, "cached-rotation", "{'rounds':1}", &bent, 1);
    const double angle = 150.0 * PI / 180.0;
    double max = 0.0;
    for (int i = 0; i < 2 * twisted.dataset->mesh.vertex_count; i++) {
        const double w = (double)twisted.dataset->rig.weight_values[i];
        const double chord = atan2(w * sin(angle), 1.0 - w + w * cos(angle));
        const double half = 2.0 * atan2(w * sin(0.5 * angle), 1.0 - w + w * cos(0.5 * angle));
        max = fmax(max, fabs(chord - half) * 180.0 / PI);
    }
    assert_true(measures_value(&a, "linear_degrees") < 0.01);
    assert_measured(&a, "qlerp_degrees", max, 0.01);
    assert_true(measures_value(&b, "linear_degrees") < 0.01);
    assert_true(measures_value(&a, "svd_ratio") > 0.0);
    assert_bad_input("two joints", study_refused("cached-rotation", "{}", NULL));
}

/* If the elbow is rotated about the shoulder, it drifts to the point (2.5, sqrt(3) / 2, 0), which DQS
 * section 2.2 prints. */
TEST(the_elbow_drifts_about_the_shoulder)
{
    static const char arm[] = "{'method':'%s','first':[0,0,0],'second':[120,3,-1.7320508075688772],"
                              "'point':[2,0],'rest_second':[2,0]}";
    static const char *const methods[] = {"linear-translations", "qb", "lbs", "sbs", "dqs", "log-matrix"};
    for (int i = 0; i < 6; i++) {
        MEASURED(path, "planar-path", text_of(arm, methods[i]), NULL, 1);
        assert_measured(&path, "half_x", i == 0 ? 2.5 : 2.0, 1e-9);
        assert_measured(&path, "half_y", i == 0 ? 0.5 * sqrt(3.0) : 0.0, 1e-9);
        assert_measured(&path, "drift", i == 0 ? 1.0 : 0.0, 1e-9);
        assert_int_equal(measures_find(&path, "x")->count, measures_find(&path, "y")->count);
    }
}

/* In DQS Figure 10, the centres are (-1, cotan 15) and (-1, cotan 30 degrees). Half way between, a = 45
 * degrees and |t| = 2 sin(a / 2) |r|. The path of DLB is an arc of radius 2, and the path of LBS is the
 * chord of this arc. */
TEST(centres_do_not_blend_linearly)
{
    static const char moves[] =
        "{'method':'%s','first':[30,1.7320508075688772,1],'second':[60,1,1.7320508075688772],"
        "'point':[0,0]}";
    const double degree = PI / 180.0, middle = 0.5 * (1.0 / tan(15.0 * degree) + 1.0 / tan(30.0 * degree));
    const struct {
        const char *method;
        double drift;
    } cases[] = {{"linear-centers", 2.0 * sin(22.5 * degree) * hypot(1.0, middle) - 2.0},
                 {"lbs", 2.0 - 2.0 * cos(15.0 * degree)},
                 {"dqs", 0.0},
                 {"sclerp", 0.0}};
    for (int i = 0; i < 4; i++) {
        MEASURED(path, "planar-path", text_of(moves, cases[i].method), NULL, 1);
        assert_measured(&path, "half_drift", cases[i].drift, 1e-9);
        assert_true(measures_value(&path, "drift") < cases[i].drift + 2e-4);
        /* The centres of DQS agree with eq. 8 of its paper. The centres of the other methods do not. */
        if (strcmp(cases[i].method, "dqs") == 0)
            assert_true(measures_value(&path, "center_off") < 1e-12);
        else
            assert_false(measures_value(&path, "center_off") < 1e-3);
    }
}

/* DQS Figure 20: in the middle, the shortest path rotates by 89.5 degrees before the half turn and by -89.5
 * degrees after it. */
TEST(twists_flip_past_the_half_turn)
{
    const double degree = PI / 180.0;
    MEASURED(dqs, "flip", "{'method':'dqs'}", NULL, 1);
    MEASURED(lbs, "flip", "{'method':'lbs'}", NULL, 1);
    MEASURED(before, "flip", "{'method':'dqs','to_degrees':179.5}", NULL, 1);
    assert_measured(&dqs, "jump_half", 2.0 * sin(89.5 * degree), 1e-9);
    assert_measured(&dqs, "jump", measures_value(&dqs, "jump_half"), 1e-12);
    assert_measured(&lbs, "jump", 2.0 * sin(degree), 1e-9);
    assert_measured(&lbs, "joint_moves", 2.0 * sin(degree), 1e-12);
    assert_true(measures_value(&before, "jump") <= measures_value(&before, "joint_moves") * (1.0 + 1e-9));
}

/* Blends follow a motion of space as stated by DQS Lemmas 2 and 3 or, for the other methods, by DQS section
 * 3.3. Only blends of pairs of a quaternion and a translation are not distributive from the right. */
TEST(blends_follow_motions_of_space_or_do_not)
{
    static const struct {
        const char *method;
        bool left, right, coordinates;
    } cases[] = {{"lbs", true, true, true}, {"pairs", true, false, false}, {"log-matrix", false, false, true},
                 {"dqs", true, true, true}, {"sclerp", true, true, true},  {"dib", true, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MEASURED(found, "invariance", text_of("{'method':'%s'}", cases[i].method), NULL, 1);
        assert_true((measures_value(&found, "left") < 1e-9) == cases[i].left);
        assert_true((measures_value(&found, "right") < 1e-9) == cases[i].right);
        assert_true((measures_value(&found, "coordinates") < 1e-9) == cases[i].coordinates);
    }
}

/* Two joints always have a valid choice of signs. Three joints may have none. */
TEST(signs_are_counted_over_the_sets)
{
    OWNED_SUBJECT(subject, "bar", "motion=all");
    MEASURED(found, "sign-validity", "{}", &subject, 1);
    assert_true(measures_value(&found, "sets_invalid_percent") == 0.0);
    assert_true(measures_value(&found, "vertices_hopeless_percent") == 0.0);
    measures_clear(&found);
    OWNED_SUBJECT(sheet, "sheet", "joints=2", "influences=3", "frames=2", "across=3");
    /* Half turns about two axes have orthogonal quaternions. Together with any third rotation up to a half
     * turn, they have a valid choice of signs. */
    for (int j = 0; j < 4; j++)
        sheet.dataset->rig.transforms[4 + j] =
            transform_rotate_about(AXES[j < 2 ? j : 2], 0.5 * PI, ORIGIN, ORIGIN);
    found = study_measured("sign-validity", "{}", &sheet, 1);
    assert_true(measures_value(&found, "sets_invalid_percent") == 0.0);
    measures_clear(&found);
    /* The quaternions are rotations by 120 degrees about axes that are 120 degrees apart in a plane, so q_i
     * q_j = 1/4 - 3/8 < 0 for all pairs. No choice of signs makes all three products positive. Only the
     * frame with motion and the sets of the first three joints count. */
    for (int j = 0; j < 4; j++)
        sheet.dataset->rig.transforms[4 + j] = transform_rotate_about(
            vec3_make(cos(j * 2.0 * PI / 3.0), sin(j * 2.0 * PI / 3.0), 0.0), 2.0 * PI / 3.0, ORIGIN, ORIGIN);
    found = study_measured("sign-validity", "{}", &sheet, 1);
    assert_true(measures_value(&found, "sets_hopeless_percent") > 0.0);
    assert_true(measures_value(&found, "sets_hopeless_percent") <=
                measures_value(&found, "sets_invalid_percent"));
    assert_true(measures_value(&found, "sets_invalid_percent") <= 50.0);
}

/* DQS section 5 counts 12 scalars per joint for matrices, 8 for dual quaternions, and 20 in two phases. CoR
 * stores one point per vertex. */
TEST(sizes_are_those_of_the_papers)
{
    static const struct {
        const char *parameters;
        double joint, vertex;
    } cases[] = {{"{'method':'lbs','two_phase':true}", 12.0, 0.0},
                 {"{'method':'dqs'}", 8.0, 0.0},
                 {"{'method':'dqs','two_phase':true}", 20.0, 0.0},
                 {"{'method':'cor'}", NAN, 3.0}};
    for (int i = 0; i < 4; i++) {
        MEASURED(size, "method-size", cases[i].parameters, NULL, 1);
        if (!isnan(cases[i].joint))
            assert_true(measures_value(&size, "floats_per_joint") == cases[i].joint);
        assert_true(measures_value(&size, "floats_per_vertex") == cases[i].vertex);
    }
    /* 97 rings of 48 vertices and two vertices in the middle have 2 influences and take 28 bytes each. The
     * two joints share one centre of 12 bytes. */
    OWNED_SUBJECT(subject, "bar", NULL);
    MEASURED(size, "method-size", "{'method':'cor'}", &subject, 1);
    assert_measured(&size, "vertex_percent", 100.0 * 12.0 / 28.0, 1e-9);
    assert_true(measures_value(&size, "joint_sets") == 3.0);
    assert_true(measures_value(&size, "center_percent") ==
                0.0); /* the centre is at the joint between the two bones */
    measures_clear(&size);
    subject.dataset->rig.parents[1] = -1; /* the joint set with both joints is now nontrivial */
    size = study_measured("method-size", "{'method':'sbs'}", &subject, 1);
    assert_measured(&size, "center_percent", 100.0 * 12.0 / (28.0 * subject.dataset->mesh.vertex_count),
                    1e-9);
}

/* The papers prove these identities. The single-precision weights of the rigs are exact, so results differ
 * only by rounding. */
TEST(identities_hold)
{
    MEASURED(found, "blend-identities", "{}", NULL, 1);
    static const struct {
        const char *name;
        double max;
    } rows[] = {{"qlerp_axis", 1e-7},        {"slerp_axis", 1e-7},    {"dlb_axis", 1e-9},
                {"dlb_axis_distance", 1e-9}, {"no_root", 1e-12},      {"pivots", 1e-12},
                {"center_drops_out", 1e-9},  {"center_as_lbs", 1e-9}, {"meeting_point", 1e-9},
                {"dlb_negative", 1e-12}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_at_most(measures_value(&found, rows[i].name), rows[i].max);
    assert_true(measures_value(&found, "lbs_negative") > 0.1); /* LBS scales and shears */
}

/* KG is relative to the motion of the target. If both animations also move by ten diagonals, KG falls to a
 * fraction and E_RMS does not change. */
TEST(motion_of_the_whole_lowers_kg)
{
    OWNED_SUBJECT(subject, "jelly", NULL);
    MEASURED(found, "global-motion", "{}", &subject, 1);
    assert_measured(&found, "e_rms_ratio", 1.0, 1e-4); /* rounding of floats ten diagonals from the origin */
    assert_true(measures_value(&found, "kg_ratio") < 0.1);
}

/* With one influence all methods are equal, and with two influences DIB equals ScLERP. */
TEST(distances_vanish_where_methods_agree)
{
    OWNED_SUBJECT(subject, "bar", "motion=twist-135");
    MEASURED(same, "method-distance", "{'method':'dib','set':['precision=1e-7'],'against':'sclerp'}",
             &subject, 1);
    assert_true(measures_value(&same, "distance_max_percent") < 1e-5);
    MEASURED(apart, "method-distance", "{'method':'lbs','against':'dqs'}", &subject, 1);
    assert_true(measures_value(&apart, "distance_max_percent") > 1.0);
    assert_true(measures_value(&apart, "distance_mean_percent") <
                measures_value(&apart, "distance_p99_percent"));
    assert_true(measures_value(&apart, "distance_p99_percent") <=
                measures_value(&apart, "distance_max_percent"));
    assert_ok(subject_prune(&subject, 1));
    MEASURED(pruned, "method-distance", "{'method':'lbs','against':'dqs'}", &subject, 1);
    assert_true(measures_value(&pruned, "distance_max_percent") < 1e-5);
}

/* For a twist by 135 degrees, the volumes equal the volumes in test_bar_shape.c. If joints do not rotate,
 * all methods are linear. If the skin is a plane, CoR is the method nearest to linear blending (CoR Figure
 * 12). */
TEST(skins_are_measured_beside_linear_blending)
{
    static const char methods[] = "{'methods':['lbs','dqs','cor']}";
    OWNED_SUBJECT(twisted, "bar", "motion=twist-135", "frames=2");
    OWNED_SUBJECT(lifted, "sheet", "angle=0", "frames=2");
    OWNED_SUBJECT(turned, "sheet", "frames=2");
    MEASURED(bar, "skin-shape", methods, &twisted, 1);
    MEASURED(sheet, "skin-shape", methods, &lifted, 1);
    MEASURED(turned_sheet, "skin-shape", methods, &turned, 1);
    assert_measured(&bar, "lbs_volume_least_percent",
                    -100.0 * 4.0 * pow(sin(67.5 * PI / 180.0), 2.0) * 4.0 * 9.0 / 70.0 / 8.0, 0.05);
    assert_measured(&bar, "dqs_volume_least_percent", 0.0, 0.05);
    assert_true(measures_value(&bar, "lbs_lbs_distance_max_percent") == 0.0);
    /* Half way between the bones, LBS keeps cos(67.5 degrees) of the radius. The diagonal is sqrt(72). */
    assert_measured(&bar, "dqs_lbs_distance_max_percent", 100.0 * (1.0 - cos(67.5 * PI / 180.0)) / sqrt(72.0),
                    1e-4);
    /* There, edges around the bar keep their length under DQS and that share of it under LBS. */
    assert_true(measures_value(&bar, "dqs_stretch_beyond_lbs_max") > 1.0 - cos(67.5 * PI / 180.0) - 1e-4);
    assert_true(measures_value(&bar, "lbs_stretch_beyond_lbs_max") == 0.0);
    assert_true(measures_value(&sheet, "dqs_stretch_beyond_lbs_max") < 1e-4);
    assert_true(measures_value(&sheet, "dqs_lbs_distance_max_percent") < 1e-4);
    assert_true(measures_value(&sheet, "cor_lbs_distance_max_percent") < 1e-4);
    assert_true(measures_value(&sheet, "lbs_stretch_max") > 1.0);
    assert_true(isnan(measures_value(&sheet, "lbs_volume_least_percent")) != 0);
    assert_true(measures_value(&turned_sheet, "cor_lbs_distance_percent") <
                0.5 * measures_value(&turned_sheet, "dqs_lbs_distance_percent"));
    assert_true(measures_value(&turned_sheet, "lbs_stretch_percent") <
                measures_value(&turned_sheet, "cor_stretch_percent"));
    assert_true(measures_value(&turned_sheet, "cor_stretch_percent") <
                measures_value(&turned_sheet, "dqs_stretch_percent"));
}

TEST(what_is_lacking_is_said)
{
    static const char none[] = "{'method':'no-such'}";
    assert_null(study_find("no-such"));
    static const char *const no_method[] = {"screw-bound", "discontinuity", "flip", "method-size",
                                            "invariance"};
    static const char *const no_first[] = {"rotation-path", "planar-path"};
    static const char *const no_rig[] = {"method-distance", "skin-shape", "sign-validity", "rig-size"};
    for (int i = 0; i < 5; i++)
        assert_refused(STATUS_UNAVAILABLE, "does not have the method 'no-such'",
                       study_refused(no_method[i], none, NULL));
    for (int i = 0; i < 2; i++)
        assert_refused(STATUS_USAGE, "the parameter first", study_refused(no_first[i], none, NULL));
    for (int i = 0; i < 4; i++)
        assert_bad_input("no rig", study_refused(no_rig[i], none, NULL));
}

/* LBS blends the 12 values of 4 joints with 12 products and 36 fused steps, and moves a point with 4 steps
 * per row. The first phase of two-phase skinning needs one more such blend (DQS section 4.2). */
TEST(nvrtc_instructions_are_those_of_the_formulas)
{
    Measures measures;
    Status status = study_try("kernel-instructions", "{'method':'lbs'}", NULL, 1, &measures);
    measures_clear(&measures);
    if (status.code == STATUS_UNAVAILABLE && !strstr(status.text, "does not compile"))
        test_skip(status.text);
    assert_ok(status);
    MEASURED(lbs, "kernel-instructions", "{'method':'lbs','fast_math':true}", NULL, 1);
    MEASURED(dqs, "kernel-instructions", "{'method':'dqs','fast_math':true,'two_phase':true}", NULL, 1);
    assert_true(measures_value(&lbs, "ptx_arithmetic") == 4.0 * 12.0 + 3.0 * 4.0);
    assert_true(measures_value(&lbs, "machine_over_lbs") == 1.0);
    assert_true(measures_value(&lbs, "machine") > measures_value(&lbs, "ptx_arithmetic"));
    assert_true(measures_value(&dqs, "ptx_arithmetic_of_first_phase") == 4.0 * 12.0 + 3.0 * 4.0);
    /* DQS section 5 states "About twice as many instructions as linear blend skinning". */
    double ratio = measures_value(&dqs, "ptx_arithmetic_over_lbs");
    assert_true(ratio > 1.5 && ratio < 2.5);
}

TEST(a_rig_is_counted)
{
    OWNED_SUBJECT(subject, "rig", NULL);
    MEASURED(measures, "rig-size", "{}", &subject, 1);
    assert_true(measures_value(&measures, "vertices") == 5000.0);
    assert_true(measures_value(&measures, "joints") == 54.0);
    assert_true(measures_value(&measures, "influences_max") <= 4.0);
    assert_true(measures_value(&measures, "joint_sets") * measures_value(&measures, "vertices_per_set") ==
                5000.0);
}
