/* Tests the study of the separate steps of coordinate descent, on a sheet with known motions. */
#include "tests/studies.h"

#include "methods/registry.h"
#include "tests/sequences.h"

static Measures measured(const char *parameters)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(24, 9, 12, 6, 0.3, 3);
    Dataset dataset = {.mesh = sequence.mesh, .animation = sequence.animation};
    Subject subject = {.dataset = &dataset};
    return study_measured("fit-steps", parameters, &subject, 2);
}

/* Weights must sum to 1, which non-negative least squares enforces by a penalty. With a hard penalty of 1e7
 * it reaches the same minimum as the projection, apart from the precision that such a penalty costs. With a
 * soft penalty, the weights do not sum to 1, and the error is larger. */
TEST(the_projection_is_the_limit_of_a_hard_sum)
{
    if (!decomposition_method_find("coordinate-descent"))
        skip();
    CLEANUP(measures_clear)
    Measures hard = measured("{'bones':5,'iterations':2,'penalty':1e7,'rounds':1}");
    CLEANUP(measures_clear)
    Measures soft = measured("{'bones':5,'iterations':2,'penalty':0.01,'rounds':1}");
    assert_measured(&hard, "nnls_worse_percent", 0.0, 1e-3);
    assert_true(measures_value(&hard, "nnls_sum_off") < 1e-6);
    assert_true(measures_value(&soft, "nnls_worse_percent") > 0.0);
    assert_true(measures_value(&soft, "nnls_sum_off") > 1e-4);
    assert_true(measures_value(&soft, "nnls_ratio") > 0.0);
}

/* With one bone, the matrix X X^T of the normal equations has no blocks below its diagonal, and no vertex
 * leaves its region. With many bones on a strip, only neighbouring bones share entries of the matrix. A
 * Cholesky factor has at least as many nonzero entries as its matrix. */
TEST(fill_is_of_the_bones_that_meet)
{
    if (!decomposition_method_find("coordinate-descent"))
        skip();
    CLEANUP(measures_clear) Measures one = measured("{'bones':1,'iterations':1,'rounds':1}");
    CLEANUP(measures_clear) Measures many = measured("{'bones':12,'iterations':1,'rounds':1}");
    assert_measured(&one, "square_off_percent", 0.0, 0.0);
    assert_measured(&one, "factor_off_percent", 0.0, 0.0);
    assert_measured(&one, "left_percent", 0.0, 0.0);
    assert_true(measures_value(&many, "square_off_percent") < 100.0);
    assert_true(measures_value(&many, "factor_off_percent") >= measures_value(&many, "square_off_percent"));
    assert_measured(&many, "singular_percent", 0.0, 0.0);
    assert_true(measures_value(&many, "sparse_us") > 0.0 && measures_value(&many, "sparse_ratio") > 0.0);
}

TEST(the_study_wants_an_animation)
{
    assert_bad_input("no animation", study_refused("fit-steps", "{}", NULL));
}
