/* Tests the study of predicted weights on generated rigs. */
#include "tests/studies.h"

static double l1_of(const Subject *subject, const char *parameters)
{
    MEASURED(measures, "weight-prediction", parameters, subject, 1);
    assert_true(measures_value(&measures, "predict_s") > 0.0);
    return measures_value(&measures, "l1_row");
}

TEST(transfers_are_nearer_to_the_truth_than_predictions)
{
    OWNED_SUBJECT(subject, "hand", NULL);
    const double same = l1_of(&subject, "{'predictor': 'transfer', 'share': 1}");
    const double fine = l1_of(&subject, "{'predictor': 'transfer', 'copy': 'decimated', 'share': 0.5}");
    const double coarse = l1_of(&subject, "{'predictor': 'transfer', 'copy': 'decimated', 'share': 0.1}");
    const double remeshed = l1_of(&subject, "{'predictor': 'transfer', 'copy': 'remeshed', 'share': 1}");
    const double heat = l1_of(&subject, "{'predictor': 'bone-heat'}");
    assert_near(same, 0.0, 1e-6);
    assert_true(same < remeshed && remeshed < coarse && fine < coarse && coarse < heat);
}

/* With a power of 0, all bones that a vertex may have get the same weight. */
TEST(the_parameters_of_a_predictor_count)
{
    OWNED_SUBJECT(subject, "hand", NULL);
    const int influences = int_max(subject.dataset->rig.influence_count, 4);
    MEASURED(measures, "weight-prediction", "{'predictor': 'falloff', 'set': ['power=0']}", &subject, 1);
    assert_measured(&measures, "influences_mean", influences, 1e-9);
}

TEST(what_is_missing_is_said)
{
    OWNED_SUBJECT(subject, "bar", NULL);
    assert_bad_input("no predictor of weights 'magic'",
                     study_refused("weight-prediction", "{'predictor': 'magic'}", &subject));
    assert_refused(STATUS_UNAVAILABLE, "not at hand",
                   study_refused("weight-prediction", "{'external': 'absent'}", &subject));
    assert_bad_input("no rig", study_refused("weight-prediction", "{}", NULL));
}
