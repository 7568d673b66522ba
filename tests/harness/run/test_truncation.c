/* Tests the study of reduced precision: the largest effect of half a rounding step of a weight, and the
 * decrease of errors with more bits. */
#include "tests/studies.h"

static double measured(int bits, const char *name)
{
    OWNED_SUBJECT(subject, "bar", "motion=twist-135", "frames=4");
    MEASURED(measures, "truncation", text_of("{'methods':['lbs','dqs','cor'],'bits':%d}", bits), &subject, 1);
    return measures_value(&measures, name);
}

/* The bar's radius is 1 and its diagonal is sqrt(64 + 8). Joints twisted by 135 degrees move a vertex to
 * places 2 sin(67.5) apart. A weight error of half a step of 1 / 255 moves the vertex by at most half of a
 * 255th of this distance. Four more bits divide the error by 16. */
TEST(weights_in_few_bits)
{
    const double max = 100.0 * 0.5 / 255.0 * 2.0 * 0.9238795 / sqrt(72.0);
    const double eight = measured(8, "lbs_weights_percent"), twelve = measured(12, "lbs_weights_percent");
    assert_true(eight > 0.1 * max && eight < max);
    assert_true(twelve < eight / 10.0 && twelve > eight / 25.0);
    assert_true(measured(12, "cor_weights_percent") < measured(8, "cor_weights_percent"));
    assert_near(measured(8, "weight_bytes"), measured(16, "weight_bytes") / 2.0, 1e-12);
    assert_near(measured(16, "transform_bytes"), 14.0, 1e-12);
}

/* A quaternion rounded to steps of 1 / 127 has an error of some thousandths of a radian. A vertex at radius
 * 1 moves by the same number. */
TEST(transformations_in_few_bits)
{
    const double eight = measured(8, "dqs_transforms_percent"),
                 sixteen = measured(16, "dqs_transforms_percent");
    assert_true(eight > 1e-3 && eight < 100.0 * 2.0 * 4.5 / 127.0 / sqrt(72.0));
    assert_true(sixteen < eight / 50.0);
    assert_true(measured(16, "lbs_both_percent") < measured(8, "lbs_both_percent"));
    /* 32 bits: transformations are floats with a step of 2^-24 instead of 2^-16, and weights are not
     * rounded */
    assert_near(measured(32, "dqs_weights_percent"), 0.0, 0.0);
    assert_true(measured(32, "dqs_transforms_percent") < sixteen / 50.0);
}
