/* Decomposes the real animations of FESAM's Table 2. All errors must stay below bounds. Truncated SVD has a
 * unique optimum, so its errors must match values that another program computed. Needs
 * SKINBENCH_TEST_DATA. */
#include "tests/data_fits.h"
#include "tests/skinned.h"

typedef struct FitCase {
    const char *archive;
    int bones, frames, vertices;
    double published; /* upper bound on the E_RMS of preset=paper */
    double best;      /* upper bound on the E_RMS of the default settings after 15 sweeps */
    double svd;       /* E_RMS of a truncated SVD with 4 * bones dimensions, or 0 if unknown */
} FitCase;

static const FitCase rows[] = {{"horse-gallop.tar.xz", 30, 48, 8431, 1.40, 1.15, 0.0},
                               {"horse-collapse.tar.xz", 6, 53, 8431, 8.3, 6.5, 1.17},
                               {"elasticCow.tar.xz", 18, 204, 2904, 5.0, 3.75, 1.63},
                               {"crane.tar.xz", 40, 175, 10002, 1.7, 1.50, 0.0}};

static void row_check(const FitCase *row)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    Status status = animation_import(row->archive, &dataset);
    if (status.code == STATUS_UNAVAILABLE)
        skip();
    assert_ok(status);
    if (!dataset)
        return;
    assert_int_equal(dataset->animation.frame_count, row->frames);
    assert_int_equal(dataset->mesh.vertex_count, row->vertices);
    double best = fit_measure(dataset, "coordinate-descent", row->bones, NULL, 1);
    double again = fit_measure(dataset, "coordinate-descent", row->bones, NULL, 2);
    double published = fit_measure(dataset, "coordinate-descent", row->bones, "preset=paper", 2);
    print_message("%s: E_RMS %.4f, published algorithm %.4f\n", row->archive, best, published);
    assert_true(best <= row->best);
    assert_true(fabs(best - again) <= 1e-6 * best);
    assert_true(published <= row->published);
    if (row->svd > 0.0) {
        double svd = fit_measure(dataset, "svd", row->bones, NULL, 2);
        assert_true(fabs(svd - row->svd) < 0.01 * row->svd);
    }
}

TEST(horse_gallop)
{
    row_check(&rows[0]);
}

TEST(horse_collapse)
{
    row_check(&rows[1]);
}

TEST(elastic_cow)
{
    row_check(&rows[2]);
}

TEST(crane)
{
    row_check(&rows[3]);
}

/* The 21 bones of a known rig (wolf) move its skin by linear blending, with up to 13 influences per vertex.
 * The fit may use only 4. */
TEST(known_rig)
{
    OWNED_DATA(dataset, "wolf.h5");
    CLEANUP(metrics_clear) Metrics metrics = {0};
    assert_ok(
        animation_allocate(&dataset->animation, dataset->rig.frame_count, dataset->mesh.vertex_count, 0));
    skin_lbs(&backend_reference, dataset, dataset->animation.positions);
    fit_metrics(dataset, "coordinate-descent", dataset->rig.joint_count,
                (const char *const[]){"rest=no", NULL}, 63, 2, NULL, &metrics);
    print_message("wolf: KG error %.4f %%\n", metric_named("kg_percent", &metrics));
    assert_true(metric_named("kg_percent", &metrics) < 0.5);
}
