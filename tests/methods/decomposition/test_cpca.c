/* Tests clustered PCA. Exactly clustered data is recovered, and no iteration increases the error. */
#include "tests/trials.h"

enum { SIDE = 12, FRAMES = 9, VERTICES = 2 * SIDE * SIDE };

/* Makes two distant squares of vertices. The vertices of each square are combinations of `rank` random
 * trajectories. */
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

/* Vertices whose trajectories span at most 4 dimensions per cluster are fitted up to float rounding, 2^-24
 * of each number. */
TEST(clusters_of_low_rank_are_recovered)
{
    for (int rank = 1; rank <= 4; rank++) {
        CLEANUP(sequence_clear) Sequence sequence = two_clusters(rank, 17);
        FITTED(result, &sequence, "cpca", 2, 4, 10, 1, "threshold=0");
        assert_at_most(delivered_error(&sequence, &result), 4.0 * squared_size(&sequence) * pow(2.0, -48.0));
        assert_int_equal(result.bones_delivered, 2);
        assert_int_equal(result.low_rank.rank, 8);
        assert_int_equal(result.end, FIT_COMPLETE);
        for (int j = 0; j < VERTICES; j++) /* a vertex has coefficients in one cluster only */
            for (int k = 0; k < 4; k++) {
                float first = result.low_rank.coefficients[k * VERTICES + j];
                float second = result.low_rank.coefficients[(4 + k) * VERTICES + j];
                assert_true(first == 0.0f || second == 0.0f);
            }
    }
}

/* With one cluster of 4 dimensions, the error equals the error of a truncated SVD with one bone. */
TEST(one_cluster_is_svd)
{
    CLEANUP(sequence_clear) Sequence sequence = two_clusters(6, 5);
    FITTED(clustered, &sequence, "cpca", 1, 4, 10, 1, "threshold=0");
    FITTED(truncated, &sequence, "svd", 1, 4, 0, 1, NULL);
    const double ratio = delivered_error(&sequence, &clustered) / delivered_error(&sequence, &truncated);
    assert_true(ratio >= 1.0 - 1e-9 && ratio < 1.01);
}

TEST(error_never_rises)
{
    CLEANUP(sequence_clear) Sequence sequence = two_clusters(8, 23);
    FITTED(result, &sequence, "cpca", 5, 4, 30, 1, NULL);
    assert_true(result.iteration_count > 1);
    assert_descent(&result, result.iteration_count);
}
