/* Tests which kernels OpenBLAS is expected to select for a processor. */
#include "datasets/base/blas_kernels.h"

#include "tests/support.h"

TEST(old_kernels_on_new_processors)
{
    assert_int_equal(blas_kernels_better("Prescott", true, true), BLAS_KERNELS_SKYLAKEX);
    assert_int_equal(blas_kernels_better("SANDYBRIDGE", true, false), BLAS_KERNELS_HASWELL);
}

TEST(kernels_that_fit)
{
    assert_int_equal(blas_kernels_better("Nehalem", false, false), BLAS_KERNELS_FIT);
    assert_int_equal(blas_kernels_better("Zen", true, true), BLAS_KERNELS_FIT);
    assert_int_equal(blas_kernels_better("SkylakeX", true, true), BLAS_KERNELS_FIT);
    assert_int_equal(blas_kernels_better("neoversen1", false, false), BLAS_KERNELS_FIT);
}
