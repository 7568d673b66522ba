/* Tests the study of compressed skinning: errors in millimetres, and the size of a known rig in bytes. */
#include "tests/studies.h"

/* The rig has 1 joint, 4 vertices and 3 shapes. Its only transformation moves the joint by 0.5 in shape 2.
 * In shape 0 of the animation, one vertex is displaced by 0.25. */
TEST(bytes_and_errors_of_a_rig)
{
    OWNED_SUBJECT(subject, "sheet", "across=2", "joints=1", "influences=1", "frames=3", "angle=0", "lift=0",
                  "positions=yes");
    Dataset *dataset = subject.dataset;
    assert_int_equal(dataset->rig.joint_count, 1);
    dataset->rig.transforms[2].m13 = 0.5;
    dataset->animation.positions[0] += 0.25f;
    MEASURED(measures, "sparse-transforms", "{'millimetres': 10, 'rounds': 3}", &subject, 1);
    /* 12 errors (4 vertices in 3 shapes): four of 0.5, one of 0.25, and zeros */
    assert_measured(&measures, "mae_mm", 10.0 * (4 * 0.5 + 0.25) / 12.0, 1e-6);
    assert_measured(&measures, "mxe_mm", 5.0, 1e-6);
    assert_measured(&measures, "entries", 1.0, 0.0);
    assert_measured(&measures, "transforms", 1.0, 0.0);
    assert_measured(&measures, "sparse_bytes", 8.0 + 4.0 * 5.0, 0.0); /* one value and four column offsets */
    assert_measured(&measures, "dense_bytes", 3.0 * 12.0 * 4.0, 0.0);
    assert_true(measures_value(&measures, "off") < 1e-6 && measures_value(&measures, "speedup") > 0.0);
}

/* Each shape of a face moves one region. With a larger threshold, SSDR has fewer transformations and a
 * larger error. */
TEST(made_sparse_afterwards)
{
    double entries[2], errors[2];
    for (int i = 0; i < 2; i++) {
        OWNED_SUBJECT(subject, "face", "across=9", "up=11", "frames=6");
        MEASURED(measures, "sparse-transforms",
                 i ? "{'fit':'ssdr','bones':6,'influences':4,'iterations':3,'millimetres':1000,"
                     "'still_mm':2,'still_degrees':2}"
                   : "{'fit':'ssdr','bones':6,'influences':4,'iterations':3,'millimetres':1000}",
                 &subject, 1);
        entries[i] = measures_value(&measures, "entries");
        errors[i] = measures_value(&measures, "mae_mm");
    }
    assert_near(entries[0], 6 * 6 * 6, 0.0);
    assert_true(entries[1] < 0.7 * entries[0] && errors[1] > errors[0]);
}
