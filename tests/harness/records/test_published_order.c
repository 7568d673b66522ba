/* Reproduces the order of the errors in FESAM's Table 2 on its real animations. Coordinate descent has a
 * lower error than SMA, SAD and CPCA. Truncated SVD has a lower error than coordinate descent, and
 * EigenSkin a lower error than the method that it corrects. SMA beats SAD on the articulated horse, and SAD
 * beats SMA on the horse that collapses like cloth. SMA as published is within a factor of 1.5 of those
 * printed errors that are known. Needs SKINBENCH_TEST_DATA. */
#include "tests/data_fits.h"

typedef struct Errors {
    double descent, sma, sad, cpca, svd, eigenskin_sma, eigenskin_sad, published_sma;
} Errors;

/* Measures the errors of all methods on an animation. Returns false if the animation is missing. */
static int errors_measure(const char *archive, int bones, Errors *out)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    Status status = animation_import(archive, &dataset);
    if (status.code == STATUS_UNAVAILABLE)
        return 0;
    assert_ok(status);
    if (!dataset)
        return 0;
    out->descent = fit_measure(dataset, "coordinate-descent", bones, NULL, 1);
    out->cpca = fit_measure(dataset, "cpca", bones, NULL, 1);
    out->svd = fit_measure(dataset, "svd", bones, NULL, 1);
    out->eigenskin_sma = fit_measure_from(dataset, "eigenskin", bones, "base=sma", 1, &out->sma);
    out->eigenskin_sad = fit_measure_from(dataset, "eigenskin", bones, "base=sad", 1, &out->sad);
    out->published_sma = fit_measure(dataset, "sma", bones, "preset=paper", 1);
    print_message("%s: coordinate descent %.3f, SMA %.3f (%.3f), SAD %.3f (%.3f), CPCA %.3f, SVD %.4f; "
                  "SMA as published %.3f\n",
                  archive, out->descent, out->sma, out->eigenskin_sma, out->sad, out->eigenskin_sad,
                  out->cpca, out->svd, out->published_sma);
    return 1;
}

static void check_order(const Errors *errors)
{
    assert_true(errors->descent < errors->sma);
    assert_true(errors->descent < errors->sad);
    assert_true(errors->descent < errors->cpca);
    assert_true(errors->svd < errors->descent);
    assert_true(errors->eigenskin_sma < errors->sma);
    assert_true(errors->eigenskin_sad < errors->sad);
}

static int is_near(double measured, double printed)
{
    return printed / 1.5 <= measured && measured <= 1.5 * printed;
}

TEST(articulated_horse)
{
    Errors errors = {0};
    if (!errors_measure("horse-gallop.tar.xz", 30, &errors))
        skip();
    check_order(&errors);
    assert_true(errors.svd < errors.eigenskin_sma && errors.svd < errors.eigenskin_sad);
    assert_true(errors.sma < errors.sad);
}

TEST(collapsing_horse)
{
    Errors errors = {0};
    if (!errors_measure("horse-collapse.tar.xz", 6, &errors))
        skip();
    /* EigenSkin adds ten displacements to its bones. Here its error may therefore be lower than the errors
     * of coordinate descent and truncated SVD with the same number of bones. The printed errors are 0.8 and
     * 1.3 for EigenSkin, 8.3 for coordinate descent, and 1 for truncated SVD. */
    check_order(&errors);
    assert_true(errors.sad < errors.sma);
}

TEST(elastic_cow)
{
    Errors errors = {0};
    if (!errors_measure("elasticCow.tar.xz", 18, &errors))
        skip();
    check_order(&errors);
    assert_true(errors.svd < errors.eigenskin_sma && errors.svd < errors.eigenskin_sad);
    assert_true(is_near(errors.published_sma, 17.0));
}
