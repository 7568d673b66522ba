/* Which kernels OpenBLAS should have taken. */
#include "harness/measure/environment/execution.h"

#include "tests/support.h"

TEST(old_kernels_on_new_processors)
{
    assert_string_equal(blas_kernels_better("Prescott", true, true), "SkylakeX");
    assert_string_equal(blas_kernels_better("SANDYBRIDGE", true, false), "Haswell");
}

TEST(kernels_that_fit)
{
    assert_null(blas_kernels_better("Nehalem", false, false));
    assert_null(blas_kernels_better("Zen", true, true));
    assert_null(blas_kernels_better("SkylakeX", true, true));
    assert_null(blas_kernels_better("neoversen1", false, false));
}
