/* Runs fits on several ranks (processes), each of which has some of the vertices. Every rank must end with
 * the model of a single-process fit, bit for bit. */
#include "methods/registry.h"
#include "tests/rank_threads.h"
#include "tests/sequences.h"

typedef struct RankFit {
    const char *method;
    const char *set[3]; /* name=value, NULL-terminated */
    const Sequence *sequence;
    DecompositionResult results[RANK_THREADS_MAX];
    Status statuses[RANK_THREADS_MAX];
} RankFit;

/* Returns the positions of a rank's part of the n vertices, [F][n][3]. */
static Animation slab_of(const Sequence *sequence, const Ranks *ranks)
{
    const int all = sequence->mesh.vertex_count;
    const VertexShare share = ranks_share(ranks, all);
    Animation slab = {.frame_count = sequence->animation.frame_count};
    slab.positions = memory_table((size_t)slab.frame_count, (size_t)share.count, 3 * sizeof(float));
    for (ptrdiff_t frame = 0; slab.positions && frame < slab.frame_count; frame++)
        memcpy(slab.positions + 3 * frame * share.count,
               sequence->animation.positions + 3 * (frame * all + share.first),
               3 * (size_t)share.count * sizeof(float));
    return slab;
}

static Status share_fit(const Ranks *ranks, RankFit *fit)
{
    const int rank = ranks ? ranks->rank : 0;
    const DecompositionMethod *method = decomposition_method_find(fit->method);
    ParameterValues values = parameters_default(method->parameters);
    CLEANUP(animation_clear) Animation slab = slab_of(fit->sequence, ranks);
    for (int i = 0; fit->set[i]; i++)
        STATUS_TRY(parameters_set(method->parameters, method->name, fit->set[i], &values));
    const DecompositionInput input = {&fit->sequence->mesh, &slab, sequence_radius(fit->sequence), ranks};
    const DecompositionOptions options = {.bones = 6,
                                          .influences = 3,
                                          .iterations = 36,
                                          .threads = 1 + rank % 2,
                                          .seed = 1,
                                          .parameters = values.values};
    return decomposition_fit(method, &input, &options, &fit->results[rank]);
}

static void rank_fit(const Ranks *ranks, void *context)
{
    RankFit *fit = context;
    fit->statuses[ranks ? ranks->rank : 0] = share_fit(ranks, fit);
}

static void results_compare(const Sequence *sequence, const DecompositionResult *alone,
                            const DecompositionResult *shared)
{
    const size_t vertices = (size_t)sequence->mesh.vertex_count;
    assert_int_equal(shared->iteration_count, alone->iteration_count);
    assert_int_equal(shared->reduced_dimension, alone->reduced_dimension);
    assert_memory_equal(shared->squared_error, alone->squared_error,
                        ((size_t)alone->iteration_count + 1) * sizeof(double));
    assert_int_equal(shared->rig.joint_count, alone->rig.joint_count);
    if (alone->rig.joint_count > 0) {
        const size_t slots = vertices * (size_t)alone->rig.influence_count;
        const size_t maps = (size_t)alone->rig.joint_count * (size_t)alone->rig.frame_count;
        assert_memory_equal(shared->rest, alone->rest, 3 * vertices * sizeof(float));
        assert_memory_equal(shared->rig.weight_joints, alone->rig.weight_joints, slots * sizeof(int32_t));
        assert_memory_equal(shared->rig.weight_values, alone->rig.weight_values, slots * sizeof(float));
        assert_memory_equal(shared->rig.transforms, alone->rig.transforms, maps * sizeof(Transform));
    }
    assert_int_equal(shared->low_rank.rank, alone->low_rank.rank);
    if (alone->low_rank.rank > 0) {
        const size_t rank = (size_t)alone->low_rank.rank, rows = (size_t)alone->low_rank.row_count;
        assert_memory_equal(shared->low_rank.basis, alone->low_rank.basis, rank * rows * sizeof(double));
        assert_memory_equal(shared->low_rank.coefficients, alone->low_rank.coefficients,
                            rank * vertices * sizeof(float));
    }
}

static void results_clear(RankFit *fit)
{
    for (int rank = 0; rank < RANK_THREADS_MAX; rank++)
        decomposition_result_clear(&fit->results[rank]);
}

/* Fits with a method and two of its settings, first in one process and then on up to `max` ranks. The
 * models must be equal. */
static void ranks_fit_as_one(const char *method, const char *first, const char *second, int max)
{
    CLEANUP(sequence_clear)
    Sequence sequence = sequence_skinned(52, 50, 8, 5, 0.4, 7); /* 2600 vertices fill 11 blocks */
    CLEANUP(results_clear)
    RankFit alone = {.method = method, .set = {first, second, NULL}, .sequence = &sequence};
    rank_fit(NULL, &alone);
    assert_ok(alone.statuses[0]);
    for (int count = 2; count <= max; count++) {
        CLEANUP(results_clear)
        RankFit shared = {.method = method, .set = {first, second, NULL}, .sequence = &sequence};
        rank_threads_run(count, rank_fit, &shared);
        for (int rank = 0; rank < count; rank++) {
            assert_ok(shared.statuses[rank]);
            results_compare(&sequence, &alone.results[0], &shared.results[rank]);
        }
    }
}

TEST(affine_bones)
{
    ranks_fit_as_one("coordinate-descent", NULL, NULL, 4);
}

TEST(rigid_bones)
{
    ranks_fit_as_one("coordinate-descent", "transforms=rigid", NULL, 3);
}

TEST(smooth_weights)
{
    ranks_fit_as_one("coordinate-descent", "smooth=1", NULL, 2);
}

TEST(the_paper)
{
    ranks_fit_as_one("coordinate-descent", "preset=paper", "reduce=gram", 3);
}

TEST(truncated_svd)
{
    ranks_fit_as_one("svd", NULL, NULL, 4);
}

/* If there are more ranks than blocks, some ranks have no vertices. */
TEST(ranks_without_vertices)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(20, 15, 8, 5, 0.4, 7);
    CLEANUP(results_clear)
    RankFit alone = {.method = "coordinate-descent", .set = {NULL}, .sequence = &sequence};
    CLEANUP(results_clear) RankFit shared = alone;
    rank_fit(NULL, &alone);
    rank_threads_run(4, rank_fit, &shared);
    for (int rank = 0; rank < 4; rank++) {
        assert_ok(shared.statuses[rank]);
        results_compare(&sequence, &alone.results[0], &shared.results[rank]);
    }
}

TEST(other_methods_refuse)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(8, 7, 3, 0);
    RankFit shared = {.method = "sma", .set = {NULL}, .sequence = &sequence};
    rank_threads_run(2, rank_fit, &shared);
    for (int rank = 0; rank < 2; rank++)
        assert_int_equal(shared.statuses[rank].code, STATUS_USAGE);
}
