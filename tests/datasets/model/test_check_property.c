/* Makes random data sets with unusual and extreme values. Every data set that passes the checks can be
 * written, read, skinned and measured, and gives finite numbers. */
#include "tests/support.h"

#include "datasets/base/random.h"
#include "datasets/io/store.h"
#include "datasets/model/check.h"
#include "datasets/model/validate.h"
#include "harness/measure/metrics/frame_source.h"

#include <float.h>

enum { VERTICES = 7, JOINTS = 3, FRAMES = 2, INFLUENCES = 2, RANK = 2 };

/* Returns a value that is likely to be just inside or outside of some limit. */
static double odd_value(Random *random)
{
    static const double values[] = {0.0,     -0.0,    1.0,   -1.0,      1e-300,   1e-45,     1e-30,
                                    1e-9,    1e6,     1e9,   1.00001e9, -1e9,     1e12,      1e18,
                                    1e30,    1e38,    1e308, NAN,       INFINITY, -INFINITY, DBL_MIN,
                                    FLT_MAX, DBL_MAX, 1e3,   1e-3,      0.5,      5e-324};
    return values[random_below(random, sizeof values / sizeof *values)];
}

/* Fills an array. Only a fraction of the numbers is unusual, so that some data sets pass the checks. */
static void doubles_fill(Random *random, double *values, size_t count, double share)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_unit(random) < share ? odd_value(random) : random_signed(random);
}

static void floats_fill(Random *random, float *values, size_t count, double share)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_unit(random) < share ? (float)odd_value(random) : (float)random_signed(random);
}

static Dataset *random_dataset(Random *random)
{
    static const double shares[] = {0.0, 0.0, 0.01, 0.05, 0.3};
    static const char *const names[] = {"", "plain", "caf\xe9", "a\nb", "\xed\xa0\x80", "a name"};
    Dataset *dataset = NULL;
    const double share = shares[random_below(random, 5)];
    /* All numbers of one array have the same unusual magnitude. */
    const double size = random_below(random, 3) == 0 ? odd_value(random) : 1.0;
    assert_ok(dataset_create(names[random_below(random, 6)], "", "", "", &dataset));
    dataset->fps = random_unit(random) < share ? odd_value(random) : 24.0;
    assert_ok(mesh_allocate(&dataset->mesh, VERTICES, 4));
    floats_fill(random, dataset->mesh.rest, 3 * VERTICES, share);
    for (int i = 0; i < 12; i++)
        dataset->mesh.triangles[i] = random_unit(random) < share ? (int32_t)random_next(random)
                                                                 : (int32_t)random_below(random, VERTICES);
    Rig *rig = &dataset->rig;
    assert_ok(rig_allocate(rig, VERTICES, JOINTS, FRAMES, INFLUENCES));
    for (int j = 0; j < JOINTS; j++) {
        rig->joint_names[j] = memory_text(names[random_below(random, 6)]);
        rig->parents[j] = random_unit(random) < share ? (int32_t)random_below(random, 5) - 2 : j - 1;
    }
    doubles_fill(random, (double *)rig->rest, 12 * JOINTS, share);
    doubles_fill(random, (double *)rig->transforms, 12 * FRAMES * JOINTS, share);
    for (int v = 0; v < VERTICES; v++) {
        const double first = random_unit(random) < share ? odd_value(random) : random_unit(random);
        rig->weight_joints[2 * v] = random_unit(random) < share ? (int32_t)random_next(random) : v % JOINTS;
        rig->weight_joints[2 * v + 1] = (v + 1) % JOINTS;
        rig->weight_values[2 * v] = (float)first;
        rig->weight_values[2 * v + 1] =
            (float)(random_unit(random) < share ? odd_value(random) : 1.0 - first);
    }
    assert_ok(animation_allocate(&dataset->animation, FRAMES, VERTICES, 0));
    floats_fill(random, dataset->animation.positions, 3 * VERTICES * FRAMES, share);
    if (random_below(random, 2) == 0) {
        dataset->low_rank = (LowRank){.rank = RANK,
                                      .row_count = 3 * FRAMES,
                                      .basis = memory_table(3 * FRAMES, RANK, sizeof(double)),
                                      .coefficients = memory_table(RANK, VERTICES, sizeof(float))};
        doubles_fill(random, dataset->low_rank.basis, 3 * FRAMES * RANK, share);
        floats_fill(random, dataset->low_rank.coefficients, RANK * VERTICES, share);
    }
    for (int i = 0; i < 3 * VERTICES; i++)
        dataset->mesh.rest[i] *= (float)size;
    for (int i = 0; i < 3 * VERTICES * FRAMES; i++)
        dataset->animation.positions[i] *= (float)size;
    return dataset;
}

/* Measures the frames of a rig or low-rank model against the stored positions, and checks that the frames
 * and E_RMS are finite. */
static void measured(const Dataset *dataset, const Rig *rig, const LowRank *low_rank)
{
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *candidate = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    float positions[3 * VERTICES * FRAMES];
    assert_ok(frame_source_of_parts("target", &dataset->mesh, &dataset->animation, NULL, NULL, 1, &target));
    assert_ok(frame_source_of_parts("candidate", &dataset->mesh, NULL, rig, low_rank, 1, &candidate));
    assert_ok(frame_source_read(candidate, 0, FRAMES, positions));
    assert_true(float_not_finite(positions, 3 * VERTICES * FRAMES) < 0);
    assert_ok(frame_sources_measure(target, candidate, &metrics));
    assert_true(isfinite(metric_named("e_rms", &metrics)));
}

static bool has_warning(const CheckReport *report, const char *code)
{
    for (int i = 0; i < report->finding_count; i++)
        if (strcmp(report->findings[i].code, code) == 0)
            return true;
    return false;
}

TEST(what_the_checks_pass_works)
{
    int passed = 0, refused = 0;
    const char *path = path_of("a.h5");
    for (uint64_t seed = 0; seed < 4000; seed++) {
        Random random = {seed};
        Dataset *dataset = random_dataset(&random), *back = NULL;
        CheckReport report;
        assert_ok(dataset_check(dataset, &report));
        const Status valid = dataset_validate(dataset, "here");
        if (report.error_count == 0 && valid.code != STATUS_OK)
            fail_msg("seed %d: passed, but %s", (int)seed, valid.text);
        if (report.error_count == 0) {
            passed++;
            if (passed <= 200) { /* write only the first 200 data sets, because files are slow */
                assert_ok(dataset_write(dataset, path));
                assert_ok(dataset_read(path, NULL, &back));
                dataset_free(back);
            }
            if (!has_warning(&report, "animation-size")) {
                measured(dataset, &dataset->rig, NULL);
                if (dataset->low_rank.rank > 0)
                    measured(dataset, &dataset->rig, &dataset->low_rank);
                if (dataset->low_rank.rank > 0)
                    measured(dataset, NULL, &dataset->low_rank);
            }
        }
        refused += report.error_count > 0;
        dataset_free(dataset);
    }
    print_message("%d passed, %d refused\n", passed, refused);
    assert_true(passed > 100 && refused > 100);
}
