/* Measures how far the basis of FESAM Algorithm 1 is from orthonormal, with and without its stabilising
 * step (FESAM Figure 4). A basis of d + 1 vectors extends the basis of d vectors, so one run gives the
 * curve over d.
 *
 *   parameters
 *     dimension    largest number of vectors
 *   measures
 *     dimension    number of vectors
 *     plain        log10 of the largest entry of |B^T B - I|, without the stabilising step
 *     stabilised   log10 of the largest entry of |B^T B - I|, with the stabilising step
 *   curves: ||B^T B - I||_F over the number of vectors, plain and stabilised */
#include "harness/run/studies/study.h"

#include "methods/reduction/reduction.h"

static Status version_run(const StudyInput *input, bool stabilize, Reduction *out)
{
    const Dataset *dataset = input->dataset;
    ReductionOptions options = {.strategy = REDUCTION_MAX,
                                .dimension_max = (int)study_number(input, "dimension", 300.0),
                                .stabilize = stabilize,
                                .threads = input->threads,
                                .progress = input->progress};
    return reduction_init(&dataset->animation, dataset->mesh.vertex_count, &options, out);
}

Status study_orthogonality(const StudyInput *input, Measures *measures)
{
    static const char *const names[] = {"plain", "stabilised"};
    CLEANUP(reduction_clear) Reduction plain = {0}, stabilised = {0};
    if (!input->dataset || input->dataset->animation.frame_count < 1)
        return bad_input("there is no animation to reduce");
    STATUS_TRY(version_run(input, false, &plain));
    STATUS_TRY(version_run(input, true, &stabilised));
    const int count = int_min(plain.dimension, stabilised.dimension);
    LOCAL_ARRAY(double, curve, count, "a study");
    for (int i = 0; i < 2; i++) {
        /* curve [count] contains ||B^T B - I||_F^2 of the first 1, 2, ... vectors. max is the largest entry
         * of |B^T B - I| */
        const Reduction *reduction = i == 0 ? &plain : &stabilised;
        const int rows = reduction->row_count;
        double max = 0.0;
        for (int n = 0; n < count; n++) {
            double sum = 0.0;
            for (int l = 0; l <= n; l++) {
                const double *a = reduction->basis + (ptrdiff_t)n * rows;
                const double *b = reduction->basis + (ptrdiff_t)l * rows;
                double product = l == n ? -1.0 : 0.0;
                for (int m = 0; m < rows; m++)
                    product += a[m] * b[m];
                sum += (l == n ? 1.0 : 2.0) * product * product;
                max = fmax(max, fabs(product));
            }
            curve[n] = (n > 0 ? curve[n - 1] : 0.0) + sum;
        }
        for (int k = 0; k < count; k++)
            curve[k] = sqrt(curve[k]);
        measures_add_curve(measures, i == 0 ? "plain_over_d" : "stabilised_over_d", curve, count);
        measures_add(measures, names[i], log10(fmax(max, 5e-324)));
    }
    for (int k = 0; k < count; k++)
        curve[k] = k + 1.0;
    measures_add_curve(measures, "d", curve, count);
    measures_add(measures, "dimension", count);
    return status_ok();
}
