/* Tests the study of normals on sheets with known motions. */
#include "tests/studies.h"

#include "methods/registry.h"
#include "tests/sequences.h"

static Measures measured(int bones, const char *parameters)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(24, 9, 12, bones, 0.2, 3);
    Dataset dataset = {.mesh = sequence.mesh, .animation = sequence.animation};
    Subject subject = {.dataset = &dataset};
    return study_measured("fit-normals", parameters, &subject, 1);
}

/* One affine map takes the area-weighted normals of all triangles by its cofactors, which are its inverse
 * transpose times a number. Both kinds of normals are therefore exact, up to the error of the fit. If bones
 * blend, normals that follow the bones ignore how the weights change, and averaged normals do not. */
TEST(normals_follow_one_bone)
{
    if (!decomposition_method_find("coordinate-descent"))
        skip();
    CLEANUP(measures_clear) Measures one = measured(1, "{'bones':1,'iterations':2,'rounds':1}");
    CLEANUP(measures_clear) Measures many = measured(4, "{'bones':4,'iterations':15,'rounds':2}");
    assert_measured(&one, "followed_degrees", 0.0, 0.1);
    assert_measured(&one, "averaged_degrees", 0.0, 0.1);
    assert_measured(&one, "apart_degrees", 0.0, 0.1);
    assert_true(measures_value(&many, "followed_degrees") > 2.0 * measures_value(&many, "averaged_degrees"));
    assert_true(measures_value(&many, "averaged_ratio") > 0.0);
}

TEST(the_study_wants_triangles)
{
    assert_bad_input("no animation", study_refused("fit-normals", "{}", NULL));
}
