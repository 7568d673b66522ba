/* Tests EigenSkin. Corrections of full rank leave no error, each additional rank reduces the error, and the
 * harness poses the delivered model correctly. */
#include "harness/measure/metrics/frame_source.h"
#include "methods/reduction/reduction.h"
#include "tests/rigs.h"
#include "tests/trials.h"

enum { WIDTH = 14, HEIGHT = 9, VERTICES = WIDTH * HEIGHT, FRAMES = 6 };

/* Returns a sheet that is skinned by more bones than the fits use and also trembles. */
static Sequence trembling(void)
{
    Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 0);
    Random random = {12};
    sequence_skin(&sequence, 6, 0.3, 4);
    for (int i = 0; i < 3 * FRAMES * VERTICES; i++)
        sequence.animation.positions[i] += (float)(0.1 * random_signed(&random));
    return sequence;
}

static const char *const bases[] = {"base=sma", "base=sad", "base=coordinate-descent"};

TEST(full_rank_leaves_nothing)
{
    CLEANUP(sequence_clear) Sequence sequence = trembling();
    for (int i = 0; i < 3; i++)
        assert_at_most(
            trial_check(&TRIAL("eigenskin", 3, 4, 5, 1, bases[i], "rank=6"), &sequence, NULL, NULL), 1e-2);
}

TEST(corrections_lower_the_error)
{
    CLEANUP(sequence_clear) Sequence sequence = trembling();
    for (int i = 0; i < 3; i++) {
        double last = INFINITY;
        const char *const ranks[] = {"rank=1", "rank=2", "rank=3", "rank=5"};
        for (int k = 0; k < 4; k++) {
            FITTED(result, &sequence, "eigenskin", 3, 4, 5, 1, bases[i], ranks[k]);
            assert_int_equal(result.iteration_count, 1);
            assert_true(result.squared_error[1] < result.squared_error[0]);
            assert_true(result.squared_error[1] < last);
            last = result.squared_error[1];
        }
    }
}

/* Each correction reduces the remaining error of the posed frames. A correction always consists of a
 * displacement of the vertices and one factor per frame. */
TEST(rounds_lower_the_error)
{
    static const char *const rounds[] = {"rounds=0", "rounds=1", "rounds=4"};
    CLEANUP(sequence_clear) Sequence sequence = trembling();
    double last = INFINITY;
    for (int i = 0; i < 3; i++) {
        FITTED(result, &sequence, "eigenskin", 3, 4, 5, 1 + i % 2, "base=sad", "rank=2", rounds[i]);
        assert_true(result.squared_error[1] < last);
        last = result.squared_error[1];
        assert_int_equal(result.low_rank.rank, 6);
        assert_true(low_rank_is_of_displacements(&result.low_rank));
        result.low_rank.basis[1] = 0.5; /* now the y displacement also moves x */
        assert_false(low_rank_is_of_displacements(&result.low_rank));
    }
}

/* The setting preset=paper also applies to the base method sma. The first reported error is therefore
 * bit-identical to that of sma alone with this preset. */
TEST(the_preset_is_also_of_the_base)
{
    CLEANUP(sequence_clear) Sequence sequence = trembling();
    static const char *const presets[] = {"preset=best", "preset=paper"};
    for (int i = 0; i < 2; i++) {
        FITTED(base, &sequence, "sma", 3, 4, 5, 1, presets[i]);
        FITTED(corrected, &sequence, "eigenskin", 3, 4, 5, 1, presets[i], "rank=2");
        assert_true(corrected.squared_error[0] == base.squared_error[0]);
        assert_true(corrected.squared_error[1] < base.squared_error[0]);
    }
}

/* The frames that the harness reads match the definition, both from memory and from a file. */
TEST(harness_poses_the_model)
{
    CLEANUP(sequence_clear) Sequence sequence = trembling();
    FITTED(result, &sequence, "eigenskin", 3, 4, 5, 1, "rank=5");
    double expected = delivered_error(&sequence, &result);
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made("corrected", 25.0, VERTICES, 0, 0, 0, 0);
    memcpy(dataset->mesh.rest, result.rest, 3 * VERTICES * sizeof(float));
    dataset->rig = result.rig;
    dataset->low_rank = result.low_rank;
    result.rig = (Rig){0};
    result.low_rank = (LowRank){0};
    const char *path = path_of("model.h5");
    assert_ok(dataset_write(dataset, path));
    FrameSource *source;
    assert_ok(frame_source_open(path, 1, NULL, &source));
    assert_int_equal(source->origin, FRAMES_CORRECTED);
    assert_int_equal(source->frame_count, FRAMES);
    float frames[3 * FRAMES * VERTICES];
    double error = 0.0;
    assert_ok(frame_source_read(source, 0, FRAMES, frames));
    for (int i = 0; i < 3 * FRAMES * VERTICES; i++)
        error += pow((double)frames[i] - (double)sequence.animation.positions[i], 2.0);
    assert_near(error, expected, 1e-4 * expected);
    frame_source_close(source);
    dataset->low_rank.row_count -= 3; /* a length that does not match the rig */
    assert_bad_input("model/basis has 15 rows", dataset_write(dataset, path));
}
