/* Which kernels OpenBLAS should have taken. */
#include "harness/measure/environment/execution.h"

#include "tests/support.h"

static void old_kernels_on_new_processors(void **state)
{
    (void)state;
    assert_string_equal(blas_kernels_better("Prescott", true, true), "SkylakeX");
    assert_string_equal(blas_kernels_better("SANDYBRIDGE", true, false), "Haswell");
}

static void kernels_that_fit(void **state)
{
    (void)state;
    assert_null(blas_kernels_better("Nehalem", false, false));
    assert_null(blas_kernels_better("Zen", true, true));
    assert_null(blas_kernels_better("SkylakeX", true, true));
    assert_null(blas_kernels_better("neoversen1", false, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_kernels_on_new_processors),
        cmocka_unit_test(kernels_that_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
