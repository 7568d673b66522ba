/* Tests which kernels OpenBLAS is expected to select for a processor, and that they can be changed. */
#include "datasets/base/blas_kernels.h"

#include "tests/support.h"
#include <cblas.h>

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

#ifdef __x86_64__
TEST(kernels_are_replaced_in_a_running_program)
{
    const double left[] = {1.0, 2.0, 3.0, 4.0}, right[] = {5.0, 6.0, 7.0, 8.0};
    const char *names[] = {"Nehalem", "Prescott"};
    double product[4];
    for (int i = 0; i < 2; i++) {
        blas_kernels_set(names[i]);
        assert_string_equal(openblas_get_corename(), names[i]);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1.0, left, 2, right, 2, 0.0, product,
                    2);
        assert_true(product[0] == 19.0 && product[1] == 22.0 && product[2] == 43.0 && product[3] == 50.0);
    }
}
#endif
