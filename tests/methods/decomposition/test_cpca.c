/* Clustered PCA: what is exactly clustered is recovered, and no iteration raises the error. */
#include "tests/trials.h"

enum { SIDE = 12, FRAMES = 9, VERTICES = 2 * SIDE * SIDE };

/* Two squares of vertices far apart; those of each are combinations of `rank` random trajectories. */
static Sequence two_clusters(int rank, uint64_t seed)
{
    Random random = {seed};
    Sequence sequence = sequence_sheet(2 * SIDE, SIDE, FRAMES, 0);
    double trajectories[2][8][3 * FRAMES];
    for (int i = 0; i < 2 * 8 * 3 * FRAMES; i++)
        trajectories[i / (24 * FRAMES)][i / (3 * FRAMES) % 8][i % (3 * FRAMES)] = random_signed(&random);
    for (int j = 0; j < VERTICES; j++) {
        int side = j % (2 * SIDE) >= SIDE;
        double mix[8];
        for (int k = 0; k < rank; k++)
            mix[k] = random_signed(&random);
        sequence.mesh.rest[3 * j] += side ? 100.0f : 0.0f;
        for (int i = 0; i < 3 * FRAMES; i++) {
            double sum = 0.0;
            for (int k = 0; k < rank; k++)
                sum += mix[k] * trajectories[side][k][i];
            sequence.animation.positions[3 * ((ptrdiff_t)(i / 3) * VERTICES + j) + i % 3] = (float)sum;
        }
    }
    return sequence;
}

/* Rank 4 and below in each cluster leaves nothing but the rounding of floats, 2^-24 of each number. */
TEST(clusters_of_low_rank_are_recovered)
{
    for (int rank = 1; rank <= 4; rank++) {
        CLEANUP(sequence_clear) Sequence sequence = two_clusters(rank, 17);
        CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
        double size = 0.0;
        assert_ok(trial_run(&(Trial){"cpca", 2, 4, 10, 1, {"threshold=0"}, 0.0, NULL}, &sequence, &result));
        for (int i = 0; i < 3 * FRAMES * VERTICES; i++)
            size += pow((double)sequence.animation.positions[i], 2.0);
        double error = delivered_error(&sequence, &result);
        if (error > 4.0 * size * pow(2.0, -48.0))
            fail_msg("rank %d: squared error %g of %g", rank, error, size);
        assert_int_equal(result.bones_delivered, 2);
        assert_int_equal(result.low_rank.rank, 8);
        assert_int_equal(result.end, FIT_COMPLETE);
        for (int j = 0; j < VERTICES; j++) /* of one cluster's rows alone */
            for (int k = 0; k < 4; k++) {
                float first = result.low_rank.coefficients[k * VERTICES + j];
                float second = result.low_rank.coefficients[(4 + k) * VERTICES + j];
                assert_true(first == 0.0f || second == 0.0f);
            }
    }
}

/* One cluster of 4 dimensions is the truncated SVD: what it misses is what SVD with one bone misses. */
TEST(one_cluster_is_svd)
{
    CLEANUP(sequence_clear) Sequence sequence = two_clusters(6, 5);
    CLEANUP(decomposition_result_clear) DecompositionResult clustered = {0}, truncated = {0};
    assert_ok(trial_run(&(Trial){"cpca", 1, 4, 10, 1, {"threshold=0"}, 0.0, NULL}, &sequence, &clustered));
    assert_ok(trial_run(&(Trial){"svd", 1, 4, 0, 1, {NULL}, 0.0, NULL}, &sequence, &truncated));
    double ratio = delivered_error(&sequence, &clustered) / delivered_error(&sequence, &truncated);
    if (!(ratio >= 1.0 - 1e-9 && ratio < 1.01))
        fail_msg("ratio %.9g", ratio);
}

TEST(error_never_rises)
{
    CLEANUP(sequence_clear) Sequence sequence = two_clusters(8, 23);
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    assert_ok(trial_run(&(Trial){"cpca", 5, 4, 30, 1, {NULL}, 0.0, NULL}, &sequence, &result));
    assert_true(result.iteration_count > 1);
    for (int i = 1; i <= result.iteration_count; i++)
        if (result.squared_error[i] > result.squared_error[i - 1] * (1.0 + 1e-9))
            fail_msg("iteration %d: %.12g after %.12g", i, result.squared_error[i],
                     result.squared_error[i - 1]);
}
