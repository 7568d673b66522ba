/* Decomposition of the real animations of FESAM's Table 2: bounds on the error, and truncated SVD, which is
 * an optimum without any freedom, against values computed elsewhere. Needs SKINBENCH_TEST_DATA. */
#include "datasets/io/formats.h"
#include "datasets/io/store.h"
#include "harness/metrics/frame_source.h"
#include "harness/metrics/metrics.h"
#include "methods/decomposition.h"
#include "tests/support.h"

#include <math.h>

typedef struct Row {
    const char *archive;
    int bones, frames, vertices;
    double published; /* bounds on the E_RMS of preset=fesam, */
    double best;      /* and of the default, in 15 sweeps */
    double svd;       /* E_RMS of truncated SVD at 4 bones dimensions; 0: not known */
} Row;

static const Row rows[] = {
    {"horse-gallop.tar.xz", 30, 48, 8431, 1.40, 1.15, 0.0},
    {"horse-collapse.tar.xz", 6, 53, 8431, 8.3, 6.5, 1.17},
    {"elasticCow.tar.xz", 18, 204, 2904, 5.0, 4.1, 1.63},
    {"crane.tar.xz", 40, 175, 10002, 1.7, 1.50, 0.0},
};

static Status row_read(const Row *row, Dataset **dataset)
{
    char path[1024], folder[64], file[128];
    const char *input = test_data(row->archive, path);
    if (!input)
        return status_make(STATUS_UNAVAILABLE, "no %s", row->archive);
    test_folder(folder);
    snprintf(file, sizeof file, "%s/animation.h5", folder);
    const ImportOptions options = {.inputs = &input, .input_count = 1, .scale = 1.0, .fps = 30.0};
    Status status = obj_sequence_import(&options, file);
    if (status.code == STATUS_OK)
        status = dataset_read(file, dataset);
    unlink(file);
    rmdir(folder);
    return status;
}

/* E_RMS of a fit as the harness measures it. */
static double fit_measure(const Dataset *dataset, const char *name, int bones, const char *setting,
                          int threads)
{
    const DecompositionMethod *method = decomposition_method_find(name);
    assert_non_null(method);
    ParameterValues values = parameters_standard(method->parameters, method->parameter_count);
    if (setting)
        assert_ok(parameters_set(method->parameters, method->parameter_count, name, setting, &values));
    DecompositionInput input = {&dataset->mesh, &dataset->animation, 0.0};
    assert_ok(metrics_unit_radius(&dataset->animation, dataset->mesh.vertex_count, &input.unit_radius));
    DecompositionOptions options = {
        .bones = bones, .influences = 4, .iterations = 15, .threads = threads, .parameters = values.values};
    DecompositionResult result;
    assert_ok(decomposition_fit(method, &input, &options, &result));
    assert_int_equal(result.bones_delivered, bones);
    Mesh mesh = dataset->mesh;
    if (result.rest)
        mesh.rest = result.rest;
    FrameSource *target = NULL, *candidate = NULL;
    Metrics metrics;
    assert_ok(frame_source_of_parts("target", &dataset->mesh, &dataset->animation, NULL, NULL, &target));
    assert_ok(frame_source_of_parts("model", &mesh, NULL, &result.rig, &result.low_rank, &candidate));
    assert_ok(frame_sources_measure(target, candidate, &metrics));
    double measured = metrics.e_rms, entries = 3.0 * metrics.frame_count * metrics.vertex_count;
    double told = 1000.0 * sqrt(result.squared_error[result.iteration_count] / entries) / input.unit_radius;
    assert_true(fabs(told - measured) < 1e-4 * measured);
    metrics_clear(&metrics);
    frame_source_close(target);
    frame_source_close(candidate);
    decomposition_result_clear(&result);
    return measured;
}

static void row_check(const Row *row)
{
    Dataset *dataset = NULL;
    Status status = row_read(row, &dataset);
    if (status.code == STATUS_UNAVAILABLE)
        skip();
    assert_ok(status);
    if (!dataset)
        return;
    assert_int_equal(dataset->animation.frame_count, row->frames);
    assert_int_equal(dataset->mesh.vertex_count, row->vertices);
    double best = fit_measure(dataset, "coordinate-descent", row->bones, NULL, 1);
    double again = fit_measure(dataset, "coordinate-descent", row->bones, NULL, 2);
    double published = fit_measure(dataset, "coordinate-descent", row->bones, "preset=fesam", 2);
    print_message("%s: E_RMS %.4f, published algorithm %.4f\n", row->archive, best, published);
    assert_true(best <= row->best);
    assert_true(fabs(best - again) <= 1e-6 * best);
    assert_true(published <= row->published);
    if (row->svd > 0.0) {
        double svd = fit_measure(dataset, "svd", row->bones, NULL, 2);
        assert_true(fabs(svd - row->svd) < 0.01 * row->svd);
    }
    dataset_free(dataset);
}

static void horse_gallop(void **state)
{
    (void)state;
    row_check(&rows[0]);
}

static void horse_collapse(void **state)
{
    (void)state;
    row_check(&rows[1]);
}

static void elastic_cow(void **state)
{
    (void)state;
    row_check(&rows[2]);
}

static void crane(void **state)
{
    (void)state;
    row_check(&rows[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(horse_gallop),
        cmocka_unit_test(horse_collapse),
        cmocka_unit_test(elastic_cow),
        cmocka_unit_test(crane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
