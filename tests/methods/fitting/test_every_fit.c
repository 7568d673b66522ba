/* Tests that every registered decomposition method ends on any input, reports the error of its delivered
 * model, and gives identical results on any number of threads. */

#include "datasets/geometry/nearest_rotation.h"
#include "tests/rigs.h"
#include "tests/trials.h"

/* Returns the squared error that one affine bone leaves on all vertices: the residual of each coordinate's
 * row after projection onto 1, x, y and z. */
static double affine_bone_error(const Sequence *sequence)
{
    const int vertices = sequence->mesh.vertex_count;
    double *columns = memory_table(4, (size_t)vertices, sizeof *columns), sum = 0.0;
    int count = 0;
    for (int c = 0; c < 4; c++) {
        double *column = columns + count * vertices, size = 0.0, left = 0.0;
        for (int j = 0; j < vertices; j++) {
            column[j] = c == 0 ? 1.0 : (double)sequence->mesh.rest[3 * j + c - 1];
            size += column[j] * column[j];
        }
        for (int again = 0; again < 2; again++)
            for (int k = 0; k < count; k++) {
                double product = 0.0;
                for (int j = 0; j < vertices; j++)
                    product += column[j] * columns[k * vertices + j];
                for (int j = 0; j < vertices; j++)
                    column[j] -= product * columns[k * vertices + j];
            }
        for (int j = 0; j < vertices; j++)
            left += column[j] * column[j];
        for (int j = 0; j < vertices; j++)
            column[j] /= sqrt(fmax(left, 1e-300));
        count += left > 1e-9 * size;
    }
    for (int row = 0; row < 3 * sequence->animation.frame_count; row++) {
        const float *position = sequence->animation.positions + row / 3 * 3 * vertices + row % 3;
        double square = 0.0, explained = 0.0;
        for (int k = 0; k < count; k++) {
            double product = 0.0;
            for (int j = 0; j < vertices; j++)
                product += columns[k * vertices + j] * (double)position[3 * j];
            explained += product * product;
        }
        for (int j = 0; j < vertices; j++)
            square += (double)position[3 * j] * (double)position[3 * j];
        sum += fmax(square - explained, 0.0);
    }
    memory_free(columns);
    return sum;
}

/* Returns the squared error that one rigid bone leaves on all vertices (Kabsch 1976). */
static double rigid_bone_error(const Sequence *sequence)
{
    const int vertices = sequence->mesh.vertex_count;
    double error = 0.0;
    for (int frame = 0; frame < sequence->animation.frame_count; frame++) {
        const float *v = sequence->mesh.rest, *a = sequence->animation.positions + 3 * frame * vertices;
        double middles[2][3] = {{0.0}}, cross[3][3] = {{0.0}}, turn[3][3];
        for (int i = 0; i < 3 * vertices; i++) {
            middles[0][i % 3] += (double)v[i] / vertices;
            middles[1][i % 3] += (double)a[i] / vertices;
        }
        for (int j = 0; j < vertices; j++)
            for (int i = 0; i < 9; i++)
                cross[i / 3][i % 3] += ((double)a[3 * j + i / 3] - middles[1][i / 3]) *
                                       ((double)v[3 * j + i % 3] - middles[0][i % 3]);
        nearest_rotation((const double(*)[3])cross, turn);
        for (int i = 0; i < 3 * vertices; i++) {
            double off = (double)a[i] - middles[1][i % 3];
            for (int k = 0; k < 3; k++)
                off -= turn[i % 3][k] * ((double)v[i / 3 * 3 + k] - middles[0][k]);
            error += off * off;
        }
    }
    return error;
}

/* Runs a method and checks its reported errors against the error of the delivered model. Returns the
 * E_RMS. */
static double fit_check(const Trial *trial, const Sequence *sequence, FitEnd *end)
{
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    Status status = trial_run(trial, sequence, &result);
    if (status.code != STATUS_OK)
        fail_msg("%s %s: %s", trial->method, trial->set[0] ? trial->set[0] : "", status.text);
    double reported = error_in_the_end(&result);
    double delivered = delivered_error(sequence, &result), size = 1e-30 + squared_size(sequence);
    /* The two errors must agree in four digits, except for the float rounding of positions and
     * coefficients. */
    if (fabs(reported - delivered) > 1e-4 * delivered + 1e-13 * size)
        fail_msg("%s reported %g, delivered %g of %g", trial->method, reported, delivered, size);
    assert_int_equal(result.bones_requested, trial->bones);
    assert_in_range(result.bones_delivered, 1, trial->bones);
    if (result.rig.joint_count > 0)
        check_rig(sequence, &result);
    else
        assert_int_equal(result.low_rank.row_count, 3 * sequence->animation.frame_count);
    if (end)
        *end = result.end;
    return e_rms(sequence, delivered);
}

/* Settings that turn a method into a different algorithm. */
static const char *const variants[][2] = {{"coordinate-descent", "preset=paper"},
                                          {"coordinate-descent", "transforms=rigid"},
                                          {"coordinate-descent", "smooth=30"},
                                          {"sma", "preset=paper"},
                                          {"sma", "transforms=rigid"},
                                          {"sad", "preset=best"},
                                          {"hyperspectral", "preset=paper"},
                                          {"ssdr", "preset=paper"},
                                          {"ssdr", "transforms=affine"},
                                          {"ssdr", "smooth=30"},
                                          {"eigenskin", "preset=paper"}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* Returns the number of cases: all methods, then the variants of available methods. */
static int case_count(void)
{
    int count = decomposition_method_count();
    for (int i = 0; i < VARIANTS; i++)
        count += decomposition_method_find(variants[i][0]) != NULL;
    return count;
}

/* Returns the trial for case i: a method, or a variant of a method. */
static Trial case_trial(int i, int bones, int influences, int iterations, int threads)
{
    Trial trial = TRIAL(NULL, bones, influences, iterations, threads, NULL);
    if (i < decomposition_method_count()) {
        trial.method = decomposition_method_at(i)->name;
        if (strcmp(trial.method, "compressed-skinning") == 0)
            trial.set[0] = "steps=20"; /* 20 steps of Adam instead of the default of 1000 */
        return trial;
    }
    int variant = 0;
    for (int left = i - decomposition_method_count(); variant + 1 < VARIANTS; variant++)
        if (decomposition_method_find(variants[variant][0]) && left-- == 0)
            break;
    trial.method = variants[variant][0];
    trial.set[0] = variants[variant][1];
    return trial;
}

/* Whether the bones of a trial are rigid: its parameter `transforms`, if the method has it. */
static bool has_rigid_bones(const Trial *trial)
{
    const Parameter *rows = decomposition_method_find(trial->method)->parameters;
    ParameterValues values = parameters_default(rows);
    for (int i = 0; i < HELD && trial->set[i]; i++)
        assert_ok(parameters_set(rows, trial->method, trial->set[i], &values));
    for (int i = 0; i < parameters_count(rows); i++)
        if (strcmp(rows[i].name, "transforms") == 0)
            return strcmp(parameter_word(&rows[i], (int)values.values[i]), "rigid") == 0;
    return false;
}

/* Returns an upper bound on a method's error: the error of one bone of the kind that the method uses.
 * INFINITY for published algorithms and low-rank models, which promise no bound. */
static double one_bone_error(const Trial *trial, const Sequence *sequence)
{
    const DecompositionMethod *method = decomposition_method_find(trial->method);
    const char *set = trial->set[0] ? trial->set[0] : "";
    if (!method->makes_rig || strcmp(set, "preset=paper") == 0 ||
        (strcmp(trial->method, "sad") == 0 && !set[0]))
        return INFINITY;
    if (strcmp(trial->method, "compressed-skinning") ==
        0) { /* its bones are of a special kind, so the bound is the error of a mesh that stays at rest */
        double still = 0.0;
        for (int i = 0; i < 3 * sequence->animation.frame_count * sequence->mesh.vertex_count; i++)
            still += pow((double)sequence->animation.positions[i] -
                             (double)sequence->mesh.rest[i % (3 * sequence->mesh.vertex_count)],
                         2.0);
        return still;
    }
    return has_rigid_bones(trial) ? rigid_bone_error(sequence) : affine_bone_error(sequence);
}

/* Runs all methods on one sequence. No method may be worse than one bone, and one bone is never worse than
 * a mesh that stays at rest. With one bone per vertex, all methods must be exact. */
static void every_method_ends(const Sequence *sequence, int bones, int influences)
{
    const double rounding = 1e-12 * squared_size(sequence);
    for (int i = 0; i < case_count(); i++) {
        Trial trial = case_trial(i, bones, influences, 4, 1);
        const double error = fit_check(&trial, sequence, NULL),
                     one = e_rms(sequence, one_bone_error(&trial, sequence) * (1.0 + 1e-6) + rounding);
        if (error > one)
            fail_msg("%s %s: E_RMS %g, %g with one bone", trial.method, trial.set[0] ? trial.set[0] : "",
                     error, one);
        if (bones >= sequence->mesh.vertex_count && decomposition_method_find(trial.method)->makes_rig)
            assert_at_most(error, e_rms(sequence, rounding));
    }
}

/* In some sequences every second frame is mirrored (along x, y, or all axes), or the frames grow (along all
 * axes, or some). Affine bones reproduce this exactly and rigid bones do not. In the last sequence one bone
 * cannot follow the motion. */
TEST(one_bone_is_the_least)
{
    static const double mirrors[3][3] = {{-1, 1, 1}, {1, -1, 1}, {-1, -1, -1}},
                        growths[3][3] = {{1, 1, 1}, {1, 0, 0}, {0, 0.2, 1}};
    CLEANUP(sequence_clear) Sequence moved = sequence_sheet(9, 7, 6, 0);
    for (int kind = 0; kind < 7; kind++) {
        for (int i = 0; i < 3 * 6 * 63; i++) {
            const int frame = i / (3 * 63), axis = i % 3;
            const double v = (double)moved.mesh.rest[i % (3 * 63)];
            moved.animation.positions[i] = (float)(kind < 3   ? v * (frame % 2 ? mirrors[kind][axis] : 1.0)
                                                   : kind < 6 ? v * (1.0 + frame * growths[kind - 3][axis])
                                                              : v + sin(v * frame + axis));
        }
        every_method_ends(&moved, 1, 4);
        every_method_ends(&moved, 5, 4);
    }
}

/* Four strips of a sheet turn in different ways. A fit with four bones must leave less than half of the
 * error of one bone, even without triangles unless it is a published algorithm. A fit that is worse than one
 * bone is replaced by one bone, so mistakes in a method show up here. */
TEST(bones_that_are_needed_help)
{
    CLEANUP(sequence_clear) Sequence apart = sequence_sheet(16, 6, 7, 0);
    for (int i = 0; i < 7 * 96; i++) {
        const int frame = i / 96, strip = i % 16 / 4;
        const Transform motion = transform_about(
            quat_about(vec3_make(0.6, 0.0, 0.8), 0.2 * frame * (strip - 1.5)),
            vec3_make(4.0 * strip, 3.0, 0.0), vec3_make(0.0, 0.1 * frame * strip * strip, 0.0));
        point_set(apart.animation.positions, i, transform_point(motion, point_at(apart.mesh.rest, i % 96)));
    }
    const int all = apart.mesh.triangle_count;
    for (int i = 0; i < 2 * case_count(); i++) {
        apart.mesh.triangle_count = i % 2 ? 0 : all;
        Trial trial = case_trial(i / 2, 4, 4, 6, 1);
        if (strcmp(trial.method, "compressed-skinning") == 0) /* 20 of its steps do not suffice */
            continue;
        if (i % 2 && trial.set[0] && strcmp(trial.set[0], "preset=paper") == 0)
            continue;
        const double error = fit_check(&trial, &apart, NULL);
        fail_if(!(error < 0.5 * e_rms(&apart, rigid_bone_error(&apart))), "%s %s: E_RMS %g, %g with one bone",
                trial.method, trial.set[0] ? trial.set[0] : "", error,
                e_rms(&apart, rigid_bone_error(&apart)));
    }
}

TEST(moving_input_ends)
{
    CLEANUP(sequence_clear) Sequence moving = sequence_skinned(8, 6, 7, 3, 0.3, 2);
    every_method_ends(&moving, 4, 1);
    every_method_ends(&moving, 4, 4);
    every_method_ends(&moving, 4, 8);
    every_method_ends(&moving, 1, 4);
    every_method_ends(&moving, 48, 4);
    every_method_ends(&moving, 1000, 4);
    moving.mesh.triangle_count = 0; /* a point cloud */
    every_method_ends(&moving, 4, 4);
    moving.mesh.triangle_count = 40; /* some vertices belong to no triangle */
    every_method_ends(&moving, 4, 4);
    for (int i = 0; i < 120; i++) /* every triangle is degenerate */
        moving.mesh.triangles[i] = moving.mesh.triangles[i / 3 * 3];
    every_method_ends(&moving, 4, 4);
}

TEST(still_input_ends)
{
    CLEANUP(sequence_clear) Sequence still = sequence_sheet(8, 6, 5, 0);
    every_method_ends(&still, 4, 4);
    still.animation.frame_count = 1;
    every_method_ends(&still, 4, 4);
    for (int i = 0; i < 3 * 48; i++) /* one point */
        still.animation.positions[i] = still.mesh.rest[i] = 2.5f;
    every_method_ends(&still, 4, 4);
    for (int i = 0; i < 3 * 48; i++) /* one point at the origin */
        still.animation.positions[i] = still.mesh.rest[i] = 0.0f;
    every_method_ends(&still, 4, 4);
}

TEST(flat_and_doubled_input_ends)
{
    CLEANUP(sequence_clear) Sequence flat = sequence_sheet(8, 6, 7, 1);
    sequence_skin(&flat, 2, 0.3, 9);
    every_method_ends(&flat, 4, 4);
    sequence_double(&flat);
    every_method_ends(&flat, 4, 4);
    for (int frame = 2; frame < 5; frame++) /* some frames are collapsed to a line */
        for (int j = 0; j < 48; j++)
            for (int axis = 0; axis < 2; axis++)
                flat.animation.positions[(frame * 48 + j) * 3 + axis] = 0.0f;
    every_method_ends(&flat, 4, 4);

    /* two components, far apart and far from the origin */
    CLEANUP(sequence_clear) Sequence apart = sequence_skinned(12, 6, 8, 2, 0.2, 3);
    sequence_part(&apart, 12);
    for (int i = 0; i < 8 * 72; i++)
        apart.animation.positions[3 * i] += i % 12 >= 6 ? 4000.0f : 1000.0f;
    every_method_ends(&apart, 2, 4);
}

/* Adds settings that keep a method's search short. */
static void trial_shorten(Trial *trial)
{
    static const char *const settings[][2] = {
        {"sma", "bandwidth=0.3"}, {"eigenskin", "base=sad"}, {"coordinate-descent", "stages=2"}};
    int slot = trial->set[0] ? 1 : 0;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i][0], trial->method) == 0)
            trial->set[slot++] = settings[i][1];
}

TEST(threads_and_repeats_change_nothing)
{
    CLEANUP(sequence_clear)
    Sequence sequence = sequence_skinned(24, 22, 9, 6, 0.4, 31); /* the vertices fill three blocks of 256 */
    for (int i = 0; i < case_count(); i++) {
        Trial trial = case_trial(i, 6, 4, 5, 1);
        trial_shorten(&trial);
        CLEANUP(decomposition_result_clear) DecompositionResult first = trial_result(&trial, &sequence);
        for (trial.threads = 2; trial.threads >= 1; trial.threads--) {
            CLEANUP(decomposition_result_clear) DecompositionResult again = trial_result(&trial, &sequence);
            assert_int_equal(again.bones_delivered, first.bones_delivered);
            assert_same_errors(&again, &first);
        }
    }
}

/* Returns whether two fits of case i with different random seeds have bit-identical errors. */
static bool seeds_agree(int i, uint64_t one, uint64_t other, const Sequence *sequence)
{
    CLEANUP(decomposition_result_clear) DecompositionResult first = {0}, second = {0};
    Trial trial = case_trial(i, 6, 4, 2, 1);
    trial_shorten(&trial);
    assert_ok(trial_run_seeded(&trial, one, sequence, &first));
    assert_ok(trial_run_seeded(&trial, other, sequence, &second));
    return error_in_the_end(&first) == error_in_the_end(&second);
}

/* All random choices of a method, including the first seed of its regions, depend only on the seed number.
 * The listed methods make random choices, or none. Other methods may do either; so may sma, which uses all
 * triangles if there are few. */
TEST(seeds_decide)
{
    static const char *const random[] = {"coordinate-descent", "cpca", "sad", "ssdr", "eigenskin",
                                         "compressed-skinning"},
                             *const fixed[] = {"svd", "hyperspectral"};
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(24, 12, 6, 1);
    sequence_skin(&sequence, 8, 0.4, 31);
    for (int i = 0; i < case_count(); i++) {
        const char *name = case_trial(i, 6, 4, 2, 1).method;
        fail_if(!seeds_agree(i, 7, 7, &sequence), "%s differs with one seed", name);
        const bool agree = seeds_agree(i, 1, 2, &sequence);
        for (size_t k = 0; k < sizeof random / sizeof *random; k++)
            fail_if(strcmp(random[k], name) == 0 && agree, "%s does not depend on the seed", name);
        for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
            fail_if(strcmp(fixed[k], name) == 0 && !agree, "%s depends on the seed", name);
    }
}

/* A fit that is stopped at any of its progress reports ends with a model, or with STATUS_STOPPED and
 * nothing to release. A fit that runs out of time ends with a model. */
TEST(stops_are_typed)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(10, 7, 6, 3, 0.4, 5);
    for (int i = 0; i < case_count(); i++) {
        for (int patient = 0; patient < 12; patient++) {
            Patience patience = {patient};
            Progress progress = {patience_report, &patience};
            Trial trial = case_trial(i, 3, 4, 3, 1);
            trial.progress = &progress;
            CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
            Status status = trial_run(&trial, &sequence, &result);
            assert_true(status.code == STATUS_OK || status.code == STATUS_STOPPED);
            assert_true(patient > 0 || status.code == STATUS_STOPPED || result.end == FIT_STOPPED ||
                        result.end == FIT_COMPLETE);
            assert_true(status.code == STATUS_OK || (!result.rest && !result.low_rank.basis));
        }
        FitEnd end = FIT_STOPPED;
        Trial hasty = case_trial(i, 3, 4, 1000000, 1);
        hasty.time_limit_s = 1e-9;
        fit_check(&hasty, &sequence, &end);
        assert_true(end == FIT_AFTER_LIMIT || end == FIT_COMPLETE);
    }
}

TEST(values_that_are_not_finite_are_refused)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(5, 4, 6, 0);
    sequence.animation.positions[(3 * 20 + 17) * 3 + 1] = NAN;
    for (int i = 0; i < case_count(); i++) {
        Trial trial = case_trial(i, 2, 4, 3, 1);
        DecompositionResult result;
        assert_bad_input("frame 3: coordinate 1 of vertex 17", trial_run(&trial, &sequence, &result));
    }
}

/* If any single allocation of a fit fails, it ends with a status and releases everything. */
TEST(memory_may_give_out)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(5, 4, 6, 2, 0.3, 6);
    for (int i = 0; i < case_count(); i++) {
        Trial trial = case_trial(i, 2, 4, 2, 1);
        trial_shorten(&trial);
        CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
        assert_allocations_may_fail(0, trial_run(&trial, &sequence, &result),
                                    decomposition_result_clear(&result));
    }
}
