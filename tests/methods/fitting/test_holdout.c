/* Tests held-out frames. An oracle method knows the true weights and rest pose, but not the held-out
 * frames. Solving for the motion in these frames must reproduce them. */
#include "methods/fitting/holdout.h"

#include "methods/reduction/reduction.h"
#include "tests/rigs.h"
#include "tests/trials.h"

enum { BONES = 3, WIDTH = 18, HEIGHT = 7, VERTICES = WIDTH * HEIGHT, FRAMES = 14, EVERY = 4 };

/* The model that the oracle method delivers: the rig that made the animation. */
typedef struct Truth {
    Sequence sequence;
    Transform transforms[FRAMES][BONES];
    double corrections[3 * FRAMES][3];
    float coefficients[3][VERTICES];
    int rank; /* rank of the corrections: 0 for none, 3 for a displacement with one factor per frame */
} Truth;

static Truth truth;

/* Returns the weight of a bone. Bones are placed along x, and a vertex blends its two neighbouring bones
 * with weights that are not linear in x. With linear weights the bones would not be unique, because a
 * quadratic could be added to two affine bones. */
static double weight_of(int vertex, int bone)
{
    double along = (double)(vertex % WIDTH) / (WIDTH - 1) * (BONES - 1);
    double share = fmax(0.0, 1.0 - fabs(along - bone));
    return share * share * (3.0 - 2.0 * share);
}

static Transform motion_draw(Random *random, bool rigid)
{
    Transform m;
    for (int i = 0; i < 12; i++)
        (&m.m00)[i] = (i % 5 == 0 ? 1.0 : 0.0) + 0.4 * random_signed(random) * (i % 4 == 3 ? 5.0 : 1.0);
    const double x = 0.3 * m.m01, y = 0.3 * m.m02;
    const Vec3 axis = {x, y, sqrt(1.0 - x * x - y * y)};
    return rigid ? transform_rigid(quat_about(axis, 0.6 * m.m00), transform_translation(m)) : m;
}

static void truth_make(bool rigid, bool flat, int rank)
{
    Random random = {77};
    truth = (Truth){.sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, flat), .rank = rank};
    for (int k = 0; k < rank; k++)
        for (int j = 0; j < VERTICES; j++)
            truth.coefficients[k][j] = (float)random_signed(&random);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int bone = 0; bone < BONES; bone++)
            truth.transforms[frame][bone] = motion_draw(&random, rigid);
        for (int i = 0; i < 3 * rank; i++)
            truth.corrections[3 * frame + i % 3][i / 3] = 0.3 * random_signed(&random);
        for (int i = 0; i < 9 && rank == 3; i++)
            truth.corrections[3 * frame + i % 3][i / 3] = i % 4 == 0 ? truth.corrections[3 * frame][0] : 0.0;
        for (int j = 0; j < VERTICES; j++) {
            const double(*change)[3] = (const double(*)[3])truth.corrections[3 * frame];
            Vec3 v = point_at(truth.sequence.mesh.rest, j), sum = vec3_make(0.0, 0.0, 0.0);
            for (int k = 0; k < rank; k++)
                v = vec3_add_scaled(v, vec3_make(change[0][k], change[1][k], change[2][k]),
                                    (double)truth.coefficients[k][j]);
            for (int bone = 0; bone < BONES; bone++)
                sum = vec3_add_scaled(sum, transform_point(truth.transforms[frame][bone], v),
                                      weight_of(j, bone));
            point_set(truth.sequence.animation.positions, frame * VERTICES + j, sum);
        }
    }
}

/* Returns the number of the frame whose first vertex has this position. */
static int frame_recognise(const float *position)
{
    for (int frame = 0; frame < FRAMES; frame++) {
        const float *known = truth.sequence.animation.positions + 3 * frame * VERTICES;
        if (memcmp(known, position, 3 * sizeof *known) == 0)
            return frame;
    }
    fail_msg("a frame that is not of the animation");
    return 0;
}

static Status oracle_rig(const DecompositionInput *input, Rig *rig)
{
    Status status = rig_allocate(rig, VERTICES, BONES, input->animation->frame_count, BONES);
    for (int frame = 0; frame < rig->frame_count && status.code == STATUS_OK; frame++) {
        int number = frame_recognise(input->animation->positions + 3 * frame * VERTICES);
        assert_false(frame_is_held(number, EVERY));
        memcpy(rig->transforms + frame * BONES, truth.transforms[number], BONES * sizeof(Transform));
    }
    for (int i = 0; i < VERTICES * BONES && status.code == STATUS_OK; i++) {
        rig->weight_joints[i] = i % BONES;
        rig->weight_values[i] = (float)weight_of(i / BONES, i % BONES);
    }
    return status;
}

static Status oracle_corrections(const DecompositionInput *input, LowRank *model)
{
    int frames = input->animation->frame_count;
    model->basis = memory_table(3 * (size_t)frames, (size_t)truth.rank, sizeof(double));
    model->coefficients = memory_table((size_t)truth.rank, VERTICES, sizeof(float));
    if (!model->basis || !model->coefficients)
        return status_out_of_memory("the truth");
    model->rank = truth.rank;
    model->row_count = 3 * frames;
    for (int i = 0; i < 3 * frames; i++) {
        int number = frame_recognise(input->animation->positions + 3 * (i / 3) * VERTICES);
        memcpy(model->basis + i * truth.rank, truth.corrections[3 * number + i % 3],
               (size_t)truth.rank * sizeof(double));
    }
    memcpy(model->coefficients, truth.coefficients, (size_t)truth.rank * VERTICES * sizeof(float));
    return status_ok();
}

static Status oracle_fit(const DecompositionInput *input, const DecompositionOptions *options,
                         DecompositionResult *result)
{
    STATUS_TRY(oracle_rig(input, &result->rig));
    if (truth.rank > 0)
        STATUS_TRY(oracle_corrections(input, &result->low_rank));
    result->rest = memory_array(3 * VERTICES, sizeof(float));
    result->squared_error = memory_array(1, sizeof(double));
    result->elapsed_s = memory_array(1, sizeof(double));
    if (!result->rest || !result->squared_error || !result->elapsed_s)
        return status_out_of_memory("the truth");
    memcpy(result->rest, truth.sequence.mesh.rest, 3 * VERTICES * sizeof(float));
    result->bones_requested = result->bones_delivered = options->bones;
    return status_ok();
}

static const DecompositionMethod oracle = {.name = "oracle", .makes_rig = true, .fit = oracle_fit};

static Status holdout_run(const DecompositionMethod *method, const Sequence *sequence, int every, int threads,
                          DecompositionResult *result)
{
    ParameterValues values = parameters_default(method->parameters);
    DecompositionInput input = {&sequence->mesh, &sequence->animation, sequence_radius(sequence), NULL};
    DecompositionOptions options = {.bones = BONES,
                                    .influences = 4,
                                    .iterations = 5,
                                    .threads = threads,
                                    .parameters = values.values,
                                    .methods = decomposition_registry};
    return decomposition_fit_holdout(method, &input, &options, every, result);
}

/* Returns the E_RMS over all frames: those that the oracle fitted and those that were held out. */
static double oracle_error(DecompositionResult *result)
{
    assert_ok(holdout_run(&oracle, &truth.sequence, EVERY, 2, result));
    assert_int_equal(result->rig.frame_count, FRAMES);
    return e_rms(&truth.sequence, delivered_error(&truth.sequence, result));
}

static void truth_clear(DecompositionResult *result)
{
    decomposition_result_clear(result);
    sequence_clear(&truth.sequence);
}

TEST(frames_are_counted)
{
    int held = 0;
    for (int frame = 0; frame < FRAMES; frame++)
        held += frame_is_held(frame, EVERY);
    assert_int_equal(held, 3); /* frames 3, 7 and 11 of 14 */
    assert_int_equal(held_frame_count(FRAMES, EVERY), 3);
    assert_true(frame_is_held(3, EVERY) && !frame_is_held(0, EVERY) && !frame_is_held(4, EVERY));
    assert_false(frame_is_held(3, 0));
    assert_int_equal(held_frame_count(FRAMES, 0), 0);
}

/* Positions are floats of a few units. Their rounding of 1e-7 is about 1e-4 in units of E_RMS. */
static const double FLOAT_E_RMS = 2e-4;

TEST(affine_motion_comes_back)
{
    CLEANUP(truth_clear) DecompositionResult result = {0};
    truth_make(false, false, 0);
    assert_at_most(oracle_error(&result), FLOAT_E_RMS);
    /* There are enough vertices to determine every bone. */
    for (int bone = 0; bone < BONES; bone++) {
        Transform found = result.rig.transforms[7 * BONES + bone], made = truth.transforms[7][bone];
        assert_true(fabs(found.m01 - made.m01) < 1e-4 && fabs(found.m23 - made.m23) < 1e-4);
    }
}

/* A flat rest pose leaves one column of every bone undetermined. */
TEST(what_is_open_does_no_harm)
{
    CLEANUP(truth_clear) DecompositionResult result = {0};
    truth_make(false, true, 0);
    assert_at_most(oracle_error(&result), FLOAT_E_RMS);
    for (int bone = 0; bone < BONES; bone++) /* the undetermined column keeps its last value */
        assert_true(fabs(result.rig.transforms[7 * BONES + bone].m02 - truth.transforms[6][bone].m02) < 1e-9);
}

TEST(rigid_motion_stays_rigid)
{
    CLEANUP(truth_clear) DecompositionResult result = {0};
    truth_make(true, false, 0);
    assert_at_most(oracle_error(&result),
                   0.1); /* the rounds stop when the gain becomes negligible, which is before the optimum */
    for (int i = 0; i < FRAMES * BONES; i++) {
        Transform m = result.rig.transforms[i];
        Vec3 axes[3];
        transform_axes(m, axes);
        assert_true(fabs(vec3_dot(axes[0], axes[0]) - 1.0) < 1e-9 && fabs(vec3_dot(axes[0], axes[1])) < 1e-9);
    }
}

/* The transformations are solved for first and explain part of the motion. The corrections then explain as
 * much of the remaining motion as they can. */
TEST(corrections_are_carried)
{
    for (int rank = 2; rank <= 3; rank++) {
        CLEANUP(decomposition_result_clear) DecompositionResult with = {0};
        CLEANUP(truth_clear) DecompositionResult without = {0};
        truth_make(false, false, rank);
        double corrected = oracle_error(&with);
        assert_int_equal(with.low_rank.row_count, 3 * FRAMES);
        assert_true(low_rank_is_of_displacements(&with.low_rank) == (rank == 3));
        truth.rank = 0;
        double plain = oracle_error(&without);
        assert_at_most(corrected, 0.35 * plain);
    }
}

TEST(low_rank_frames_are_projected)
{
    const DecompositionMethod *svd = decomposition_method_find("svd");
    CLEANUP(truth_clear) DecompositionResult result = {0};
    assert_non_null(svd);
    truth_make(false, false, 0); /* 3 affine bones have rank 12, and the fit has 4 * 3 dimensions */
    assert_ok(holdout_run(svd, &truth.sequence, EVERY, 1, &result));
    assert_int_equal(result.low_rank.row_count, 3 * FRAMES);
    assert_at_most(e_rms(&truth.sequence, delivered_error(&truth.sequence, &result)), FLOAT_E_RMS);
}

/* Every method supports held-out frames, with identical results on any number of threads. */
TEST(every_method_takes_a_holdout)
{
    truth_make(false, false, 0);
    for (int i = 0; i < decomposition_method_count(); i++) {
        const DecompositionMethod *method = decomposition_method_at(i);
        CLEANUP(decomposition_result_clear) DecompositionResult one = {0}, two = {0};
        assert_ok(holdout_run(method, &truth.sequence, 3, 1, &one));
        assert_ok(holdout_run(method, &truth.sequence, 3, 2, &two));
        double error = delivered_error(&truth.sequence, &one);
        assert_true(isfinite(error) && error == delivered_error(&truth.sequence, &two));
        assert_true(one.holdout_s >= 0.0);
        if (one.rig.joint_count > 0)
            check_rig(&truth.sequence, &one);
        else
            assert_int_equal(one.low_rank.row_count, 3 * FRAMES);
    }
    sequence_clear(&truth.sequence);
}

TEST(refusals_name_what_is_wrong)
{
    DecompositionResult result;
    truth_make(false, false, 0);
    assert_refused(STATUS_USAGE, "every 1th frame", holdout_run(&oracle, &truth.sequence, 1, 1, &result));
    assert_refused(STATUS_USAGE, "there are only 14 frames",
                   holdout_run(&oracle, &truth.sequence, FRAMES + 1, 1, &result));
    /* The fit itself never sees frame 7, which is held out. The message must still count the frames of the
     * whole animation. */
    truth.sequence.animation.positions[3 * (7 * VERTICES + 5) + 2] = NAN;
    assert_bad_input("frame 7: coordinate 2 of vertex 5",
                     holdout_run(&oracle, &truth.sequence, EVERY, 1, &result));
    assert_null(result.rest);
    sequence_clear(&truth.sequence);
}

TEST(memory_may_give_out)
{
    for (int rigid = 0; rigid < 2; rigid++) {
        truth_make(rigid, false, 2);
        CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
        assert_allocations_may_fail(0, holdout_run(&oracle, &truth.sequence, EVERY, 1, &result),
                                    decomposition_result_clear(&result));
        sequence_clear(&truth.sequence);
    }
}
